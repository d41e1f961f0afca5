"use strict";
// All that a seat was told of a board, as the board document: `new Arena.SeatView(mostAsked)`, then
// `take(message)` for each message of the protocol; `mostAsked` questions are answered at a turn. Facts
// that the seat was not told are absent and never inferred.
(function (Arena) {
  const SEATS = ["N", "E", "S", "W"];
  const SUITS = "SHDC";

  /** Who sits opposite. */
  Arena.partner = (seat) => SEATS[(SEATS.indexOf(seat) + 2) % 4];

  /** The content of an explanation, in a line. */
  Arena.explanation = function (told) {
    if (!told) return "";
    if (told.text) return told.text;
    const range = ([least, most]) => (least === most ? String(least) : least + "–" + most);
    const parts = told.hcp ? [range(told.hcp) + " points"] : [];
    for (const [suit, length] of Object.entries(told.lengths || {})) {
      parts.push(range(length) + " " + Arena.SUITS[suit].name);
    }
    if (told.forcing) parts.push("forcing");
    if (told.artificial) parts.push("artificial");
    return parts.join(", ");
  };

  Arena.SeatView = class {
    constructor(mostAsked) {
      this.mostAsked = mostAsked;
      this.seat = null; // the seat on the board in play, set by the code that receives the messages
      this.players = { N: "North", E: "East", S: "South", W: "West" };
      this.board = null; // the document; null before the first board
      this.turn = null; // the YourTurn that waits for an answer
      this.claim = null; // the ClaimMade that waits for its answers
      this.result = null; // the BoardEnd
      this.undoing = false; // whether the player asks to undo, and is not answered yet
      this.refused = false; // whether that was refused, since the last call or card
      this.asked = 0; // the questions since the last call or card
      this.explained = new Set(); // the places in the auction, from 0, of the calls that were asked about
      this.seq = 0; // the number of the last message about the board
    }

    get table() {
      return this.board.tables[0];
    }

    /** Take a message; return the words for screen readers, or "". */
    take(message) {
      const take = this["take" + message.type];
      if (message.seq && message.type !== "Error") this.count(message.seq); // an error has its turn's
      return take ? take.call(this, message) || "" : "";
    }

    /** Count the questions that a snapshot lacks: each took a number for its answer, and one for the turn anew. */
    count(seq) {
      this.asked += Math.floor((seq - this.seq - 1) / 2);
      this.seq = seq;
    }

    takeBoardStart(message) {
      this.turn = this.claim = this.result = null;
      this.undoing = this.refused = false;
      this.asked = 0;
      this.explained.clear();
      const deal = { N: null, E: null, S: null, W: null };
      deal[this.seat] = message.hand;
      this.board = {
        board: message.board,
        title: "",
        dealer: message.dealer,
        vulnerable: message.vulnerability === "All" ? "Both" : message.vulnerability,
        deal,
        dd: null,
        par: null,
        tables: [{ number: 1, name: "", players: this.players, calls: [], cards: [], winners: [] }],
      };
      return "Board " + message.board + ". " + Arena.SEAT_NAMES[message.dealer] + " deals.";
    }

    takeYourTurn(message) {
      this.turn = message;
      if (message.claim) return "Declarer claims: accept or refuse.";
      if (message.undo) return this.requested();
      if (this.undoing) {
        this.undoing = false;
        this.refused = true;
        return "Your opponents refuse to let you take it back.";
      }
      if (!this.table.contract) return "Your turn to call.";
      const from = message.seat === this.seat ? "" : " from dummy";
      return "Your turn to play" + from + ".";
    }

    takeCallMade(message) {
      this.turn = null;
      this.refused = false;
      this.asked = 0;
      const call = { call: message.call };
      const meaning = Arena.explanation(message.explanation);
      if (message.alert) call.alert = true;
      if (meaning) call.explanation = meaning;
      this.table.calls.push(call);
      const alert = message.alert ? ", alerted" : "";
      return this.named(message.seat) + " called " + Arena.callName(message.call) + alert +
        (meaning ? ": " + meaning : "") + ".";
    }

    takeAuctionEnd(message) {
      this.table.contract = message.contract;
      if (!message.declarer) return "Passed out.";
      this.table.declarer = message.declarer;
      return this.named(message.declarer) + (message.declarer === this.seat ? " play " : " plays ") + Arena.contractName(message.contract) + ".";
    }

    takeDummyShown(message) {
      this.board.deal[message.seat] = message.hand;
      return "Dummy has " + SUITS.split("").map((suit, index) =>
        Array.from(message.hand.split(".")[index]).map(Arena.rank).join(" ") || "no")
        .map((ranks, index) => ranks + " " + Arena.SUITS[SUITS[index]].name).join("; ") + ".";
    }

    takeCardPlayed(message) {
      this.turn = null;
      this.refused = false;
      this.asked = 0;
      this.table.cards.push({ seat: message.seat, card: message.card });
      return this.named(message.seat) + " played the " + Arena.cardName(message.card) + ".";
    }

    takeTrickEnd(message) {
      this.table.winners.push(message.winner);
      return this.named(message.winner) + " won the trick.";
    }

    takeClaimMade(message) {
      this.turn = null;
      this.claim = message;
      const played = this.table.cards.filter((each) => each.seat === message.seat);
      this.board.deal[message.seat] = message.hand.split(".").map((ranks, index) =>
        ranks + played.map((each) => each.card).filter((card) => card[0] === SUITS[index])
          .map((card) => card[1]).join("")).join(".");
      return this.named(message.seat) + " claimed " + message.tricks + " of the tricks left.";
    }

    takeClaimSettled(message) {
      this.turn = this.claim = null;
      return message.accepted ? "The claim is accepted." : "The claim is refused: play goes on.";
    }

    takeExplanationGiven(message) {
      const meaning = Arena.explanation(message.explanation);
      if (meaning) this.table.calls[message.call].explanation = meaning;
      this.asked += 1;
      this.explained.add(message.call);
      return this.meaning(message.call);
    }

    takeBoardEnd(message) {
      this.turn = this.claim = null;
      this.result = message;
      const table = this.table;
      if (message.score === undefined) return "The board was given up.";
      table.score = message.score;
      if (message.tricks !== undefined) {
        const over = message.tricks - 6 - Number(table.contract[0]);
        table.tricks = message.tricks;
        table.result = over > 0 ? "+" + over : over < 0 ? String(over) : "=";
      }
      return "The board is over: " + Arena.outcome(this) + ".";
    }

    takeError(message) {
      this.refused = this.refused || this.undoing;
      this.undoing = false;
      if (message.code === "substituted") this.turn = null; // the table has acted in the player's place
      return message.text + ".";
    }

    /** The meaning of a call, by its place in the auction, in words. */
    meaning(at) {
      const { call, explanation } = this.table.calls[at];
      return Arena.callName(call) + " means: " + (explanation || "nothing was said of it") + ".";
    }

    /** A seat in words: the player's own is "you". */
    named(seat) {
      return seat === this.seat ? "You" : Arena.SEAT_NAMES[seat];
    }

    /** What an opponent asks to take back, in words. */
    requested() {
      const { undo } = this.turn;
      const what = this.table.contract && /^[SHDC][2-9TJQKA]$/.test(undo) ? "the " + Arena.cardName(undo) : Arena.callName(undo);
      return "Your opponents ask to take back " + what + ", and what came after.";
    }

    /** The open claim, in words. */
    claimed() {
      const { seat, tricks } = this.claim;
      const left = 13 - this.table.winners.length;
      return this.named(seat) + (seat === this.seat ? " claim " : " claims ") + tricks + " of the " + left + (left === 1 ? " trick left." : " tricks left.");
    }

    /** The player who acts next, as far as this seat can tell; null if nobody does. */
    get next() {
      const position = Arena.position(this.board, this.table, Infinity);
      return this.result || this.claim ? null : position.turn;
    }

    /** The places in the auction, from 0, of the opponents' calls. */
    theirs() {
      const isOwn = (at) => (at + SEATS.indexOf(this.board.dealer) - SEATS.indexOf(this.seat)) % 2 === 0;
      return Array.from(this.table.calls.keys()).filter((at) => !isOwn(at));
    }

    /** Whether the player has made a call of this board. */
    get hasCalled() {
      const before = (SEATS.indexOf(this.seat) - SEATS.indexOf(this.board.dealer) + 4) % 4;
      return this.table.calls.length > before;
    }

    /** The player who plays the cards of a seat. */
    player(seat) {
      const { declarer } = this.table;
      return declarer && seat === Arena.partner(declarer) ? declarer : seat;
    }

    /** Whether the player plays the cards of a seat. */
    plays(seat) {
      const { declarer } = this.table;
      const dummy = declarer && Arena.partner(declarer);
      return seat === dummy ? this.seat === declarer : seat === this.seat;
    }
  };

  /** The result of a board, as the player's side sees it: "made with 1 over, +430". */
  Arena.outcome = function (told) {
    const { score, result, contract } = told.table;
    if (contract === "Pass") return "passed out, 0";
    const made = result === "=" ? "just made" : result[0] === "+"
      ? "made with " + result.slice(1) + " over" : result.slice(1) + " down";
    const own = "NS".includes(told.seat) ? score : -score;
    return made + ", " + (own > 0 ? "+" : own < 0 ? "−" : "") + Math.abs(own) + " for you";
  };
})(window.Arena);
