// What the search thinks of the game: a bar beside the board, and a graph over the moves. Values are noted while agents
// think, and replaced by those of a review.
//
// For tests: `#bar[data-share]`, `#game-graph`.

import { drawn, element, playerName, style, write } from "./dom.js";
import { Lines } from "./lines.js";

/// The first player's chance to win from what a player to move thinks of it; scores stay as they are.
export function shareOf(mean, player, scored) {
  if (mean === null || mean === undefined) return null;
  if (scored) return mean;
  const own = (Math.max(-1, Math.min(1, mean)) + 1) / 2;
  return player === 1 ? own : 1 - own;
}

export class EvaluationBar {
  constructor() {
    this.fill = element("i");
    this.text = element("span", {}, "");
    this.body = element("div.bar", { id: "bar", role: "img", "aria-label": "no evaluation yet" }, this.fill, this.text);
  }

  /// `share` is the first player's chance to win; `null` shows nothing. What was thought earlier is shown faintly.
  show(share, view, flip, old = false) {
    const known = share !== null && share !== undefined;
    this.body.classList.toggle("unknown", !known || old);
    this.body.classList.toggle("flipped", flip);
    style(this.fill, "transform", `scaleY(${known ? share.toFixed(3) : 0.5})`);
    write(this.text, known ? `${Math.round(100 * share)}` : "");
    this.body.classList.toggle("high", known && share >= 0.5);
    this.body.dataset.share = known ? share.toFixed(2) : "";
    const label = known ? `${playerName(view, 1)} wins with ${Math.round(100 * share)} percent, the search thinks` : "no evaluation yet";
    if (this.body.getAttribute("aria-label") !== label) this.body.setAttribute("aria-label", label);
  }
}

export class Values {
  constructor({ jump }) {
    this.graph = new Lines({ label: "value over the game", pick: jump, id: "game-graph" });
    this.clear();
    this.body = element("div.graph", {}, this.graph.svg, element("small", {}, "over the game"));
  }

  clear() {
    this.known = new Map();
    this.review = null;
  }

  /// Notes what a thought says of the position after so many moves; reviewed positions stay.
  noteThought(ply, thought, player) {
    const best = thought.candidates.find(({ move }) => move === thought.chosen) ?? thought.candidates[0];
    if (!best || best.mean === null || !best.visits) return;
    const margin = best.proof || best.margin === null ? 0 : best.margin * (thought.scored ? 1 : 0.5);
    this.known.set(ply, { value: shareOf(best.mean, player, thought.scored), margin, scored: thought.scored });
  }

  /// Takes a review over.
  set(review) {
    this.review = review;
  }

  /// What is known of the position after so many moves, by the first agent.
  at(ply) {
    const reviewed = this.review?.plies[ply];
    if (reviewed) return reviewed.end ?? reviewed.opinions[0]?.value ?? null;
    return this.known.get(ply)?.value ?? null;
  }

  draw(view, total) {
    const scored = typeof view.score === "number";
    let series = [[...this.known].sort(([a], [b]) => a - b).map(([x, { value, margin }]) => ({ x, y: value, margin }))];
    let marks = [];
    if (this.review) {
      const point = (agent) => (ply) => {
        const y = ply.end ?? ply.opinions[agent]?.value;
        return y === undefined || y === null ? [] : [{ x: ply.ply, y, margin: ply.opinions[agent]?.margin ?? 0 }];
      };
      series = this.review.agents.map((_, agent) => this.review.plies.flatMap(point(agent)));
      marks = (this.review.mistakes ?? []).slice(0, 12).map(({ ply, agent, judgement, move }) => ({ x: ply + 1, y: this.at(ply + 1) ?? this.review.plies[ply].opinions[agent].value, kind: judgement, title: `${ply + 1}. ${move}: ${judgement}` }));
    }
    this.graph.show({ series, most: Math.max(total, 1), open: scored, now: view.moves.length, marks });
    const label = `${scored ? "expected score" : `chance of ${playerName(view, 1)} to win`} over the moves`;
    if (this.graph.svg.getAttribute("aria-label") !== label) this.graph.svg.setAttribute("aria-label", label);
  }
}

/// A small legend for lines of two agents.
export function legend(names) {
  const line = (dashed) => drawn("svg.key", { viewBox: "0 0 28 8", width: 28, height: 8, "aria-hidden": "true" }, drawn("path", { d: "M0 4H28", style: `stroke:${dashed ? "var(--vermilion)" : "var(--blue)"}`, "stroke-width": 3, "stroke-dasharray": dashed ? "6 4" : null }));
  return element("p.legend", {}, names.map((name, at) => element("span", {}, line(at > 0), " ", name)));
}
