// What is thought about the position: whoever is to move thinks, otherwise the analysis does. Hints, values, arrows.

import { write } from "./dom.js";
import { keepView } from "./game.js";
import { Stage } from "./stage.js";
import { allMoves } from "./walk.js";

const HINT_SECONDS = 1;
const [GRAPH_MS, HEAT_MS] = [500, 300];

/// A stage where agents think.
export class Thinking extends Stage {
  // What was thought of positions that this game no longer has.
  forgetValues() {
    const moves = allMoves(this);
    const common = moves.findIndex((move, at) => move !== this.line?.[at]);
    const kept = common < 0 ? Math.min(moves.length, this.line?.length ?? 0) : common;
    for (const ply of this.values.known.keys()) if (ply > kept) this.values.known.delete(ply);
    const { review } = this.values;
    // A review is of the whole game; what is added to it is not reviewed.
    if (review && common >= 0 && common < Math.min(moves.length, review.plies.length - 1)) this.values.review = null;
    this.line = moves;
  }

  drawValues() {
    const { view, state } = this;
    const moves = allMoves(this);
    this.values.draw(view, moves.length);
    const marks = new Map((this.values.review?.mistakes ?? []).map(({ ply, judgement }) => [ply, judgement]));
    this.record.show(view.moves, state.redo, marks);
    this.drawBar();
  }

  drawBar() {
    const over = this.view.turn.over ? { 0: 0.5, 1: 1, 2: 0 }[this.view.turn.winner] : undefined;
    this.bar.body.hidden = this.players() === 1 || !this.view.scene.cells.length;
    let ply = this.view.moves.length;
    const now = over ?? this.values.at(ply);
    while (ply > 0 && this.values.at(ply) === null) ply -= 1;
    this.bar.show(now ?? this.values.at(ply), this.view, this.state.flip, now === null);
  }

  review() {
    this.tabs.show("review");
    this.reviewPanel.start.focus();
    if (!this.reviewPanel.running) this.reviewPanel.run();
  }

  // A bad move and the better one, on the position before it.
  showMistake({ move, best }) {
    setTimeout(() => {
      const steps = (written) => this.view.legal.find((one) => one.move === written)?.steps ?? [];
      if (this.view.scene.cells.length) this.board.mark([{ steps: steps(move), label: "?", kind: "reply" }, { steps: steps(best), label: "!", kind: "line" }]);
    }, 350);
  }

  // Whoever is to move thinks; otherwise the analysis does, if it is wanted.
  decide() {
    const { turn } = this.view;
    const { analyse, compare, agents, ponder } = this.settings;
    const waiting = this.waitingAgent();
    if (this.thinkingAgent()) {
      const { agent, amount, unit } = this.state.seats[turn.player - 1];
      const limit = unit === "seconds" ? { seconds: amount, keep: ponder } : { simulations: Math.max(1, Math.round(amount)) };
      this.think(0, "move", agent, limit);
    } else if (turn.player && analyse) this.think(0, "analyse", agents[0], {});
    else if (waiting) {
      this.panel.rest(0, false);
      this.think(0, "ponder", waiting, { ponder: true });
    } else this.rest(0);
    if (turn.player && analyse && compare) this.think(1, "analyse", agents[1], {});
    else this.rest(1);
    this.drawStatus();
  }

  // The agent that waits for a person and may think meanwhile. One with a number of simulations makes these and no more, and
  // the server keeps trees of games from the usual start only.
  waitingAgent() {
    const { turn } = this.view;
    if (!this.settings.ponder || !this.isPerson() || this.players() !== 2 || this.state.start) return null;
    const { agent, unit } = this.state.seats[2 - turn.player];
    return agent !== "person" && unit === "seconds" && !this.state.paused ? agent : null;
  }

  rest(side) {
    this.mind.rest(side);
    this.panel.rest(side, Boolean(this.view.turn.over));
  }

  think(side, purpose, agent, limit) {
    const fresh = this.mind.think(side, purpose, this.place(this.view.moves), agent, limit, this.state.seed);
    if (fresh) this.seats.forEach(({ form }) => form.fail(""));
  }

