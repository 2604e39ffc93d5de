// The room of experiments: what comes with the program, what was played, and what of one's own.
//
// Addresses: #/experiments (all), …/file/NAME, …/own, …/run/NAME, …/tuning/NAME, …/run/NAME/KEY (the games of a cell, ?from=100),
// …/run/NAME/KEY/PAIR/GAME (opens the game in the room of play).
//
// For tests: [data-file="quality-rewards/table-1"], [data-run="NAME"], #own; on a file or one's own: #experiment-text, #games,
// #plan, #start, #plan-table tbody tr[data-plan-key], #plan-total, #wish-error; see form.js, run.js, cell.js and tuning.js for the rest.

import { replay, showCell } from "./cell.js";
import { get, post } from "./api.js";
import { element, field } from "./dom.js";
import { showOwn } from "./form.js";
import { back, count, counted, duration, HOME, percent, runAddress, table } from "./lab.js";
import { showRun } from "./run.js";
import { showTuning } from "./tuning.js";

export async function show(container, address, context) {
  const [kind, name, key, pair, game] = address.parts;
  const room = { root: element("div.lab.stack"), context, closing: new AbortController(), wishForm };
  container.append(room.root);
  if (kind === "file" && name) await showFile(room, name);
  else if (kind === "own") await showOwn(room, name && (await fileText(name, room.closing.signal)));
  else if (kind === "tuning" && name) await showTuning(room, name);
  else if (kind === "run" && game) await replay(room, name, key, pair, game);
  else if (kind === "run" && key) await showCell(room, name, key, Number(address.query.get("from")) || 0);
  else if (kind === "run" && name) showRun(room, name);
  else await showAll(room);
  return () => room.closing.abort();
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
        element("div.row", {}, element("h2", {}, "Runs"), element("a.button.primary.push", { href: `${HOME}/own`, id: "own" }, "New experiment")),
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
  atlas: "Atlas: every published number, decided",
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
    { href: run.tuning ? `${HOME}/tuning/${encodeURIComponent(run.name)}` : runAddress(run.name), "data-run": run.name },
    element("span.row", {}, element("strong", {}, run.title), badge(run.state)),
    element("progress", { max: Math.max(run.planned, 1), value: run.played, "aria-label": text }),
    element("span.facts-line", {}, `${run.tuning ? "tuning, " : ""}${text} · ${run.name}`),
    run.problem && element("span.error", {}, run.problem),
  );
}

function badge(state) {
  return element(`span.badge.${state}`, { "data-state": state }, state === "elsewhere" ? "played elsewhere" : state);
}

/// Looks again every two seconds while something is being played.
async function refresh(room, place, runs) {
  const { signal } = room.closing;
  while (runs.some((run) => run.state === "running" || run.state === "elsewhere")) {
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
    "form.stack.wish",
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

