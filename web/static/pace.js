"use strict";
// Shows one after another what comes at once: `new Arena.Pace({ following, take, pause, draw })`.
//
// `following()` is the place in `waiting` of what is to be shown next, -1 if nothing may be; `take(next)` takes it
// over, `pause(next)` returns the milliseconds for which it stays, and then `draw()` shows it. Where the reader asks
// for less motion, or does not look, nothing waits.
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
})(window.Arena);
