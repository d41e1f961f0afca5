// A small bot for Bridge Arena: it opens with twelve points, responds, overcalls, and plays its
// cards by the old rules of thumb. Put your own game in place of `chooseCall` and `chooseCard`.

import { play } from "./arena.mjs";
import { SUITS, partnerOf, rank, sameSide } from "./board.mjs";

/** What to send for a turn; the arena's table, board and seq are added to it. */
function answer(board, turn) {
  if (turn.claim) {
    // A defender knows all hands now, and gives away only what nothing can keep.
    const { tricks } = board.claim;
    return { type: "AnswerClaim", accept: tricks === 0 || tricks <= board.sureTricks() };
  }
  if (board.declarer) {
    const tricks = board.hands[board.me].length;
    if (turn.may_claim && !board.claim && tricks > 0 && board.sureTricks() === tricks)
      return { type: "Claim", tricks };
    return { type: "PlayCard", card: legal(chooseCard(board, turn), turn) };
  }
  const { call, ...meaning } = chooseCall(board, turn);
  const message = { type: "MakeCall", call: legal(call, turn) };
  if (message.call === call && meaning.text) message.explanation = meaning;
  return message;
}

/** The choice, or another answer where a mistake above made it an illegal one. */
const legal = (choice, turn) => {
  const fallback = turn.legal.includes("Pass") ? "Pass" : turn.legal[0];
  return turn.legal.includes(choice) ? choice : fallback;
};

/** A call, with its explanation where it means more than "nothing to say". */
function chooseCall({ hands, calls, me }, turn) {
  const hand = hands[me];
  const points = hand.reduce((sum, card) => sum + Math.max(0, rank(card) - 8), 0); // J is 1
  const length = Object.fromEntries(
    SUITS.map((suit) => [suit, hand.filter((card) => card[0] === suit).length]),
  );
  const lengths = Object.values(length);
  const balanced = Math.min(...lengths) > 1 && lengths.filter((cards) => cards === 2).length < 2;
  const longest = SUITS.reduce((best, suit) => (length[suit] >= length[best] ? suit : best));
  const pass = { call: "Pass" };
  const cheapest = (strain) => turn.legal.filter((call) => call.slice(1) === strain).sort()[0];

  const bids = calls.filter(({ call }) => call >= "1" && call <= "7NT");
  if (!bids.length) {
    if (points < 12) return pass;
    if (balanced && points >= 15 && points <= 17)
      return { call: "1NT", text: "balanced", hcp: [15, 17] };
    const least = { C: 3, D: 3, H: 5, S: 5 };
    const suit = SUITS.filter((suit) => length[suit] >= least[suit]) // a major needs five cards
      .reduce((best, suit) => (length[suit] >= length[best] ? suit : best));
    const promise = { [suit]: [least[suit], 13] };
    return { call: `1${suit}`, text: "an opening", hcp: [12, 37], lengths: promise };
  }

  const mine = bids.filter(({ seat }) => seat === me);
  const partners = bids.filter(({ seat }) => seat === partnerOf(me)).at(-1)?.call;
  if (!partners) {
    const call = cheapest(longest);
    if (mine.length || !call || call[0] > "2" || length[longest] < 5) return pass;
    const least = call[0] === "1" ? 9 : 13;
    if (points < least) return pass;
    return { call, text: "an overcall", hcp: [least, 37], lengths: { [longest]: [5, 13] } };
  }

  // Partner has bid: add what that promises, choose a strain, and bid game or no more than two.
  if (points < 6 || mine.length > 1) return pass;
  const opened = sameSide(bids[0].seat, me);
  const promised = mine.length ? 6 : partners === "1NT" ? 15 : opened ? 12 : 9;
  const suit = partners.slice(1);
  const enough = suit === "H" || suit === "S" ? 3 : 4;
  const fit = length[suit] >= enough;
  const strain = fit ? suit : length[longest] > 5 ? longest : "NT";
  if (points + promised >= 25)
    return { call: strain === "H" || strain === "S" ? `4${strain}` : "3NT", text: "game" };
  if (mine.length && mine.at(-1).call.endsWith(suit)) return pass; // partner has raised
  const fourth = SUITS.find((suit) => length[suit] > 3 && cheapest(suit)?.[0] === "1");
  if (!fit && !mine.length && fourth)
    return { call: `1${fourth}`, text: "a suit", hcp: [6, 37], lengths: { [fourth]: [4, 13] } };
  const call = cheapest(strain);
  return call && call <= (strain === "NT" ? "1NT" : "2S") ? { call, text: "no more" } : pass;
}

/** A card: second hand low, third hand high, and partner's trick is left to partner. */
function chooseCard(board, { legal, seat }) {
  const { trick, trump } = board;
  const rising = [...legal].sort((a, b) => rank(a) - rank(b));
  if (!trick.length) return chooseLead(board, seat, rising);
  const low = rising.find((card) => card[0] !== trump) ?? rising[0];
  const best = board.winning();
  const winners = rising.filter((card) => board.beats(card, best.card));
  if (!winners.length) return low;
  const partnerWins = sameSide(best.seat, seat);
  if (trick.length === 3) return partnerWins ? low : winners[0];
  if (trick.length === 1) return winners[0][0] === trick[0].card[0] ? low : winners[0];
  return partnerWins && rank(best.card) >= rank("SQ") ? low : winners.at(-1);
}

/** `rising`: the cards to lead from, lowest first. */
function chooseLead(board, seat, rising) {
  const { declarer, trump } = board;
  const declaring = sameSide(seat, declarer);
  const trumps = rising.filter((card) => card[0] === trump);
  const unseen = declaring ? board.outside(declarer, partnerOf(declarer)) : board.outside(seat);
  if (declaring && trumps.length && unseen.some((card) => card[0] === trump)) return trumps.at(-1);
  const higher = (card) => (other) => other[0] === card[0] && rank(other) > rank(card);
  const master = rising.findLast((card) => card[0] !== trump && !unseen.some(higher(card)));
  if (master && board.leader) return master; // not at the opening lead
  const suits = SUITS.map((suit) => rising.filter((card) => card[0] === suit && suit !== trump));
  const longest = suits.reduce((best, suit) => (suit.length > best.length ? suit : best));
  const [top, next] = longest.slice(-2).reverse();
  if (!top) return rising[0];
  return next && rank(top) >= rank("SJ") && rank(top) - rank(next) === 1 ? top : longest[0];
}

process.exitCode = await play({ name: "js-bot", bot_version: "1.0" }, answer);
