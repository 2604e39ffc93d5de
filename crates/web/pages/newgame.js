// The dialog that begins a game: a game of the registry with its options, a rule sheet, a position or a record; who plays, and
// how strong.
//
// For tests: `#game` (the game that is chosen), `[data-game-card]`, `[data-option]`, `#who`, `#strength`, `#minutes`, `#sheet-text`, `#sheet-file`,
// `#load-text`, `#start-game`, `#new-game-error`.

import { gameOptions } from "./agents.js";
import { post } from "./api.js";
import { smallBoard } from "./board.js";
import { choice, element, field } from "./dom.js";
import { keepSheet, readRecord, sheets } from "./game.js";
import { readStrength, strengths } from "./levels.js";
import { read } from "./notation.js";

const PASTED = "pasted";
const SHEET = "\u00a7 a rule sheet";

export class NewGameDialog {
  /// `start({ game, start, moves, seats, minutes })` begins a game; it throws what the server did not like.
  constructor({ about, start }) {
    this.about = about;
    this.start = start;
    this.error = element("p.error", { id: "new-game-error", role: "alert" });
    this.facts = element("p.muted");
    this.options = element("div");
    this.gallery = element("div.gallery", { role: "radiogroup", "aria-label": "game" });
    this.select = choice({ id: "game", "aria-label": "rule sheet" }, this.list());
    this.select.addEventListener("change", () => this.chosen(this.select.value));
    this.body = element("dialog.wide-dialog", { id: "new-game-dialog", "aria-labelledby": "new-game-title" }, this.form());
    this.body.addEventListener("click", (event) => event.target === this.body && this.body.close());
  }

  named() {
    return this.about.games.filter(({ name }) => name !== "gdl");
  }

  list() {
    const pasted = sheets().map(([name, text]) => [name, `pasted: ${title(text)}`]);
    const rules = [...this.about.sheets.map((name) => [`gdl:${name}`, name]), ...pasted, [PASTED, "paste or drop a rule sheet …"]];
    return { Games: this.named().map(({ name }) => name), "Rule sheets (GDL)": rules };
  }

  cards() {
    const card = ({ name, players, chance }) => {
      const radio = element("input.unseen", { type: "radio", name: "game-card", value: name });
      radio.addEventListener("change", () => this.pick(name));
      const note = [players === 1 && "one player", chance && "chance"].filter(Boolean).join(", ");
      return element("label.game-card", { "data-game-card": name }, radio, element("span.thumb", { "aria-hidden": "true" }), element("b", {}, name), note && element("small", {}, note));
    };
    const sheet = element("label.game-card", { "data-game-card": SHEET }, element("input.unseen", { type: "radio", name: "game-card", value: SHEET, onchange: () => this.pick(`gdl:${this.about.sheets[0]}`) }), element("span.thumb.sheet-thumb", { "aria-hidden": "true" }, "( )"), element("b", {}, "rule sheet"), element("small", {}, "from its rules"));
    this.gallery.replaceChildren(...this.named().map(card), sheet);
  }

  // Small boards, when the dialog is first seen.
  async pictures() {
    if (this.pictured) return;
    this.pictured = true;
    await Promise.all(
      this.named().map(async ({ name }) => {
        const view = await post("api/position", { game: name, moves: [], seed: 1, chance: true }).catch(() => null);
        const place = this.gallery.querySelector(`[data-game-card="${CSS.escape(name)}"] .thumb`);
        if (view?.scene.cells.length) place?.replaceChildren(smallBoard(view));
        else place?.replaceChildren(name.startsWith("pig") ? "\u2684\u2682" : "\u25ad\u25ad");
      }),
    );
  }

  form() {
    this.text = element("textarea", { id: "sheet-text", spellcheck: "false", placeholder: "(role white)\n(role black)\n…", "aria-label": "rule sheet" });
    const file = element("input", { type: "file", id: "sheet-file", accept: ".kif,.gdl,.txt,text/plain", "aria-label": "a file with a rule sheet" });
    file.addEventListener("change", () => this.file(file.files[0]));
    this.drop = element("div.drop.stack", { hidden: true }, field("text of the rules", this.text, "Paste the rules, or drop a file here."), file);
    for (const kind of ["dragover", "dragleave", "drop"]) this.drop.addEventListener(kind, (event) => this.dragged(event));
    this.who = choice({ id: "who" }, [["keep", "as it is now"], ["first", "I move first"], ["second", "the computer moves first"], ["both", "two persons"], ["none", "two agents"]], "keep");
    this.strength = choice({ id: "strength" }, { "": [["keep", "as it is now"]], ...strengths() }, "keep");
    [...this.strength.options].at(-1).remove();
    this.minutes = choice({ id: "minutes" }, [["0", "no limit"], ["1", "1 minute"], ["3", "3 minutes"], ["5", "5 minutes"], ["15", "15 minutes"]], "0");
    this.seed = element("input", { id: "seed", type: "number", min: 1, max: 9007199254740991, step: 1, placeholder: "any" });
    this.load = element("textarea", { id: "load-text", spellcheck: "false", "aria-label": "position or record" });
    const load = field("position or record", this.load, "A position as it is copied here, or lines “game …”, “position …”, “moves …”.");
    this.loading = element("details", {}, element("summary", {}, "Load a position or a record"), load);
    this.begin = element("button.primary", { type: "submit", id: "start-game" }, "Start");
    const buttons = element("div.row.foot", {}, this.begin, element("button", { type: "button", onclick: () => this.body.close() }, "Cancel"), this.error);
    this.sheetField = field("rule sheet", this.select);
    const players = element("div.fields", {}, field("who plays", this.who), field("strength", this.strength), field("time for each player", this.minutes), field("seed", this.seed));
    const form = element("form.stack", { method: "dialog" });
    form.append(element("h1", { id: "new-game-title" }, "New game"), this.gallery, this.sheetField, this.facts, this.options, this.drop, players, this.loading, buttons);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    return form;
  }

