"use strict";
// What a player can press: `new Arena.Offers({ view, connection, review, actions, table, onNext, onGone })`. `show` has
// the buttons for a turn, `showCards` has the cards on the table that may be played; `onGone` is called when what had
// the focus is gone.
(function (Arena) {
  const at = (id) => document.getElementById(id);

  Arena.Offers = class {
    constructor(parts) {
      Object.assign(this, parts);
      this.shown = ""; // what is offered now
      this.next = Arena.button(() => this.onNext(), { class: "main", id: "next" }, "Next board");
      this.table.felt.addEventListener("click", (event) => this.play(event.target));
    }

    /** Offer the buttons for the turn; they stay as they are while the turn is the same. */
    show(isOver, isWaiting) {
      const { view, actions, actions: { isDue, box }, review: { known } } = this;
      const { turn } = view;
      const board = view.board === null ? "" : view.board.board;
      const hasPlayed = view.result !== null || !at("over").hidden;
      const isAsked = isDue && (turn.claim || turn.undo);
      const isBidding = !view.result && view.board !== null && !view.table.contract && !isOver && !isAsked;
      const offered = isOver ? "end " + hasPlayed + known.event : isWaiting ? "next"
        : isDue ? "turn " + board + " " + turn.seq : String(isBidding);
      if (offered === this.shown) return;
      this.shown = offered;
      const act = at("act");
      const choices = at("choices");
      act.dataset.board = board;
      act.dataset.seq = isDue ? turn.seq : "";
      const hadFocus = [choices, at("go"), at("deed")].some((part) => part.contains(document.activeElement));
      // What came of a board, and at the end of all, is prominent, and moves aside during the next board.
      if (isOver) act.after(at("scorecard"), at("over"));
      else if (isWaiting) act.after(at("over"), at("scorecard"));
      else document.querySelector("main").append(at("over"), at("scorecard"));
      at("go").replaceChildren(...(isWaiting && !isOver ? [this.next] : []));
      box.legal = isBidding && isDue ? turn.legal : [];
      if (isOver) {
        actions.speaker.hush();
        choices.replaceChildren(...(this.connection.isStopped ? [Arena.interrupted(act.dataset.goOn)]
          : Arena.farewell({ hasPlayed, event: known.event, ...act.dataset })));
      } else if (isBidding !== choices.contains(box.element)) {
        choices.replaceChildren(...(isBidding ? [box.element] : []));
      }
      const send = (answer) => actions.send(answer);
      const deed = isAsked ? Arena.answering(turn, send) : isBidding ? box.alerting
        : isDue && turn.may_claim ? Arena.claiming(view, send) : null;
      if (at("deed").firstElementChild !== deed) at("deed").replaceChildren(...(deed ? [deed] : []));
      if (at("undo")) at("undo").hidden = !(isDue && view.hasCalled && !isAsked && !view.refused);
      if (hadFocus && document.activeElement === document.body) this.onGone();
    }

    /** The cards on the table that may be played. */
    get cards() {
      const { view, actions, review: { again } } = this;
      const { turn } = view;
      const isTurn = actions.isDue && !turn.claim && view.table.contract;
      const legal = again.table ? again.legal : isTurn ? turn.legal : [];
      return Array.from(this.table.felt.querySelectorAll(".hand .card[data-seat]")).filter((card) =>
        legal.includes(card.dataset.card) && (again.table || card.dataset.seat === turn.seat));
    }

    /** Let the player press cards, by pointer and by key. `focused`: the card that had the focus. */
    showCards(focused) {
      const { cards } = this;
      for (const card of cards) {
        card.classList.add("playable");
        card.setAttribute("role", "button");
        card.setAttribute("aria-label", Arena.cardName(card.dataset.card));
        card.classList.toggle("chosen", card.dataset.card === this.actions.chosen);
      }
      const first = cards.find((card) => card.dataset.card === focused) || cards[0];
      Arena.stopAt(cards, first);
      if (first && focused) first.focus({ preventScroll: true });
      else if (focused && document.activeElement === document.body) this.onGone();
    }

    play(target) {
      const card = target.closest("[data-card][data-seat]");
      if (!card) return;
      this.actions.speaker.point(card);
      this.actions.press({ type: "PlayCard", card: card.dataset.card });
    }
  };
})(window.Arena);
