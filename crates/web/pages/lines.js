// Lines with bands on one scale, drawn again and again: values over a game or over the time of a search.

import { drawn } from "./dom.js";

const [LEFT, RIGHT, BOTTOM, TOP] = [30, 6, 14, 6];

export class Lines {
  /// `pick(x)` is told of clicks, `label` says what is seen. Values are shares unless the scale is open.
  constructor({ label, pick = null, colours = ["var(--blue)", "var(--vermilion)"], id }) {
    this.label = label;
    this.colours = colours;
    [this.width, this.height] = [600, 90];
    this.svg = drawn("svg.lines", { role: "img", "aria-label": label, id });
    this.ground = drawn("g");
    this.curves = drawn("g");
    this.points = drawn("g");
    this.now = drawn("path.now", {});
    this.svg.append(this.ground, this.curves, this.points, this.now);
    // Told rather than asked for, as asking lays the whole page out on the spot.
    new ResizeObserver(([{ contentRect }]) => this.fit(contentRect)).observe(this.svg);
    if (pick) {
      this.svg.classList.add("picked-by-click");
      this.svg.addEventListener("click", (event) => {
        const at = event.clientX - this.svg.getBoundingClientRect().left;
        pick(Math.max(0, Math.min(this.most, Math.round(((at - LEFT) / (this.width - LEFT - RIGHT)) * this.most))));
      });
    }
  }

  fit({ width, height }) {
    if (!width || (this.width === width && this.height === height)) return;
    [this.width, this.height] = [width, height];
    if (this.shown) this.show(this.shown);
  }

  x(value) {
    return LEFT + ((this.width - LEFT - RIGHT) * value) / (this.most || 1);
  }

  y(value) {
    const share = (value - this.low) / (this.high - this.low || 1);
    return this.height - BOTTOM - (this.height - BOTTOM - TOP) * Math.max(0, Math.min(1, share));
  }

  /// `series` are lists of `{ x, y, margin }`; `marks` is `[{ x, y, kind, title }]`; `open` fits the scale to the values.
  show(shown) {
    this.shown = shown;
    const { series, most, open = false, now = null, marks = [], unit = "" } = shown;
    this.most = most > 0 ? most : 1;
    // One unit is one pixel, so that letters keep their shape.
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    const all = series.flat().map(({ y }) => y);
    const reach = Math.max(1e-9, ...all.map(Math.abs));
    [this.low, this.high] = open && all.length ? [Math.min(0, ...all), 1.1 * reach] : [0, 1];
    const ticks = open ? (all.length ? [this.low, this.high] : []) : [0, 0.5, 1];
    const tick = (value) => [
      drawn("path.grid", { d: `M${LEFT} ${this.y(value)}H${this.width - RIGHT}` }),
      drawn("text.tick", { x: LEFT - 5, y: this.y(value) + 4 }, open ? value.toPrecision(2) : `${Math.round(100 * value)}`),
    ];
    this.ground.replaceChildren(...ticks.flatMap(tick), drawn("text.tick.last", { x: this.width - RIGHT, y: this.height - 1 }, `${Math.round(10 * this.most) / 10}${unit}`));
    this.curves.replaceChildren(...series.flatMap((points, at) => this.curve(points, at)));
    const mark = ({ x, y, kind, title }) => drawn(`circle.mark.${kind}`, { cx: this.x(x), cy: this.y(y), r: 5 }, drawn("title", {}, title));
    this.points.replaceChildren(...marks.map(mark));
    this.now.setAttribute("d", now === null ? "" : `M${this.x(now)} ${TOP}V${this.height - BOTTOM}`);
  }

  curve(points, at) {
    if (!points.length) return [];
    const place = ({ x, y }) => `${this.x(x).toFixed(1)} ${this.y(y).toFixed(1)}`;
    const upper = points.map(({ x, y, margin }) => place({ x, y: y + (margin ?? 0) }));
    const lower = points.map(({ x, y, margin }) => place({ x, y: y - (margin ?? 0) })).reverse();
    const colour = this.colours[at % this.colours.length];
    const dash = at ? "6 4" : null;
    const dots = points.length > 1 ? [] : [drawn("circle", { cx: this.x(points[0].x), cy: this.y(points[0].y), r: 3.5, style: `fill:${colour}` })];
    return [
      ...dots,
      drawn("path.band", { d: `M${[...upper, ...lower].join("L")}Z`, style: `fill:${colour}` }),
      drawn("path.line", { d: `M${points.map(place).join("L")}`, style: `stroke:${colour}`, "stroke-dasharray": dash }),
    ];
  }
}
