// A seat at the table: who sits there, and how strong. See play.js for the names of its controls.

import { AgentForm } from "./agents.js";
import { choice, drawn, element, playerName, write } from "./dom.js";
import { figureOf } from "./pieces.js";

export class Seat {
  /// `at` is 0 or 1; `change(more)` is told what of `{ agent, amount, unit }` has changed.
  constructor({ at, seat, about, suits, change }) {
    this.at = at;
    this.change = change;
    this.name = `seat-${at + 1}`;
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
    this.strength = this.limits(seat);
    this.form.select.after(this.strength);
    const disc = drawn("svg.disc", { viewBox: "-26 -26 52 52", "aria-hidden": "true" }, figureOf({ owner: at + 1, figure: "stone" }));
    this.body = element("div.seat", { "data-seat": at + 1 }, element("span.who", {}, disc, this.player, this.busy), this.form.body);
  }

  limits(seat) {
    this.amount = element("input", { id: `${this.name}-amount`, type: "number", min: 0.01, step: "any", value: seat.amount, "aria-label": "strength" });
    this.amount.addEventListener("change", () => {
      const amount = Number(this.amount.value);
      if (amount > 0 && Number.isFinite(amount)) this.change({ amount });
      else this.amount.value = this.known.amount;
    });
    this.unit = choice({ id: `${this.name}-unit`, "aria-label": "unit of strength" }, ["seconds", "simulations"], seat.unit);
    this.unit.addEventListener("change", () => {
      // A second of thought, or about as many simulations.
      this.amount.value = this.unit.value === "seconds" ? 1 : 10000;
      this.change({ unit: this.unit.value, amount: Number(this.amount.value) });
    });
    return element("span.strength", {}, this.amount, this.unit);
  }

  show(seat, view, suits) {
    this.known = seat;
    const alone = suits.players === 1;
    write(this.player, alone ? "player" : playerName(view, this.at + 1));
    this.player.title = alone ? "" : view.players[this.at];
    this.form.text = seat.agent;
    this.form.fit(suits, view.parameters);
    if (document.activeElement !== this.amount) this.amount.value = seat.amount;
    this.unit.value = seat.unit;
    this.strength.hidden = seat.agent === "person" || seat.agent === "random";
    this.body.hidden = alone && this.at === 1;
    this.body.classList.toggle("to-move", view.turn.player === this.at + 1);
  }
}
