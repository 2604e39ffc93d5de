// Forms that write games and agents, made from what the server says about their options.
//
// For tests: `[data-option="c"]` is the control of an option, `[data-preset]` the list of agents,
// `[data-agent]` the text that is sent.

import { choice, element, field } from "./dom.js";
import { changed, find, read } from "./notation.js";

const BOTH = "mcts(rb(a=online), qb(a=online))";
const TWO_PLAYERS = [
  ["mcts", "MCTS, plain"],
  ["mcts(rb(a=online))", "MCTS with relative bonus"],
  ["mcts(qb(a=online))", "MCTS with qualitative bonus"],
  [BOTH, "MCTS with both bonuses"],
  ["mcts(playout=uniform)", "MCTS, uniform play-outs"],
  ["flat", "flat Monte Carlo"],
  ["alphabeta", "alpha-beta"],
  ["random", "random"],
];
const ONE_PLAYER = [
  ["mcts", "MCTS, plain"],
  ["mcts(cv)", "MCTS with control variates"],
  ["mcts(crn=on)", "MCTS with common random numbers"],
  ["mcts(cv, crn=on)", "MCTS with both"],
  ["random", "random"],
];

/// Agents that suit a game, as `[text, name]`.
export function presets({ players = 2, chance = false, sheet = false } = {}) {
  if (chance) return players === 2 ? [...TWO_PLAYERS.slice(0, 1), ...ONE_PLAYER.slice(1)] : ONE_PLAYER;
  if (sheet) return [...TWO_PLAYERS.filter(([text]) => text !== "alphabeta" && !text.includes("qb")), ["cadiaplayer", "CadiaPlayer"], ["decoupled", "decoupled MCTS, for moves at once"]];
  return players === 1 ? ONE_PLAYER.filter(([text]) => !/cv|crn/.test(text)) : TWO_PLAYERS;
}

/// A control for an option, by the kind of values it takes; `change(value | null)` is told of changes.
export function control(option, value, change) {
  const { key, kind } = option;
  const attributes = { "data-option": key };
  const told = (event) => change(event.target.value.trim() || null);
  if (kind.type === "flag") {
    const on = (value ?? option.default) === "on" || value === true;
    const box = element("input", { ...attributes, type: "checkbox", checked: on });
    box.addEventListener("change", () => {
      const text = box.checked ? "on" : "off";
      change(text === option.default ? null : text);
    });
    return element("label.check", {}, box, element("span", {}, key, " ", element("small", {}, option.help)));
  }
  let node;
  if (kind.type === "whole" || kind.type === "number") {
    const limits = { type: "number", min: kind.low, max: kind.high, step: kind.type === "whole" ? 1 : "any" };
    node = element("input", { ...attributes, ...limits, value: value ?? "", placeholder: option.default ?? "", onchange: told });
  } else if (kind.type === "words") {
    const unset = option.default ? [] : [["", "as published"]];
    node = choice(attributes, [...unset, ...kind.words.map(({ word }) => word)], value ?? option.default ?? "");
    for (const { word, help } of kind.words) [...node.options].find((one) => one.value === word).title = help;
    node.addEventListener("change", () => change(node.value === option.default ? null : node.value || null));
  } else {
    node = element("input", { ...attributes, type: "text", value: value ?? "", placeholder: option.default ?? "", onchange: told, title: explain(kind) });
  }
  return field(key, node, option.help);
}

/// What a value of a kind is made of, a line for each part.
function explain(kind) {
  const option = ({ key, kind, help }) => `  ${key}: ${help} (${kind.text})`;
  const part = ({ name, help, options }) => [`${name}: ${help}`, ...options.map(option)];
  if (kind.type === "parts") return [...kind.one_of, ...kind.any_of].flatMap(part).join("\n");
  if (kind.type === "brackets") return kind.options.map(option).join("\n");
  if (kind.type === "words") return kind.words.map(({ word, help }) => `${word}: ${help}`).join("\n");
  if (kind.type === "either") return kind.kinds.map(explain).join("\n");
  return kind.text;
}

/// Fields for all options of a game; `change(text)` is told of the game as written.
export function gameOptions(about, text, change) {
  const fields = about.options.map((option) => {
    const set = find(read(text), option.key);
    const value = set ? (set.value ?? "on") : null;
    return control(option, value, (next) => {
      text = changed(text, option.key, next);
      change(text);
    });
  });
  return element("div.fields", {}, fields);
}