  thought(thought, purpose) {
    const { side, done, chosen } = thought;
    if (purpose === "ponder") return;
    this.resent = false;
    this.panel.thought(thought, purpose);
    if (side === 0) {
      this.values.noteThought(this.view.moves.length, thought, this.view.turn.player);
      this.warm(thought);
    }
    if (!done || !chosen) return;
    if (purpose === "move") this.play(chosen);
    if (purpose === "hint") this.showHint(thought);
  }

  // The heat map follows the thoughts of the first agent.
  warm(thought) {
    this.lastThought = thought;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.drawBar();
      if (this.isDue("graph", GRAPH_MS)) this.drawValues();
      if (this.view.scene.cells.length && this.isDue("heat", HEAT_MS)) this.board.heat(this.settings.heat && this.mind.isBusy(0) ? this.lastThought.heat : null);
    });
  }

  // Graph and board are large pictures, which need not follow every thought; the last one of a search they do.
  isDue(what, milliseconds) {
    const now = performance.now();
    const last = (this.drawnAt ??= {})[what];
    if (!this.lastThought.done && last?.question === this.lastThought.question && now - last.time < milliseconds) return false;
    this.drawnAt[what] = { time: now, question: this.lastThought.question };
    return true;
  }

  refused(side, text, purpose) {
    if (purpose === "ponder") return;
    // A server that was started anew does not know a pasted sheet; asking for the position makes it known again.
    if (this.state.game.startsWith("gdl:pasted") && !this.resent) {
      this.resent = true;
      return this.go(this.view.moves, this.state.redo);
    }
    const player = this.view.turn.player;
    if (purpose === "move" && player) {
      this.state.paused = true;
      this.seats[player - 1].form.fail(text);
    } else this.panel.fail(side, text);
    this.drawStatus();
    this.picker.reset(this.playable());
  }

  changedSearch(key) {
    keepView(this.settings);
    if (key === "compare") this.tree.compare(this.settings.compare);
    if (key === "heat" && this.lastThought) {
      this.drawnAt = {};
      this.warm(this.lastThought);
    }
    if (this.view) this.decide();
    if (key === "analyse" && !this.settings.analyse && this.view.scene.cells.length) this.board.heat(null);
  }

  hint() {
    if (!this.view.turn.player) return;
    const last = this.lastThought;
    if (this.mind.isAbout(last, 0, "analyse") && last.chosen) return this.showHint(last);
    this.think(0, "hint", this.settings.agents[0], { seconds: HINT_SECONDS });
    write(this.status, "Looking for a hint …");
    this.context.announce(this.status.textContent);
  }

  showHint({ chosen }) {
    const steps = this.view.legal.find(({ move }) => move === chosen)?.steps ?? [];
    if (this.view.scene.cells.length) this.board.mark([{ steps, label: "!", kind: "hint" }]);
    write(this.status, `Hint: ${chosen}`);
    this.context.announce(`Hint: ${chosen}`);
  }

  // Shows a variation on the board while it is looked at.
  pointAt(candidate) {
    if (!this.view?.scene.cells.length) return;
    // What was thought about another position is not drawn on this one.
    if (!candidate || !(this.mind.isBusy(0) || this.mind.isBusy(1))) return this.board.mark([]);
    const moves = candidate.variation?.length ? candidate.variation.slice(0, 6) : [candidate.move];
    const steps = (move, at) => (at === 0 && candidate.steps ? candidate.steps : move.split(/[^\p{L}\p{N}]+/u).filter(Boolean));
    this.board.mark(moves.map((move, at) => ({ steps: steps(move, at), label: String(at + 1), kind: at % 2 ? "reply" : "line" })));
  }

  connection(state) {
    this.connectionLost = state === "lost";
    this.link.dataset.state = state;
    write(this.link, state === "lost" ? "connection lost, trying again …" : state === "open" ? "connected" : "");
  }
}
