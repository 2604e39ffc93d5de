// The search, live: for one or two agents the candidates with visits, chance to win and variation, counters, and the values of
// both over time on one scale. Thoughts come ten times a second; they are drawn once a frame, and only what changed is written.
//
// For tests: `#analyse`, `#compare`, `#heat`, `#ponder`, `#candidates` (of the first agent; `#candidates-1` of the second),
// `[data-candidate="d4"]`, `[data-fact="simulations"]`, `#search-chart`.

import { AgentForm } from "./agents.js";
import { element, short, signed, style, write } from "./dom.js";
import { Lines } from "./lines.js";
import { shareOf } from "./value.js";

const [FEW, FEWER] = [6, 5];
const EMPTY = "What an agent thinks appears here when it is to move, or while you analyse.";
const OVER = "The game is over; a review shows where it was decided.";
/// Points of the chart; beyond, every second one is dropped.
const MOST_POINTS = 160;
const CHART_MS = 300;
const PROOFS = { win: ["won", "good"], loss: ["lost", "bad"], draw: ["drawn", ""] };

/// A table of candidates whose rows are written again and again.
export class Candidates {
  /// `point(candidate | null)` is told what is looked at, `open(candidate)` what is clicked.
  constructor({ id, point, open }) {
    this.point = point;
    this.open = open;
    // How many rows are seen until all are wanted.
    this.few = FEW;
    this.unfolded = false;
    this.rows = [];
    this.tbody = element("tbody");
    this.more = element("button.quiet.more", { type: "button", onclick: () => this.unfold(), hidden: true });
    const head = element("tr", {}, element("th", { scope: "col" }, "move and variation"), element("th.n", { scope: "col" }, "visits"), (this.worth = element("th.n", { scope: "col" }, "win %")));
    const table = element("table.candidates", { id }, element("caption", {}, "candidate moves"), element("thead", {}, head), this.tbody);
    this.body = element("div", {}, element("div.scroll", {}, table), this.more);
  }

  unfold() {
    this.unfolded = !this.unfolded;
    this.show(...this.last);
  }

  /// Takes all rows away, so that nobody clicks what is no longer meant.
  clear() {
    this.rows = [];
    this.looked = null;
    this.tbody.replaceChildren();
    this.more.hidden = true;
  }

  show(candidates, more, scored, chosen) {
    this.last = [candidates, more, scored, chosen];
    write(this.worth, scored ? "score" : "win %");
    const shown = candidates.slice(0, this.unfolded ? undefined : this.few);
    const all = candidates.reduce((sum, { visits }) => sum + visits, 0) || 1;
    const most = Math.max(1, ...candidates.map(({ visits }) => visits));
    while (this.rows.length < shown.length) this.rows.push(this.row());
    this.rows.forEach((row, at) => {
      row.node.hidden = at >= shown.length;
      if (at < shown.length) fill(row, shown[at], { all, most, scored, chosen });
    });
    const rest = candidates.length - shown.length + more;
    this.more.hidden = rest <= 0 && !this.unfolded;
    write(this.more, !this.unfolded ? `${rest} more` : `fewer${more ? ` (${more} are not listed)` : ""}`);
    if (this.looked) this.point(this.looked.candidate);
  }

  row() {
    const row = { candidate: null };
    row.move = element("button.link.mono", { type: "button" });
    row.line = element("span.variation");
    row.visits = element("span");
    row.share = element("small");
    row.bar = element("i.meter", { "aria-hidden": "true" });
    row.mean = element("span");
    row.margin = element("small");
    row.proof = element("span.badge", { hidden: true });
    const numbers = element("td.n.share", {}, row.bar, row.visits, row.share);
    const values = element("td.n", {}, row.mean, row.margin, row.proof);
    row.node = element("tr", {}, element("td.first", {}, row.move, row.line), numbers, values);
    const look = () => this.look(row);
    const leave = () => this.look(null);
    row.node.addEventListener("pointerenter", look);
    row.node.addEventListener("pointerleave", leave);
    row.move.addEventListener("focus", look);
    row.move.addEventListener("blur", leave);
    row.move.addEventListener("click", () => this.open(row.candidate));
    this.tbody.append(row.node);
    return row;
  }

  look(row) {
    this.looked = row;
    this.point(row?.candidate ?? null);
  }
}

