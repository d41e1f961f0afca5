"use strict";
// Cards of a board that is over, tried again: `new Arena.Again(onChange)`. Nothing of it counts. The server
// plays the other hands double dummy; `table` is the table to show meanwhile, else null.
window.Arena = window.Arena || {};
(function (Arena) {
  const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value);

  Arena.Again = class {
    constructor(onChange) {
      this.onChange = onChange;
      this.over = null; // the board that is over, as the server told it
      this.found = null; // the server's last answer: the cards, and what is legal now
      this.before = []; // the cards before each choice of the player
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
      this.before = [];
      return this.ask(cards.map((each) => each.card));
    }

    play(card) {
      const cards = this.found.cards.map((each) => each.card);
      this.before.push(cards);
      return this.ask([...cards, card]);
    }

    /** Take the player's last card back. */
    back() {
      return this.before.length ? this.ask(this.before.pop()) : null;
    }

    stop() {
      this.found = null;
      this.onChange();
    }

    async ask(cards) {
      const query = new URLSearchParams({ key: this.over.key, cards: cards.join(".") });
      const answer = await window.fetch("again?" + query).catch(() => null);
      this.trouble = "";
      if (answer !== null && answer.ok) this.found = await answer.json();
      else this.trouble = "The solver does not answer now: try again.";
      this.onChange();
    }

    /** How it stands, in a sentence. */
    sentence() {
      if (this.trouble) return this.trouble;
      if (this.legal.length) return "Once more: your card. The solver plays the other hands and sees all cards.";
      const { seat } = this.over;
      const own = (table) => (table.score === undefined ? "given up" : signed("NS".includes(seat) ? table.score : -table.score) || "0");
      return "Once more: " + this.found.tricks + " tricks for declarer, " + own(this.found) + " for you; it was " +
        own(this.over.board.tables[0]) + ".";
    }
  };
})(window.Arena);
