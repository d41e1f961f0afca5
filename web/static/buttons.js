"use strict";
// The actions of a player at a turn, as buttons: `Arena.buttons(view, act)` returns their elements.
// `act(answer)` is called with the parts of the protocol's answer.
window.Arena = window.Arena || {};
(function (Arena) {
  const element = Arena.element;
  const DENOMINATIONS = ["C", "D", "H", "S", "NT"];
  const OTHERS = ["Pass", "X", "XX"];

  function button(act, answer, ...shown) {
    const made = element("button", { type: "button" }, ...shown);
    made.addEventListener("click", () => act(answer()));
    return made;
  }

  Arena.buttons = function (view, act) {
    const { turn } = view;
    if (turn.claim) return answers(act);
    if (!view.table.contract) return bidding(turn.legal, act);
    const shown = [element("p", {}, "Press a card " + (turn.seat === view.seat ? "of your hand" : "of dummy") + ".")];
    if (turn.may_claim) shown.push(claim(view, act));
    return shown;
  };

  /** The bids that are legal, a row for each level; then pass, double and redouble. */
  function bidding(legal, act) {
    const alert = element("input", { type: "checkbox", id: "alert" });
    const meaning = element("input", {
      id: "meaning", maxlength: 500, "aria-label": "Meaning, for the opponents", placeholder: "its meaning, for the opponents",
    });
    const answer = (call) => () => Arena.callOf(call, alert.checked, meaning.value);
    const grid = element("div", { class: "bids", role: "group", "aria-label": "Bids" });
    for (let level = 1; level <= 7; level += 1) {
      for (const denomination of DENOMINATIONS) {
        const call = level + denomination;
        if (!legal.includes(call)) continue;
        const bid = button(act, answer(call), Arena.call(call));
        bid.classList.add("bid-" + denomination);
        bid.dataset.call = call;
        grid.append(bid);
      }
    }
    const others = element("div", { class: "calls", role: "group", "aria-label": "Other calls" });
    for (const call of OTHERS.filter((each) => legal.includes(each))) {
      const other = button(act, answer(call), Arena.call(call));
      other.dataset.call = call;
      others.append(other);
    }
    return [grid, others, element("div", { class: "alerting" },
      element("label", {}, alert, " Alert"),
      meaning)];
  }

  /** The parts of a MakeCall. */
  Arena.callOf = function (call, alert, meaning) {
    const answer = { type: "MakeCall", call };
    if (alert) answer.alert = true;
    if (meaning.trim()) answer.explanation = { text: meaning.trim() };
    return answer;
  };

  function claim(view, act) {
    const left = 13 - view.table.winners.length;
    const tricks = element("input", {
      type: "number", id: "claimed", min: 0, max: left, value: left, inputmode: "numeric",
    });
    return element("div", { class: "claiming" },
      element("label", { for: "claimed" }, "Tricks of the " + left + " left:"), tricks,
      button(act, () => ({ type: "Claim", tricks: tricks.valueAsNumber }), "Claim"));
  }

  function answers(act) {
    const answer = (accept) => () => ({ type: "AnswerClaim", accept });
    return [element("div", { class: "calls", role: "group", "aria-label": "The claim" },
      button(act, answer(true), "Accept the claim"), button(act, answer(false), "Refuse it"))];
  }
})(window.Arena);
