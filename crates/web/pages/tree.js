// The tree of a search, node by node: the children of a node with their numbers, and the position there. Nodes are asked
// for when they are opened, so that the size of the tree does not matter; what is open is asked for again once a second.
//
// For tests: `#tree`, `#tree-path [data-depth]`, `#tree-children [data-candidate]`, `#tree-visits`.

import { smallBoard } from "./board.js";
import { element, short, write } from "./dom.js";
import { Candidates } from "./search.js";

const REFRESH_MS = 1000;

export class TreeExplorer {
  /// `ask(side, path)` asks the server for a node.
  constructor({ ask }) {
    this.ask = ask;
    this.side = 0;
    this.path = [];
    this.running = [false, false];
    this.crumbs = element("nav.crumbs", { id: "tree-path", "aria-label": "path in the tree" });
    this.visits = element("span", { id: "tree-visits" }, "");
    this.board = element("div.small-board");
    this.note = element("p.muted", {}, "Let an agent think; then its tree can be walked here.");
    this.children = new Candidates({ id: "tree-children", point: () => {}, open: ({ move }) => this.open(this.side, [...this.path, move]) });
    this.sides = element("div.row", { hidden: true });
    for (const side of [0, 1]) {
      const button = element("button", { type: "button", "data-tree-side": side, onclick: () => this.open(side, []) }, side ? "second agent" : "first agent");
      this.sides.append(button);
    }
    this.content = element("div.tree-body", { hidden: true }, this.board, this.children.body);
    const top = element("div.row", {}, this.sides, this.crumbs, this.visits);
    this.body = element("details.panel", { id: "tree" }, element("summary", {}, element("h2", {}, "Tree")), this.note, top, this.content);
    // On a small screen it would be far down and cost traffic unseen.
    this.body.open = matchMedia("(min-width: 900px)").matches;
    this.body.addEventListener("toggle", () => this.refresh());
    this.timer = setInterval(() => this.running[this.side] && this.refresh(), REFRESH_MS);
  }

  /// Opens a node; the panel unfolds.
  open(side, path) {
    this.side = side;
    this.path = path;
    this.body.open = true;
    this.drawCrumbs();
    this.refresh();
  }

  refresh() {
    if (this.body.open && !document.hidden && this.known) this.ask(this.side, this.path);
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

  compare(two) {
    this.sides.hidden = !two;
    if (!two && this.side === 1) this.open(0, []);
  }

  drawCrumbs() {
    const crumb = (text, depth) =>
      element("button.link.mono", { type: "button", "data-depth": depth, onclick: () => this.open(this.side, this.path.slice(0, depth)) }, text);
    const parts = this.path.map((move, at) => [element("span", { "aria-hidden": "true" }, "›"), crumb(move, at + 1)]);
    this.crumbs.replaceChildren(crumb("root", 0), ...parts.flat());
    for (const button of this.sides.children) button.setAttribute("aria-pressed", String(Number(button.dataset.treeSide) === this.side));
  }

  /// A node came.
  node(node) {
    if (node.side !== this.side || JSON.stringify(node.path) !== JSON.stringify(this.path)) return;
    this.note.hidden = !node.missing;
    write(this.note, "The tree does not reach this position.");
    write(this.visits, node.missing ? "" : `${short(node.visits)} visits`);
    this.content.hidden = false;
    if (node.view && this.shown !== node.view.position) {
      this.shown = node.view.position;
      this.board.replaceChildren(smallBoard(node.view));
    }
    this.children.show(node.candidates ?? [], node.more ?? 0, node.view?.score !== null && node.view?.score !== undefined, null);
  }

  /// There is no tree to be looked at.
  none(text) {
    this.note.hidden = false;
    write(this.note, text);
    this.content.hidden = true;
  }

  close() {
    clearInterval(this.timer);
  }
}
