// The room of diagnosis: can a bonus help in this game?
//
// For tests: #diagnose-game, #diagnose-options, #diagnose-agent, #diagnose-games, #diagnose-simulations, #diagnose-seed,
// #diagnose-start, #diagnose-stop, #diagnose-status (data-state: idle, running, done, stopped, failed), #diagnose-error,
// #diagnosis-table tbody tr[data-row], #diagnosis-figures figure svg.
//
// The address #/diagnosis?game=…&agent=…&games=…&simulations=…&seed=… fills the form.

import { AgentForm, gameOptions } from "./agents.js";
import { choice, element, field, write } from "./dom.js";
import { count, counted, listen, showFigures } from "./lab.js";

/// What the rows of the table say.
const MEANINGS = {
  "correlation with winning": "how far length or quality goes with the outcome, per position: −1 to 1, with its spread",
  "variance removed, share": "its square: how much of the outcome's noise a control variate could take away at best",
  "weight a′": "the slope with which the bonus is added, learnt from the simulations themselves",
  "k in use": "how steep the sigmoid is that makes a bonus of λ",
  "k that spreads evenly": "the k with which bonuses use the whole range from −1 to 1",
  "λ beyond ±10/k": "simulations so far out that the sigmoid no longer tells them apart",
  signal: "whether a move's bonuses foretell what a sixteen times longer search thinks of it, beyond its outcomes",
  "its 95 % interval": "above 0 it helps, below 0 it misleads, across 0 nobody knows yet",
  "in words": "what that amounts to",
};

export async function show(container, address, context) {
  const room = new Room(address.query, context);
  container.append(room.root);
  return () => room.stop();
}

class Room {
  constructor(query, context) {
    this.context = context;
    this.form = this.makeForm(query);
    this.status = element("p.status", { id: "diagnose-status", role: "status", "data-state": "idle" }, "Nothing has been played yet.");
    this.error = element("p.error", { id: "diagnose-error", role: "alert" });
    this.rows = element("tbody");
    this.table = element(
      "div.scroll",
      { id: "diagnosis-table", hidden: true, tabindex: 0, role: "region", "aria-label": "Numbers of the diagnosis" },
      element(
        "table",
        {},
        element("caption", {}, "Numbers of the diagnosis"),
        element("thead", {}, element("tr", {}, ["", "Length", "Quality"].map((text) => element("th", { scope: "col" }, text)))),
        this.rows,
      ),
    );
    this.figures = element("div.figures", { id: "diagnosis-figures" });
    this.root = element(
      "div.lab.stack",
      {},
      element(
        "header.intro",
        {},
        element("h1", {}, "Can a bonus help in this game?"),
        element(
          "p",
          {},
          "The search plays against itself, and every simulation is looked at: how long it was, how good its last position was, and who won it. " +
            "If one of the two goes with winning, rewards can be corrected by it.",
        ),
      ),
      element("section.panel", { "aria-label": "What to diagnose" }, this.form, this.error),
      element("section.stack", { "aria-label": "What was found" }, this.status, this.table, this.figures),
      explanation(),
    );
  }

  makeForm(query) {
    const number = (id, value, most) => element("input", { id, type: "number", min: 1, max: most, step: 1, value, required: true });
    const games = this.context.about.games.filter((game) => game.players === 2 && !game.chance);
    const groups = { Games: games.map((game) => game.name), "Rule sheets": this.context.about.sheets.map((name) => `gdl:${name}`) };
    const [name, options] = split(query.get("game") ?? "breakthrough");
    this.game = choice({ id: "diagnose-game", onchange: () => this.showOptions() }, groups, name);
    if (this.game.selectedIndex < 0) this.game.value = "breakthrough";
    this.written = options ? `${name}(${options})` : name;
    this.options = element("div.own-options", { id: "diagnose-options" });
    // Its fields follow the kinds of options that the server tells.
    this.agent = new AgentForm({ about: this.context.about, text: query.get("agent") ?? "mcts", suits: {}, label: "agent to diagnose", name: "diagnose", change: () => {} });
    this.games = number("diagnose-games", query.get("games") ?? 1, 20);
    this.simulations = number("diagnose-simulations", query.get("simulations") ?? 1000, 100000);
    this.seed = element("input", { id: "diagnose-seed", type: "number", min: 0, step: 1, value: query.get("seed") ?? 1, required: true });
    this.startButton = element("button.primary", { id: "diagnose-start", type: "submit" }, "Start");
    this.stopButton = element("button", { id: "diagnose-stop", type: "button", disabled: true, onclick: () => this.stop() }, "Stop");
    const form = element(
      "form",
      { onsubmit: (event) => (event.preventDefault(), this.start()) },
      element(
        "div.fields",
        {},
        field("Game", this.game),
        element("div.field", {}, element("span", {}, "Agent"), this.agent.body, element("small", {}, "must be mcts; its bonuses get no weight")),
        field("Games", this.games, "1 to 20"),
        field("Simulations per move", this.simulations, "1 to 100\u202f000"),
        field("Seed", this.seed),
      ),
      this.options,
      element("div.row.actions", {}, this.startButton, this.stopButton),
    );
    this.showOptions(this.written);
    return form;
  }