function fill(row, candidate, { all, most, scored, chosen }) {
  row.candidate = candidate;
  const { move, visits, mean, margin, proof, variation } = candidate;
  write(row.move, move === chosen ? `▸ ${move}` : move);
  if (row.move.dataset.candidate !== move) row.move.dataset.candidate = move;
  const line = (variation ?? []).slice(1, 9).join("  ");
  write(row.line, line);
  if (row.line.title !== line) row.line.title = line;
  write(row.visits, short(visits));
  write(row.share, `${((100 * visits) / all).toFixed(visits === all ? 0 : 1)} %`);
  style(row.bar, "transform", `scaleX(${(visits / most).toFixed(2)})`);
  // A win counts 1 and a draw half of it; what bonuses add beyond is cut off.
  write(row.mean, mean === null ? "–" : scored ? mean.toFixed(2) : `${(100 * shareOf(mean, 1, false)).toFixed(1)}`);
  write(row.margin, margin === null || proof ? "" : `± ${scored ? margin.toFixed(2) : (50 * margin).toFixed(1)}`);
  const title = mean === null ? "" : `mean reward ${signed(mean)}`;
  if (row.mean.title !== title) row.mean.title = title;
  row.proof.hidden = !proof;
  if (!proof) return;
  const [word, kind] = PROOFS[proof];
  write(row.proof, word);
  row.proof.className = `badge ${kind}`;
}

const FACTS = [
  ["simulations", "simulations", (thought) => short(thought.simulations)],
  ["per_second", "per second", (thought) => short(thought.per_second)],
  ["depth", "depth / most", (thought) => `${thought.mean_depth?.toFixed(1) ?? "–"} / ${thought.deepest ?? "–"}`],
  ["length", "length", (thought) => thought.mean_length?.toFixed(1) ?? "–"],
  ["nodes", "nodes", (thought) => short(thought.nodes)],
  ["bytes", "memory", (thought) => `${(thought.bytes / 1e6).toFixed(1)} MB`],
  ["seconds", "seconds", (thought) => thought.seconds.toFixed(1)],
];

// One agent's column.
class Side {
  constructor(number, panel) {
    this.number = number;
    this.facts = FACTS.map(([key, title, text]) => ({ node: element("dd", { "data-fact": key }, "–"), title, text }));
    this.candidates = new Candidates({
      id: number ? `candidates-${number}` : "candidates",
      point: panel.point,
      open: (candidate) => panel.open(number, [candidate.move]),
    });
    this.state = element("p.muted.thinking", {}, EMPTY);
    this.form = panel.form(number);
    const facts = this.facts.map(({ title, node }) => element("div", {}, element("dt", {}, title), node));
    this.live = element("div.stack", { hidden: true }, element("dl.facts", {}, facts), this.candidates.body);
    this.body = element("section.side", { "aria-label": number ? "second agent" : "first agent" }, this.form.body, this.state, this.live);
  }

  show(thought, purpose) {
    this.live.hidden = false;
    for (const { node, text } of this.facts) write(node, text(thought));
    this.candidates.show(thought.candidates, thought.more, thought.scored, thought.chosen);
    write(this.state, sentence(thought, purpose));
    this.agent = thought.agent;
  }

  /// The search was ended from here.
  rest() {
    if (this.agent && /…$/.test(this.state.textContent)) write(this.state, `${plain(this.agent)} has been stopped.`);
  }
}

// Limits that the page sets itself are no news.
function plain(agent) {
  return agent.replace(/\b(sims|time|memory)=[^,)]*(, )?/g, "").replace(/, \)/, ")").replace("()", "");
}

function sentence(thought, purpose) {
  const agent = plain(thought.agent);
  const doing = { move: "chooses a move", hint: "looks for a hint", analyse: "analyses" }[purpose];
  const proof = thought.proof ? ` The position is proven: ${PROOFS[thought.proof][0]}.` : "";
  if (!thought.done) return `${agent} ${doing} …${proof}`;
  return `${agent} has finished${thought.stopped ? ` (${thought.stopped})` : ""}.${proof}`;
}

