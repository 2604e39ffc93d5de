// The moves of a game, those that were taken back included; a click goes to where one was made.

import { element, write } from "./dom.js";

export class RecordPanel {
  /// `jump(ply)` is told of clicks, `position()` and `record()` say what is copied, `load()` opens the dialog.
  constructor({ jump, position, record, load }) {
    this.jump = jump;
    this.list = element("ol.record", { id: "record" });
    const copy = (id, text, what) => element("button", { type: "button", id, onclick: (event) => copied(event.currentTarget, what()) }, text);
    const buttons = element("div.row.push", {}, copy("copy-position", "Copy position", position), copy("copy-record", "Copy record", record));
    buttons.append(element("button", { type: "button", id: "load", onclick: load }, "Load …"));
    this.body = element("section.panel", { "aria-label": "record" }, element("div.row", {}, element("h2", {}, "Record"), buttons), this.list);
  }

  /// Moves that were made, and those that can be made again, the next one last.
  show(made, redo) {
    const moves = [...made, ...[...redo].reverse()];
    const items = [...this.list.children];
    moves.forEach((move, at) => {
      const ply = at + 1;
      const button = items[at]?.firstChild ?? element("button.link.mono", { type: "button", "data-ply": ply, onclick: () => this.jump(ply) });
      write(button, move);
      button.classList.toggle("later", ply > made.length);
      if (ply === made.length) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      if (!items[at]) this.list.append(element("li", {}, button));
    });
    items.slice(moves.length).forEach((item) => item.remove());
    const present = this.list.querySelector("[aria-current]");
    // Within the list only; the page itself must not move.
    if (present) this.list.scrollTop = present.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }
}

async function copied(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    write(button, "Copied");
  } catch {
    write(button, "Not allowed");
  }
  setTimeout(() => write(button, before), 1200);
}
