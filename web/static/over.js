"use strict";
// Boards that are over, at a seat: `Arena.over(section, over, card, go)` shows the result of one,
// `Arena.scorecard(section, card)` those of all, `Arena.farewell` and `Arena.interrupted` what stands at the end.
(function (Arena) {
  const { element, signed, minus } = Arena;
  /** A number with its unit, as in "−1 IMP", "62.5 %". */
  const inUnit = (value, unit) => (unit === "%" ? value : signed(value)) + " " +
    (Math.abs(value) === 1 ? unit.replace(/s$/, "") : unit);
  /** The total of a section with what it is of, as in "Round 2 +3 IMPs". */
  Arena.total = ({ scope, total, unit }) => scope[0].toUpperCase() + scope.slice(1) + " " + inUnit(total, unit);
  const worth = (value, unit) => (unit === "%" ? String(value) : signed(value));
  const number = (text, attributes) => element("td", { class: "number", ...attributes }, text);

  const contract = (table) => element("td", {},
    ...(table.contract ? [Arena.contract(table.contract, table.declarer), " ", element("b", {}, minus(table.result))] : ["…"]));

  /** The factor from North-South's points to those of a seat's side. */
  const side = (seat) => ("NS".includes(seat) ? 1 : -1);
  const points = (table, seat) => (table.score === undefined ? "" : signed(side(seat) * table.score));

  /** The section and the line of the scorecard that have a board: the last, if it was played again. */
  function lineOf(card, board) {
    for (const section of card.slice().reverse()) {
      const line = section.lines.slice().reverse().find((each) => each.board === board);
      if (line) return { section, line };
    }
    return {};
  }

  /** What the board was worth, in a line: "−3 IMPs · you +100, they +200 with your cards · match −3". */
  function summary(over, card) {
    const { section, line } = lineOf(card, over.board.board);
    const own = over.board.tables[0];
    const parts = [];
    if (line && line.worth !== undefined) parts.push(element("b", {}, inUnit(line.worth, section.unit) + (section.against ? " against " + section.against : "")));
    const you = own.score === undefined ? "given up" : "you " + (points(own, over.seat) || "0");
    const other = line && line.other;
    parts.push(other && other.score !== undefined
      ? you + ", they " + points(other, over.seat) + " with your cards" : you);
    if (section && section.total !== undefined) parts.push(section.scope + " " + worth(section.total, section.unit));
    return element("p", { class: "verdict" }, ...parts.flatMap((part, at) => (at ? [" · ", part] : [part])));
  }

  /** Links to the cards and calls that cost something, the most costly first. */
  function costs(over, go) {
    const [table] = over.board.tables;
    const named = (seat) => (seat === over.seat ? "You" : Arena.SEAT_NAMES[seat]);
    const lost = ({ cost, callCost }) => cost || callCost.gain;
    const actions = Arena.actions(over.board, table);
    const links = (kind, words) => actions.filter((action) => action.kind === kind && Arena.isMistake(action))
      .sort((one, other) => lost(other) - lost(one)).map((action) => element("li", {},
        Arena.button(() => go(actions.indexOf(action) + 1), { class: "link" }, words(action))));
    const cards = links("card", ({ seat, card, cost }) => (seat === Arena.partner(table.declarer)
      ? named(table.declarer) + " played, from dummy, the " : named(seat) + " played the ") +
      Arena.cardName(card) + ": −" + cost + (cost === 1 ? " trick" : " tricks"));
    const calls = links("call", ({ seat, call, callCost: { best, gain } }) =>
      named(seat) + " called " + Arena.callName(call) + ", not " + Arena.callName(best) + ": −" + gain.toFixed(1) + " IMPs");
    const list = (links, heading, isKnown, none, open) => (links.length
      ? [element("p", {}, heading), element("ul", {}, ...links)] : [element("p", { class: "quiet" }, isKnown ? none : open)]);
    return [
      list(cards, "What cards cost, double dummy:", over.is_solved,
        "No card at your table cost a trick, double dummy.", "The solver looks at what each card cost …"),
      list(calls, "What calls cost, on average:", over.is_weighed, "No call at your table was clearly worse than another.",
        over.is_solved ? "The solver looks at what each call cost …" : ""),
    ];
  }

  Arena.over = function (section, over, card, go) {
    const shown = [summary(over, card)];
    const { line } = lineOf(card, over.board.board);
    const others = line && line.other ? [line.other]
      : over.tables.filter((table, at) => at !== over.place && table.contract);
    for (const table of others) shown.push(element("p", {}, table.name + ": ", ...contract(table).childNodes));
    const { par } = over.board;
    if (par) shown.push(element("p", {}, "Par: " + signed(side(over.seat) * par.score) + " for you ", ...par.contracts.map(Arena.made)));
    if (over.undone) {
      const times = over.undone === 1 ? "once" : over.undone + " times";
      shown.push(element("p", {}, "Played with undo, which you used " + times + "."));
    }
    const replay = over.href ? [element("a", { href: over.href, target: "_blank", rel: "noopener" }, over.link || "Replay of board " + over.board.board)] : [];
    section.querySelector("h2").textContent = "Board " + over.board.board;
    const parts = [shown, ...costs(over, go), replay];
    Array.from(section.querySelector("div").children).forEach((part, at) => Arena.renew(part, parts[at]));
    section.hidden = false;
  };

  // The scorecard.

  /** A contract and its result, with the declarer by letter. */
  function short(table) {
    if (!table.contract || !table.declarer) return contract(table);
    return element("td", {}, Arena.contract(table.contract), " ",
      element("abbr", { title: Arena.SEAT_NAMES[table.declarer] }, table.declarer), " ", element("b", {}, minus(table.result)));
  }

  function row(line, unit, isCompared) {
    const { seat, table, other } = line;
    const name = line.href
      ? element("a", { href: line.href, target: "_blank", rel: "noopener" }, String(line.board)) : String(line.board);
    const cells = [element("th", { scope: "row" }, name), short(table), number(points(table, seat))];
    if (isCompared) cells.push(...(other ? [short(other), number(points(other, seat))] : [element("td", {}, "…"), number("")]));
    const told = (value) => number(value === undefined ? "" : worth(value, unit));
    return element("tr", {}, ...cells, told(line.worth), told(line.total));
  }

  Arena.scorecard = function (section, card) {
    const shown = [];
    for (const { title, unit, lines, result } of card) {
      if (title) shown.push(element("h3", {}, title));
      if (result) shown.push(element("p", { class: "verdict" }, element("b", {}, result)));
      const isCompared = lines.some((line) => line.other);
      const heads = isCompared ? ["Board", "You", "Points", "They", "Points", unit, "Total"]
        : ["Board", "You", "Points", unit, unit === "%" ? "Mean" : "Total"];
      const numbers = isCompared ? [2, 4, 5, 6] : [2, 3, 4];
      shown.push(element("div", { class: "across" }, Arena.grid({ heads, rows: lines.map((line) => row(line, unit, isCompared)),
        classes: heads.map((_, place) => (numbers.includes(place) ? "number" : null)) })));
    }
    Arena.renew(section.querySelector("div"), shown);
    section.hidden = !card.length;
  };

  // The end.

  /** The links and texts after the last board. `event`: the address of its boards; `results`: where they are on this
   * machine; `again`: the command for another match, `another`: its address. */
  Arena.farewell = function ({ hasPlayed, event, results, again, another }) {
    const shown = [];
    const link = (href, text) => element("a", { href, target: "_blank", rel: "noopener" }, text);
    if (hasPlayed) shown.push(element("p", { id: "end" }, "That was the last board."));
    if (event) shown.push(element("p", {}, link(event + "report/", "Report"), " · ", link(event, "All boards")));
    if (results) shown.push(element("p", {}, "Results and report are written to the folder ", element("code", {}, results), "."));
    if (another) shown.push(element("p", {}, element("a", { href: another }, "Play again")));
    if (again) shown.push(element("p", { id: "again" }, "To play again, type ", element("code", {}, again), "."));
    return shown;
  };

  /** The text after an interruption. `command`: what goes on, for the person who started the arena. */
  Arena.interrupted = function (command) {
    const how = command ? ["To go on with the boards that are left, type ", element("code", {}, command), "."]
      : ["When it goes on, whoever runs it has a new link for you."];
    return element("p", { id: "interrupted" }, ...how);
  };
})(window.Arena);
