"use strict";
// What a player presses beside cards: `new Arena.Box(press)` is the bidding box, `Arena.claiming(view, act)` and
// `Arena.answering(turn, act)` return the elements for a claim. `press` and `act` are called with the parts of the
// protocol's answer.
(function (Arena) {
  const { element, button } = Arena;
  const LEVELS = Array.from("1234567");
  const DENOMINATIONS = ["C", "D", "H", "S", "NT"];
  const OTHERS = ["Pass", "X", "XX"];

  /**
   * The bidding box: every call always has the same place. For fingers and on narrow screens a bid takes two
   * steps, its level and its denomination.
   */
  Arena.Box = class {
    constructor(press) {
      this.press = press;
      this.legal = []; // the legal calls; none while it is another's turn
      this.level = ""; // the first step to a bid, where it takes two
      this.chosen = ""; // the call that waits for being pressed again
      this.element = element("div", { class: "box", role: "group", "aria-label": "Bidding box" });
      this.alert = element("input", { type: "checkbox", id: "alert" });
      this.meaning = element("input", {
        id: "meaning", maxlength: 500, "aria-label": "Meaning, for the opponents", placeholder: "its meaning",
      });
      this.alerting = element("div", { class: "alerting" }, element("label", {}, this.alert, " Alert"), this.meaning);
      const small = window.matchMedia("(pointer: coarse), (max-width: 699px)");
      small.addEventListener("change", () => this.build(small.matches));
      this.build(small.matches);
    }

    build(isSmall) {
      this.levels = isSmall ? LEVELS.map((level) => button(() => this.choose(level), { "aria-label": "Level " + level }, level)) : [];
      const bids = isSmall ? DENOMINATIONS : LEVELS.flatMap((level) => DENOMINATIONS.map((of) => level + of));
      this.bids = bids.map((call) => this.key(call));
      const others = OTHERS.map((call) => this.key(call));
      this.keys = [...others, ...this.levels, ...this.bids];
      const row = (name, keys) => element("div", { class: name }, ...keys);
      this.element.replaceChildren(row("calls", others), row("levels", this.levels), row("bids", this.bids));
      Arena.stopAt(this.keys, others[0]);
      this.draw("");
    }

    key(call) {
      const answer = () => Arena.callOf(made.dataset.call, this.alert.checked, this.meaning.value);
      const made = button(() => this.press(answer()), { "data-call": call }, this.name(call));
      return made;
    }

    /** A call, or a denomination whose level is to come, as players write it. */
    name(call) {
      if (call === "NT") return call;
      return call in Arena.SUITS ? Arena.suit(call, Arena.SUITS[call].name) : Arena.call(call);
    }

    choose(level) {
      this.level = level;
      this.draw(this.chosen);
    }

    /** Forget what was prepared for a call that is made. */
    clear() {
      this.level = "";
      this.alert.checked = false;
      this.meaning.value = "";
    }

    /** Show what is legal, and the call that waits for being pressed again. */
    draw(chosen) {
      this.chosen = chosen;
      this.levels.forEach((key, at) => {
        key.setAttribute("aria-disabled", String(!this.legal.some((call) => call[0] === LEVELS[at])));
        key.setAttribute("aria-pressed", String(this.level === LEVELS[at]));
      });
      if (this.levels.length) {
        this.bids.forEach((key, at) => {
          key.dataset.call = this.level + DENOMINATIONS[at];
          key.replaceChildren(this.name(key.dataset.call));
        });
      }
      for (const key of this.keys.filter((each) => !this.levels.includes(each))) {
        key.setAttribute("aria-disabled", String(!this.legal.includes(key.dataset.call)));
        key.classList.toggle("chosen", key.dataset.call === chosen);
      }
    }
  };

  /** The parts of a MakeCall. */
  Arena.callOf = function (call, alert, meaning) {
    const answer = { type: "MakeCall", call };
    if (alert) answer.alert = true;
    if (meaning.trim()) answer.explanation = { text: meaning.trim() };
    return answer;
  };

  Arena.claiming = function (view, act) {
    const left = 13 - view.table.winners.length;
    const tricks = element("input", {
      type: "number", id: "claimed", min: 0, max: left, value: left, inputmode: "numeric",
    });
    return element("div", { class: "claiming" },
      element("label", { for: "claimed" }, "Tricks of the " + left + " left:"), tricks,
      button(() => act({ type: "Claim", tricks: tricks.valueAsNumber }), {}, "Claim"));
  };

  /** The answers to a claim, or to opponents who ask to take something back. */
  Arena.answering = function ({ claim }, act) {
    const answer = (accept) => () => act({ type: claim ? "AnswerClaim" : "AnswerUndo", accept });
    return element("div", { class: "calls", role: "group", "aria-label": claim ? "The claim" : "The undo" },
      button(answer(true), {}, claim ? "Accept the claim" : "Let them"), button(answer(false), {}, "Refuse it"));
  };
})(window.Arena);
