// An experiment of one's own: a form beside the text of the file, each of which changes the other.
//
// For tests: #experiment-text, #form-title, #form-games, [data-form-agent], #form-add-agent, #form-a, #form-b, #form-budgets, #form-unit, #form-pairs, #form-stop,
// #form-note.

import { AgentForm } from "./agents.js";
import { post } from "./api.js";
import { choice, element, field, write } from "./dom.js";
import { back } from "./lab.js";
import { read as readAgent } from "./notation.js";

const KEY = "spinney-experiment";
const WAIT_MS = 350;
const START = { title: "My first comparison", about: "Does the Relative Bonus help in Breakthrough?", seed: 1, pairs: 50, games: ["breakthrough(rows=6, columns=6)"], agents: { plain: "mcts", bonus: "mcts(rb(a=online))" }, a: ["bonus"], b: ["plain"], budgets: [500], unit: "simulations", stop: "" };
const STOPS = [["", "when all games are played"], ["{ sprt = [0, 20] }", "sequential test, 0 against 20 Elo"], ["{ precision = 2.0 }", "interval of ± 2 points"], ["{ anytime = true }", "as soon as one is better"]];

/* Text */

const quoted = (text) => JSON.stringify(text);
const listed = (list) => `[${list.map(quoted).join(", ")}]`;

// An option's value: numbers and lists stay as they are, switches become true or false, the rest is text.
function valueText(value) {
  if (/^-?\d+(\.\d+)?(e-?\d+)?$/i.test(value)) return value;
  if (value === "on" || value === "off") return String(value === "on");
  if (/^\[.*\]$/s.test(value)) {
    const parts = value.slice(1, -1).split(",").map((one) => one.trim()).filter(Boolean);
    return `[${parts.map((one) => (/^-?[\d.]+$/.test(one) ? one : quoted(one))).join(", ")}]`;
  }
  return quoted(value);
}

function agentText(name, text) {
  const { name: kind, entries } = readAgent(text);
  const lines = entries.map(({ key, value, list }) => {
    if (list) return `${key} = ${quoted(`${key}(${text.slice(text.indexOf(`${key}(`) + key.length + 1, closing(text, text.indexOf(`${key}(`)))})`)}`;
    return `${key} = ${value === null ? "true" : valueText(value)}`;
  });
  return [`[agents.${/^[\w-]+$/.test(name) ? name : quoted(name)}]`, `kind = ${quoted(kind)}`, ...lines].join("\n");
}

// Where the bracket that opens after `from` closes.
function closing(text, from) {
  let depth = 0;
  for (let at = text.indexOf("(", from); at < text.length; at++) {
    depth += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0;
    if (!depth) return at;
  }
  return text.length;
}

/// The file that a form means.
export function toText(model) {
  const lines = [`title = ${quoted(model.title)}`];
  if (model.about) lines.push(`about = ${quoted(model.about)}`);
  lines.push(`seed = ${model.seed}`, `pairs = ${model.pairs}`);
  if (model.opening) lines.push(`opening = ${model.opening}`);
  if (model.stop) lines.push(`stop = ${model.stop}`);
  const agents = Object.entries(model.agents).map(([name, text]) => agentText(name, text));
  const unit = model.unit === "seconds" ? "time" : "simulations";
  const match = ["[[match]]", `games = ${listed(model.games)}`, `a = ${listed(model.a)}`, `b = ${listed(model.b)}`];
  if (model.budgets.length) match.push(`budgets = [${model.budgets.map((amount) => `{ ${unit} = ${amount} }`).join(", ")}]`);
  return [lines.join("\n"), ...agents, match.join("\n")].join("\n\n") + "\n";
}

