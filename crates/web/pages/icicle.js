// The tree of a search as a picture: boxes below boxes, as wide as their visits, coloured by their value. The server sends
// only what is wide enough to be seen, so that the size of the tree does not matter. A click goes into a box.
//
// For tests: `#tree`, `#tree [data-box]` (the moves that lead there, joined by spaces), `#tree-path [data-depth]`, `#tree-children
// [data-candidate]`, `#tree-visits`, `#tree-board svg`.

import { smallBoard } from "./board.js";
import { drawn, element, short, style, write } from "./dom.js";
import { shareOf } from "./value.js";

const REFRESH_MS = 600;
const ROW = 24;
const PROOFS = ["", "won", "lost", "drawn"];
const FEWEST_PIXELS = 2;

export class TreePicture {
  /// `ask(side, path, least)` asks for a picture, `open(side, path)` for the position of a node; `point(path | null)` is told what is
  /// looked at.
  constructor({ ask, open, point }) {
    Object.assign(this, { ask, openNode: open, point });
    this.side = 0;
    this.path = [];
    this.running = [false, false];
    this.crumbs = element("nav.crumbs", { id: "tree-path", "aria-label": "path in the tree" });
    this.visits = element("span.muted", { id: "tree-visits" }, "");
    this.board = element("div.small-board", { id: "tree-board" });
    this.note = element("p.muted.note", {}, "The tree of a search appears here: boxes as wide as their visits, blue where the first player does well.");
    this.svg = drawn("svg.icicle", { role: "img", "aria-label": "the tree as boxes", preserveAspectRatio: "none" });
    this.children = element("div.row.tree-children", { id: "tree-children", role: "group", "aria-label": "moves below" });
    this.sides = element("div.row.sides", { hidden: true });
    for (const side of [0, 1]) {
      const button = element("button.small", { type: "button", "data-tree-side": side, onclick: () => this.select(side, []) }, side ? "second agent" : "first agent");
      this.sides.append(button);
    }
    const top = element("div.row.tree-top", {}, element("h2", {}, "Tree"), this.sides, this.crumbs, element("span.push"), this.visits);
    this.field = element("div.icicle-box", {}, this.svg, this.note);
    this.body = element("section.tree", { id: "tree", "aria-label": "tree" }, top, element("div.tree-body", {}, this.field, this.board), this.children);
    this.nodes = new Map();
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.svg.addEventListener("pointermove", (event) => this.hovered(event));
    this.svg.addEventListener("pointerleave", () => this.hover(null));
    [this.width, this.rows] = [600, 7];
    this.fitting = new ResizeObserver(([{ contentRect }]) => this.fit(contentRect));
    this.fitting.observe(this.field);
    this.timer = setInterval(() => this.running[this.side] && this.refresh(), REFRESH_MS);
    this.drawCrumbs();
  }

  /// Goes to a node; everything about it is shown here.
  select(side, path) {
    this.side = side;
    this.path = path;
    // Those of another node are not meant any more.
    this.buttons([]);
    this.drawCrumbs();
    this.refresh();
  }

  // Another size of the window: letters keep their shape, and there are as many rows as find room.
  fit({ width, height }) {
    if (!width) return;
    [this.width, this.rows] = [Math.max(200, width), Math.floor(height / ROW)];
    if (this.boxes) this.draw();
  }

  refresh() {
    if (document.hidden || !this.known || !this.field.isConnected) return;
    this.ask(this.side, this.path, FEWEST_PIXELS / this.width);
    if (this.path.length || this.shownPath !== "[]") this.openNode(this.side, this.path);
  }

  /// A search of a side began or ended; a new position begins at its root.
  searching(side, running, fresh = false) {
    this.running[side] = running;
    this.known ||= running;
    if (fresh && side === this.side) {
      this.path = [];
      this.drawCrumbs();
    }
    this.refresh();
  }

  /// Another game: nothing is known of it.
  clear() {
    this.path = [];
    this.known = this.running.some(Boolean);
    this.boxes = [];
    this.svg.replaceChildren();
    this.nodes.clear();
    this.board.replaceChildren();
    this.shown = null;
    this.children.replaceChildren();
    write(this.visits, "");
    this.note.hidden = false;
    this.drawCrumbs();
  }

  compare(two) {
    this.sides.hidden = !two;
    if (!two && this.side === 1) this.select(0, []);
  }

  drawCrumbs() {
    const crumb = (text, depth) =>
      element("button.link.mono", { type: "button", "data-depth": depth, onclick: () => this.select(this.side, this.path.slice(0, depth)) }, text);
    const parts = this.path.map((move, at) => [element("span", { "aria-hidden": "true" }, "›"), crumb(move, at + 1)]);
    this.crumbs.replaceChildren(crumb("root", 0), ...parts.flat());
    for (const button of this.sides.children) button.setAttribute("aria-pressed", String(Number(button.dataset.treeSide) === this.side));
  }

