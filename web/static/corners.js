"use strict";
// What a player keeps in view, in two corners of the felt: `Arena.corners(told, position, known)` returns the
// elements. `known` is what the server said beside the messages of the protocol.
(function (Arena) {
  const element = Arena.element;
  const SUITS = "SHCD"; // colours alternate, whichever comes first

  /** The suits of a hand from left to right: trumps first, once they are known. */
  Arena.suitsOf = function (contract) {
    const first = Math.max(0, SUITS.indexOf((contract || "NT")[1]));
    return Array.from(SUITS.slice(first) + SUITS.slice(0, first));
  };

  Arena.corners = function (told, position, known) {
    const { board, seat, table } = told;
    const own = "NS".includes(seat) ? "NS" : "EW";
    const corner = (side, ...lines) => element("div", { class: "corner " + side },
      ...lines.filter(Boolean).map((line) => element("p", {}, line)));
    const vulnerable = { None: "nobody", Both: "all", [own]: "you" }[board.vulnerable] || "they";
    const section = (known.scorecard || []).find(({ scope }) => scope === known.scope);
    const shown = [corner("left",
      "Board " + board.board + (board.board <= known.boards ? " of " + known.boards : ""),
      told.named(board.dealer) + (board.dealer === seat ? " deal" : " deals"),
      "Vulnerable: " + vulnerable)];
    const { contract, declarer } = table;
    const isPlayed = declarer && !position.isBidding;
    const declarers = isPlayed ? 6 + Number(contract[0]) : 0;
    const needed = own.includes(declarer) ? declarers : 14 - declarers;
    shown.push(corner("right", isPlayed && Arena.contract(contract, declarer),
      isPlayed && "You " + position.won[own] + " of " + needed + ", they " + position.won[own === "NS" ? "EW" : "NS"],
      section && section.total !== undefined && Arena.total(section)));
    return shown;
  };
})(window.Arena);
