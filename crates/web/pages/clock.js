// How long the players have thought. With a limit the clocks count down, and whoever has no time left has lost by time;
// without one they count up.

import { write } from "./dom.js";

const TICK_MS = 200;

export class Clocks {
  /// `shown` are the two places where times stand; `over(player)` is told whose time has run out.
  constructor({ shown, over }) {
    Object.assign(this, { shown, over });
    this.set(0);
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  /// Begins anew, with so many minutes for each player or none.
  set(minutes) {
    this.limit = minutes * 60000;
    this.used = [0, 0];
    this.mover = null;
    this.flag = null;
    this.draw();
  }

  /// The clock of this player runs from now on; `null` stops both.
  run(player) {
    this.tick();
    this.mover = this.flag ? null : player;
    this.since = performance.now();
    this.draw();
  }

  tick() {
    if (!this.mover) return;
    const now = performance.now();
    this.used[this.mover - 1] += now - this.since;
    this.since = now;
    if (this.limit && this.used[this.mover - 1] >= this.limit) {
      this.flag = this.mover;
      this.mover = null;
      this.over(this.flag);
    }
    this.draw();
  }

  draw() {
    this.shown.forEach((node, at) => {
      const left = this.limit ? Math.max(0, this.limit - this.used[at]) : this.used[at];
      write(node, written(left, Boolean(this.limit)));
      node.classList.toggle("short", Boolean(this.limit) && left < 20000);
    });
  }

  close() {
    clearInterval(this.timer);
  }
}

// 1:05; the last seconds of a countdown with their tenths.
function written(ms, down) {
  if (down && ms < 10000) return `0:0${(Math.floor(ms / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
