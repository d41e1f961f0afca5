// What a player knows of the board in play, kept from the arena's messages, and the little of the
// rules that a player needs: the arena knows the rest, and sends the legal answers with each turn.

export const SUITS = ["C", "D", "H", "S"];
export const SEATS = ["N", "E", "S", "W"];
const RANKS = "23456789TJQKA";

export const rank = (card) => RANKS.indexOf(card[1]);
export const partnerOf = (seat) => SEATS[(SEATS.indexOf(seat) + 2) % 4];
export const sameSide = (a, b) => a === b || a === partnerOf(b);

/** "AK3.T9854.T.K832" as cards: ["SA", "SK", "S3", "HT", ...]. */
export const parseHand = (text) =>
  text.split(".").flatMap((ranks, suit) => [...ranks].map((rank) => "SHDC"[suit] + rank));

export class Board {
  calls = []; // { seat, call } of the auction so far
  trump = ""; // a suit; empty at notrump
  declarer = "";
  trick = []; // { seat, card } of the trick in progress
  leader = ""; // who won the trick before
  gone = new Set(); // cards played
  claim = undefined; // the last ClaimMade

  constructor(me, start) {
    this.me = me;
    this.hands = { [me]: parseHand(start.hand) }; // cards still held, of the hands that are known
  }

  take(message) {
    switch (message.type) {
      case "CallMade":
        this.calls.push({ seat: message.seat, call: message.call });
        break;
      case "AuctionEnd":
        this.declarer = message.declarer;
        this.trump = SUITS.includes(message.contract[1]) ? message.contract[1] : "";
        break;
      case "DummyShown":
        this.hands[message.seat] = parseHand(message.hand);
        break;
      case "CardPlayed": {
        const { seat, card } = message;
        this.trick.push({ seat, card });
        this.gone.add(card);
        this.hands[seat] = this.hands[seat]?.filter((held) => held !== card);
        break;
      }
      case "TrickEnd":
        this.trick = [];
        this.leader = message.winner;
        break;
      case "ClaimMade":
        this.claim = message;
        this.hands[message.seat] = parseHand(message.hand);
        break;
    }
  }

  /** Whether `card`, played after `other`, which was winning, wins in its place. */
  beats(card, other) {
    if (card[0] === other[0]) return rank(card) > rank(other);
    return card[0] === this.trump;
  }

  /** The { seat, card } that wins the trick in progress. */
  winning() {
    return this.trick.reduce((best, next) => (this.beats(next.card, best.card) ? next : best));
  }

  /** The cards not yet played that are in none of the hands of `seats`. */
  outside(...seats) {
    const inside = new Set(seats.flatMap((seat) => this.hands[seat] ?? []));
    return SUITS.flatMap((suit) => [...RANKS].map((rank) => suit + rank)).filter(
      (card) => !this.gone.has(card) && !inside.has(card),
    );
  }

  /**
   * How many tricks declarer takes for certain by leading high cards from the own hand: none
   * where a defender may ruff or declarer is not on lead. Declarer's hand must be known.
   */
  sureTricks() {
    const { declarer, trump } = this;
    if (this.trick.length || this.leader !== declarer) return 0;
    if (this.outside(declarer, partnerOf(declarer)).some((card) => card[0] === trump)) return 0;
    const others = this.outside(declarer);
    return this.hands[declarer].filter(
      (card) => !others.some((other) => other[0] === card[0] && rank(other) > rank(card)),
    ).length;
  }
}
