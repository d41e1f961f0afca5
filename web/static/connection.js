"use strict";
// The connections of a seat's page to its table: `new Arena.Connection(seats, onMessage, onState)`. There is one for
// each seat, as a person may take several in turn; one that is lost is made again. `onState(words)` is called when
// there is news of them, with "" when all is over.
(function (Arena) {
  const SOON = 1000; // milliseconds
  // The codes with which the server closes.
  const [MOVED, STOPPED, NOBODY, OVER] = [1008, 1012, 4404, 4410];
  const STOPPED_WORDS = "the arena was stopped";

  Arena.Connection = class {
    constructor(seats, onMessage, onState) {
      this.onMessage = onMessage;
      this.onState = onState;
      this.sockets = {}; // by seat
      this.lost = 0; // the number of lost connections since the last good one
      this.ending = ""; // the server's last words, which say why there is no more to play
      this.isElsewhere = false; // whether another window has the seat
      for (const seat of seats) this.connect(seat);
    }

    get isStopped() {
      return this.ending === STOPPED_WORDS;
    }

    isOpen(seat) {
      return this.sockets[seat].readyState === WebSocket.OPEN;
    }

    send(seat, answer) {
      this.sockets[seat].send(JSON.stringify(answer));
    }

    /** Note that there is no more to play. */
    end(words) {
      this.ending = this.ending || words;
    }

    connect(seat) {
      const address = new URL("socket/" + seat, window.location.href);
      address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
      const socket = new WebSocket(address.href);
      this.sockets[seat] = socket;
      socket.addEventListener("message", (event) => {
        this.lost = 0;
        this.onMessage(JSON.parse(event.data), seat);
      });
      socket.addEventListener("close", (event) => this.closed(event, seat));
    }

    closed({ code, reason }, seat) {
      if (code === OVER) return this.onMessage({ type: "Goodbye" }, seat);
      if (code === STOPPED && !reason) this.end(STOPPED_WORDS);
      if (this.ending || this.isElsewhere) return this.onState("");
      this.isElsewhere = code === MOVED;
      if (this.isElsewhere) return this.onState("This seat was opened in another window. ");
      this.lost += 1;
      this.onState(code === NOBODY ? "Nobody is awaited at this seat now: trying again …"
        : "The connection is lost: trying again …");
      window.setTimeout(() => this.retry(seat), Math.min(this.lost, 5) * SOON);
    }

    async retry(seat) {
      const answer = this.lost > 2 ? await window.fetch("about").catch(() => null) : null;
      if (answer && answer.status === 403) this.onState("This browser has no seat here any more.");
      else this.connect(seat);
    }
  };
})(window.Arena);
