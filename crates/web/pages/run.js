// A run: its progress, live, its cells and figures, and what can be done with it.
//
// For tests: #run-state (data-state: running, stopping, stopped, elsewhere, complete), #run-progress, #run-text, #stop, #resume, #more, #verify,
// #verify-state, #run-elements, #remove, #report, #run-error, [data-download], [data-cell-key="…"] (rows, to be clicked, each with a link), #run-figures figure svg.

import { post } from "./api.js";
import { element, write } from "./dom.js";
import { back, count, counted, duration, HOME, listen, percent, persist, runAddress, showFigures, table } from "./lab.js";

/// Shows a run and follows it.
export function showRun(room, name) {
  const view = {
    title: element("h1", {}, name),
    about: element("p.about"),
    state: element("span.badge", { id: "run-state", "data-state": "" }, "…"),
    bar: element("progress", { id: "run-progress", max: 1, value: 0, "aria-labelledby": "run-text" }),
    text: element("span", { id: "run-text" }, "Being read …"),
    error: element("p.error", { id: "run-error", role: "alert" }),
    stop: element("button", { id: "stop", type: "button", disabled: true }, "Stop"),
    resume: element("button.primary", { id: "resume", type: "button", hidden: true }, "Resume"),
    more: element("button", { id: "more", type: "button", hidden: true, title: "Add games to the cells that are not decided" }, "More games"),
    verify: element("button", { id: "verify", type: "button", title: "Play a twentieth of the games again and compare" }, "Verify"),
    remove: element("button", { id: "remove", type: "button", title: "Take it off the list; its folder is kept with a dot before its name" }, "Remove"),
    verified: element("p.muted", { id: "verify-state", role: "status" }),
    elements: element("div.stack", { id: "run-elements" }),
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
  view.more.addEventListener("click", async () => {
    view.error.textContent = "";
    try {
      const { games, cells } = await post("api/experiments/more", { run: name }, room.closing.signal);
      write(view.verified, games ? `${counted(games, "game")} more for ${counted(cells, "cell")}.` : "Every cell is decided.");
    } catch (problem) {
      if (!room.closing.signal.aborted) view.error.textContent = problem.message;
    }
  });
  view.verify.addEventListener("click", () => verify(room, name, view));
  view.remove.addEventListener("click", async () => {
    // A second click is the answer to the question.
    if (view.remove.dataset.sure !== "true") {
      view.remove.dataset.sure = "true";
      return write(view.remove, "Really remove?");
    }
    try {
      await post("api/experiments/remove", { run: name }, room.closing.signal);
      room.context.go(HOME);
    } catch (problem) {
      if (!room.closing.signal.aborted) view.error.textContent = problem.message;
    }
  });
  const report = `api/experiments/runs/${encodeURIComponent(name)}/report`;
  room.root.append(
    back(),
    element("header", {}, view.title, view.about),
    element(
      "section.panel.progress-line",
      { "aria-label": "Progress" },
      element("div.row", {}, view.text, view.state),
      view.bar,
      element("div.row", {}, element("span.row", {}, view.stop, view.resume, view.more, view.verify, view.remove), downloads(name), element("a.button", { id: "report", href: report, target: "_blank", rel: "noopener" }, "The full report")),
      view.verified,
      view.elements,
      view.error,
    ),
    element("section.stack", { "aria-label": "Cells" }, element("h2", {}, "Cells"), view.table, element("p.caption", {}, "A cell opens its games, and a game can be replayed. Intervals are of pairs of games.")),
    element("section.stack", { "aria-label": "Figures" }, element("h2", {}, "Figures"), view.figures),
    view.notes,
  );
  follow(room, name, view);
}

const FILES = [["games.csv", "games, CSV"], ["games.parquet", "games, Parquet"], ["cells.csv", "cells, CSV"]];

const fileAddress = (name, file) => `api/experiments/runs/${encodeURIComponent(name)}/files/${file}`;

function downloads(name) {
  const link = ([file, text]) => element("a.button.small", { href: fileAddress(name, file), download: "", "data-download": file }, text);
  return element("span.row.push", { role: "group", "aria-label": "downloads" }, FILES.map(link));
}

// Plays some of the games again, until it is done or asked to stop.
async function verify(room, name, view) {
  if (view.verifying) return view.verifying.abort();
  view.verifying = new AbortController();
  write(view.verify, "Cancel");
  const said = ({ done, of, identical, replayed, differences }) => `${count(done)} of ${count(of)} played again: ${count(identical)} identical, ${count(replayed - identical)} different. ${differences.join("; ")}`;
  const handlers = {
    verify: (found) => write(view.verified, said(found)),
    done: (found) => write(view.verified, `Verified. ${said(found)}`),
    failure: ({ error }) => (view.error.textContent = error),
  };
  try {
    write(view.verified, "Playing again …");
    const signal = AbortSignal.any([view.verifying.signal, room.closing.signal]);
    await listen(`api/experiments/runs/${encodeURIComponent(name)}/verify`, handlers, signal);
  } catch (problem) {
    if (!view.verifying.signal.aborted && !room.closing.signal.aborted) view.error.textContent = problem.message;
  }
  view.verifying = null;
  write(view.verify, "Verify");
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
    write(view.state, progress.state === "elsewhere" ? "played elsewhere" : progress.state);
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
  view.more.hidden = runs || progress.state === "elsewhere";
  view.remove.hidden = runs;
  if (progress.problem) view.error.textContent = progress.problem;
  else if (progress.faults) write(view.error, `${counted(progress.faults, "line")} of its records cannot be used; the report says more.`);
  else if (before !== progress.state) view.error.textContent = "";
  showElements(view, progress.elements);
  showCells(view, name, progress.cells);
  showFigures(view.figures, progress.figures, (at) => fileAddress(name, `${at + 1}.svg`));
  view.notes.replaceChildren(...progress.notes.map((note) => element("li.caption", {}, note)));
}

/// Of elements, as far as they have come.
const STATES = ["done", "running", "late", "waiting", "stopped", "failed"];

// What has been unfolded stays so while the rest changes.
function showElements(view, submissions) {
  const text = JSON.stringify(submissions);
  if (view.elementsShown === text) return;
  view.elementsShown = text;
  const open = new Set([...view.elements.querySelectorAll("details[open]")].map(({ dataset }) => dataset.element));
  view.elements.replaceChildren(...submissions.map(submissionOf));
  for (const details of view.elements.querySelectorAll("details")) details.open = open.has(details.dataset.element);
}

/// The elements of a submission to a cluster: a bar and a number for each state, and those that failed or are late with the end of their logs.
function submissionOf({ submission, counts, troubled, trouble }) {
  const states = STATES.map((state) => [state, counts[state] ?? 0]).filter(([, number]) => number > 0);
  const all = states.reduce((sum, [, number]) => sum + number, 0);
  const bar = element("div.states", { "aria-hidden": "true" }, states.map(([state, number]) => element("i", { class: state, style: `flex-grow:${number}` })));
  const numbers = states.map(([state, number]) => element("li", { "data-state": state }, element(`i.${state}`, { "aria-hidden": "true" }), `${count(number)} ${state}`));
  const listed = trouble.map(({ index, state, host, problem, log }) =>
    element(
      "details",
      { "data-element": `${submission}-${index}` },
      element("summary", {}, element("b", {}, `Element ${index} ${state === "late" ? "is late" : "has failed"}`), [host && ` on ${host}`, problem && `: ${problem}`].filter(Boolean).join("")),
      element("pre", { tabindex: 0, "aria-label": `log of element ${index}` }, log.join("\n") || "It has no log."),
    ),
  );
  const rest = troubled > trouble.length && element("p.muted", {}, `${counted(troubled - trouble.length, "element")} more; `, element("code", {}, "spinney lab watch"), " lists them all.");
  return element("section.submission", { "aria-label": `submission ${submission}` }, element("h3", {}, `Submission ${submission}, ${counted(all, "element")}`), bar, element("ul.states-key", {}, numbers), listed, rest);
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
    write(parts[5], cell.verdict ?? (cell.significant ? "differs from 50 %" : cell.played ? "may be 50 %" : "–"));
  }
}

