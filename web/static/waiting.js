"use strict";
// Whom a seat waits for: `new Arena.Waiting(onChange)`. While `ask(isAsking)` is on, the server says every few
// seconds who is to act, who is away and for how long, and if the event is paused.
(function (Arena) {
  const EVERY = 4000; // milliseconds

  Arena.Waiting = class {
    constructor(onChange) {
      this.onChange = onChange;
      this.until = {}; // by seats: the times at which a turn and an absence end; `paused`
      this.timer = 0;
    }

    ask(isAsking) {
      if (isAsking && !this.timer) this.look();
      if (isAsking) return;
      window.clearTimeout(this.timer);
      this.timer = 0;
      this.until = {};
    }

    async look() {
      this.timer = window.setTimeout(() => this.look(), EVERY);
      const { timer } = this;
      const answer = document.hidden ? null : await window.fetch("waiting").catch(() => null);
      if (answer === null || !answer.ok) return;
      const waiting = await answer.json();
      if (this.timer !== timer) return; // nobody waits any more
      const at = performance.now();
      this.until = {};
      for (const [seat, left] of Object.entries(waiting)) {
        this.until[seat] = {};
        for (const what of Object.keys(left)) this.until[seat][what] = at + 1000 * left[what];
      }
      this.onChange();
    }

    get isPaused() {
      return "paused" in this.until;
    }

    get away() {
      return Object.keys(this.until).filter((seat) => this.until[seat].away !== undefined);
    }

    /** Whom the table waits for, in a sentence; `players`: the names, by seats. */
    sentence(seat, players) {
      const left = (what) => {
        const end = (this.until[seat] || {})[what];
        return end === undefined ? "" : Arena.minutes(Math.max(0, Math.round((end - performance.now()) / 1000)));
      };
      const name = players[seat] === Arena.SEAT_NAMES[seat] ? players[seat] : players[seat] + " (" + Arena.SEAT_NAMES[seat] + ")";
      if (left("away")) return name + " is away: " + left("away") + " left to come back.";
      return "Waiting for " + name + (left("turn") ? ": " + left("turn") + " left." : ".");
    }
  };
})(window.Arena);
