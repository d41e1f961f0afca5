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
      winner: onTable === 4 ? winners[winners.length - 1] || null : null,
      won: is,
      turn: null,
      last,
      dd: table.dd === undefined ? null : table.dd,
    };
    for (const seat of SEATS) {
      const played = cards.filter((each) => each.seat === seat).map((each) => each.card);
      position.hidden[seat] = 13 - played.length;
      position.hands[seat] = board.deal[seat] ? Arena.left(board.deal[seat], played) : null;
    }
    if (position.dd !== null) {
      for (const each of done) {
        const byDeclarer = each.kind === "claim"
          ? each.charged === "declarer"
          : each.seat === table.declarer || each.seat === after(table.declarer, 2);
        if (each.cost) position.dd += byDeclarer ? -each.cost : each.cost;
      }
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

  /** The number, from 1, of the action that cost most tricks; 0 if none cost any. */
  Arena.costliest = function (board, table) {
    let step = 0;
    let most = 0;
    Arena.actions(board, table).forEach((each, index) => {
      if (each.kind === "card" && (each.cost || 0) > most) {
        most = each.cost;
        step = index + 1;
      }
    });
    return step;
  };
})(window.Arena);