  showOptions(text = this.game.value) {
    const game = this.context.about.games.find((known) => known.name === this.game.value);
    this.written = text;
    this.options.replaceChildren(...(game?.options.length ? [gameOptions(game, text, (next) => (this.written = next))] : []));
  }

  async start() {
    this.stop();
    const own = new AbortController();
    this.controller = own;
    const question = new URLSearchParams({
      game: this.written,
      agent: this.agent.text,
      games: this.games.value,
      simulations: this.simulations.value,
      seed: this.seed.value,
    });
    history.replaceState(null, "", `#/diagnosis?${question}`);
    this.error.textContent = "";
    this.begun = performance.now();
    this.mark("running", "The first position is being searched …");
    this.table.hidden = true;
    this.figures.replaceChildren();
    try {
      let failure = null;
      const handlers = {
        diagnosis: (found) => this.found(found, "running"),
        done: (found) => this.found(found, "done"),
        failure: ({ error }) => (failure = error),
      };
      await listen(`api/diagnose?${question}`, handlers, own.signal);
      if (failure) throw new Error(failure);
      if (this.status.dataset.state === "running") throw new Error("server: the connection was lost; start again");
    } catch (error) {
      if (own.signal.aborted) return;
      this.error.textContent = error.message;
      this.mark("failed", "It did not work.");
    }
  }

  stop() {
    if (this.status.dataset.state !== "running") return;
    this.controller.abort();
    this.mark("stopped", `Stopped: ${this.status.textContent}`);
  }

  mark(state, text) {
    this.status.dataset.state = state;
    write(this.status, text);
    this.stopButton.disabled = state !== "running";
    if (state !== "running") this.context.announce(text);
  }

  found(found, state) {
    const seconds = ((performance.now() - this.begun) / 1000).toFixed(0);
    const seen = `${counted(found.positions, "position")}, ${counted(found.simulations, "simulation")}, ${(100 * found.drawn).toFixed(1)} % of them drawn`;
    this.mark(state, state === "done" ? `Done: ${seen}, in ${seconds} s.` : `${seen}, ${count(seconds)} s so far`);
    // What it amounts to comes first.
    const words = found.rows.filter(({ name }) => name === "in words");
    [...words, ...found.rows.filter(({ name }) => name !== "in words")].forEach((row, index) => this.showRow(row, index));
    this.table.hidden = false;
    showFigures(this.figures, found.figures);
  }

  showRow(row, index) {
    const node = this.rows.children[index] ?? this.rows.appendChild(emptyRow(row.name));
    write(node.children[1], row.length);
    write(node.children[2], row.quality);
  }
}

function emptyRow(name) {
  const head = element("th.wrap", { scope: "row" }, name, element("small", {}, MEANINGS[name] ?? ""));
  return element("tr", { "data-row": name }, head, element("td.wrap"), element("td.wrap"));
}

/// `breakthrough(rows=6)` as name and options.
function split(game) {
  const match = /^([^(]*)(?:\((.*)\))?$/s.exec(game.trim());
  return [match?.[1].trim() ?? "", match?.[2] ?? ""];
}

function explanation() {
  const parts = [
    [
      "What a control variate is",
      "A simulation says only who won, and that is noisy. If something else that is measured in it goes with the outcome, and its mean is known, " +
        "the deviation from that mean can be taken off the outcome: the mean stays right and part of the noise is gone. The share that can go is the square of the correlation.",
    ],
    [
      "Length and quality",
      "Two things can be measured in every simulation: how many plies it took (short wins are often sure wins), and how good its last position is for the winner. " +
        "The first two figures show them by who won. Where the two lines lie apart, there is something to learn.",
    ],
    [
      "λ and the bonus",
      "λ says how many standard deviations a simulation lies from the mean of those that the same player won. A sigmoid with steepness k makes a bonus between −1 and 1 of it, " +
        "which is added to the reward with the weight a′.",
    ],
    [
      "The signal",
      "That length goes with winning is not yet a reason to use it: the outcomes may say it already. So moves are judged by a search sixteen times as long, " +
        "and the bonus has to foretell its verdict beyond what the outcomes foretell.",
    ],
  ];
  const items = parts.map(([term, text]) => [element("dt", {}, term), element("dd", {}, text)]);
  return element("section.panel", { "aria-label": "Explanation" }, element("h2", {}, "How to read this"), element("dl.meanings", {}, items));
}
