"use strict";
// The line that a player types: `Arena.read(text, told)` returns the parts of the protocol's answer, or
// {ask: number}, {hint: true}; or {wrong: why}.
(function (Arena) {
  const CALLS = { p: "Pass", pass: "Pass", x: "X", xx: "XX" };

  Arena.read = function (text, told) {
    const [, word, rest] = /^\s*(\S*)\s*(.*?)\s*$/.exec(text);
    const small = word.toLowerCase();
    if (small === "hint") return { hint: true };
    if (small === "undo") return { type: "Undo" };
    if (small === "ask") return ask(rest, told);
    if (small === "yes" || small === "no") {
      return { type: told.turn && told.turn.undo ? "AnswerUndo" : "AnswerClaim", accept: small === "yes" };
    }
    if (small === "claim") {
      return /^\d+$/.test(rest) ? { type: "Claim", tricks: Number(rest) } : { wrong: "claim how many tricks? As in: claim 5" };
    }
    const isAlerted = small.endsWith("!");
    const call = callNamed(isAlerted ? small.slice(0, -1) : small);
    if (call && !(told.turn && told.table.contract)) return Arena.callOf(call, isAlerted, rest);
    const card = /^([shdc])(10|[2-9tjqka])$/.exec(small);
    if (card) return { type: "PlayCard", card: card[1].toUpperCase() + (card[2] === "10" ? "T" : card[2].toUpperCase()) };
    return { wrong: "“" + text.trim() + "” is neither a call nor a card" };
  };

  function callNamed(text) {
    const bid = /^([1-7])(c|d|h|s|nt?)$/.exec(text);
    return bid ? bid[1] + (bid[2][0] === "n" ? "NT" : bid[2].toUpperCase()) : CALLS[text];
  }

  /** An opponent's call, by its number from 1; their last one if no number is given. */
  function ask(number, told) {
    const calls = told.theirs();
    const index = number ? Number(number) - 1 : calls.filter((at) => told.table.calls[at].call !== "Pass").pop();
    return calls.includes(index) ? { ask: index } : { wrong: "that is no call of the opponents" };
  }
})(window.Arena);
