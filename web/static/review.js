"use strict";
// The boards of a seat that are over: `new Arena.Review({ view, connection, speaker, onChange })` asks what came
// of them, puts the last one on the table with all cards, and lets the player try its cards again.
(function (Arena) {
  const SOON = 1000; // milliseconds
  const PATIENCE = 120; // the most requests for the result of a board
  const at = (id) => document.getElementById(id);
  /** Bring the cards on the table into view. */
  const reveal = () => document.querySelector(".felt").scrollIntoView({ block: "nearest" });

  Arena.Review = class {
    constructor(parts) {
      Object.assign(this, parts);
      this.known = {}; // what the server said beside the messages, at last
      this.step = null; // the step that the player looks at; null before
      this.patience = PATIENCE;
      this.timer = 0;
      this.again = new Arena.Again(() => {
        if (this.again.table) this.speaker.tell(this.again.sentence());
        this.onChange();
      });
    }

    /** Whether the board on the table is over, and all of it is known. */
    get isOpen() {
      const { over } = this.known;
      return over !== undefined && this.view.board === over.board;
    }

    /** Ask what came of the boards, and again until all of the last one is known. */
    async ask() {
      window.clearTimeout(this.timer);
      const answer = await window.fetch("about").catch(() => null);
      // When the event is over, the server does not answer for a while.
      const known = answer !== null && answer.ok ? await answer.json() : {};
      const { over, scorecard } = known;
      if (known.players) {
        this.known = known;
        Object.assign(this.view.players, known.players);
        if (over) this.open(over);
        if (this.view.board) this.view.table.name = known.room;
      }
      if (over) Arena.over(at("over"), over, scorecard || [], (step) => this.look(step));
      if (scorecard) Arena.scorecard(at("scorecard"), scorecard);
      if (known.players) this.onChange();
      if (this.patience <= 0 || !(this.isMissing(over) || (over && !(over.is_solved && over.is_weighed)))) return;
      this.patience -= 1;
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.ask(), SOON);
    }

    /** Ask for the result of a board that is over now. */
    end() {
      this.patience = PATIENCE;
      this.ask();
    }

    /** Whether the server has not told yet what came of the board that is over, or of the last one. */
    isMissing(over) {
      const { board, result } = this.view;
      if (result === null) return this.connection.ending !== "" && !over;
      return !over || over.board.board !== board.board;
    }

    /** Put a board that is over on the table, if it is the one there or none is. */
    open({ board, seat }) {
      const { view } = this;
      const isThere = view.result !== null && view.board.board === board.board;
      if (!isThere && (view.board !== null || !this.connection.ending)) return;
      Object.assign(view, { seat, board });
      view.table.players = view.players;
      view.result = view.result || { score: view.table.score };
    }

    /** Show a step of it at the table. */
    look(step) {
      if (!this.isOpen) return;
      this.again.stop();
      this.step = step;
      this.onChange();
      reveal();
    }

    leave() {
      this.step = null;
      this.again.stop();
    }

    /** The buttons with which the player tries cards again. */
    draw() {
      const { again, view } = this;
      const button = (text, action, isOff) => Arena.button(action, { disabled: isOff }, text);
      const stop = () => {
        again.stop();
        this.onChange();
      };
      const shown = [];
      if (again.table) {
        shown.push(Arena.element("p", {}, again.sentence()),
          button("Take the card back", () => again.back(), !again.before.length), button("Stop", stop));
      } else if (this.isOpen && view.table.declarer) {
        const { calls, cards } = view.table;
        const played = () => cards.slice(0, Math.max(0, this.step - calls.length));
        shown.push(button("Play on from here", () => again.begin(this.known.over, played()).then(reveal), this.step < calls.length || played().length === 52),
          Arena.element("p", { class: "quiet" }, "Step to a card above, and try another: it does not count, and the solver plays the other hands."));
      }
      Arena.renew(at("once-more"), shown);
    }
  };
})(window.Arena);
