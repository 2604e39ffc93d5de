// The dialog that begins a game: a game of the registry with its options, a rule sheet, a position or a record.
//
// For tests: `#game`, `[data-option]`, `#sheet-text`, `#sheet-file`, `#load-text`, `#start-game`, `#new-game-error`.

import { gameOptions } from "./agents.js";
import { post } from "./api.js";
import { choice, element, field } from "./dom.js";
import { keepSheet, readRecord, sheets } from "./game.js";
import { read } from "./notation.js";

const PASTED = "pasted";

export class NewGameDialog {
  /// `start({ game, start, moves })` begins a game; it throws what the server did not like.
  constructor({ about, start }) {
    this.about = about;
    this.start = start;
    this.error = element("p.error", { id: "new-game-error", role: "alert" });
    this.select = choice({ id: "game" }, this.list());
    this.select.addEventListener("change", () => this.chosen(this.select.value));
    this.facts = element("p.muted");
    this.options = element("div");
    this.body = element("dialog", { id: "new-game-dialog", "aria-labelledby": "new-game-title" }, this.form());
    this.body.addEventListener("click", (event) => event.target === this.body && this.body.close());
  }

  list() {
    const named = (players) => this.about.games.filter((game) => game.players === players && game.name !== "gdl").map(({ name, chance }) => [name, chance ? `${name} (dice or cards)` : name]);
    const pasted = sheets().map(([name, text]) => [name, `pasted: ${title(text)}`]);
    const rules = [...this.about.sheets.map((name) => [`gdl:${name}`, name]), ...pasted, [PASTED, "paste or drop a rule sheet …"]];
    return { "Two players": named(2), "One player": named(1), "Rule sheets (GDL)": rules };
  }

  form() {
    this.text = element("textarea", { id: "sheet-text", spellcheck: "false", placeholder: "(role white)\n(role black)\n…", "aria-label": "rule sheet" });
    const file = element("input", { type: "file", id: "sheet-file", accept: ".kif,.gdl,.txt,text/plain", "aria-label": "a file with a rule sheet" });
    file.addEventListener("change", () => this.file(file.files[0]));
    this.drop = element("div.drop.stack", { hidden: true }, field("rule sheet", this.text, "Paste the rules, or drop a file here."), file);
    for (const kind of ["dragover", "dragleave", "drop"]) this.drop.addEventListener(kind, (event) => this.dragged(event));
    this.seed = element("input", { id: "seed", type: "number", min: 1, max: 9007199254740991, step: 1, placeholder: "any" });
    this.load = element("textarea", { id: "load-text", spellcheck: "false", "aria-label": "position or record" });
    const load = field("position or record", this.load, "A position as it is copied here, or lines “game …”, “position …”, “moves …”.");
    this.loading = element("details", {}, element("summary", {}, "Load a position or a record"), load);
    this.begin = element("button.primary", { type: "submit", id: "start-game" }, "Start");
    const buttons = element("div.row", {}, this.begin, element("button", { type: "button", onclick: () => this.body.close() }, "Cancel"));
    const form = element("form.stack", { method: "dialog" });
    form.append(element("h1", { id: "new-game-title" }, "New game"), field("game", this.select), this.facts, this.options, this.drop, field("seed", this.seed, "What chance and the agents draw from."), this.loading, this.error, buttons);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    return form;
  }

  /// Opens the dialog with this game chosen.
  open(game, load = false) {
    this.select.replaceChildren(...choice({}, this.list()).children);
    const name = read(game).name;
    const known = [...this.select.options].some(({ value }) => value === name);
    this.select.value = known ? name : this.select.options[0].value;
    this.chosen(known ? game : this.select.value);
    this.load.value = "";
    this.loading.open = load;
    this.error.textContent = "";
    this.body.showModal();
    (load ? this.load : this.select).focus();
  }

  chosen(game) {
    this.game = game;
    const about = this.about.games.find(({ name }) => name === read(game).name);
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
    this.select.value = PASTED;
    this.chosen(PASTED);
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

  async submit() {
    this.fail("");
    // A large rule sheet takes its time; a second click must not send it twice.
    this.begin.disabled = true;
    try {
      const seed = this.seed.value ? Number(this.seed.value) : undefined;
      await this.start({ ...this.loaded(await this.pasted()), seed });
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
