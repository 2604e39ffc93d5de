// How a game is played: the server's text with its pictures, in a drawer beside the board.
//
// For tests: `#rules`, `#rules-drawer`, `#rules-drawer[data-game]`, `#rules-drawer figure svg`.

import { get } from "./api.js";
import { element, figure } from "./dom.js";
import { sheets } from "./game.js";
import { read } from "./notation.js";

export class RulesDrawer {
  constructor() {
    this.title = element("h2", { id: "rules-title" }, "How to play");
    this.content = element("div.prose");
    const close = element("button.quiet.icon", { type: "button", "aria-label": "close the rules", onclick: () => this.close() }, "✕");
    this.body = element("aside.drawer", { id: "rules-drawer", hidden: true, "aria-labelledby": "rules-title" }, element("div.row.head", {}, this.title, element("span.push"), close), this.content);
    this.body.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
  }

  get isOpen() {
    return !this.body.hidden;
  }

  toggle(game, opener) {
    this.opener = opener ?? this.opener;
    if (this.isOpen) return this.close();
    this.body.hidden = false;
    this.opener?.setAttribute("aria-expanded", "true");
    this.show(game);
    this.body.querySelector("button").focus();
  }

  close() {
    this.body.hidden = true;
    this.opener?.setAttribute("aria-expanded", "false");
    this.opener?.focus();
  }

  /// Shows the rules of this game if the drawer is open.
  async show(game) {
    const { name } = read(game);
    if (!this.isOpen || this.body.dataset.game === name) return;
    this.body.dataset.game = name;
    this.content.replaceChildren(element("p.muted", {}, "…"));
    const parts = await rulesOf(name).catch((error) => [element("p.error", {}, error.message)]);
    if (this.body.dataset.game === name) this.content.replaceChildren(...parts);
  }
}

/// The rules of a game as elements.
export async function rulesOf(name) {
  if (name.startsWith("gdl:pasted")) return sheetOf("Pasted rule sheet", sheets().find(([known]) => known === name)?.[1] ?? "");
  const { title, text, sheet, pictures } = await get(`api/rules?game=${encodeURIComponent(name)}`);
  if (!text) return sheetOf(title, sheet ?? "");
  const drawings = pictures.map(({ caption, svg }) => {
    const place = element("div");
    figure(place, svg);
    return element("figure.rule", {}, place, element("figcaption.caption", {}, caption));
  });
  return [element("h3", {}, title), ...drawings, ...paragraphs(text)];
}

// A rule sheet in words, as far as it has any or they can be had from it: what its first comment says, roles, and goals.
function sheetOf(title, sheet) {
  const distinct = (pattern) => [...new Set([...sheet.matchAll(pattern)].map(([, found]) => found))];
  const comment = /^(?:\s*;.*\n?)+/.exec(sheet)?.[0].replace(/^\s*;+ ?/gm, "").replace(/\s+/g, " ").trim();
  const roles = distinct(/\(\s*role\s+([^\s()?]+)\s*\)/g);
  const goals = distinct(/\(\s*goal\s+[^\s()]+\s+(\d+)\s*\)/g).sort((one, other) => one - other);
  const list = (words) => words.join(", ").replace(/, ([^,]*)$/, " and $1");
  const lines = [
    comment,
    roles.length && `**${roles.length === 1 ? "The player" : "The players"}:** ${list(roles)}.`,
    goals.length && `**The goal** is worth ${list(goals)} points; more is better${roles.length > 1 ? ", for each player on its own" : ""}.`,
    "**How to play here.** Click what is marked on the board, the piece first and then where it goes. Moves that touch no place have buttons below, and every move can be written.",
  ];
  const details = element("details", {}, element("summary", {}, "The rule sheet itself"), element("pre.sheet", { tabindex: 0, "aria-label": "rule sheet" }, sheet));
  return [element("h3", {}, title), ...paragraphs(lines.filter(Boolean).join("\n\n")), details];
}

/// Paragraphs and lists of a little Markdown.
export function paragraphs(text) {
  return text.split(/\n\n+/).map((block) => {
    const lines = block.split("\n");
    if (!lines[0].startsWith("- ")) return element("p", {}, ...inline(lines.join(" ")));
    const items = [];
    for (const line of lines) {
      if (line.startsWith("- ")) items.push(line.slice(2));
      else items[items.length - 1] += ` ${line.trim()}`;
    }
    return element("ul", {}, items.map((item) => element("li", {}, ...inline(item))));
  });
}

const MARKS = [[/^\*\*(.+?)\*\*/, "strong"], [/^\*(.+?)\*/, "em"], [/^`(.+?)`/, "code"]];

function inline(text) {
  const parts = [];
  let plain = "";
  while (text) {
    const found = MARKS.map(([mark, tag]) => [mark.exec(text), tag]).find(([match]) => match);
    if (found) {
      const [match, tag] = found;
      parts.push(plain, element(tag, {}, match[1]));
      plain = "";
      text = text.slice(match[0].length);
    } else {
      plain += text[0];
      text = text.slice(1);
    }
  }
  return [...parts, plain].filter(Boolean);
}
