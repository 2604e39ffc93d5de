// The room of experiments: what comes with the program, what was played, and what of one's own.
//
// Addresses: #/experiments (all), …/file/NAME, …/own, …/run/NAME, …/run/NAME/KEY (the games of a cell, ?from=100),
// …/run/NAME/KEY/PAIR/GAME (opens the game in the room of play).
//
// For tests: [data-file="quality-rewards/table-1"], [data-run="NAME"], #own; on a file or one's own: #experiment-text, #games,
// #plan, #start, #plan-table tbody tr[data-plan-key], #plan-total, #wish-error; on a run: #run-state (data-state:
// running, stopping, stopped, complete), #run-progress, #run-text, #stop, #resume, #report, #run-error,
// [data-cell-key="…"] (rows, to be clicked, each with a link), #run-figures figure svg; on a cell: #games-table tr[data-game="PAIR-GAME"],
// [data-replay="PAIR-GAME"] (links), #earlier, #later.

import { get, post } from "./api.js";
import { element, field, write } from "./dom.js";
import { count, counted, duration, listen, look, percent, persist, showFigures } from "./lab.js";

const HOME = "#/experiments";
const runAddress = (...parts) => [`${HOME}/run`, ...parts.map(encodeURIComponent)].join("/");

export async function show(container, address, context) {
  await look();
  const [kind, name, key, pair, game] = address.parts;
  const room = { root: element("div.lab.stack"), context, closing: new AbortController() };
  container.append(room.root);
  if (kind === "file" && name) await showFile(room, name);
  else if (kind === "own") await showOwn(room, name);
  else if (kind === "run" && game) await replay(room, name, key, pair, game);
  else if (kind === "run" && key) await showCell(room, name, key, Number(address.query.get("from")) || 0);
  else if (kind === "run" && name) showRun(room, name);
  else await showAll(room);
  return () => room.closing.abort();
}

function back(text = "All experiments", href = HOME) {
  return element("p.back", {}, element("a", { href, id: "back" }, `← ${text}`));
}

/* Everything */

async function showAll(room) {
  const list = await get("api/experiments", room.closing.signal);
  const runs = element("div.stack", { id: "runs" });
  room.root.append(
    element(
      "header.intro",
      {},
      element("h1", {}, "Experiments"),
      element(
        "p",
        {},
        "Agents against each other, in pairs of games with seats swapped. Every game is kept, so that a run can be stopped and resumed at any time, " +
          "and stands beside the published numbers where there are any.",
      ),
    ),
    element(
      "div.shelves",
      {},
      element(
        "section.shelf",
        { "aria-label": "Runs" },
        element("div.row", {}, element("h2", {}, "Runs"), element("a.button.push", { href: `${HOME}/own`, id: "own" }, "Write an experiment")),
        runs,
      ),
      shelf(list.files),
    ),
  );
  showRuns(runs, list.runs);
  refresh(room, runs, list.runs);
}

/// What the folders of the files are about.
const FOLDERS = {
  contextual: "Contextual Monte Carlo",
  ggp: "General Game Playing",
  "quality-rewards": "Quality-based rewards",
  others: "Others",
};

function shelf(files) {
  const groups = new Map();
  for (const file of files) {
    const folder = file.name.includes("/") ? file.name.split("/")[0] : "others";
    groups.set(folder, [...(groups.get(folder) ?? []), file]);
  }
  return element(
    "section.shelf",
    { "aria-label": "Experiments that come with the program" },
    element("h2", {}, "What comes with the program"),
    [...groups].map(([folder, list]) => [
      element("h3", {}, FOLDERS[folder] ?? folder),
      element("ul.cards", {}, list.map((file) => element("li", {}, fileCard(file)))),
    ]),
  );
}

function fileCard(file) {
  return element(
    "a.card",
    { href: `${HOME}/file/${encodeURIComponent(file.name)}`, "data-file": file.name },
    element("strong", {}, file.title),
    element("span.about", {}, file.about),
    element("span.facts-line", {}, `${counted(file.cells, "cell")}, ${counted(file.games, "game")}`),
  );
}

