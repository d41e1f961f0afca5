"use strict";
// Cards of a board that is over, tried again: `new Arena.Again(onChange)`. Nothing of it counts. The server
// plays the other hands double dummy; `table` is the table to show meanwhile, else null.
(function (Arena) {
  Arena.Again = class {
    constructor(onChange) {
      this.onChange = onChange;
      this.over = null; // the board that is over, as the server told it
      this.found = null; // the server's last answer: the cards, and what is legal now
      this.before = []; // the cards before each choice of the player
      this.query = null; // the question whose answer is awaited, else null
      this.trouble = "";
    }

    get table() {
      if (this.found === null) return null;
      const { claim, tricks, result, score, dd, ...own } = this.over.board.tables[0];
      return { ...own, ...this.found, name: "Once more: it does not count" };
    }

    get legal() {
      return this.found === null ? [] : this.found.legal;
    }

    /** Play on after the first cards of a board, given as the document has them. */
    begin(over, cards) {
      this.over = over;
      return this.ask(cards.map((each) => each.card), []);
    }

    play(card) {
      const cards = this.found.cards.map((each) => each.card);
      return this.ask([...cards, card], [...this.before, cards]);
    }

    /** Take the player's last card back. */
    back() {
      return this.before.length ? this.ask(this.before.at(-1), this.before.slice(0, -1)) : null;
    }

    /** Leave it; an answer that comes later is ignored. */
    stop() {
      this.found = this.query = null;
    }

    async ask(cards, before) {
      if (this.query !== null) return;
      const query = new URLSearchParams({ key: this.over.key, cards: cards.join(".") });
      this.query = query;
      const answer = await window.fetch("again?" + query).catch(() => null);
      const found = answer !== null && answer.ok ? await answer.json().catch(() => null) : null;
      if (this.query !== query) return; // it was left meanwhile
      this.query = null;
      this.trouble = found === null ? "The solver does not answer now: try again." : "";
      if (found !== null) Object.assign(this, { found, before });
      this.onChange();
    }

    /** How it stands, in a sentence. */
    sentence() {
      if (this.trouble) return this.trouble;
      if (this.legal.length) return "Once more: your card. The solver plays the other hands.";
      const { seat } = this.over;
      const own = (table) => (table.score === undefined ? "given up" : Arena.signed("NS".includes(seat) ? table.score : -table.score) || "0");
      return "Once more: " + this.found.tricks + " tricks for declarer, " + own(this.found) + " for you; it was " +
        own(this.over.board.tables[0]) + ".";
    }
  };
})(window.Arena);
