// What is being thought about, and why: the agent to move chooses a move, a hint is looked for, a position is analysed, or
// the agent that moved last ponders. Thoughts about anything else, still on their way, are passed over.

import { Thinker } from "./api.js";

export class Mind {
  /// `listener` has `thought(thought, purpose)`, `waiting(side, before)`, `refused(side, text, purpose)`, `node(node)`, `picture(picture)`,
  /// `noNode(text)`, `searching(side, running, fresh)` and `status(state)`.
  constructor(listener) {
    this.listener = listener;
    this.asked = [null, null];
    this.number = 0;
    this.thinker = new Thinker({
      thought: (thought) => this.thought(thought),
      waiting: ({ side, question, before }) => this.meant(side, question) && listener.waiting(side, before),
      node: (node) => listener.node(node),
      picture: (picture) => listener.picture(picture),
      error: (error) => this.refused(error),
      status: (state) => listener.status(state),
    });
  }

  /// Thinks about a place for a purpose: `move`, `hint`, `analyse` or `ponder`. The same question is not asked twice.
  think(side, purpose, place, agent, limit, seed) {
    const question = { place: { ...place, chance: false }, agent, ...limit, seed };
    const key = JSON.stringify([purpose, question]);
    if (this.asked[side]?.key === key) return false;
    const where = JSON.stringify(question.place);
    const fresh = this.asked[side]?.where !== where;
    this.asked[side] = { key, purpose, where, question: ++this.number };
    this.thinker.think(side, { ...question, question: this.number });
    // Nobody looks at what is thought in a person's time.
    if (purpose !== "ponder") this.listener.searching(side, true, fresh);
    return true;
  }

  /// Thinks no more; what was thought is not meant any longer.
  rest(side) {
    this.thinker.stop(side);
    this.asked[side] = null;
    this.listener.searching(side, false);
  }

  /// Ends the search with what it has found.
  decideNow(side) {
    this.thinker.stop(side);
  }

  /// What was asked about other places is of no interest any more.
  forget(place) {
    const where = JSON.stringify({ ...place, chance: false });
    this.asked.forEach((asked, side) => asked && asked.where !== where && this.rest(side));
  }

  /// Whether a side has thought about the present place.
  isBusy(side) {
    return this.asked[side] !== null && this.asked[side].purpose !== "ponder";
  }

  /// Whether a thought is about what a side thinks about for this purpose.
  isAbout(thought, side, purpose) {
    return this.asked[side]?.purpose === purpose && thought?.question === this.asked[side].question;
  }

  /// Asks for a node of a side's tree.
  open(side, path) {
    this.thinker.open(side, path);
  }

  /// Asks for a side's tree as a picture.
  picture(side, path, least) {
    this.thinker.picture(side, path, least);
  }

  close() {
    this.thinker.close();
  }

  meant(side, question) {
    return this.asked[side]?.question === question;
  }

  thought(thought) {
    const { side, question, done } = thought;
    if (!this.meant(side, question)) return;
    const { purpose } = this.asked[side];
    if (done) this.listener.searching(side, false);
    this.listener.thought(thought, purpose);
  }

  refused({ side, question, text }) {
    if (question === null || question === undefined) return this.listener.noNode(text);
    if (!this.meant(side, question)) return;
    const { purpose } = this.asked[side];
    this.asked[side] = null;
    this.listener.searching(side, false);
    this.listener.refused(side, text, purpose);
  }
}