function showRuns(place, runs) {
  if (!runs.length) {
    place.replaceChildren(element("p.muted", {}, "Nothing has been played yet. Choose an experiment and start it."));
    return;
  }
  const focused = document.activeElement?.dataset?.run;
  place.replaceChildren(element("ul.runs", {}, runs.map((run) => element("li", {}, runCard(run)))));
  if (focused) place.querySelector(`[data-run="${CSS.escape(focused)}"]`)?.focus();
}

function runCard(run) {
  const text = `${count(run.played)} of ${counted(run.planned, "game")}`;
  return element(
    "a.card",
    { href: runAddress(run.name), "data-run": run.name },
    element("span.row", {}, element("strong", {}, run.title), badge(run.state)),
    element("progress", { max: Math.max(run.planned, 1), value: run.played, "aria-label": text }),
    element("span.facts-line", {}, `${text} · ${run.name}`),
    run.problem && element("span.error", {}, run.problem),
  );
}

function badge(state) {
  return element(`span.badge.${state}`, { "data-state": state }, state);
}

/// Looks again every two seconds while something is being played.
async function refresh(room, place, runs) {
  const { signal } = room.closing;
  while (runs.some((run) => run.state === "running")) {
    await new Promise((done) => setTimeout(done, 2000));
    if (signal.aborted) return;
    try {
      runs = (await get("api/experiments", signal)).runs;
      showRuns(place, runs);
    } catch {
      // The next look may be luckier.
    }
  }
}

/* A file, or one's own text: plan and start */

async function showFile(room, name) {
  const list = await get("api/experiments", room.closing.signal);
  const file = list.files.find((known) => known.name === name);
  if (!file) throw new Error(`file ${name}: there is none of this name; choose one of the list`);
  const source = element("pre", { tabindex: 0, "aria-label": "The experiment file" });
  const details = element("details.source", {}, element("summary", {}, "The file"), source);
  details.addEventListener("toggle", async () => {
    if (details.open && !source.textContent) source.textContent = await fileText(name, room.closing.signal);
  });
  room.root.append(
    back(),
    element("header", {}, element("h1", {}, file.title), element("p.about", {}, file.about)),
    element("p.muted", {}, `${counted(file.cells, "cell")}, ${counted(file.games, "game")}; `, element("a", { href: `${HOME}/own/${encodeURIComponent(name)}`, id: "change" }, "change it")),
    wishForm(room, () => ({ file: name })),
    details,
  );
}

async function fileText(name, signal) {
  const response = await fetch(`api/experiments/text?file=${encodeURIComponent(name)}`, { signal });
  if (!response.ok) throw new Error((await response.json()).error);
  return response.text();
}

const KEY = "spinney-experiment";
const EXAMPLE = `title = "My first comparison"
about = "Does the Relative Bonus help in Breakthrough?"
seed = 1
pairs = 50

[agents.plain]
kind = "mcts"

[agents.bonus]
like = "plain"
rb = "rb(a=online)"

[[match]]
games = ["breakthrough(rows=6, columns=6)"]
a = ["bonus"]
b = ["plain"]
budgets = [{ simulations = 500 }]
`;

/// One's own text is kept by the page.
async function showOwn(room, from) {
  const text = from ? await fileText(from, room.closing.signal) : (localStorage.getItem(KEY) ?? EXAMPLE);
  const area = element("textarea", { id: "experiment-text", spellcheck: "false", rows: 18, value: text, "aria-describedby": "wish-error" });
  area.addEventListener("input", () => keep(area.value));
  room.root.append(
    back(),
    element(
      "header.intro",
      {},
      element("h1", {}, "An experiment of your own"),
      element("p", {}, "Every agent of a plays every agent of b in every game with every budget. Agents take options as on the command line; like takes those of another."),
    ),
    element("label.field", {}, element("span", {}, "Experiment file"), area),
    wishForm(room, () => ({ text: area.value }), area),
  );
}

