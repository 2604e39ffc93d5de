// A position made by hand: letters are put on cells, and the game itself says whether that is a position.
//
// For tests: `#edit`, `#editor`, `#editor [data-letter]`, `#editor-board [data-cell]`, `#editor-text`, `#editor-error`, `#editor-use`.

import { post } from "./api.js";
import { Board } from "./board.js";
import { choice, drawn, element, field, playerName, write } from "./dom.js";
import { figureOf } from "./pieces.js";

const WAIT_MS = 200;

export class Editor {
  /// `use(position)` begins a game from it.
  constructor({ use }) {
    this.use = use;
    this.board = new Board({ touch: (name) => name && this.put(name) });
    this.palette = element("div.row.palette", { role: "group", "aria-label": "what is put on a cell" });
    this.text = element("input.mono", { id: "editor-text", type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "position as text" });
    this.text.addEventListener("input", () => this.read());
    this.side = choice({ id: "editor-side" }, [["1", ""], ["2", ""]]);
    this.side.addEventListener("change", () => this.write());
    this.error = element("p.error", { id: "editor-error", role: "alert" });
    this.begin = element("button.primary", { type: "button", id: "editor-use", onclick: () => this.done() }, "Play from here");
    const clear = element("button", { type: "button", onclick: () => this.clear() }, "Empty board");
    const cancel = element("button", { type: "button", onclick: () => this.body.close() }, "Cancel");
    this.place = element("div.board-box", { id: "editor-board" }, this.board.svg);
    this.rest = element("div.stack", {}, this.palette, this.place);
    this.body = element("dialog", { id: "editor", "aria-labelledby": "editor-title" }, element("form.stack", { method: "dialog", onsubmit: (event) => event.preventDefault() }, element("h1", { id: "editor-title" }, "Edit the position"), this.rest, field("to move", this.side), field("as text", this.text), this.error, element("div.row.foot", {}, this.begin, clear, cancel)));
  }

  /// Opens with the position of a view; `start` is the view of the game's beginning.
  open(view, start, flip) {
    Object.assign(this, { view, flip, chosen: view.letters.at(-1) ?? "" });
    this.figures = figuresOf([start, view]);
    [...this.side.options].forEach((option, at) => write(option, playerName(view, at + 1)));
    this.order = orderOf(view);
    this.rest.hidden = !this.order;
    this.side.parentElement.hidden = !this.order;
    this.text.value = view.position;
    const letters = this.order ? [...view.letters] : [];
    this.palette.replaceChildren(...letters.map((letter) => this.tool(letter)));
    this.choose(letters[0] ?? "");
    this.read();
    this.body.showModal();
  }

  tool(letter) {
    const { owner, figure } = this.figures.get(letter) ?? {};
    const name = letter === "." ? "empty" : [owner && playerName(this.view, owner), figure ?? letter].filter(Boolean).join(" ");
    const picture = figure && drawn("svg", { viewBox: "-26 -26 52 52", "aria-hidden": "true" }, figureOf({ ...this.figures.get(letter) }));
    return element("button", { type: "button", "data-letter": letter, onclick: () => this.choose(letter) }, picture, name);
  }

  choose(letter) {
    this.chosen = letter;
    for (const button of this.palette.children) button.setAttribute("aria-pressed", String(button.dataset.letter === letter));
  }

  // The letters and what stands after them.
  parts() {
    const [rows = "", side = "1", ...rest] = this.text.value.trim().split(/\s+/);
    return { rows, side, rest };
  }

  put(name) {
    const at = this.order?.get(name);
    const { rows } = this.parts();
    if (at === undefined || at >= rows.length) return;
    const letter = rows[at] === this.chosen ? "." : this.chosen;
    this.write(rows.slice(0, at) + letter + rows.slice(at + 1));
  }

  clear() {
    this.write(this.parts().rows.replace(/[^/]/g, "."));
  }

  write(rows = this.parts().rows) {
    const { rest } = this.parts();
    this.text.value = [rows, this.side.value, ...rest].join(" ");
    this.read();
  }

  read() {
    const { rows, side } = this.parts();
    if (side === "1" || side === "2") this.side.value = side;
    if (this.order) {
      const pieces = [...this.order].flatMap(([name, at]) => this.piece(name, rows[at]));
      this.board.show({ ...this.view, last: null, scene: { ...this.view.scene, pieces } }, { flip: this.flip });
      this.board.light({ path: [], targets: new Set(), active: true });
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), WAIT_MS);
  }

  piece(name, letter) {
    if (!letter || letter === ".") return [];
    const figure = this.figures.get(letter) ?? { owner: null, figure: "text", text: letter };
    return [{ ...figure, cell: this.view.scene.cells.findIndex((cell) => cell.name === name) }];
  }

  // The game itself says whether it is a position.
  async check() {
    const text = this.text.value.trim();
    try {
      await post("api/position", { game: this.view.game, position: text, moves: [] });
      if (text === this.text.value.trim()) this.tell("");
    } catch (error) {
      if (text === this.text.value.trim()) this.tell(error.message);
    }
  }

  tell(problem) {
    write(this.error, problem);
    this.begin.disabled = Boolean(problem);
  }

  async done() {
    try {
      await this.use(this.text.value.trim());
      this.body.close();
    } catch (error) {
      this.tell(error.message);
    }
  }
}

// Which letter of the text stands for which cell: rows from top to bottom, with or without places that are no cells.
function orderOf({ scene, position, letters }) {
  const rows = position.split(/\s/)[0];
  if (!letters || !scene.cells.length) return null;
  const named = scene.cells.filter(({ name }) => name);
  const places = [...rows].flatMap((letter, at) => (letter === "/" ? [] : [at]));
  if (places.length === named.length) {
    const sorted = [...named].sort((a, b) => a.y - b.y || a.x - b.x);
    return new Map(sorted.map(({ name }, at) => [name, places[at]]));
  }
  const width = rows.indexOf("/") + 1;
  const [left, top] = [Math.min(...scene.cells.map(({ x }) => x)), Math.min(...scene.cells.map(({ y }) => y))];
  const order = named.map(({ name, x, y }) => [name, Math.round(y - top) * width + Math.round(x - left)]);
  return order.every(([, at]) => at < rows.length && rows[at] !== "/") ? new Map(order) : null;
}

// What letters look like, from positions where they stand; a capital is a king where the small letter is a man.
function figuresOf(views) {
  const figures = new Map();
  for (const view of views) {
    const order = view && orderOf(view);
    if (!order) continue;
    const rows = view.position.split(/\s/)[0];
    for (const { cell, ...piece } of view.scene.pieces) figures.set(rows[order.get(view.scene.cells[cell].name)], piece);
  }
  for (const [letter, piece] of [...figures]) {
    const king = letter.toUpperCase();
    if (piece.figure === "stone" && !figures.has(king)) figures.set(king, { ...piece, figure: "king" });
  }
  const more = { x: { owner: null, figure: "burnt" }, T: { owner: 1, figure: "town" }, U: { owner: 2, figure: "town" }, 1: { owner: 1, figure: "stone" }, 2: { owner: 2, figure: "stone" }, o: { owner: 2, figure: "ring" } };
  if (views[0]?.letters === "xo.") Object.assign(more, { x: { owner: 1, figure: "cross" } });
  for (const letter of views[0]?.letters ?? "") if (!figures.has(letter) && more[letter]) figures.set(letter, more[letter]);
  return figures;
}
