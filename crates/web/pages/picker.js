// From clicks to a move. A move names the cells and cards that are touched to make it, in order; clicks follow these
// names until one move is left. The board and the trays show where a path may go on.

export class Picker {
  /// `play(move)` is called with a complete move, `changed()` whenever the path did.
  constructor({ play, changed }) {
    this.play = play;
    this.changed = changed;
    this.reset([]);
  }

  /// Begins anew with these legal moves, `[{ move, steps }]`.
  reset(legal) {
    this.legal = legal;
    this.path = [];
    this.choices = [];
    this.changed();
  }

  /// Moves that are still meant.
  get open() {
    return this.legal.filter(({ steps }) => this.path.every((name, at) => steps[at] === name));
  }

  /// What may be touched next.
  get targets() {
    return new Set(this.open.map(({ steps }) => steps[this.path.length]).filter((name) => name !== undefined));
  }

  /// Moves that touch nothing and become buttons.
  get buttons() {
    return this.legal.filter(({ steps }) => steps.length === 0);
  }

  cancel() {
    if (!this.path.length) return false;
    this.path = [];
    this.choices = [];
    this.changed();
    return true;
  }

  /// A click on a cell or card. What leads nowhere only takes the path back.
  touch(name) {
    if (this.targets.has(name)) return this.extend(name);
    // A sequence of jumps may be made by its end alone.
    const ending = this.path.length ? this.open.filter(({ steps }) => steps.at(-1) === name) : [];
    if (ending.length === 1) return this.finish(ending[0]);
    const restart = this.path[0] !== name && this.legal.some(({ steps }) => steps[0] === name);
    this.path = [];
    this.choices = [];
    if (restart) return this.extend(name);
    this.changed();
  }

  extend(name) {
    this.path.push(name);
    const open = this.open;
    const complete = open.filter(({ steps }) => steps.length === this.path.length);
    // With one move left there is nothing to ask, but the first of several clicks only picks up.
    if (open.length === 1 && (complete.length === 1 || this.path.length > 1)) return this.finish(open[0]);
    this.choices = complete;
    this.changed();
  }

  finish({ move }) {
    this.path = [];
    this.choices = [];
    this.changed();
    this.play(move);
  }
}
