// The room of matches over HTTP: what stands in the server's folder of records, live while it is played.
//
// Addresses: #/matches (all), #/matches/NAME, #/matches/NAME?step=3.
//
// For tests: [data-match="NAME"] (rows with a link), #match-state (data-state: running, completed, aborted, left),
// #match-board (data-step), #match-first, #match-back, #match-on, #match-last, #match-steps [data-step], #match-roles tr.

import { get } from "./api.js";
import { Board } from "./board.js";
import { element, write } from "./dom.js";
import { Trays } from "./trays.js";

const HOME = "#/matches";
const POLL_MS = 400;
const STATES = { running: "being played", completed: "played", aborted: "called off", left: "left unfinished" };

export async function show(container, address, context) {
  const room = { root: element("div.lab.stack"), context, closing: new AbortController() };
  container.append(room.root);
  const [name] = address.parts;
  if (name) await new Match(room, name, address.query.get("step")).open();
  else await showAll(room);
  return () => room.closing.abort();
}

/// Calls `work` again and again until the room is closed or it says that there is nothing more to come.
function poll(room, work) {
  const next = async () => {
    if (room.closing.signal.aborted) return;
    const goesOn = await work().catch(() => true);
    if (goesOn && !room.closing.signal.aborted) setTimeout(next, POLL_MS);
  };
  setTimeout(next, POLL_MS);
}

async function showAll(room) {
  const rows = element("tbody");
  const empty = element("p.muted", { id: "no-matches" });
  const table = element(
    "table.matches-table",
    {},
    element("thead", {}, element("tr", {}, ["Match", "State", "Steps", "Players", "Rules", "Goals"].map((text) => element(text === "Steps" ? "th.n" : "th", {}, text)))),
    rows,
  );
  const code = (text) => element("code", {}, text);
  const intro = ["Matches over HTTP, live: those whose records ", code("spinney ggp manage --record"), " and ", code("spinney ggp tournament --matches"), " write into the folder of this server."];
  room.root.append(element("header.intro", {}, element("h1", {}, "Matches"), element("p", {}, ...intro)), empty, element("div.scroll", {}, table));
  let shown = "";
  const refresh = async () => {
    const list = await get("api/matches", room.closing.signal);
    const text = JSON.stringify(list);
    if (text === shown) return true;
    shown = text;
    rows.replaceChildren(...list.matches.map(row));
    table.hidden = !list.matches.length;
    write(empty, list.matches.length ? "" : `There is no record in the folder ${list.folder}.`);
    empty.hidden = Boolean(list.matches.length);
    return true;
  };
  await refresh();
  poll(room, refresh);
}

function row({ name, id, sheet, players, steps, state, goals }) {
  return element(
    "tr",
    { "data-match": name },
    element("td", {}, element("a", { href: `${HOME}/${encodeURIComponent(name)}` }, id || name)),
    element("td", {}, STATES[state]),
    element("td.n", {}, String(steps)),
    element("td", {}, players.join(", ")),
    element("td", {}, sheet.split("/").at(-1)),
    element("td", {}, goals.join(" : ")),
  );
}

/// One match: its states one after the other, the newest as long as nobody looks at an older one.
class Match {
  constructor(room, name, step) {
    this.room = room;
    this.name = name;
    this.step = step === null ? null : Number(step);
    this.asked = 0;
    this.board = new Board({ touch: () => {}, small: true });
    this.trays = new Trays({ touch: () => {} });
    this.box = element("div.board-box", { id: "match-board" }, this.board.svg);
    this.state = element("p", { id: "match-state", role: "status" });
    this.problem = element("p.muted", { id: "match-problem" });
    this.roles = element("tbody", { id: "match-roles" });
    this.steps = element("ol.record", { id: "match-steps" });
    this.title = element("h1", {}, name);
  }

  async open() {
    const button = (id, text, title, go) => element("button", { type: "button", id, title, onclick: go }, text);
    const buttons = element(
      "div.row",
      {},
      button("match-first", "|◀", "to the beginning", () => this.go(0)),
      button("match-back", "◀", "one step back", () => this.go(this.shown() - 1)),
      button("match-on", "▶", "one step on", () => this.go(this.shown() + 1)),
      button("match-last", "▶|", "to the newest state, and on with it", () => this.go(null)),
    );
    const head = element("tr", {}, ["Role", "Player", "Move", "Goal"].map((text) => element("th", {}, text)));
    const table = element("div.scroll", {}, element("table", {}, element("thead", {}, head), this.roles));
    const left = element("section.panel.stack", { "aria-label": "state" }, buttons, this.box, this.trays.body, this.problem);
    const right = element("section.panel.stack", { "aria-label": "moves" }, table, element("h2", {}, "Steps"), this.steps);
    const back = element("p.back", {}, element("a", { href: HOME, id: "back" }, "← All matches"));
    this.room.root.append(back, this.title, this.state, element("div.match", {}, left, right));
    await this.refresh();
    poll(this.room, () => this.refresh());
  }

