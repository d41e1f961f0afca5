"use strict";
// What a player does at a turn: `new Arena.Actions({ view, connection, review, speaker, onChange })` sends it, or says
// why it is not possible.
(function (Arena) {
  const at = (id) => document.getElementById(id);

  Arena.Actions = class {
    constructor(parts) {
      Object.assign(this, parts);
      this.answered = null; // the turn that was answered, until the server reacts
      this.chosen = ""; // the call or card that waits for being pressed again
      this.box = new Arena.Box((answer) => this.press(answer));
      if (at("hint")) at("hint").addEventListener("click", () => this.hint());
      if (at("undo")) at("undo").addEventListener("click", () => this.send({ type: "Undo" }));
    }

    /** Whether it is the player's turn. */
    get isDue() {
      const { turn } = this.view;
      return turn !== null && this.answered !== turn.seq && !this.connection.ending;
    }

    /** Why an answer is not possible; "" if it is. */
    objection(answer) {
      const { view, connection } = this;
      const isPossible = this.isDue && !connection.isElsewhere && connection.isOpen(view.seat);
      return isPossible ? Arena.objection(answer, view) : "It is not your turn.";
    }

    /** Take a call or a card that was pressed; it is sent at the second time, if the player wants it so. */
    press(answer) {
      const what = answer.call || answer.card;
      const isOnce = this.review.again.table || !document.documentElement.classList.contains("confirm");
      if (isOnce || this.chosen === what || this.objection(answer)) return this.send(answer);
      this.chosen = what;
      this.onChange();
      this.speaker.complain("Press again: " + (answer.call ? Arena.callName(what) : Arena.cardName(what)) + ".");
    }

    send(answer) {
      const { view, speaker } = this;
      const { again } = this.review;
      if (again.legal.includes(answer.card)) return again.play(answer.card);
      const wrong = this.objection(answer);
      if (wrong) return speaker.complain(wrong);
      const { table, board, seq } = view.turn;
      this.answered = seq;
      if (answer.type === "Undo") view.undoing = true;
      if (answer.call) this.box.clear();
      speaker.hush();
      this.connection.send(view.seat, { table, board, seq, ...answer });
      this.onChange();
    }

    /** Ask what a call means, by its place in the auction. */
    ask(place) {
      if (this.view.explained.has(place)) this.speaker.complain(this.view.meaning(place));
      else this.send({ type: "Explain", call: place });
    }

    async hint() {
      // The actions of the others count only once they are shown.
      if (!this.view.turn) return this.speaker.complain("It is not your turn.");
      const answer = await window.fetch("hint").catch(() => null);
      const { type, call, card, tricks, accept, explanation } = answer && answer.ok ? await answer.json() : {};
      const what = call ? Arena.callName(call) : card ? "the " + Arena.cardName(card) : type === "Claim" ? "claim " + tricks
        : type === "AnswerClaim" ? (accept ? "accept" : "refuse") : null;
      const means = Arena.explanation(explanation);
      this.speaker.complain(what ? "natural: " + what + (means ? " (" + means + ")" : "") + "." : "There is no hint.");
    }

    /** Do what was typed, except to go on to the next board; return whether it could be read. */
    type(line) {
      const answer = Arena.read(line, this.view);
      if (answer.wrong) this.speaker.complain(answer.wrong + ".");
      else if (answer.hint && at("hint")) this.hint();
      else if (answer.hint) this.speaker.complain("There are no hints here.");
      else if (answer.type === "Undo" && !at("undo")) this.speaker.complain("There is no undo here.");
      else if (answer.ask !== undefined) this.ask(answer.ask);
      else this.send(answer);
      return !answer.wrong;
    }
  };
})(window.Arena);