/// The form that a file means, or `null` where it says more than the form can.
export function fromData(data) {
  const only = (object, keys) => Object.keys(object).every((key) => keys.includes(key));
  const [match, ...others] = data.match ?? [];
  if (!match || others.length || !only(data, ["title", "about", "seed", "pairs", "opening", "stop", "agents", "match"]) || !only(match, ["games", "a", "b", "budgets"])) return null;
  const agents = {};
  for (const [name, { kind = "mcts", ...options }] of Object.entries(data.agents ?? {})) {
    if (options.like !== undefined || Object.values(options).some((value) => typeof value === "object" && !Array.isArray(value))) return null;
    const entry = ([key, value]) => {
      if (typeof value === "boolean") return value ? key : `${key}=off`;
      if (Array.isArray(value)) return `${key}=[${value.join(", ")}]`;
      return String(value).startsWith(`${key}(`) ? String(value) : `${key}=${value}`;
    };
    const entries = Object.entries(options).map(entry);
    agents[name] = entries.length ? `${kind}(${entries.join(", ")})` : kind;
  }
  const budgets = match.budgets ?? [];
  const unit = budgets.some((one) => one.time !== undefined) ? "time" : "simulations";
  if (!budgets.every((one) => Object.keys(one).length === 1 && typeof one[unit] === "number")) return null;
  const stop = STOPS.map(([text]) => text).find((text) => JSON.stringify(stopData(text)) === JSON.stringify(data.stop ?? null));
  if (stop === undefined) return null;
  return { title: data.title ?? "", about: data.about ?? "", seed: data.seed ?? 1, pairs: data.pairs ?? 100, opening: data.opening ?? 0, stop, games: match.games ?? [], agents, a: match.a ?? [], b: match.b ?? [], budgets: budgets.map((one) => one[unit]), unit: unit === "time" ? "seconds" : "simulations" };
}

const stopData = (text) => (text ? Object.fromEntries(text.replace(/[{}]/g, "").split(" = ").map((one) => one.trim()).reduce((pairs, one, at, all) => (at % 2 ? pairs : [...pairs, [one, JSON.parse(all[at + 1])]]), [])) : null);

/* The page */

/// Shows form and text; `text` is a file to begin with.
export async function showOwn(room, text) {
  const area = element("textarea", { id: "experiment-text", spellcheck: "false", rows: 22, "aria-describedby": "wish-error" });
  area.value = text || stored() || toText(START);
  const form = new ExperimentForm({ about: room.context.about, changed: (model) => put(toText(model)) });
  const put = (written) => {
    area.value = written;
    keep(written);
  };
  let timer = null;
  const follow = async () => {
    keep(area.value);
    const data = await post("api/experiments/read", { text: area.value }, room.closing.signal).catch((error) => form.note(error.message));
    if (data) form.fill(fromData(data));
  };
  area.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(follow, WAIT_MS);
  });
  room.root.append(
    back(),
    element("header.intro", {}, element("h1", {}, "An experiment of your own"), element("p", {}, "Every agent of A plays every agent of B in every game with every budget, in pairs of games with seats swapped. The form writes the file, and the file fills the form; a list such as c=[0.5, 1, 2] makes an agent for each of its values.")),
    element("div.beside-text", {}, form.body, element("label.field.grow", {}, element("span", {}, "Experiment file"), area)),
    room.wishForm(room, () => ({ text: area.value }), area),
  );
  await follow();
}

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function keep(text) {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // A full storage is no reason not to experiment.
  }
}

class ExperimentForm {
  constructor({ about, changed }) {
    Object.assign(this, { about, changed });
    this.text = element("p.muted", { id: "form-note" }, "");
    this.parts = element("div.stack");
    this.body = element("section.panel.stack.form", { "aria-label": "Form" }, element("h2", {}, "Form"), this.text, this.parts);
  }

  note(text) {
    write(this.text, text ?? "");
    this.text.hidden = !text;
    this.text.classList.toggle("error", Boolean(text));
  }

  /// Fills the form; what it cannot show is left to the text.
  fill(model) {
    this.note(model ? "" : "This file says more than the form can; change the text.");
    this.text.classList.remove("error");
    this.parts.hidden = !model;
    if (!model || JSON.stringify(model) === JSON.stringify(this.model)) return;
    // Not below somebody's hands.
    if (this.parts.contains(document.activeElement)) return void (this.model = model);
    this.model = model;
    this.draw();
  }

  change(more) {
    this.model = { ...this.model, ...more };
    this.changed(this.model);
  }

  input(id, value, set, attributes = {}) {
    return element("input", { id, value, onchange: (event) => set(event.target.value.trim()), ...attributes });
  }