  /// A picture came.
  picture({ side, path, visits, boxes }) {
    if (side !== this.side || JSON.stringify(path) !== JSON.stringify(this.path)) return;
    this.note.hidden = boxes.length > 0;
    if (!boxes.length) write(this.note, path.length ? "No simulation has gone deeper yet." : "The tree of this agent cannot be seen.");
    write(this.visits, visits ? `${short(visits)} visits` : "");
    this.lay(boxes, visits);
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
    const below = this.boxes.filter(({ parent }) => parent === 0).slice(0, 8);
    this.buttons(below);
  }

  // Where every box stands: children from the left, in the order in which they came.
  lay(boxes, visits) {
    const all = [{ x: 0, width: 1, depth: 0, way: this.path, used: 0, visits }];
    for (const [parent, move, own, mean, proof, player] of boxes) {
      const above = all[parent];
      const width = own / Math.max(visits, 1);
      all.push({ parent, move, visits: own, mean, proof, player, x: above.x + above.used, width, depth: above.depth + 1, way: [...above.way, move], used: 0 });
      above.used += width;
    }
    this.boxes = all.slice(1);
  }

  draw() {
    const { width, rows } = this;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${ROW * rows}`);
    style(this.svg, "height", `${ROW * rows}px`);
    const seen = new Set();
    for (const box of this.boxes) {
      if (box.depth > rows) continue;
      const key = box.way.join(" ");
      seen.add(key);
      this.drawBox(key, box, width);
    }
    for (const [key, { group }] of this.nodes) {
      if (seen.has(key)) continue;
      group.remove();
      this.nodes.delete(key);
    }
  }

  drawBox(key, box, width) {
    let node = this.nodes.get(key);
    if (!node) {
      const [rect, text, title] = [drawn("rect", { rx: 2, height: ROW - 1 }), drawn("text", { y: 16 }), drawn("title")];
      node = { group: drawn("g.box", { "data-box": key }, rect, text, title), rect, text, title };
      this.nodes.set(key, node);
      this.svg.append(node.group);
    }
    const pixels = box.width * width;
    const share = box.player ? shareOf(box.mean, box.player, false) : 0.5;
    node.group.setAttribute("transform", `translate(${(box.x * width).toFixed(1)} ${(box.depth - 1) * ROW})`);
    node.rect.setAttribute("width", Math.max(0.6, pixels - 1).toFixed(1));
    style(node.rect, "fill", colour(share));
    node.text.setAttribute("x", (pixels / 2).toFixed(1));
    write(node.text, pixels > 7.2 * box.move.length + 6 ? box.move : "");
    const proof = PROOFS[box.proof];
    node.group.classList.toggle("proven", Boolean(proof));
    const value = share === null ? "" : `, first player ${Math.round(100 * share)} %`;
    write(node.title, `${key}: ${short(box.visits)} visits${proof ? `, ${proof}` : value}`);
  }

  buttons(below) {
    const [now, old] = [JSON.stringify(below.map(({ move }) => move)), this.listed];
    if (now === old) return;
    this.listed = now;
    const make = ({ move, way }) => element("button.link.mono", { type: "button", "data-candidate": move, onclick: () => this.select(this.side, way) }, move);
    this.children.replaceChildren(...below.map(make));
  }

  boxOf(event) {
    return event.target.closest?.("[data-box]")?.dataset.box;
  }

  clicked(event) {
    const key = this.boxOf(event);
    if (key) this.select(this.side, this.boxes.find(({ way }) => way.join(" ") === key)?.way ?? this.path);
  }

  hovered(event) {
    this.hover(this.boxOf(event) ?? null);
  }

  hover(key) {
    if (key === this.hoveredKey) return;
    this.hoveredKey = key;
    const box = key && this.boxes.find(({ way }) => way.join(" ") === key);
    this.point(box ? box.way : null);
  }

  /// Shows which boxes begin with what is picked on the board.
  touched(moves) {
    for (const [, { group }] of this.nodes) group.classList.toggle("touched", moves !== null && moves.has(group.dataset.box.split(" ")[this.path.length]));
  }

  /// The position of a node came.
  node(node) {
    if (node.side !== this.side || JSON.stringify(node.path) !== JSON.stringify(this.path)) return;
    this.shownPath = JSON.stringify(node.path);
    if (!node.view || this.shown === node.view.position) return;
    this.shown = node.view.position;
    this.board.replaceChildren(smallBoard(node.view));
  }

  /// There is no tree to be looked at.
  none(text) {
    this.note.hidden = false;
    write(this.note, text);
  }

  close() {
    clearInterval(this.timer);
    this.fitting.disconnect();
    cancelAnimationFrame(this.frame);
  }
}

// Blue where the first player does well, orange where the second does, in steps that can be told apart.
function colour(share) {
  if (share === null) return "var(--rule)";
  // Searches differ by a few points in a hundred, which the root makes visible.
  const far = Math.round(20 * Math.sqrt(Math.abs(2 * share - 1))) / 20;
  return `color-mix(in oklab, ${share >= 0.5 ? "var(--tree-one)" : "var(--tree-two)"} ${Math.round(10 + 90 * far)}%, var(--tree-none))`;
}
