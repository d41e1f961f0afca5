"use strict";
// The position of a table at a step of a board: `Arena.position(board, table, step)`.
//
// `board` and `table` have the form of web/board/document.py. Step 0 is before the first call; then
// each call, each card and finally a claim is a step. This script knows no rules: the document says
// who won a trick, and what the contract is.
window.Arena = window.Arena || {};
(function (Arena) {
  const SEATS = ["N", "E", "S", "W"];

  const after = (seat, turns) => SEATS[(SEATS.indexOf(seat) + turns) % 4];

  /** The actions at a table, in order: {kind, seat, ...} of each call, card and claim. */
  Arena.actions = function (board, table) {
    const calls = (table.calls || []).map((call, index) =>
      Object.assign({ kind: "call", seat: after(board.dealer, index) }, call));
    const cards = (table.cards || []).map((card) => Object.assign({ kind: "card" }, card));
    const claim = table.claim ? [Object.assign({ kind: "claim" }, table.claim)] : [];
    return calls.concat(cards, claim);
  };

  /**
   * The position after `step` actions.
   * hands: by seat the cards left, as {S: "AK", H: ...}; null where hidden.
   * hidden: by seat how many cards are left.
   * trick: cards on the table, [{seat, card, cost}]; a complete trick stays until the next lead.
   * won: tricks won by {NS, EW}. turn: a seat, or null. last: the last action, or null.
   * dd: declarer's tricks if the rest were played double dummy; null if unknown.
   */
  Arena.position = function (board, table, step) {
    const actions = Arena.actions(board, table);
    const done = actions.slice(0, step);
    const calls = done.filter((each) => each.kind === "call");
    const cards = done.filter((each) => each.kind === "card");
    const winners = (table.winners || []).slice(0, Math.floor(cards.length / 4));
    const onTable = cards.length ? ((cards.length - 1) % 4) + 1 : 0;
    const last = done.length ? done[done.length - 1] : null;
    const isBidding = calls.length < (table.calls || []).length || !table.contract;
    const is = { NS: 0, EW: 0 };
    for (const seat of winners) is["NS".includes(seat) ? "NS" : "EW"] += 1;
    const position = {
      step: done.length,
      isBidding,
      calls,
      cards,
      hands: {},
      hidden: {},
      trick: cards.slice(cards.length - onTable),
      winner: onTable === 4 ? winners[cards.length / 4 - 1] || null : null,
      won: is,
      turn: null,
      last,
      dd: Arena.doubleDummy(table, done).pop(),
    };
    for (const seat of SEATS) {
      const played = cards.filter((each) => each.seat === seat).map((each) => each.card);
      position.hidden[seat] = 13 - played.length;
      position.hands[seat] = board.deal[seat] ? Arena.left(board.deal[seat], played) : null;
    }
    if (last && last.kind === "claim") return position;
    if (isBidding) {
      position.turn = after(board.dealer, calls.length);
    } else if (table.declarer && cards.length < 52) {
      if (!cards.length) position.turn = after(table.declarer, 1);
      else if (onTable < 4) position.turn = after(cards[cards.length - 1].seat, 1);
      else position.turn = position.winner;
    }
    return position;
  };

  /** The cards of a hand that were not played, as {S: "AK", H: ...}. */
  Arena.left = function (hand, played) {
    const suits = {};
    hand.split(".").forEach((ranks, index) => {
      const suit = "SHDC"[index];
      suits[suit] = Array.from(ranks).filter((rank) => !played.includes(suit + rank)).join("");
    });
    return suits;
  };

  /** Declarer's tricks, before the first action and after each, if the rest were played double
   * dummy; null where unknown. */
  Arena.doubleDummy = function (table, actions) {
    let total = table.dd === undefined ? null : table.dd;
    const byDeclarer = (each) => (each.kind === "claim"
      ? each.charged === "declarer"
      : each.seat === table.declarer || each.seat === after(table.declarer, 2));
    return [total, ...actions.map((each) => {
      if (each.cost && total !== null) total += byDeclarer(each) ? -each.cost : each.cost;
      return total;
    })];
  };

  /** Whether an action clearly cost its side tricks or IMPs. */
  Arena.isMistake = (action) => Boolean(action.cost || (action.callCost && action.callCost.isClear));

  /**
   * The board and the table after `step` actions as the player at `seat` has them: the own cards,
   * and dummy's once it is open; nothing that is to come, and nothing that is known from all hands.
   */
  Arena.viewFrom = function (seat, board, table, step) {
    const made = (table.calls || []).length;
    const played = Math.max(0, Math.min(step - made, (table.cards || []).length));
    const open = played ? after(table.declarer, 2) : null;
    const plain = ({ cost, thought, callCost, ...action }) => action;
    const own = {
      number: table.number,
      name: table.name,
      players: table.players,
      calls: (table.calls || []).slice(0, step).map(plain),
      cards: (table.cards || []).slice(0, played).map(plain),
      winners: (table.winners || []).slice(0, Math.floor(played / 4)),
    };
    if (step >= made && table.contract) Object.assign(own, { contract: table.contract, declarer: table.declarer });
    if (table.claim && step > made + played) own.claim = plain(table.claim);
    const hand = (other) => (other === seat || other === open ? board.deal[other] : null);
    return [{ ...board, deal: Object.fromEntries(SEATS.map((other) => [other, hand(other)])) }, own];
  };
})(window.Arena);
