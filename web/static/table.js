"use strict";
// One table of a board, and stepping through it: `new Arena.Table(onStep)`.
//
// `update(board, table)` sets the document, which grows while the board is played; `go(step)` shows
// another position; `from(seat)` shows only what that seat knows. `element` is the element for the page. Cards in hands have `data-seat` and
// `data-card`, so that a player's page can listen for them.
(function (Arena) {
  const { element, signed, minus } = Arena;
  const COLUMNS = ["W", "N", "E", "S"];
  let tables = 0;

  const side = (seat) => ("NS".includes(seat) ? "NS" : "EW");
  const isVulnerable = (board, seat) => ["Both", side(seat)].includes(board.vulnerable);
  const tricks = (count) => count + (count === 1 ? " trick" : " tricks");
  /** The cost of a call, in words. */
  function lost(call) {
    const { best, gain, error, real } = call.callCost;
    if (!best) return "the bidding system considered no other call";
    const other = Arena.callName(best);
    if (!call.callCost.isClear) return "no other call is clearly better";
    return other + " would gain " + gain.toFixed(1) + " ± " + error.toFixed(1) +
      " IMPs on average, " + minus(String(real)) + " in this deal";
  }
  /** A time as minutes and seconds. */
  Arena.minutes = (seconds) =>
    Math.floor(seconds / 60) + ":" + String(Math.floor(seconds) % 60).padStart(2, "0");

  const used = (seconds) => (seconds < 1 ? "\u00a0" : Arena.minutes(seconds));

  Arena.Table = class {
    /** `onStep` is called when a reader has chosen another step. */
    constructor(onStep) {
      this.onStep = onStep;
      this.step = null;
      this.actions = [];
      this.seat = null; // the seat whose cards alone are shown; null shows all
      this.bottom = "S";
      this.suits = ["S", "H", "D", "C"]; // their order in a hand
      this.keepsPlaces = false; // whether a card's place stays empty when it was played
      this.corners = () => []; // what the felt has beside hands and trick, for a position
      this.build();
    }

    /** The place of a seat on the page, as on a compass: the seat at the `bottom` is at South's. */
    place(seat) {
      const seats = ["N", "E", "S", "W"];
      return seats[(seats.indexOf(seat) - seats.indexOf(this.bottom) + 6) % 4];
    }

    // The document.

    update(board, table) {
      const follows = this.step !== null && this.step === this.actions.length;
      const isSame = this.table === undefined || this.table.number === table.number;
      this.board = board;
      this.table = table;
      this.actions = Arena.actions(board, table);
      if (this.step === null || !isSame) this.step = this.opening();
      else if (follows) this.step = this.actions.length;
      this.step = Math.min(this.step, this.actions.length); // another board may have fewer
      this.draw();
    }

    /** A board that is over opens before the lead, one that is played at its end. */
    opening() {
      const isOver = this.table.tricks !== undefined || this.table.contract === "Pass";
      return isOver && (this.table.cards || []).length ? this.table.calls.length : this.actions.length;
    }

    // Stepping.

    /** Show the position after `step` actions. */
    go(step) {
      this.step = Math.max(0, Math.min(this.actions.length, step));
      this.draw();
    }

    /** Go to a step that the reader has chosen, and update the page's address. */
    choose(step) {
      this.go(step);
      this.onStep(this);
    }

    /** Show all cards, if `seat` is null, or only those that a player has at that seat. */
    from(seat) {
      this.seat = seat;
      this.draw();
    }

    /** Go to the next call, card or claim that cost something; behind the last comes the first. */
    chooseMistake() {
      const steps = this.seat ? [] : this.actions.flatMap((each, index) => (Arena.isMistake(each) ? index + 1 : []));
      const next = steps.find((step) => step > this.step) || steps[0];
      if (next) this.choose(next);
    }

    /** The last action in words. */
    told() {
      const last = this.step ? this.shown.actions[this.step - 1] : null;
      if (last === null) return "Before the first call";
      const cost = last.cost ? ", which cost " + tricks(last.cost) : "";
      if (last.kind === "claim") return "Claimed: declarer has " + tricks(last.tricks) + cost;
      const who = Arena.SEAT_NAMES[last.seat];
      if (last.kind === "card") return who + " played the " + Arena.cardName(last.card) + cost;
      const alert = last.alert ? ", alerted" : "";
      const meaning = (last.explanation ? ": " + last.explanation : "") +
        (last.callCost ? "; " + lost(last) : "");
      return who + " called " + Arena.callName(last.call) + alert + meaning;
    }

    // The parts that do not change with the step.

    build() {
      const id = "table-" + ++tables;
      const button = (icon, label, step) =>
        Arena.button(() => this.choose(step()), { "aria-label": label, title: label }, Arena.icon(icon));
      this.heading = element("h2", { id });
      this.summary = element("p", { class: "summary" });
      this.felt = element("div", { class: "felt" });
      this.score = element("p", { class: "score" });
      this.auction = element("div", { class: "auction" });
      this.explained = element("p", { class: "explained" });
      this.play = element("div", { class: "play" });
      this.thought = element("div", { class: "thought" });
      this.remarks = element("div", { class: "remarks" });
      this.now = element("p", { class: "now", role: "status" });
      this.slider = element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step" });
      this.slider.addEventListener("input", () => this.choose(Number(this.slider.value)));
      this.line = element("div", { class: "line", "aria-hidden": "true", title: "declarer's tricks double dummy" });
      this.line.addEventListener("click", (event) => {
        const { left, width } = this.line.getBoundingClientRect();
        this.choose(Math.round((this.actions.length * (event.clientX - left)) / width));
      });
      this.mistake = Arena.button(() => this.chooseMistake(), { class: "mistake" }, "Next mistake");
      this.element = element("section", { class: "table", "aria-labelledby": id },
        element("div", { class: "title" }, this.heading, this.summary),
        element("div", { class: "sides" },
          element("div", { class: "seen" }, this.felt,
            element("div", { class: "controls", role: "group", "aria-label": "Steps of the board" },
              button("start", "To the start", () => 0),
              button("back", "One step back", () => this.step - 1),
              element("div", { class: "slide" }, this.slider, this.line),
              button("on", "One step on", () => this.step + 1),
              button("end", "To the end", () => this.actions.length)),
            element("div", { class: "tally" }, this.mistake, this.score),
            this.now, this.thought),
          element("div", { class: "told" }, this.auction, this.explained, this.play, this.remarks)));
      for (const event of ["pointerover", "focusin", "click"]) {
        this.auction.addEventListener(event, (found) => this.explain(found.target));
      }
      for (const event of ["pointerleave", "focusout"]) {
        this.auction.addEventListener(event, () => this.explain(null));
      }
      for (const list of [this.auction, this.play]) {
        list.addEventListener("click", (event) => {
          const found = event.target.closest("[data-step]");
          if (found) this.choose(Number(found.dataset.step));
        });
      }
    }

    /** Show the meaning of the call under the pointer or with the focus; else of the last call. */
    explain(target) {
      const found = target && target.closest("[data-step]");
      const step = found ? Number(found.dataset.step) : this.step;
      const call = step ? this.shown.actions[step - 1] : null;
      const text = call && call.kind === "call" && (call.explanation || (call.alert && "alerted"));
      this.explained.replaceChildren();
      this.explained.hidden = !this.actions.some((each) => each.explanation || each.alert);
      if (!text) return;
      this.explained.append(element("b", {}, Arena.SEAT_NAMES[call.seat] + "’s "),
        element("b", {}, Arena.call(call.call)), ": " + text);
    }

    // The parts that change with each step.

    draw() {
      const [board, table] = this.seat
        ? Arena.viewFrom(this.seat, this.board, this.table, this.step) : [this.board, this.table];
      this.shown = { board, table, actions: Arena.actions(board, table) };
      const position = Arena.position(board, table, this.step);
      const focused = document.activeElement;
      const held = focused && this.element.contains(focused) ? focused.dataset.step : undefined;
      this.heading.textContent = this.table.name;
      this.summary.replaceChildren(...this.summed());
      this.felt.replaceChildren(...COLUMNS.map((seat) => this.hand(position, seat)),
        this.center(position), ...this.corners(position));
      this.score.replaceChildren(...this.scored(position));
      this.auction.replaceChildren(this.bidding(position));
      this.play.replaceChildren(...this.tricksPlayed(position));
      this.thought.replaceChildren(...this.expected(position.last), ...this.thoughtOf(position.last));
      this.remarks.replaceChildren(...this.remarked());
      this.slider.max = this.actions.length;
      this.slider.value = this.step;
      const told = this.told();
      this.slider.setAttribute("aria-valuetext", told);
      // Screen readers read it aloud, so it is set only if it has changed.
      if (this.now.textContent !== told) this.now.textContent = told;
      this.mistake.hidden = !this.shown.actions.some(Arena.isMistake);
      this.line.replaceChildren(...this.drawn());
      this.explain(null);
      if (held !== undefined) {
        const again = this.element.querySelector('[data-step="' + held + '"]');
        if (again) again.focus({ preventScroll: true });
      }
    }

    summed() {
      const { contract, declarer, result, score, imps, worth } = this.shown.table;
      const parts = [];
      if (contract) {
        const shown = Arena.contract(contract, declarer);
        if (result) shown.append(" ", element("b", {}, minus(result)));
        parts.push(shown);
      }
      if (score !== undefined) parts.push(element("span", {}, "NS " + signed(score)));
      if (imps !== undefined) parts.push(element("span", {}, signed(imps) + " IMPs to NS"));
      if (worth) parts.push(element("span", {}, worth));
      return parts;
    }

    hand(position, seat) {
      const { board, table } = this.shown;
      const vulnerable = isVulnerable(board, seat);
      const isDummy = table.declarer && table.contract !== "Pass" &&
        seat !== table.declarer && side(seat) === side(table.declarer);
      const name = element("p", { class: "who" },
        element("span", { class: "seat" + (vulnerable ? " vulnerable" : "") },
          element("span", { "aria-hidden": "true" }, seat),
          Arena.spoken(Arena.SEAT_NAMES[seat] + (vulnerable ? ", vulnerable" : ""))),
        element("span", { class: "name", title: table.players[seat] }, table.players[seat]),
        board.dealer === seat ? element("abbr", { class: "chip", title: "dealer" },
          element("span", { "aria-hidden": "true" }, "D"), Arena.spoken("dealer")) : null,
        isDummy && !position.isBidding ? element("span", { class: "chip" }, "dummy") : null,
        this.clock(seat));
      const hand = element("div", {
        "data-hand": seat, class: "hand " + this.place(seat) + (position.turn === seat ? " turn" : ""), role: "group",
        "aria-label": Arena.SEAT_NAMES[seat] + (position.turn === seat ? ", to act" : ""),
      }, name);
      // At the end of the play the hands are shown as they were dealt.
      const isPlayedOut = position.cards.length === 52 && board.deal[seat];
      const cards = isPlayedOut ? Arena.left(board.deal[seat], []) : position.hands[seat];
      if (cards === null) {
        const backs = element("div", { class: "backs" },
          Arena.spoken(position.hidden[seat] + " cards, hidden"));
        for (let left = position.hidden[seat]; left > 0; left -= 1) {
          backs.append(element("span", { class: "card small back", "aria-hidden": "true" }));
        }
        hand.append(backs);
        return hand;
      }
      const holdings = element("div", { class: "holdings" + (isPlayedOut ? " spent" : "") });
      const dealt = this.keepsPlaces ? Arena.left(board.deal[seat], []) : cards;
      for (const suit of this.suits) {
        const letters = Array.from(cards[suit] || "", Arena.rank).join("").length;
        const held = element("span", { class: "cards" + (letters > 6 ? " long" : "") + (letters > 9 ? " longest" : "") });
        for (const rank of dealt[suit] || "") {
          if (!cards[suit].includes(rank)) {
            held.append(element("span", { class: "gone" }));
            continue;
          }
          const card = Arena.smallCard(suit + rank);
          card.dataset.seat = seat;
          const costs = seat === position.turn ? this.known().cards : {};
          if (suit + rank in costs) card.append(this.value(costs[suit + rank]));
          held.append(card, " ");
        }
        if (!cards[suit]) held.append(element("span", { class: "void" }, "–"));
        holdings.append(element("p", { class: "holding" },
          Arena.suit(suit, Arena.SUITS[suit].name), held));
      }
      hand.append(holdings);
      return hand;
    }

    /** The trick on the table; in the auction the calls of the last round. */
    center(position) {
      const place = element("div", { class: "center", role: "group", "aria-label": "On the table" });
      if (position.isBidding) {
        for (const call of position.calls.slice(-4)) {
          place.append(element("span", { class: "made " + this.place(call.seat) },
            Arena.spoken(Arena.SEAT_NAMES[call.seat]), Arena.call(call.call)));
        }
        return place;
      }
      for (const each of position.trick) {
        const card = Arena.card(each.card);
        if (each.seat === position.winner) card.classList.add("won");
        if (each.cost) card.append(this.cost(each.cost));
        place.append(element("span", { class: "played " + this.place(each.seat) },
          Arena.spoken(Arena.SEAT_NAMES[each.seat]), card));
      }
      return place;
    }

    /** The time that a player has thought, if it is known. */
    clock(seat) {
      const { clocks } = this.shown.table;
      if (!clocks) return null;
      return element("span", { class: "clock", title: "time used" }, used(clocks[seat]), Arena.spoken(" used"));
    }

    /** Add the seconds since the last action to the clock of the player whose turn it is. */
    tick(seconds) {
      const hand = this.element.querySelector(".hand.turn");
      const shown = hand && hand.querySelector(".clock");
      if (shown) shown.firstChild.data = used(this.table.clocks[hand.dataset.hand] + seconds);
    }

    /** The double-dummy value of the position, if the reader wants to know it. */
    known() {
      const values = Arena.isKibitzing ? (this.shown.table.values || {})[this.step] : undefined;
      return values || { cards: {} };
    }

    /** The cost of a card that may be played. */
    value(count) {
      if (count) return this.cost(count);
      return element("i", { class: "cost free", title: "costs nothing" },
        element("span", { "aria-hidden": "true" }, "="), Arena.spoken(", costs nothing"));
    }

    cost(count) {
      return element("i", { class: "cost", title: "cost " + tricks(count) },
        element("span", { "aria-hidden": "true" }, "−" + count),
        Arena.spoken(", cost " + tricks(count)));
    }

    scored(position) {
      if (position.isBidding || !this.shown.table.declarer) return [];
      const shown = [element("span", {}, "Tricks: NS " + position.won.NS + ", EW " + position.won.EW)];
      const known = this.known();
      const total = known.dd === undefined ? position.dd : known.dd;
      if (total !== null) {
        shown.push(element("span", { class: "quiet" },
          "double dummy declarer takes " + total));
      }
      return shown;
    }

    /** A button that goes to the position after a call, card or claim. */
    reached(step, style, ...shown) {
      return element("button", {
        type: "button", "data-step": step, class: (step <= this.step ? "done" : "to-come") + style,
        "aria-current": step === this.step ? "step" : null,
      }, ...shown);
    }

    bidding(position) {
      const { board, actions } = this.shown;
      const calls = actions.filter((each) => each.kind === "call");
      const cells = Array.from({ length: COLUMNS.indexOf(board.dealer) }, () => element("td", {}));
      calls.forEach((call, index) => {
        const means = call.explanation || (call.alert ? "alerted" : "");
        const button = this.reached(index + 1, means ? " means" : "", Arena.call(call.call));
        const cost = call.callCost && call.callCost.isClear ? call.callCost.gain.toFixed(1) : null;
        if (cost) {
          button.append(element("i", { class: "cost", title: lost(call) },
            element("span", { "aria-hidden": "true" }, "−" + cost), Arena.spoken(", " + lost(call))));
        }
        if (call.alert) button.append(element("sup", { class: "alert", "aria-hidden": "true" }, "!"));
        const spoken = (call.alert ? ", alerted" : "") + (call.explanation ? ": " + call.explanation : "");
        if (means) button.append(Arena.spoken(spoken));
        cells.push(element("td", {}, button));
      });
      if (position.isBidding && position.turn && this.step === this.actions.length) {
        cells.push(element("td", { class: "due" }, "?"));
      }
      const rows = [];
      for (let start = 0; start < cells.length; start += 4) {
        rows.push(element("tr", {}, ...cells.slice(start, start + 4)));
      }
      return Arena.grid({ caption: "Auction", heads: COLUMNS.map((seat) => Arena.SEAT_NAMES[seat]), rows,
        classes: COLUMNS.map((seat) => (isVulnerable(board, seat) ? "vulnerable" : null)) });
    }

    tricksPlayed(position) {
      const { table, actions } = this.shown;
      const cards = table.cards || [];
      if (!cards.length) return [];
      const from = table.calls.length;
      const rows = [];
      let taken = 0;
      for (let start = 0; start < cards.length; start += 4) {
        const winner = (table.winners || [])[start / 4];
        const cells = {};
        cards.slice(start, start + 4).forEach((each, offset) => {
          const step = from + start + offset + 1;
          const [led, won] = [!offset, each.seat === winner];
          cells[each.seat] = element("td", {}, this.reached(step,
            (led ? " led" : "") + (won ? " won" : "") + (each.cost ? " lost" : ""),
            element("span", { class: "text " + each.card[0], "aria-hidden": "true" },
              Arena.suit(each.card[0]), Arena.rank(each.card[1])),
            Arena.spoken(Arena.cardName(each.card) + (led ? ", led" : "") + (won ? ", won" : "")),
            each.cost ? this.cost(each.cost) : null));
        });
        if (winner && side(winner) === side(table.declarer)) taken += 1;
        rows.push(element("tr", {}, element("th", { scope: "row" }, String(start / 4 + 1)),
          ...COLUMNS.map((seat) => cells[seat] || element("td", {})),
          element("td", { class: "taken" }, winner ? String(taken) : "")));
      }
      const won = element("abbr", { title: "tricks that declarer has won so far" }, "Won");
      const shown = [Arena.grid({ caption: "Play", heads: [Arena.spoken("Trick"), ...COLUMNS, won], rows })];
      const { claim } = table;
      if (claim) {
        shown.push(element("p", { class: "claim" }, this.reached(actions.length, claim.cost ? " lost" : "",
          "Claimed: " + tricks(claim.tricks), claim.cost ? this.cost(claim.cost) : null)));
      }
      return shown;
    }

    /** The contracts that were to be expected after a call that cost something, and after the best other one. */
    expected(action) {
      const { callCost, call, seat } = action || {};
      if (!callCost || !callCost.contracts) return [];
      const row = (of) => ({ contract, share, points }, place) => {
        const [name, declarer] = contract.split(" ");
        return element("tr", {},
          element("th", { scope: "row" }, ...(place ? [] : [Arena.call(of)])),
          element("td", {}, contract ? Arena.contract(name, declarer) : "other contracts"),
          element("td", { class: "number" }, Math.round(100 * share) + " %"),
          element("td", { class: "number" }, signed(points)));
      };
      return [element("h3", {}, "What was to be expected"), Arena.grid({
        heads: ["After", "Contract", "Layouts", "Points " + side(seat)], classes: [null, null, "number", "number"],
        rows: [...callCost.contracts.map(row(call)), ...callCost.bestContracts.map(row(callCost.best))],
      })];
    }

    thoughtOf(action) {
      const thought = action && action.thought;
      if (!thought) return [];
      const shown = [element("h3", {}, "What " + Arena.SEAT_NAMES[action.seat] + " thought")];
      if (thought.text) shown.push(element("p", {}, thought.text));
      const rows = (thought.candidates || []).map((each) => element("tr", {},
        element("th", { scope: "row" }, Arena.action(each.action)),
        element("td", {}, each.value === undefined ? "" : minus(String(each.value)))));
      if (rows.length) shown.push(Arena.grid({ heads: ["Choice", "Value"], rows }));
      const facts = [["layouts", "layouts"], ["depth", "deep"], ["seconds", "s"]]
        .filter(([key]) => thought[key] !== undefined)
        .map(([key, unit]) => thought[key] + " " + unit);
      if (facts.length) shown.push(element("p", { class: "quiet" }, facts.join(", ")));
      return shown;
    }

    remarked() {
      const { remarks, pbn } = this.shown.table;
      const shown = (remarks || []).map((text) => element("p", {}, text));
      if (pbn) {
        shown.push(element("details", {}, element("summary", {}, "PBN"),
          element("pre", { tabindex: 0 }, pbn)));
      }
      return shown;
    }

    /** The line below the slider: declarer's double-dummy tricks after each card. A red step is a mistake's
     * cost; the dashed line is what the contract needs. */
    drawn() {
      const { table, actions } = this.shown;
      const from = (table.calls || []).length;
      const tricks = Arena.doubleDummy(table, actions).slice(from);
      if (tricks.length < 2 || tricks[0] === null || !table.declarer) return [];
      const needed = 6 + Number(table.contract[0]);
      const most = Math.max(needed, ...tricks) + 1;
      const least = Math.min(needed, ...tricks) - 1;
      let path = "M" + from + " " + (most - tricks[0]);
      let steps = "";
      for (let place = 1; place < tricks.length; place += 1) {
        path += "H" + (from + place) + "V" + (most - tricks[place]);
        if (tricks[place] === tricks[place - 1]) continue;
        steps += "M" + (from + place) + " " + (most - tricks[place - 1]) + "V" + (most - tricks[place]);
      }
      const label = (text, count) => {
        const shown = element("span", {}, text + " " + count);
        shown.style.top = "max(16px, " + (100 * (most - count)) / (most - least) + "%)";
        return shown;
      };
      const taken = table.tricks === undefined ? null : label("took", table.tricks);
      return [label("needs", needed), ...(taken ? [taken] : []), Arena.drawing(actions.length, most - least,
        ["needed", "M" + from + " " + (most - needed) + "H" + actions.length], ["tricks", path], ["lost", steps])];
    }
  };
})(window.Arena);