  /// The step that is shown: one that was asked for, or the newest.
  shown() {
    const last = this.match.moves.length;
    return this.step === null ? last : Math.min(Math.max(this.step, 0), last);
  }

  /// Asks how far the match has come; false when it will come no further.
  async refresh() {
    const before = this.match;
    this.match = await get(`api/matches/${encodeURIComponent(this.name)}`, this.room.closing.signal);
    const { id, sheet, state, moves, clocks } = this.match;
    if (before && JSON.stringify(before) === JSON.stringify(this.match)) return state === "running" || state === "left";
    write(this.title, `${id || this.name} · ${sheet.split("/").at(-1)}`);
    this.state.dataset.state = state;
    write(this.state, `${STATES[state]}; ${moves.length} ${moves.length === 1 ? "step" : "steps"}; clocks ${clocks.join(" and ")} s`);
    this.listSteps();
    if (!before || this.step === null) await this.draw();
    else this.mark();
    return state === "running" || state === "left";
  }

  listSteps() {
    for (let step = this.steps.children.length + 1; step <= this.match.moves.length; step++) {
      const wrong = this.match.errors[step - 1]?.some(Boolean);
      const text = this.match.moves[step - 1].join("  ") + (wrong ? "  ⚠" : "");
      const button = element("button.link.mono", { type: "button", "data-step": step, onclick: () => this.go(step) }, text);
      if (wrong) button.title = this.match.errors[step - 1].filter(Boolean).join("; ");
      this.steps.append(element("li", {}, button));
    }
  }

  go(step) {
    this.step = step === null || step >= this.match.moves.length ? null : Math.max(step, 0);
    const query = this.step === null ? "" : `?step=${this.step}`;
    history.replaceState(null, "", `${HOME}/${encodeURIComponent(this.name)}${query}`);
    return this.draw();
  }

  mark() {
    const step = this.shown();
    for (const button of this.steps.querySelectorAll("[data-step]")) {
      if (Number(button.dataset.step) === step) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    }
    const present = this.steps.querySelector("[aria-current]");
    if (present) this.steps.scrollTop = present.offsetTop - this.steps.offsetTop - this.steps.clientHeight / 2;
  }

  async draw() {
    const number = ++this.asked;
    const step = this.shown();
    const { facts, view, problem } = await get(`api/matches/${encodeURIComponent(this.name)}/${step}`, this.room.closing.signal);
    if (number !== this.asked) return;
    const shown = view ?? { players: ["", ""], moves: [], last: null, scene: { cells: [], trays: [{ title: "facts", owner: null, items: facts.map((fact) => ({ fact })) }] } };
    const hasBoard = shown.scene.cells.length > 0;
    this.box.hidden = !hasBoard;
    if (hasBoard) this.board.show(shown, { from: this.view?.scene.cells.length ? this.view : null });
    this.view = shown;
    this.trays.show(shown, null);
    this.problem.hidden = !problem;
    write(this.problem, problem ? `Shown as facts: ${problem}.` : "");
    this.drawRoles(view?.roles, step);
    this.mark();
    this.box.dataset.step = step;
    this.room.context.announce(`step ${step}`);
  }

  drawRoles(roles, step) {
    const { players, moves, goals } = this.match;
    const last = step === moves.length;
    const names = roles?.map(({ name }) => name) ?? (moves[0] ?? players).map((_, at) => `role ${at + 1}`);
    // Chance has no player.
    const playerOf = (at) => (players.length === names.length ? players[at] : "");
    const rows = names.map((name, at) =>
      element(
        "tr",
        {},
        element("td", {}, name),
        element("td", {}, playerOf(at)),
        element("td.mono", {}, step ? moves[step - 1][at] : ""),
        element("td", {}, String((last && goals.length ? goals[at] : roles?.[at].goal) ?? "")),
      ),
    );
    this.roles.replaceChildren(...rows);
  }
}
