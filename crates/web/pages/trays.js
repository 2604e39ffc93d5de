// What lies beside the board: dice, cards, counters, facts.

import { element, playerName } from "./dom.js";
import { die } from "./pieces.js";

/// Shows the trays of a view. `touch(name)` is told of clicks on cards; `from` is the view before.
export class Trays {
  constructor({ touch }) {
    this.touch = touch;
    this.body = element("div.trays");
  }

  show(view, from) {
    const dice = (one) => JSON.stringify(one?.scene.trays.flatMap(({ items }) => items.filter(({ die: eyes }) => eyes)));
    const rolled = from && (dice(from) !== dice(view) || from.moves.length !== view.moves.length);
    const drawn = view.last && /^[\d+,*=-]/.test(view.last.move);
    this.cards = new Map();
    this.body.replaceChildren(...view.scene.trays.map((tray) => this.tray(tray, view, rolled && drawn)));
    this.body.hidden = !view.scene.trays.length;
  }

  tray({ title, owner, items }, view, rolled) {
    const heading = owner && !title.includes(playerName(view, owner)) ? `${title} (${playerName(view, owner)})` : title;
    const facts = items.filter(({ fact }) => fact !== undefined);
    const others = items.filter(({ fact }) => fact === undefined);
    const parts = [element("h3", {}, heading)];
    if (others.length) parts.push(element("div.items", {}, others.map((item) => this.item(item, rolled))));
    if (facts.length) parts.push(element("ul.factlist", {}, facts.map(({ fact }) => element("li", {}, fact))));
    if (!items.length) parts.push(element("p.muted", {}, "empty"));
    return element("section.tray", { "data-tray": title }, parts);
  }

  item(item, rolled) {
    if (item.die !== undefined) {
      const node = die(item.die);
      if (rolled) roll(node);
      return node;
    }
    if (item.card !== undefined) return this.card(item);
    return element("dl.counter", { "data-counter": item.counter }, element("dt", {}, item.counter), element("dd", {}, String(item.value)));
  }

  card({ card, count, note }) {
    const node = element("button.card", { type: "button", "data-card": card, disabled: true, title: note });
    node.append(element("b", {}, card), element("small", {}, note), element("span.count", {}, `×${count}`));
    node.addEventListener("click", () => this.touch(card));
    this.cards.set(card, [...(this.cards.get(card) ?? []), node]);
    return node;
  }

  /// Lets those cards be clicked that a move names next.
  light({ path, targets }) {
    for (const [name, nodes] of this.cards ?? []) {
      for (const node of nodes) {
        node.disabled = !targets.has(name) && !path.includes(name);
        node.setAttribute("aria-pressed", String(path.includes(name)));
      }
    }
  }
}

function roll(node) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const turn = 180 + Math.random() * 180;
  const frames = [{ transform: `rotate(${-turn}deg) scale(.6)`, opacity: 0.3 }, { transform: "none", opacity: 1 }];
  node.animate(frames, { duration: 380, easing: "cubic-bezier(.2, .9, .3, 1.2)" });
}