export class SearchPanel {
  /// `settings` is `{ analyse, compare, heat, ponder, agents }`; `changed(key)` is told when one of them is.
  constructor({ about, settings, changed, point, open, suits, parameters }) {
    this.point = point;
    this.open = open;
    this.settings = settings;
    this.waiting = [null, null];
    this.form = (number) =>
      new AgentForm({
        about,
        text: settings.agents[number],
        suits,
        parameters,
        label: number ? "second agent for analysis" : "agent for analysis",
        name: `analysis-${number}`,
        change: (text) => {
          settings.agents[number] = text;
          changed("agents");
        },
      });
    const toggle = (key, text, title) => {
      const button = element("button", { type: "button", id: key, title, "aria-pressed": String(settings[key]) }, text);
      button.addEventListener("click", () => {
        settings[key] = !settings[key];
        this.pressed();
        changed(key);
      });
      return button;
    };
    this.toggles = {
      analyse: toggle("analyse", "Analyse", "Think about the position without end (a)"),
      compare: toggle("compare", "Compare", "Two agents side by side (c)"),
      heat: toggle("heat", "Heat map", "Shade the board by visits (m)"),
      ponder: toggle("ponder", "Ponder", "Agents that have seconds to think also think while you do"),
    };
    this.sides = [new Side(0, this), new Side(1, this)];
    this.chart = new Lines({ label: "chance of the player to move to win, over the time of the search", id: "search-chart" });
    this.chartBox = element("div.chart.idle", {}, this.chart.svg, element("small", {}, "over the search"));
    this.history = [[], []];
    const head = element("div.row.search-head", {}, (this.share = element("small.muted", {}, "")), Object.values(this.toggles));
    this.columns = element("div.columns", {}, this.sides.map(({ body }) => body));
    this.body = element("section.search", { "aria-label": "search" }, head, this.columns);
    this.pressed();
  }

  // Both agents on one scale.
  note(thought) {
    const best = thought.candidates[0];
    if (!best || best.mean === null) return;
    const own = this.history[thought.side];
    if (own.length && thought.seconds < own.at(-1).x) own.length = 0;
    const y = shareOf(best.mean, 1, thought.scored);
    own.push({ x: thought.seconds, y, margin: best.proof || best.margin === null ? 0 : best.margin * (thought.scored ? 1 : 0.5) });
    if (own.length > MOST_POINTS) this.history[thought.side] = own.filter((_, at) => at % 2);
    this.chartBox.classList.remove("idle");
    // The curve changes little from one thought to the next.
    const now = performance.now();
    if (!thought.done && now - (this.drawnAt?.[thought.side] ?? 0) < CHART_MS) return;
    (this.drawnAt ??= [])[thought.side] = now;
    const series = this.settings.compare ? this.history : [this.history[0]];
    this.chart.show({ series, most: Math.max(...series.flat().map(({ x }) => x)), open: thought.scored, unit: " s" });
  }

  /// The search of a side was ended.
  rest(side, over) {
    // A thought that waits for its frame would say that the search goes on.
    this.waiting[side] = null;
    this.sides[side].rest();
    if (!over) return;
    this.sides[side].live.hidden = true;
    this.chartBox.classList.add("idle");
    write(this.sides[side].state, OVER);
  }

  /// Marks the candidates that go on with what is picked on the board; `null` marks none.
  touched(moves) {
    for (const { candidates } of this.sides) for (const row of candidates.rows) row.node.classList.toggle("touched", moves !== null && moves.has(row.candidate?.move));
  }

  pressed() {
    for (const [key, button] of Object.entries(this.toggles)) button.setAttribute("aria-pressed", String(this.settings[key]));
    this.columns.classList.toggle("two", this.settings.compare);
    // Two tables share the height with the tree and the chart.
    for (const { candidates } of this.sides) candidates.few = this.settings.compare ? FEWER : FEW;
    this.sides[1].body.hidden = !this.settings.compare;
    const bonus = this.settings.compare && this.settings.agents.some((agent) => /\b[rq]b\b/.test(agent));
    write(this.share, bonus ? "With bonuses, values are no pure chances." : "");
  }

  /// Another game or position: what was thought is no longer about the board.
  clear(suits, parameters) {
    this.waiting = [null, null];
    this.history = [[], []];
    this.chartBox.classList.add("idle");
    for (const side of this.sides) {
      side.form.fit(suits, parameters);
      write(side.state, EMPTY);
      side.live.hidden = true;
    }
  }

  /// Another position of the same game: what was thought before stays to be read until there is something new.
  fit(suits, parameters) {
    for (const side of this.sides) side.form.fit(suits, parameters);
  }

  /// Draws a thought with the next frame; of several, the last one.
  thought(thought, purpose) {
    this.waiting[thought.side] = [thought, purpose];
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.waiting.forEach((waiting, side) => {
        if (!waiting) return;
        this.sides[side].show(...waiting);
        this.note(waiting[0]);
      });
      this.waiting = [null, null];
    });
  }

  say(side, text) {
    write(this.sides[side].state, text);
  }

  fail(side, text) {
    this.sides[side].form.fail(text);
  }

  close() {
    cancelAnimationFrame(this.frame);
  }
}
