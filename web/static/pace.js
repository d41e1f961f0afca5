"use strict";
// Shows one after another what comes at once: `new Arena.Pace({ following, take, pause, draw })`.
//
// `following()` is the place in `waiting` of what is to be shown next, -1 if nothing may be; `take(next)` takes it
// over, `pause(next)` returns the milliseconds for which it stays, and then `draw()` shows it. Where the reader asks
// for less motion, or does not look, nothing waits.
//
// `new Arena.Repeats()` tells which actions of a board are made again after some were taken back.
(function (Arena) {
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const LEAST = 40; // milliseconds between two drawings

  Arena.Pace = class {
    constructor(parts) {
      Object.assign(this, parts);
      this.waiting = [];
      this.timer = 0;
    }

    add(...several) {
      this.waiting.push(...several);
      if (!this.timer) this.go();
    }

    /** Forget what waits. */
    clear() {
      window.clearTimeout(this.timer);
      this.timer = 0;
      this.waiting = [];
    }

    /** Show all that may be shown, each for its time, or at once. */
    go(isAtOnce) {
      window.clearTimeout(this.timer);
      this.timer = 0;
      const waits = !isAtOnce && !document.hidden && !still.matches;
      let pause = 0;
      for (let place = this.following(); place >= 0 && pause < LEAST; place = this.following()) {
        const [next] = this.waiting.splice(place, 1);
        this.take(next);
        if (waits) pause += this.pause(next) || 0;
      }
      if (pause) this.timer = window.setTimeout(() => this.go(), pause);
      this.draw();
    }
  };

  const texts = (table) => [...table.calls.map((made) => made.call), ...table.cards.map((played) => played.card)];

  Arena.Repeats = class {
    constructor() {
      this.end();
    }

    /** Note that the board of a table begins anew. */
    begin(table) {
      this.former = texts(table);
    }

    end() {
      this.former = []; // the actions before the board began anew; none once another was made
    }

    /** Whether a table has only what it had before. */
    has(table) {
      const made = texts(table);
      if (made.length && made.at(-1) !== this.former[made.length - 1]) this.former = [];
      return this.former.length > 0;
    }
  };
})(window.Arena);
