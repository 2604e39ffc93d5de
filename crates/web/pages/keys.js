// What the keyboard does, and the list that says so.

import { element } from "./dom.js";

const KEYS = [
  ["u", "#undo", "take a move back"],
  ["r", "#redo", "make it again"],
  ["h", "#hint", "show a good move"],
  ["n", "#new-game", "new game"],
  ["i", "#rules", "how to play"],
  ["a", "#analyse", "analyse the position"],
  ["c", "#compare", "compare two agents"],
  ["m", "#heat", "heat map"],
  ["f", "#flip", "turn the board"],
  ["s", "#swap", "swap sides"],
  ["p", "#pause", "pause or go on"],
  ["o", "#sound", "sounds on or off"],
  ["v", "#review-start", "review the game"],
  ["/", "#move-text", "write a move"],
  ["?", "#help", "this list"],
];
const WALK = { ArrowLeft: "#to-before", ArrowRight: "#to-next", Home: "#to-first", End: "#to-last" };
const OTHERS = [
  ["← →", "walk through the game"],
  ["Home End", "to its beginning, to its end"],
  ["Tab, arrows", "go from cell to cell"],
  ["Enter", "click the cell"],
  ["Esc", "let go of what was picked"],
];

/// The key that presses a button, for its title.
export function keyOf(id) {
  return KEYS.find(([, selector]) => selector === `#${id}`)?.[0];
}

/// Presses the button of a key; `cancel()` is told of Escape and says whether there was something to cancel.
export function pressed(event, cancel) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  if (document.querySelector("dialog[open]")) return;
  const writing = event.target.closest?.("input, textarea, select");
  if (event.key === "Escape") {
    if (!cancel()) writing?.blur();
    return;
  }
  const selector = KEYS.find(([key]) => key === event.key)?.[1] ?? WALK[event.key];
  const node = !writing && selector ? document.querySelector(selector) : null;
  if (!node || node.hidden || node.disabled) return;
  event.preventDefault();
  if (node.matches("input")) node.focus();
  else node.click();
}

/// The dialog with the list.
export function helpDialog() {
  const line = (key, text) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)];
  const lines = [...KEYS.map(([key, , text]) => line(key, text)), ...OTHERS.map(([key, text]) => line(key, text))];
  const close = element("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = element("dialog.keys", { "aria-label": "keys" }, element("h1", {}, "Keys"), element("dl", {}, lines), close);
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