const MAIN = ["select", "playout", "solver", "final_move", "reward", "cv", "crn", "av"];

/// Whether an option, a word or an agent is for the game: `games` is what the server says of it.
export function isFor({ games = "all" }, { players = 2, chance = false, sheet = false } = {}) {
  const certain = players !== 1 && !chance;
  const kinds = { two_players: players !== 1, certain, chance, chance_or_solitaire: !certain, roles: sheet };
  return kinds[games] ?? true;
}

/// A form for one agent. `change(text)` is told of the agent as written; `suits` says what presets fit the game.
export class AgentForm {
  constructor({ about, text, suits, parameters, change, label, name, person = false }) {
    Object.assign(this, { about, text, suits, parameters: parameters ?? {}, change, label, name, person });
    this.error = element("p.error", { role: "alert" });
    this.body = element("div.stack.agent", {}, this.top(), this.details(), this.error);
  }

  /// Shows what the server did not like about the agent.
  fail(text) {
    this.error.textContent = text ?? "";
    this.input.setAttribute("aria-invalid", String(Boolean(text)));
  }

  /// Another game: other presets and other published values.
  fit(suits, parameters) {
    this.parameters = parameters ?? {};
    if (JSON.stringify(suits) !== JSON.stringify(this.suits)) {
      this.suits = suits;
      this.select.replaceWith(this.list());
    }
    this.show();
  }

  shut() {
    this.more.open = false;
    this.more.querySelector("summary").focus();
  }

  set(text) {
    this.text = text;
    this.fail("");
    this.show();
    this.change(text);
  }

  list() {
    const options = [...(this.person ? [["person", "a person"]] : []), ...presets(this.suits), ["custom", "another agent …"]];
    const attributes = { id: `${this.name}-preset`, "data-preset": this.name, "aria-label": this.label };
    this.select = choice(attributes, options);
    this.select.addEventListener("change", () => {
      if (this.select.value === "custom") {
        this.more.open = true;
        this.input.focus();
      } else this.set(this.select.value);
    });
    return this.select;
  }

  top() {
    const list = this.list();
    this.input = element("input.mono", {
      type: "text",
      id: `${this.name}-agent`,
      "data-agent": this.name,
      "aria-label": `${this.label}, as text`,
      spellcheck: "false",
      autocomplete: "off",
      maxlength: 2000,
      onchange: () => this.set(this.input.value.trim() || "mcts"),
    });
    return list;
  }

  details() {
    this.sliders = element("div.stack");
    // They open beside the board and move nothing; what is wrong is seen also while they are closed.
    const close = element("button.quiet.icon.push", { type: "button", "aria-label": "close the options", onclick: () => this.shut() }, "✕");
    const head = element("div.row.head", {}, element("h2", {}, "Options"), close);
    this.more = element("details.beside", {}, element("summary", { "aria-label": `options of ${this.label}` }, "Options"), element("div.drawer.stack", {}, head, field("agent", this.input, "name(option=value, flag, rb(k=…, a=…))"), this.sliders));
    this.more.addEventListener("keydown", (event) => event.key === "Escape" && this.more.open && (event.stopPropagation(), this.shut()));
    this.more.addEventListener("toggle", () => this.show());
    this.show();
    return this.more;
  }

  show() {
    const known = [...this.select.options].some(({ value }) => value === this.text);
    this.select.value = known ? this.text : "custom";
    this.more.hidden = this.text === "person";
    if (document.activeElement !== this.input) this.input.value = this.text === "person" ? "" : this.text;
    // The sliders are made when they are looked at, and not taken away below a moving finger.
    if (!this.more.open || this.sliders.contains(document.activeElement)) return;
    this.sliders.replaceChildren(...this.controls());
  }

