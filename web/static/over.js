"use strict";
// The last board, at a seat: `Arena.over(section, over)` shows its result. `Arena.farewell(hasPlayed,
// results)` returns the elements for the end of the event, `Arena.interrupted(command)` the one for its interruption.
window.Arena = window.Arena || {};
(function (Arena) {
  const element = Arena.element;
  const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value);

  Arena.over = function (section, over) {
    const { seat } = over;
    const own = "NS".includes(seat) ? 1 : -1;
    const rows = over.tables.map((table) => element("tr", {},
      element("th", { scope: "row" }, table.name),
      element("td", {}, table.contract ? Arena.contract(table.contract, table.declarer) : "…"),
      element("td", {}, (table.result || "").replace("-", "−")),
      element("td", { class: "number" }, table.score === undefined ? "" : signed(own * table.score))));
    const head = ["Table", "Contract", "Result", "For you"].map((text, at) =>
      element("th", { scope: "col", class: at === 3 ? "number" : null }, text));
    const shown = [element("div", { class: "wide" }, element("table", {},
      element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows)))];
    const { imps } = over.tables[over.place];
    if (imps !== undefined) {
      shown.push(element("p", {}, imps ? signed(own * imps) + (Math.abs(imps) === 1 ? " IMP" : " IMPs") + " for you." : "No swing."));
    }
    if (over.undone) {
      const times = over.undone === 1 ? "once" : over.undone + " times";
      shown.push(element("p", {}, "Played with undo, which you used " + times + "."));
    }
    if (over.par) {
      shown.push(element("p", {}, "Par: " + signed(own * over.par.score) + " for you", ...over.par.contracts.map(Arena.made)));
    }
    const { declarer } = over.tables[over.place];
    const named = (who) => (who === seat ? "You" : Arena.SEAT_NAMES[who]);
    const played = (from) => (from === Arena.partner(declarer)
      ? named(declarer) + " played, from dummy, the " : named(from) + " played the ");
    const costs = over.costs.map((each) => element("li", {}, played(each.seat) + Arena.cardName(each.card) +
      ": −" + each.cost + (each.cost === 1 ? " trick" : " tricks")));
    const solved = element("div", {});
    if (costs.length) solved.append(element("p", {}, "What cards cost, double dummy:"), element("ul", {}, ...costs));
    else if (over.is_solved) solved.append(element("p", {}, "No card at your table cost a trick, double dummy."));
    else solved.append(element("p", { class: "quiet" }, "The solver looks at what each card cost …"));
    if (over.href) shown.push(element("p", {}, element("a", { href: over.href, target: "_blank", rel: "noopener" }, "Replay of board " + over.board)));
    section.querySelector("h2").textContent = "Board " + over.board;
    section.querySelector("div").replaceChildren(element("div", {}, ...shown), solved);
    section.hidden = false;
  };

  /** The text after the last board. `results`: where they are written, for a person at that machine. */
  Arena.farewell = function (hasPlayed, results) {
    const shown = [];
    if (hasPlayed) shown.push(element("p", { id: "end" }, "That was the last board. What came of it stands below, with its replay."));
    if (results) shown.push(element("p", {}, "Results and report are written to the folder ", element("code", {}, results), "."));
    return shown;
  };

  /** The text after an interruption. `command`: what goes on, for the person who started the arena. */
  Arena.interrupted = function (command) {
    const how = command ? ["To go on with the boards that are left, type ", element("code", {}, command), "."]
      : ["When it goes on, whoever runs it has a new link for you."];
    return element("p", { id: "interrupted" }, ...how);
  };
})(window.Arena);