function keep(text) {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // A full storage is no reason not to experiment.
  }
}

function wishForm(room, source, area) {
  const games = element("input", { id: "games", type: "number", min: 1, step: 1, placeholder: "as written", inputmode: "numeric" });
  const error = element("p.error", { id: "wish-error", role: "alert" });
  const result = element("div.stack", { id: "plan-result" });
  const plan = element("button", { id: "plan", type: "button" }, "Plan");
  const start = element("button.primary", { id: "start", type: "submit" }, "Start");
  const wish = () => ({ ...source(), ...(games.value ? { games: Number(games.value) } : {}) });
  const attempt = async (work) => {
    error.textContent = "";
    area?.removeAttribute("aria-invalid");
    try {
      await work();
    } catch (problem) {
      if (room.closing.signal.aborted || problem.name === "AbortError") return;
      error.textContent = problem.message;
      area?.setAttribute("aria-invalid", "true");
    }
  };
  let planning = null;
  plan.addEventListener("click", async () => {
    if (planning) return planning.abort();
    planning = new AbortController();
    const signal = AbortSignal.any([planning.signal, room.closing.signal]);
    plan.textContent = "Cancel";
    const waiting = element("p.muted", { role: "status" }, "Short games are being played to estimate the time …");
    result.replaceChildren(waiting);
    await attempt(async () => showPlan(result, await post("api/experiments/plan", wish(), signal)));
    waiting.remove();
    planning = null;
    plan.textContent = "Plan";
  });
  const submit = async (event) => {
    event.preventDefault();
    start.disabled = true;
    await attempt(async () => {
      const { run } = await post("api/experiments/start", wish(), room.closing.signal);
      room.context.go(runAddress(run));
    });
    start.disabled = false;
  };
  return element(
    "form.stack",
    { onsubmit: submit },
    element(
      "section.panel",
      { "aria-label": "Plan and start" },
      element("div.row.end", {}, element("div.narrow-field", {}, field("Games in each cell", games)), plan, start),
      element("p.caption.hint", {}, "Plan says what each cell will cost and which difference it can show; nothing is kept of it."),
      error,
    ),
    result,
  );
}

function showPlan(place, plan) {
  const row = (cell) =>
    element(
      "tr",
      { "data-plan-key": cell.key },
      element("th.wrap", { scope: "row" }, cell.label),
      element("td.n", {}, count(cell.games)),
      element("td.n", {}, cell.seconds === null ? "–" : duration(cell.seconds)),
      element("td.n", {}, cell.detectable === null || cell.detectable > 0.5 ? "–" : `±${percent(cell.detectable)}`),
      element("td.n", {}, cell.published === null ? "–" : percent(cell.published)),
    );
  const known = plan.played ? ` ${count(plan.played)} of its games are known already; starting goes on with them.` : "";
  const time = plan.seconds === null ? "an unknown time" : (plan.seconds < 1 ? "" : "about ") + duration(plan.seconds);
  place.replaceChildren(
    element("p", { id: "plan-total", role: "status" }, `${counted(plan.cells.length, "cell")}, ${counted(plan.games, "game")}, ${time} on ${counted(plan.threads, "core")}.${known}`),
    table(
      "plan-table",
      "What is planned",
      [["Cell"], ["Games", "n"], ["Time", "n"], ["Detectable, points", "n"], ["Published, %", "n"]],
      plan.cells.map(row),
      ".cells-table",
    ),
    element("p.caption", {}, "Detectable: the smallest difference from 50 % that is seen with 80 % power at 5 %."),
  );
}

function table(id, title, columns, rows, kind = "") {
  const head = columns.map(([text, name]) => element("th", { scope: "col", class: name }, text));
  return element(
    "div.scroll",
    { tabindex: 0, role: "region", "aria-label": title },
    element(`table${kind}`, { id }, element("caption", {}, title), element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows)),
  );
}

/* A run */