  draw() {
    const { model } = this;
    const words = (text) => split(text);
    const number = (key, least) => (text) => Number(text) >= least && this.change({ [key]: Math.round(Number(text)) });
    const names = Object.keys(model.agents);
    const known = element("datalist", { id: "form-known" }, this.about.games.filter(({ name }) => name !== "gdl").map(({ name }) => element("option", { value: name })), this.about.sheets.map((name) => element("option", { value: `gdl:${name}` })));
    const side = (key) => element("div.row", { id: `form-${key}`, role: "group", "aria-label": `side ${key.toUpperCase()}` }, names.map((name) => this.check(key, name)));
    this.parts.replaceChildren(
      known,
      field("title", this.input("form-title", model.title, (title) => this.change({ title }))),
      field("what is asked", this.input("form-about", model.about, (about) => this.change({ about }))),
      field("games", this.input("form-games", model.games.join("; "), (text) => this.change({ games: words(text) }), { list: "form-known" }), "Several with semicolons: amazons(size=8); gdl:connect-four"),
      element("h3", {}, "Agents"),
      ...names.map((name) => this.agent(name)),
      element("button.small", { type: "button", id: "form-add-agent", onclick: () => this.add() }, "Add an agent"),
      element("div.fields", {}, element("div.field", {}, element("span", {}, "A"), side("a")), element("div.field", {}, element("span", {}, "B"), side("b"))),
      element("div.fields", {}, field("budgets", this.input("form-budgets", model.budgets.join("; "), (text) => this.change({ budgets: words(text).map(Number).filter((one) => one > 0) })), "Several with semicolons"), field("of each move", this.unit())),
      element("div.fields", {}, field("pairs of games", this.input("form-pairs", model.pairs, number("pairs", 1), { type: "number", min: 1 })), field("seed", this.input("form-seed", model.seed, number("seed", 0), { type: "number", min: 0 })), field("random plies first", this.input("form-opening", model.opening ?? 0, number("opening", 0), { type: "number", min: 0 }))),
      field("a cell ends", this.stop()),
    );
  }

  unit() {
    const node = choice({ id: "form-unit" }, ["simulations", "seconds"], this.model.unit);
    node.addEventListener("change", () => this.change({ unit: node.value, budgets: node.value === "seconds" ? [0.1] : [500] }));
    node.addEventListener("change", () => (document.getElementById("form-budgets").value = this.model.budgets.join("; ")));
    return node;
  }

  stop() {
    const node = choice({ id: "form-stop" }, STOPS, this.model.stop);
    node.addEventListener("change", () => this.change({ stop: node.value }));
    return node;
  }

  check(key, name) {
    const box = element("input", { type: "checkbox", checked: this.model[key].includes(name), "data-side": key, value: name });
    box.addEventListener("change", () => {
      const chosen = Object.keys(this.model.agents).filter((one) => (one === name ? box.checked : this.model[key].includes(one)));
      this.change({ [key]: chosen });
    });
    return element("label.check", {}, box, name);
  }

  agent(name) {
    const form = new AgentForm({ about: this.about, text: this.model.agents[name], suits: {}, label: `agent ${name}`, name: `form-agent-${name}`, change: (text) => this.change({ agents: { ...this.model.agents, [name]: text } }) });
    const label = this.input(null, name, (next) => this.rename(name, next), { "aria-label": `name of agent ${name}` });
    const remove = element("button.quiet.icon", { type: "button", "aria-label": `remove agent ${name}`, onclick: () => this.drop(name) }, "✕");
    return element("div.row.form-agent", { "data-form-agent": name }, label, form.body, remove);
  }

  add() {
    const name = ["c", "d", "e", "f", "g", "h"].map((letter) => `agent-${letter}`).find((one) => !this.model.agents[one]) ?? `agent-${Date.now() % 1000}`;
    this.change({ agents: { ...this.model.agents, [name]: "mcts" }, a: [...this.model.a, name] });
    this.draw();
    this.parts.querySelector(`[data-form-agent="${CSS.escape(name)}"] input`).focus();
  }

  rename(name, next) {
    if (!/^[\w-]+$/.test(next) || (next !== name && this.model.agents[next])) return this.draw();
    const swap = (list) => list.map((one) => (one === name ? next : one));
    const agents = Object.fromEntries(Object.entries(this.model.agents).map(([own, text]) => [own === name ? next : own, text]));
    this.change({ agents, a: swap(this.model.a), b: swap(this.model.b) });
    this.draw();
  }

  drop(name) {
    const agents = Object.fromEntries(Object.entries(this.model.agents).filter(([own]) => own !== name));
    this.change({ agents, a: this.model.a.filter((one) => one !== name), b: this.model.b.filter((one) => one !== name) });
    this.draw();
  }
}

// At semicolons, and at commas that are in no brackets.
function split(text) {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    if (letter === ";" || (letter === "," && !depth)) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((one) => one.trim()).filter(Boolean);
}
