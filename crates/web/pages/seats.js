// A seat at the table: who sits there, how strong, and how long they have thought. See play.js for the names of its controls.

import { AgentForm } from "./agents.js";
import { choice, drawn, element, playerName, write } from "./dom.js";
import { readStrength, strengthOf, strengths } from "./levels.js";
import { figureOf } from "./pieces.js";

export class Seat {
  /// `at` is 0 or 1; `change(more)` is told what of `{ agent, amount, unit }` has changed.
  constructor({ at, seat, about, suits, change }) {
    this.at = at;
    this.change = change;
    this.name = `seat-${at + 1}`;
    this.limits = about.limits;
    this.form = new AgentForm({
      about,
      suits,
      text: seat.agent,
      person: true,
      label: at ? "who plays second" : "who plays first",
      name: this.name,
      change: (agent) => change({ agent }),
    });
    this.player = element("span.player");
    this.busy = element("span.busy", { hidden: true, "aria-hidden": "true" });
    this.clock = element("span.clock", { id: `clock-${at + 1}`, role: "timer", "aria-label": at ? "time of the second player" : "time of the first player" }, "0:00");
    this.form.select.after(this.levels(seat), this.own(seat));
    this.disc = drawn("svg.disc", { viewBox: "-26 -26 52 52", "aria-hidden": "true" });
    this.named = element("span.named", { hidden: true });
    this.body = element("div.seat", { "data-seat": at + 1 }, element("span.who", {}, this.disc, this.player, this.busy), this.named, this.form.body, this.clock);
  }

  levels(seat) {
    this.level = choice({ id: `${this.name}-level`, "aria-label": this.at ? "strength of the second player" : "strength of the first player" }, strengths(), strengthOf(seat));
    this.level.addEventListener("change", () => {
      if (this.level.value === "other") this.ownStrength.hidden = false;
      else this.change(readStrength(this.level.value));
    });
    return this.level;
  }

  // A strength of one's own: an amount and its unit.
  own(seat) {
    this.amount = element("input", { id: `${this.name}-amount`, type: "number", min: 0.01, step: "any", value: seat.amount, "aria-label": "strength" });
    this.amount.addEventListener("change", () => this.changed());
    this.unit = choice({ id: `${this.name}-unit`, "aria-label": "unit of strength" }, [["seconds", "s"], ["simulations", "sims"]], seat.unit);
    this.unit.addEventListener("change", () => {
      // A second of thought, or about as many simulations.
      this.amount.value = this.unit.value === "seconds" ? 1 : 10000;
      this.changed();
    });
    this.ownStrength = element("span.strength", { hidden: true }, this.amount, this.unit);
    return this.ownStrength;
  }

  changed() {
    const [amount, unit] = [Number(this.amount.value), this.unit.value];
    const most = this.limits[unit];
    if (amount > 0 && amount <= most) return this.change({ amount, unit });
    this.form.fail(`strength: ${this.amount.value || "nothing"} ${unit} is out of range; write a number above 0 and up to ${most}`);
  }

  /// `name` is who played, in a game that is looked at.
  show(seat, view, suits, name) {
    this.known = seat;
    const alone = suits.players === 1;
    write(this.player, alone ? "player" : playerName(view, this.at + 1));
    const figure = { cross: "cross", ring: "ring" }[this.player.textContent] ?? "stone";
    if (this.figure !== figure) this.disc.replaceChildren(figureOf({ owner: this.at + 1, figure }));
    this.figure = figure;
    this.player.title = alone ? "" : view.players[this.at];
    this.named.hidden = !name;
    write(this.named, name ?? "");
    this.form.body.hidden = Boolean(name);
    this.clock.hidden = Boolean(name);
    this.form.text = seat.agent;
    this.form.fit(suits, view.parameters);
    if (document.activeElement !== this.amount) this.amount.value = seat.amount;
    this.unit.value = seat.unit;
    const idle = seat.agent === "person" || seat.agent === "random";
    this.level.hidden = idle;
    this.level.value = strengthOf(seat);
    this.ownStrength.hidden = idle || this.level.value !== "other";
    this.body.hidden = alone && this.at === 1;
    this.body.classList.toggle("to-move", view.turn.player === this.at + 1);
  }
}