function showRun(room, name) {
  const view = {
    title: element("h1", {}, name),
    about: element("p.about"),
    state: element("span.badge", { id: "run-state", "data-state": "" }, "…"),
    bar: element("progress", { id: "run-progress", max: 1, value: 0, "aria-labelledby": "run-text" }),
    text: element("span", { id: "run-text" }, "Being read …"),
    error: element("p.error", { id: "run-error", role: "alert" }),
    stop: element("button", { id: "stop", type: "button", disabled: true }, "Stop"),
    resume: element("button.primary", { id: "resume", type: "button", hidden: true }, "Resume"),
    figures: element("div.figures", { id: "run-figures" }),
    notes: element("ul", { id: "run-notes" }),
    rows: new Map(),
  };
  const columns = [["Cell"], ["Games", "n"], ["Score of A, %", "n"], ["95 % interval", "n"], ["Published, %", "n"], ["Verdict"]];
  view.table = table("cells", "Cells", columns, [], ".cells-table");
  view.body = view.table.querySelector("tbody");
  const ask = (address) => async () => {
    view.error.textContent = "";
    try {
      await post(address, { run: name }, room.closing.signal);
    } catch (problem) {
      if (!room.closing.signal.aborted) view.error.textContent = problem.message;
    }
  };
  view.stop.addEventListener("click", ask("api/experiments/stop"));
  view.resume.addEventListener("click", ask("api/experiments/start"));
  const report = `api/experiments/runs/${encodeURIComponent(name)}/report`;
  room.root.append(
    back(),
    element("header", {}, view.title, view.about),
    element(
      "section.panel.progress-line",
      { "aria-label": "Progress" },
      element("div.row", {}, view.text, view.state),
      view.bar,
      element("div.row", {}, element("span.row", {}, view.stop, view.resume), element("a.button", { id: "report", href: report, target: "_blank", rel: "noopener" }, "The full report")),
      view.error,
    ),
    element("section.stack", { "aria-label": "Cells" }, element("h2", {}, "Cells"), view.table, element("p.caption", {}, "A cell opens its games, and a game can be replayed. Intervals are of pairs of games.")),
    element("section.stack", { "aria-label": "Figures" }, element("h2", {}, "Figures"), view.figures),
    view.notes,
  );
  follow(room, name, view);
}

async function follow(room, name, view) {
  const { signal } = room.closing;
  let failure = null;
  const handlers = { progress: (progress) => showProgress(room, name, view, progress), failure: ({ error }) => (failure = error) };
  const task = async () => {
    await listen(`api/experiments/runs/${encodeURIComponent(name)}/events`, handlers, signal);
    if (!failure) throw new Error("the stream ended");
  };
  try {
    await persist(task, signal, () => write(view.text, "The connection was lost; trying again …"));
  } catch (error) {
    failure = error.message;
  }
  if (failure && !signal.aborted) {
    view.error.textContent = failure;
    write(view.text, "This run cannot be read.");
  }
}

function showProgress(room, name, view, progress) {
  const before = view.state.dataset.state;
  write(view.title, progress.title);
  write(view.about, progress.about);
  if (before !== progress.state) {
    view.state.className = `badge ${progress.state}`;
    view.state.dataset.state = progress.state;
    write(view.state, progress.state);
    if (before === "running" || before === "stopping") room.context.announce(`${progress.title}: ${progress.state}`);
  }
  view.bar.max = Math.max(progress.planned, 1);
  view.bar.value = progress.played;
  const left = progress.seconds_left === null ? "" : `, about ${duration(progress.seconds_left)} left`;
  write(view.text, `${count(progress.played)} of ${counted(progress.planned, "game")} played${left}`);
  const runs = progress.state === "running" || progress.state === "stopping";
  view.stop.hidden = !runs;
  view.stop.disabled = progress.state !== "running";
  view.resume.hidden = progress.state !== "stopped";
  if (progress.problem) view.error.textContent = progress.problem;
  else if (progress.faults) write(view.error, `${counted(progress.faults, "line")} of its records cannot be used; the report says more.`);
  else if (before !== progress.state) view.error.textContent = "";
  showCells(view, name, progress.cells);
  showFigures(view.figures, progress.figures);
  view.notes.replaceChildren(...progress.notes.map((note) => element("li.caption", {}, note)));
}