  controls() {
    const expression = read(this.text);
    const about = this.about.agents.find(({ name }) => name === expression.name);
    if (!about) return [element("p.muted", {}, `Agents: ${this.about.agents.map(({ name }) => name).join(", ")}.`)];
    const suitable = about.options.filter((option) => isFor(option, this.suits));
    const has = (name) => suitable.some((option) => option.key === name);
    const parts = [];
    // Where scores are not in [−1, 1], C is of their size.
    const most = Math.max(3, 2 * (this.parameters.c ?? 0));
    if (has("c")) parts.push(this.slider("C", "exploration", [0, most, most / 60], this.parameters.c, ["c"]));
    if (has("rb")) parts.push(this.bonus("rb", "relative bonus (length)", this.parameters.k_length));
    if (has("qb")) parts.push(this.bonus("qb", "qualitative bonus", this.parameters.k_quality));
    const simple = suitable.filter((option) => MAIN.includes(option.key)).map((option) => {
      const set = find(expression, option.key);
      const words = option.kind.words?.filter((word) => isFor(word, this.suits));
      return control({ ...option, kind: { ...option.kind, words } }, set ? (set.value ?? "on") : null, (value) => this.set(changed(this.text, option.key, value)));
    });
    const rest = suitable.filter(({ key }) => !MAIN.includes(key) && !["c", "rb", "qb"].includes(key));
    const line = ({ key, help, kind }) => [element("dt", {}, element("code", {}, key)), element("dd", {}, `${help}: ${kind.text}`)];
    const others = rest.length && element("details", {}, element("summary", {}, `${rest.length} more options, to be written in the text`), element("dl.more-options", {}, rest.flatMap(line)));
    return [...parts, element("div.fields", {}, simple), others].filter(Boolean);
  }

  // A number with its published value as default; `path` leads to it through the brackets.
  slider(title, note, [low, high, step], exact, path) {
    const published = exact === undefined ? undefined : Number(exact.toPrecision(3));
    const present = lookUp(this.text, path);
    const number = Number(present ?? published ?? low);
    const output = element("output.mono", {}, present ?? (published === undefined ? "default" : `${published} (published)`));
    const input = element("input", { type: "range", min: low, max: high, step, value: number, "data-option": path.join("."), "aria-label": `${title}, ${note}` });
    const value = () => String(Number(Number(input.value).toPrecision(3)));
    input.addEventListener("input", () => (output.textContent = value()));
    input.addEventListener("change", () => this.set(setUp(this.text, path, value())));
    const reset = element("button.quiet.icon", { type: "button", title: "as published", "aria-label": `${title} as published` }, "↺");
    reset.addEventListener("click", () => {
      input.value = published ?? low;
      output.textContent = published ?? "default";
      this.set(setUp(this.text, path, null));
    });
    return element("div.slider", {}, element("span", {}, element("b", {}, title), " ", element("small", {}, note)), input, output, reset);
  }

  bonus(key, title, published) {
    const set = find(read(this.text), key);
    const box = element("input", { type: "checkbox", checked: Boolean(set), "data-option": key });
    box.addEventListener("change", () => {
      this.set(changed(this.text, key, box.checked ? [{ key: "a", value: "online" }] : null));
      this.sliders.replaceChildren(...this.controls());
      this.sliders.querySelector(`[data-option="${key}"]`).focus();
    });
    const head = element("label.check", {}, box, element("span", {}, key, " ", element("small", {}, title)));
    if (!set) return head;
    const online = lookUp(this.text, [key, "a"]) === "online";
    const live = element("input", { type: "checkbox", checked: online, "data-option": `${key}.online` });
    live.addEventListener("change", () => {
      this.set(setUp(this.text, [key, "a"], live.checked ? "online" : null));
      this.sliders.replaceChildren(...this.controls());
    });
    return element(
      "div.bonus",
      {},
      head,
      this.slider("k", "steepness", [0, 20, 0.5], published, [key, "k"]),
      element("label.check", {}, live, element("span", {}, "a measured online")),
      online ? null : this.slider("a", "weight", [0, 1, 0.01], undefined, [key, "a"]),
    );
  }
}

function lookUp(text, path) {
  let expression = read(text);
  for (const key of path) {
    const entry = find(expression, key);
    if (!entry) return null;
    if (key === path.at(-1)) return entry.value;
    expression = { entries: entry.list ?? [] };
  }
  return null;
}

function setUp(text, path, value) {
  if (path.length === 1) return changed(text, path[0], value);
  const [key, inner] = path;
  const list = (find(read(text), key)?.list ?? []).filter((entry) => entry.key !== inner);
  return changed(text, key, value === null ? list : [...list, { key: inner, value }]);
}
