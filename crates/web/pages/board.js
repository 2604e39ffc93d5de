// A scene as one SVG: cells, pieces, and what is to be said about them. It knows no game.

import { drawn, element, playerName, style, write } from "./dom.js";
import { figureOf } from "./pieces.js";

const UNIT = 60;
const HEXAGON = Array.from({ length: 6 }, (_, at) => {
  const angle = Math.PI / 6 + (at * Math.PI) / 3;
  return [Math.cos(angle) / Math.sqrt(3), Math.sin(angle) / Math.sqrt(3)];
});
const STEP_MS = 260;
const FIGURE_NAMES = { queen: "amazon", burnt: "burnt", text: "" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/// A cell's outline, `size` times as large as the cell.
function outline(shape, size, attributes = {}, kind = "") {
  const classes = kind ? `.${kind.replaceAll(" ", ".")}` : "";
  if (shape === "square") {
    const side = UNIT * size;
    return drawn(`rect${classes}`, { x: -side / 2, y: -side / 2, width: side, height: side, ...attributes });
  }
  if (shape === "hexagon") {
    const points = HEXAGON.map(([x, y]) => `${(x * size * UNIT).toFixed(2)},${(y * size * UNIT).toFixed(2)}`).join(" ");
    return drawn(`polygon${classes}`, { points, ...attributes });
  }
  return drawn(`circle${classes}`, { r: (UNIT * size) / 2, ...attributes });
}

export class Board {
  /// `touch(name)` is told of clicks, `point(name | null)` of the cell that the keyboard is on.
  constructor({ touch, small = false }) {
    this.touch = touch;
    this.small = small;
    this.svg = drawn("svg.board", { role: "group", "aria-label": "board" });
    this.layout = "";
    if (!small) {
      this.svg.addEventListener("click", (event) => this.clicked(event));
      // A mouse takes no focus: then arrows walk the record, and from cell to cell only for those who came by keys.
      this.svg.addEventListener("mousedown", (event) => event.preventDefault());
      this.svg.addEventListener("keydown", (event) => this.key(event));
      this.svg.addEventListener("focusin", (event) => this.rove(event.target.dataset?.cell));
    }
  }

  /// Shows a view of the server. `from` is the view before, to animate the way from it.
  show(view, { flip = false, from = null } = {}) {
    this.view = view;
    const { cells, shape } = view.scene;
    const layout = JSON.stringify([shape, flip, cells]);
    if (layout !== this.layout) this.build(view.scene, flip);
    else this.stopAnimations();
    this.layout = layout;
    this.drawPieces(view);
    this.drawLast(view.last);
    this.light({ path: [], targets: new Set(), active: false });
    this.heat(null);
    this.mark([]);
    if (from && from.scene.cells.length === cells.length) this.animate(from, view);
  }

  // What stays the same from position to position.
  build(scene, flip) {
    const { cells, shape } = scene;
    const sign = flip ? -1 : 1;
    this.at = cells.map(({ x, y }) => [sign * x * UNIT, sign * y * UNIT]);
    this.index = new Map(cells.map((cell, at) => [cell.name, at]).filter(([name]) => name));
    const layers = ["ground", "lines", "cells", "rim", "heats", "last", "pieces", "shares", "targets", "marks", "hits"];
    this.layers = Object.fromEntries(layers.map((name) => [name, drawn(`g.${name}`)]));
    this.svg.replaceChildren(...Object.values(this.layers));
    this.frame(scene, flip);
    const place = (at, node) => (node.setAttribute("transform", `translate(${this.at[at]})`), node);
    cells.forEach((cell, at) => {
      this.layers.cells.append(place(at, outline(shape, shape === "hole" ? 0.74 : shape === "point" ? 0.1 : 1, {}, `cell ${cell.tone}`)));
      if (shape === "point" && cell.tone !== "plain") {
        this.layers.cells.append(place(at, outline("hole", 0.5, {}, `cell ${cell.tone}`)));
      }
      if (!cell.name) return;
      // Where rows do not line up, every cell says its name.
      const [x, y] = this.at[at];
      if (this.small) return;
      if (shape === "hexagon" || shape === "hole") this.layers.rim.append(drawn("text.below", { x, y: y + (shape === "hole" ? 32 : 30) }, cell.name));
      else if (/^\d+$/.test(cell.name) && shape === "square") this.layers.rim.append(drawn("text.inside", { x: x - 28, y: y - 20 }, cell.name));
    });
    for (const [from, to] of scene.lines) {
      const [[x1, y1], [x2, y2]] = [this.at[from], this.at[to]];
      this.layers.lines.append(drawn("path.way", { d: `M${x1} ${y1}L${x2} ${y2}` }));
    }
    this.hits = new Map();
    this.heats = new Map();
    for (const [name, at] of this.index) {
      const glow = outline(shape, shape === "hexagon" || shape === "square" ? 0.98 : 0.8, {}, "heat");
      // On a plate of its own, so that it can be read on every piece.
      const text = drawn("text.share", { y: 5 });
      const low = shape === "point" || shape === "hole" ? 14 : 19;
      const plate = drawn("g.plate", { transform: `translate(${this.at[at][0]} ${this.at[at][1] + low})`, visibility: "hidden" }, drawn("rect", { x: -19, y: -9, width: 38, height: 18, rx: 9 }), text);
      this.heats.set(name, { glow: place(at, glow), text, plate });
      this.layers.heats.append(glow);
      this.layers.shares.append(plate);
      if (this.small) continue;
      const title = drawn("title", {}, name);
      const hit = drawn("g.hit", { "data-cell": name, role: "button", tabindex: -1 }, title, outline(shape, shape === "point" ? 0.96 : 1));
      this.hits.set(name, place(at, hit));
      this.layers.hits.append(hit);
    }
    const first = this.hits.keys().next().value;
    this.focused = this.hits.has(this.focused) ? this.focused : first;
    this.rove(this.focused);
  }

  // The ground below the cells, the coordinates at the rim, and the part of the plane that is seen.
  frame({ cells, shape }, flip) {
    if (!cells.length) return;
    const half = { square: 0.5, hexagon: 0.58, point: 0.5, hole: 0.5 }[shape];
    const xs = this.at.map(([x]) => x);
    const ys = this.at.map(([, y]) => y);
    const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    const names = cells.filter(({ name }) => name).map(({ name }) => name);
    const chess = (shape === "square" || shape === "point") && names.every((name) => column(name));
    const border = half * UNIT + (this.small ? 4 : 8);
    const distinct = (list) => new Set(list.map(Math.round)).size;
    if (distinct(xs) * distinct(ys) === cells.length) {
      const size = { width: box[2] - box[0] + 2 * border, height: box[3] - box[1] + 2 * border };
      this.layers.ground.append(drawn(`rect.ground.on-${shape}`, { x: box[0] - border, y: box[1] - border, rx: 10, ...size }));
    } else {
      // Larger copies below the cells flow together to a border.
      const copies = this.at.map((at) => {
        const copy = outline(shape, shape === "hole" || shape === "point" ? 1.3 : 1.22, {}, "ground");
        copy.setAttribute("transform", `translate(${at})`);
        return copy;
      });
      this.layers.ground.append(...copies);
    }
    const rim = chess && !this.small ? 26 : 0;
    if (rim) this.coordinates(cells, box, border);
    const [left, top] = [box[0] - border - rim, box[1] - border - 2];
    const [width, height] = [box[2] - box[0] + 2 * border + rim + 2, box[3] - box[1] + 2 * border + rim + 2];
    this.svg.setAttribute("viewBox", [left, top, width, height].map((value) => value.toFixed(1)).join(" "));
    this.svg.style.maxWidth = `${Math.round(width * 1.45)}px`;
    this.svg.style.setProperty("--wide", width / height);
    this.svg.style.aspectRatio = `${width} / ${height}`;
  }

  coordinates(cells, box, border) {
    const seen = new Set();
    const label = (text, key, x, y) => {
      if (seen.has(key)) return;
      seen.add(key);
      this.layers.rim.append(drawn("text.coordinate", { x, y }, text));
    };
    cells.forEach(({ name }, at) => {
      const [letters, digits] = column(name);
      label(letters, `below ${letters}`, this.at[at][0], box[3] + border + 19);
      label(digits, `beside ${digits}`, box[0] - border - 14, this.at[at][1] + 5);
    });
  }

  drawPieces({ scene }) {
    const pieces = scene.pieces.map((piece) => {
      const inner = figureOf(piece);
      return { ...piece, inner, node: drawn("g.piece", { transform: `translate(${this.at[piece.cell]})` }, inner) };
    });
    this.pieces = pieces;
    this.layers.pieces.replaceChildren(...pieces.map(({ node }) => node));
  }

  /// The piece on a cell, if one stands there.
  pieceAt(name) {
    return this.pieces.findLast(({ cell }) => cell === this.index.get(name));
  }

  drawLast(last) {
    const shape = this.view.scene.shape;
    const ends = (last?.steps ?? []).filter((name) => this.index.has(name));
    const marks = ends.map((name, at) => {
      const mark = outline(shape === "point" ? "hole" : shape, 0.9, {}, at === ends.length - 1 ? "lastmove" : "lastmove before");
      mark.setAttribute("transform", `translate(${this.at[this.index.get(name)]})`);
      return mark;
    });
    this.layers.last.replaceChildren(...marks);
  }

  /// Shows how far a path has come and where it may go on.
  light({ path, targets, active }) {
    const shape = this.view.scene.shape;
    const occupied = new Set(this.view.scene.pieces.map(({ cell }) => cell));
    const nodes = [];
    const place = (name, node) => {
      node.setAttribute("transform", `translate(${this.at[this.index.get(name)]})`);
      nodes.push(node);
    };
    const many = targets.size > 40 ? " many" : "";
    for (const name of targets) {
      if (!this.index.has(name)) continue;
      if (occupied.has(this.index.get(name))) {
        const kind = path.length ? "target taken" : "target start";
        place(name, outline(shape === "square" || shape === "hexagon" ? shape : "hole", shape === "hole" ? 0.8 : 0.9, {}, kind));
      } else {
        place(name, drawn(`circle.target.free${many && ".many"}`, { r: many ? 5 : 9 }));
      }
    }
    for (const name of path) {
      if (this.index.has(name)) place(name, outline(shape === "point" ? "hole" : shape, 0.92, {}, "picked"));
    }
    this.layers.targets?.replaceChildren(...nodes);
    this.svg.classList.toggle("active", active);
    this.label(path, targets);
  }

  label(path, targets) {
    const on = new Map(this.view.scene.pieces.map((piece) => [piece.cell, piece]));
    for (const [name, hit] of this.hits) {
      const words = [name, this.describe(on.get(this.index.get(name)))];
      if (path.includes(name)) words.push("picked");
      if (targets.has(name)) words.push(path.length ? "legal target" : "can be played");
      hit.setAttribute("aria-label", words.filter(Boolean).join(", "));
      hit.classList.toggle("legal", targets.has(name));
      hit.classList.toggle("grip", !path.length && targets.has(name) && on.has(this.index.get(name)));
    }
  }

  describe(piece) {
    if (!piece) return "empty";
    const owner = piece.owner ? playerName(this.view, piece.owner) : "";
    return [owner, FIGURE_NAMES[piece.figure] ?? piece.figure, piece.text].filter(Boolean).join(" ");
  }

  /// Shades the cells by their share of visits; `null` takes it away.
  heat(shares) {
    const values = Object.values(shares ?? {});
    const most = Math.max(0.02, ...values);
    // Where all of a large board is visited, the differences are what is worth seeing.
    const least = values.length > 16 ? Math.min(...values) : 0;
    for (const [name, { glow, text, plate }] of this.heats) {
      const value = shares?.[name] ?? 0;
      // In steps that can be seen, so that small changes paint nothing.
      const shade = value < 0.004 ? 0 : Math.round(20 * (0.1 + 0.7 * Math.sqrt((value - least) / (most - least || 1)))) / 20;
      style(glow, "opacity", String(shade));
      write(text, value >= 0.03 ? `${Math.round(100 * value)}%` : "");
      const seen = value >= 0.03 ? "visible" : "hidden";
      if (plate.getAttribute("visibility") !== seen) plate.setAttribute("visibility", seen);
    }
  }

  /// Numbers moves on the board: `[{ steps, label, kind }]`, a hint or a variation.
  mark(moves) {
    if (!this.layers) return;
    const nodes = [];
    const used = new Map();
    for (const { steps, label, kind = "hint" } of moves) {
      const places = steps.filter((name) => this.index.has(name)).map((name) => this.at[this.index.get(name)]);
      if (!places.length) continue;
      nodes.push(drawn(`path.trail.${kind}`, { d: `M${places.map(([x, y]) => `${x} ${y}`).join("L")}` }));
      const [x, y] = places.at(-1);
      // Several numbers on one cell stand beside each other.
      const before = used.get(`${x} ${y}`) ?? 0;
      used.set(`${x} ${y}`, before + 1);
      const spot = drawn(`g.spot.${kind}`, { transform: `translate(${x + 18 * before} ${y})` }, drawn("circle", { r: 13 }));
      spot.append(drawn("text", { y: 5 }, label));
      nodes.push(spot);
    }
    this.layers.marks.replaceChildren(...nodes);
  }

  stopAnimations() {
    for (const running of this.running ?? []) running.cancel();
    this.running = [];
  }

  // Pieces glide along the steps of the move, what is new appears, what is gone fades.
  animate(before, view) {
    this.stopAnimations();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return;
    const key = ({ cell, owner, figure, text }) => [cell, owner, figure, text].join();
    const old = new Set(before.scene.pieces.map(key));
    const now = new Set(view.scene.pieces.map(key));
    const gone = before.scene.pieces.filter((piece) => !now.has(key(piece)));
    const come = this.pieces.filter((piece) => !old.has(key(piece)));
    const steps = (view.last?.steps ?? []).map((name) => this.index.get(name)).filter((at) => at !== undefined);
    let glide = 0;
    for (const piece of come) {
      const at = gone.findIndex((other) => other.owner === piece.owner && alike(other, piece) && other.cell !== piece.cell);
      if (at < 0) continue;
      const [source] = gone.splice(at, 1);
      piece.moved = true;
      glide = Math.max(glide, this.slide(piece, source.cell, steps));
    }
    for (const piece of come.filter(({ moved }) => !moved)) {
      const frames = [{ opacity: 0, transform: "scale(.4)" }, { opacity: 1, transform: "none" }];
      this.run(piece.inner, frames, { duration: 180, delay: glide, fill: "backwards", easing: "ease-out" });
    }
    for (const piece of gone) this.fade(piece, glide);
  }

  slide(piece, source, steps) {
    const [from, to] = [steps.indexOf(source), steps.indexOf(piece.cell)];
    const way = from >= 0 && to > from ? steps.slice(from, to + 1) : [source, piece.cell];
    const [x, y] = this.at[piece.cell];
    const frames = way.map((cell) => ({ transform: `translate(${this.at[cell][0] - x}px, ${this.at[cell][1] - y}px)` }));
    const duration = Math.min(1200, STEP_MS * (way.length - 1));
    this.layers.pieces.append(piece.node);
    this.run(piece.inner, frames, { duration, easing: way.length > 2 ? "linear" : "ease-in-out" });
    return duration;
  }

  fade(piece, delay) {
    const ghost = drawn("g.piece", { transform: `translate(${this.at[piece.cell]})` }, figureOf(piece));
    this.layers.pieces.prepend(ghost);
    const fading = this.run(ghost, [{ opacity: 1 }, { opacity: 0 }], { duration: 200, delay, fill: "forwards" });
    const remove = () => ghost.remove();
    fading.finished.then(remove, remove);
  }

  run(node, frames, options) {
    const animation = node.animate(frames, options);
    (this.running ??= []).push(animation);
    return animation;
  }

  clicked(event) {
    const name = event.target.closest?.("[data-cell]")?.dataset.cell;
    if (name !== undefined) this.rove(name);
    this.touch(name ?? null);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const name = event.target.dataset?.cell;
    if (name === undefined) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.touch(name);
    } else if (ARROWS[event.key]) {
      event.preventDefault();
      const next = this.neighbour(name, ARROWS[event.key]);
      if (next) this.hits.get(next).focus();
    }
  }

  // The nearest cell in a direction; what lies aside counts as farther.
  neighbour(name, [dx, dy]) {
    const [x, y] = this.at[this.index.get(name)];
    let best = null;
    for (const [other, at] of this.index) {
      const [along, aside] = [(this.at[at][0] - x) * dx + (this.at[at][1] - y) * dy, (this.at[at][0] - x) * dy - (this.at[at][1] - y) * dx];
      if (along < UNIT / 4) continue;
      const far = along + 2 * Math.abs(aside);
      if (!best || far < best.far) best = { other, far };
    }
    return best?.other;
  }

  // One cell at a time is in the order of the tabulator.
  rove(name) {
    if (!this.hits?.has(name)) return;
    this.hits.get(this.focused)?.setAttribute("tabindex", -1);
    this.hits.get(name).setAttribute("tabindex", 0);
    this.focused = name;
  }
}

// Column and row of a name such as d4, or 4,1 as rule sheets have it.
function column(name) {
  return /^([a-z]+)(\d+)$/.exec(name)?.slice(1) ?? /^([^,]+),([^,]+)$/.exec(name)?.slice(1) ?? null;
}

// A man may have been crowned on the way.
function alike(before, after) {
  return (before.figure === after.figure && before.text === after.text) || (before.figure === "stone" && after.figure === "king");
}

/// A board of a node, too small to be clicked.
export function smallBoard(view) {
  const board = new Board({ touch: () => {}, small: true });
  board.svg.setAttribute("role", "img");
  board.svg.setAttribute("aria-label", "the position of the node");
  if (view.scene.cells.length) board.show(view, {});
  else return element("pre", {}, view.text);
  return board.svg;
}

/// Whether the first player's pieces stand above the second one's.
export function isUpside({ cells, pieces }) {
  const height = (player) => {
    const own = pieces.filter(({ owner }) => owner === player).map(({ cell }) => cells[cell].y);
    return own.length ? own.reduce((sum, y) => sum + y, 0) / own.length : 0;
  };
  return height(1) < height(2) - 1;
}