  /// Opens the dialog with this game chosen.
  open(game, load = false) {
    this.select.replaceChildren(...choice({}, this.list()).children);
    if (!this.gallery.firstChild) this.cards();
    const name = read(game).name;
    const known = [...this.select.options].some(({ value }) => value === name);
    this.pick(known ? game : this.select.options[0].value);
    this.load.value = "";
    this.loading.open = load;
    this.error.textContent = "";
    this.who.value = "keep";
    this.strength.value = "keep";
    this.body.showModal();
    this.pictures();
    (load ? this.load : this.gallery.querySelector("input:checked"))?.focus();
  }

  pick(game) {
    this.select.value = read(game).name;
    this.chosen(game);
  }

  chosen(game) {
    this.game = game;
    const { name } = read(game);
    const about = this.about.games.find((one) => one.name === name);
    const card = about && name !== "gdl" ? name : SHEET;
    for (const radio of this.gallery.querySelectorAll("input")) radio.checked = radio.value === card;
    this.sheetField.hidden = card !== SHEET;
    this.facts.textContent = about ? `${about.summary} · ${about.board} · rules: ${about.source}` : "";
    this.facts.hidden = !about;
    this.options.replaceChildren(...(about?.options.length ? [gameOptions(about, game, (text) => (this.game = text))] : []));
    this.drop.hidden = game !== PASTED;
  }

  dragged(event) {
    event.preventDefault();
    this.drop.classList.toggle("over", event.type === "dragover");
    if (event.type === "drop") this.file(event.dataTransfer.files[0]);
  }

  /// Something was dropped on the page.
  dropped(event, game) {
    event.preventDefault();
    if (this.body.open || !event.dataTransfer.files.length) return;
    this.open(game);
    this.pick(PASTED);
    this.file(event.dataTransfer.files[0]);
  }

  async file(file) {
    if (!file) return;
    if (file.size > this.about.limits.sheet_bytes) return this.fail(`rule sheet: it has ${file.size} bytes; up to ${this.about.limits.sheet_bytes} are read`);
    this.text.value = await file.text();
    this.error.textContent = "";
  }

  fail(text) {
    this.error.textContent = text;
  }

  // Who sits where, if that was chosen: functions of the seats as they are.
  seats() {
    const strength = this.strength.value === "keep" ? {} : readStrength(this.strength.value);
    const person = (seat) => ({ ...seat, agent: "person" });
    const machine = (seat) => ({ ...seat, agent: seat.agent === "person" ? "mcts" : seat.agent, ...strength });
    const keep = (seat) => (seat.agent === "person" ? seat : { ...seat, ...strength });
    return { keep: [keep, keep], first: [person, machine], second: [machine, person], both: [person, person], none: [machine, machine] }[this.who.value];
  }

  async submit() {
    this.fail("");
    // A large rule sheet takes its time; a second click must not send it twice.
    this.begin.disabled = true;
    try {
      const seed = this.seed.value ? Number(this.seed.value) : undefined;
      await this.start({ ...this.loaded(await this.pasted()), seed, seats: this.seats(), minutes: Number(this.minutes.value) });
      this.body.close();
    } catch (error) {
      this.fail(error.message);
    }
    this.begin.disabled = false;
  }

  // A pasted sheet becomes known to the server under a name.
  async pasted() {
    if (this.game !== PASTED) return this.game;
    if (!this.text.value.trim()) throw new Error("rule sheet: there is none; paste its text or drop a file");
    const { game } = await post("api/sheet", { text: this.text.value });
    keepSheet(game, this.text.value);
    return game;
  }

  loaded(game) {
    const text = this.load.value.trim();
    if (!text) return { game, start: null, moves: [] };
    if (/^(game|position|moves)\b/m.test(text)) return readRecord(text, game);
    return { game, start: text, moves: [] };
  }
}

// What a sheet is about: its first comment, or its roles.
function title(text) {
  const comment = /^\s*;+\s*(\S.*)$/m.exec(text)?.[1];
  const roles = [...text.matchAll(/\(\s*role\s+([\w-]+)\s*\)/g)].map(([, role]) => role).join(", ");
  return (comment ?? roles ?? "rule sheet").slice(0, 40);
}
