// A review of the game: what one or two agents think of every position, the worst moves, and what was better.
//
// For tests: `#review-start`, `#review-agent-0-preset`, `#review-seconds`, `#review-save`, `#mistakes [data-mistake]`, `#review-state[data-state]`.

import { AgentForm } from "./agents.js";
import { choice, element, playerName, write } from "./dom.js";
import { listen } from "./lab.js";
import { legend } from "./value.js";

const WORDS = { blunder: "blunder", mistake: "mistake", inaccuracy: "inaccuracy" };

export class ReviewPanel {
  /// `game()` is what is reviewed: `{ place, view, total, names }`; `jump(ply)` goes to a position, `point({ made, best })` shows moves there; `changed(review)` is told
  /// while it grows.
  constructor({ about, suits, game, jump, point, changed }) {
    Object.assign(this, { game, jump, point, changed });
    const form = (number) => new AgentForm({ about, suits, text: number ? "mcts(rb(a=online), qb(a=online))" : "mcts", label: number ? "second reviewer" : "reviewer", name: `review-agent-${number}`, change: () => {} });
    this.forms = [form(0), form(1)];
    this.forms[1].body.hidden = true;
    this.second = element("input", { type: "checkbox", id: "review-second" });
    this.second.addEventListener("change", () => (this.forms[1].body.hidden = !this.second.checked));
    this.seconds = choice({ id: "review-seconds", "aria-label": "seconds for a position" }, [["0.1", "0.1 s a position"], ["0.3", "0.3 s a position"], ["1", "1 s a position"], ["3", "3 s a position"]], "0.3");
    this.start = element("button.primary", { type: "button", id: "review-start", onclick: () => this.toggle() }, "Review the game");
    this.save = element("button", { type: "button", id: "review-save", disabled: true, onclick: () => this.keep() }, "Save as page");
    this.state = element("p.muted", { id: "review-state", role: "status", "data-state": "idle" }, "Every position of the game is searched; then the graph shows who was ahead, and the moves that cost most stand here.");
    this.legend = element("div");
    this.list = element("ol.mistakes", { id: "mistakes" });
    const controls = element("div.row", {}, this.start, this.seconds, element("label.check", {}, this.second, "two opinions"), this.save);
    this.body = element("section.review", { "aria-label": "review" }, controls, this.forms.map(({ body }) => body), this.state, this.legend, this.list);
  }

  fit(suits, parameters) {
    for (const form of this.forms) form.fit(suits, parameters);
  }

  /// Another game: what was found is not about it.
  clear() {
    this.running?.abort();
    this.running = null;
    this.page = null;
    this.save.disabled = true;
    this.list.replaceChildren();
    this.legend.replaceChildren();
    this.tell("idle", "The game can be reviewed at any time.");
  }

  tell(state, text) {
    this.state.dataset.state = state;
    write(this.state, text);
  }

  toggle() {
    if (this.running) return this.running.abort();
    return this.run();
  }

  async run() {
    const { place, names, view } = this.game();
    const agents = [this.forms[0].text, ...(this.second.checked ? [this.forms[1].text] : [])];
    const review = { agents, plies: [], mistakes: [], players: view.players };
    const running = new AbortController();
    this.running = running;
    write(this.start, "Stop");
    this.tell("running", "Searching …");
    let failure = null;
    const handlers = {
      waiting: ({ before }) => this.tell("running", `Waiting: ${before} searches come first.`),
      ply: ({ plies, of }) => {
        for (const ply of plies) review.plies[ply.ply] = ply;
        this.tell("running", `${review.plies.length} of ${of} positions`);
        this.changed(review);
      },
      done: ({ review: whole, page }) => {
        this.page = page;
        this.show({ ...whole, agents }, view);
      },
      failure: ({ error }) => (failure = error),
    };
    try {
      await listen("api/review", handlers, running.signal, { place, agents, seconds: Number(this.seconds.value), names });
      if (failure) this.tell("failed", failure);
    } catch (error) {
      if (this.running === running) this.tell(running.signal.aborted ? "idle" : "failed", running.signal.aborted ? "Stopped; what was found stays in the graph." : error.message);
    }
    if (this.running === running) this.running = null;
    write(this.start, "Review the game");
  }

  show(review, view) {
    this.review = review;
    this.save.disabled = false;
    const count = review.mistakes.length;
    this.tell("done", count ? `${review.plies.length} positions; the moves that cost most:` : "No mistake that these searches can see.");
    const plain = (text) => text.replace(/\b(sims|time|memory)=[^,)]*(, )?/g, "").replace("()", "");
    this.legend.replaceChildren(...(review.agents.length > 1 ? [legend(review.agents.map(plain))] : []));
    const cost = (loss) => (review.scored ? loss.toFixed(1) : `${Math.round(100 * loss)} %`);
    const row = (one) => {
      const go = () => {
        this.jump(one.ply);
        this.point(one);
      };
      const move = element("button.link.mono", { type: "button", "data-mistake": one.ply, onclick: go }, `${one.ply + 1}. ${one.move}`);
      const badge = element(`span.badge.${one.judgement}`, {}, WORDS[one.judgement]);
      const line = element("span.variation", {}, one.line.slice(0, 8).join("  "));
      return element("li", {}, element("div.row", {}, move, badge, element("span", {}, `${playerName(view, one.player)}, costs ${cost(one.loss)}`)), element("div.row.better", {}, element("span", {}, "better ", element("b.mono", {}, one.best)), line));
    };
    this.list.replaceChildren(...review.mistakes.slice(0, 12).map(row));
    this.changed(review);
  }

  // The page of the server as a file.
  keep() {
    const link = element("a", { href: URL.createObjectURL(new Blob([this.page], { type: "text/html" })), download: "review.html" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  close() {
    this.running?.abort();
  }
}

