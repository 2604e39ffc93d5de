// The buttons below the board, and the field where a move is written.

import { drawn, element, write } from "./dom.js";
import { keyOf } from "./keys.js";
import { isOn } from "./sound.js";

const ICONS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3",
  hint: "M9 18h6M10 22h4M12 2a7 7 0 0 0-4 12.700V17h8v-2.300A7 7 0 0 0 12 2z",
  swap: "M7 3v17M3 7l4-4 4 4M17 21V4M13 17l4 4 4-4",
  flip: "M3 12a9 9 0 0 1 15.500-6.300L21 8M21 3v5h-5M21 12a9 9 0 0 1-15.500 6.300L3 16M3 21v-5h5",
  pause: "M8 5v14M16 5v14",
  run: "M7 4l13 8-13 8z",
  plus: "M12 5v14M5 12h14",
  first: "M6 5v14M18 5l-9 7 9 7z",
  before: "M15 5l-8 7 8 7z",
  next: "M9 5l8 7-8 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  sound: "M4 9v6h4l5 4V5L8 9zM16 9a4 4 0 0 1 0 6M19 6a8 8 0 0 1 0 12",
  book: "M5 4h10a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h10",
  now: "M13 3 5 14h6l-1 7 8-11h-6z",
};
const TOOLS = [
  ["undo", "Undo", "Take a move back"],
  ["redo", "Redo", "Make it again"],
  ["hint", "Hint", "Show a good move"],
  ["swap", "Swap", "Swap sides"],
  ["flip", "Turn", "Turn the board"],
  ["pause", "Pause", "Pause or go on"],
  ["sound", "Sound", "Sounds on or off"],
];

/// A small picture for a button.
export function icon(name) {
  return drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("path", { d: ICONS[name] }));
}

export class Toolbar {
  /// `acts` has a function for each tool, and `now`.
  constructor(acts) {
    this.body = element("div.row.tools", { role: "toolbar", "aria-label": "game" });
    for (const [id, text, title] of TOOLS) {
      this[id] = element("button", { type: "button", id, title: `${title} (${keyOf(id)})`, onclick: acts[id] }, icon(id), element("span", {}, text));
      this.body.append(this[id]);
    }
    // Nothing can be done before there is a position.
    for (const tool of [this.undo, this.redo, this.hint]) tool.disabled = true;
    // It keeps its place when it is of no use, so that nothing moves.
    this.now = element("button", { type: "button", id: "move-now", disabled: true, title: "End the search and move", onclick: acts.now }, icon("now"), element("span", {}, "Now"));
    this.body.append(this.now);
    this.heard(isOn());
  }

  /// Whether sounds are on.
  heard(on) {
    this.sound.setAttribute("aria-pressed", String(on));
  }

  /// What can be done in a position.
  show(view, { redo, paused, agents, alone, thinking }) {
    this.undo.disabled = !view.moves.length;
    this.redo.disabled = !redo.length;
    this.hint.disabled = !view.turn.player;
    this.swap.hidden = alone;
    this.flip.hidden = !view.scene.cells.length;
    this.pause.hidden = !agents;
    this.pause.querySelector("svg").replaceWith(icon(paused ? "run" : "pause"));
    write(this.pause.querySelector("span"), paused ? "Go on" : "Pause");
    this.now.disabled = !thinking;
  }
}

export class MoveForm {
  /// `legal()` lists the moves that can be made now, `play(move)` makes one, `help()` shows the keys.
  constructor({ legal, play, help }) {
    Object.assign(this, { legal, play });
    this.input = element("input.mono", { id: "move-text", type: "text", autocomplete: "off", spellcheck: "false", placeholder: "write a move", "aria-label": "a move as text", maxlength: 200 });
    this.error = element("p.error", { id: "move-error", role: "alert" });
    const keys = element("button", { type: "button", id: "help", title: "Keys (?)", onclick: help }, "Keys");
    const form = element("form.row.move-form", {}, this.input, element("button", { type: "submit" }, "Play"), keys);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.typed(this.input.value.trim());
    });
    this.body = element("div", {}, form, this.error);
  }

  complain(text) {
    write(this.error, text);
    this.input.setAttribute("aria-invalid", String(Boolean(text)));
  }

  typed(text) {
    if (!text) return;
    const legal = this.legal();
    const plain = (one) => one.toLowerCase().replaceAll(" ", "");
    const found = legal.find(({ move }) => move === text) ?? legal.find(({ move }) => plain(move) === plain(text));
    if (!found) {
      const some = legal.slice(0, 3).map(({ move }) => move).join(", ");
      return this.complain(some ? `move: “${text}” is not legal here; write one such as ${some}` : "move: it is not a person's turn; pause the game first");
    }
    this.input.value = "";
    this.play(found.move);
  }
}
