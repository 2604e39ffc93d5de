// The moves of a game, those that were taken back included; a click goes to where one was made. Buttons walk through it, or
// let it play by itself.

import { choice, element, write } from "./dom.js";
import { icon } from "./tools.js";

export class RecordPanel {
  /// `jump(ply)` is told of clicks, `texts` has functions for what is copied (`position`, `record`, `linkPosition`, `linkGame`), `load()` and `edit()` open dialogs.
  constructor({ jump, texts, load, edit }) {
    this.jump = jump;
    this.total = 0;
    this.made = 0;
    this.list = element("ol.record", { id: "record", tabindex: 0, "aria-label": "moves" });
    const copy = (id, text, what) => element("button.small", { type: "button", id, onclick: (event) => copied(event.currentTarget, what()) }, text);
    const walk = (id, name, label, ply) => element("button.icon.small", { type: "button", id, title: label, "aria-label": label, onclick: () => this.walk(ply()) }, icon(name));
    this.play = element("button.icon.small", { type: "button", id: "autoplay", title: "Play by itself", "aria-label": "play by itself", "aria-pressed": "false", onclick: () => this.toggle() }, icon("run"));
    this.speed = choice({ id: "speed", "aria-label": "speed" }, [["2000", "slow"], ["900", "steady"], ["350", "fast"]], "900");
    const steps = element("div.row.steps", {}, walk("to-first", "first", "to the beginning (Home)", () => 0), walk("to-before", "before", "one move back (←)", () => this.made - 1), this.play, walk("to-next", "next", "one move on (→)", () => this.made + 1), walk("to-last", "last", "to the end (End)", () => this.total), this.speed);
    const menu = element("details.menu", {}, element("summary", { id: "share" }, "Share"), element("div.menu-list", {}, copy("link-position", "Copy link to this position", texts.linkPosition), copy("link-game", "Copy link to the whole game", texts.linkGame), copy("copy-position", "Copy position as text", texts.position), copy("copy-record", "Copy record", texts.record)));
    menu.addEventListener("focusout", (event) => menu.contains(event.relatedTarget) || (menu.open = false));
    const more = element("div.row.push", {}, menu, element("button.small", { type: "button", id: "load", onclick: load }, "Load …"), element("button.small", { type: "button", id: "edit", onclick: edit }, "Edit …"));
    this.body = element("section.moves-panel", { "aria-label": "record" }, element("div.row", {}, steps, more), this.list);
  }

  walk(ply) {
    if (ply >= 0 && ply <= this.total && ply !== this.made) this.jump(ply);
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.made >= this.total) this.walk(0);
    this.play.setAttribute("aria-pressed", "true");
    const step = () => {
      this.timer = setTimeout(step, Number(this.speed.value));
      if (this.made < this.total) this.walk(this.made + 1);
      else this.stop();
    };
    this.timer = setTimeout(step, Number(this.speed.value) / 2);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.play.setAttribute("aria-pressed", "false");
  }

  /// Moves that were made, and those that can be made again, the next one last; `marks` are judgements by ply.
  show(made, redo, marks = new Map()) {
    const moves = [...made, ...[...redo].reverse()];
    [this.total, this.made] = [moves.length, made.length];
    const items = [...this.list.children];
    moves.forEach((move, at) => {
      const ply = at + 1;
      const button = items[at]?.firstChild ?? element("button.link.mono", { type: "button", "data-ply": ply, onclick: () => this.jump(ply) });
      write(button, move);
      if (button.title !== move) button.title = move;
      const kind = `link mono ${ply > made.length ? "later" : ""} ${marks.get(at) ?? ""}`.trim();
      if (button.className !== kind) button.className = kind;
      if (ply === made.length) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
      if (!items[at]) this.list.append(element("li", {}, button));
    });
    items.slice(moves.length).forEach((item) => item.remove());
    this.scrolling ??= requestAnimationFrame(() => setTimeout(() => this.scroll()));
  }

  // When the page has been laid out anyway: asking before would do it twice.
  scroll() {
    this.scrolling = null;
    const present = this.list.querySelector("[aria-current]");
    // Within the list only; the page itself must not move.
    if (present) this.list.scrollTop = present.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }
}

async function copied(button, text) {
  const before = button.textContent;
  button.dataset.copied = text;
  try {
    await navigator.clipboard.writeText(text);
    write(button, "Copied");
  } catch {
    write(button, "Not allowed");
  }
  setTimeout(() => write(button, before), 1200);
}