function showCells(view, name, cells) {
  let section = null;
  const sections = new Set(cells.map((cell) => cell.section)).size;
  for (const cell of cells) {
    if (!view.rows.has(cell.key)) {
      if (sections > 1 && cell.section !== section) {
        view.body.append(element("tr.section-row", {}, element("th", { colspan: 6, scope: "rowgroup" }, cell.section)));
      }
      const link = element("a", { href: runAddress(name, cell.key) }, cell.label);
      // The link is for everybody; with a mouse the whole row will do.
      const open = (event) => event.target.closest("a") || link.click();
      const row = element("tr", { "data-cell-key": cell.key, onclick: open }, element("th.wrap", { scope: "row" }, link));
      for (let column = 0; column < 4; column += 1) row.append(element("td.n"));
      row.append(element("td.verdict"));
      view.rows.set(cell.key, row);
      view.body.append(row);
    }
    section = cell.section;
    const parts = view.rows.get(cell.key).children;
    write(parts[1], `${count(cell.played)} of ${count(cell.planned)}`);
    write(parts[2], percent(cell.score ?? NaN));
    write(parts[3], cell.low === null ? "–" : `${percent(cell.low)} to ${percent(cell.high)}`);
    const margin = cell.published_margin === null ? "" : ` ± ${percent(cell.published_margin)}`;
    write(parts[4], cell.published === null ? "–" : percent(cell.published) + margin);
    if (cell.source) parts[4].title = cell.source;
    write(parts[5], cell.verdict ?? (cell.significant ? "differs from 50 %" : "–"));
  }
}

/* The games of a cell */

async function showCell(room, name, key, from) {
  const path = `api/experiments/runs/${encodeURIComponent(name)}/cells/${encodeURIComponent(key)}`;
  const list = await get(`${path}?from=${from}`, room.closing.signal);
  const row = (game) => {
    const id = `${game.pair}-${game.game}`;
    const words = `game ${game.game + 1} of pair ${game.pair + 1}`;
    return element(
      "tr",
      { "data-game": id },
      element("th", { scope: "row" }, `${game.pair + 1}.${game.game + 1}`),
      element("td", {}, game.seats[0]),
      element("td", {}, game.seats[1]),
      element("td", {}, winner(game)),
      element("td.n", {}, count(game.plies)),
      element("td", {}, element("a", { href: runAddress(name, key, game.pair, game.game), "data-replay": id, "aria-label": `replay ${words}` }, "replay")),
    );
  };
  const columns = [["Game"], ["Moves first"], ["Moves second"], ["Winner"], ["Plies", "n"], ["", ""]];
  const last = from + list.games.length;
  const step = (id, text, at, possible) => possible && element("a.button", { id, href: `${runAddress(name, key)}?from=${at}` }, text);
  room.root.append(
    back("The run", runAddress(name)),
    element("header", {}, element("h1", {}, list.label)),
    element("p", { id: "games-shown" }, list.total ? `Games ${count(from + 1)} to ${count(last)} of ${count(list.total)}` : "No game has been played yet."),
    table("games-table", "Games of this cell", columns, list.games.map(row)),
    element("nav.row", { "aria-label": "More games" }, step("earlier", "Earlier", Math.max(0, from - 100), from > 0), step("later", "Later", last, last < list.total)),
  );
}

function winner(game) {
  if (game.winner === 0) return "draw";
  return `${game.seats[game.winner - 1]} (${game.winner === 1 ? "first" : "second"})`;
}

async function replay(room, name, key, pair, number) {
  const parts = [name, "cells", key, pair, number].map(encodeURIComponent);
  const game = await get(`api/experiments/runs/${parts.join("/")}`, room.closing.signal);
  const query = new URLSearchParams({ game: game.game, moves: game.moves.join(" "), replay: "1" });
  // In the place of this address, so that going back leads to the list.
  location.replace(`#/play?${query}`);
}
