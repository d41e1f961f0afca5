"use strict";
// The lobby: follows the event, its tables, its matches and what came of them. Every part is drawn anew when it
// changes, and put in place of the old one without replacing what stays, which keeps the focus and its place.
(function (Arena) {
  const { element, minus } = Arena;
  const find = (id) => document.getElementById(id);
  let state = null;
  let trouble = "";

  function take(changes) {
    const parts = new Set();
    for (const change of changes) {
      if (change.state) {
        state = change.state;
        begin();
        for (const part of Object.keys(DRAWN)) parts.add(part);
        continue;
      }
      for (const [part, value] of Object.entries(change)) {
        if (part === "tables") for (const row of value) Object.assign(state.tables[row.number - 1], row);
        else if (part === "rounds") Object.assign(state.rounds, value);
        else state[part] = value;
        parts.add(part === "featured" ? "tables" : part);
      }
    }
    for (const part of parts) DRAWN[part]();
    if (state.isOver) stop(); // nothing is to come
    report();
  }

  const report = () => say(trouble || (state.isOver ? "The event is over." : "The event is under way."));

  /** Show the state; a screen reader must not repeat what it has said. */
  function say(text) {
    if (find("state").textContent !== text) find("state").textContent = text;
  }

  /** Show what does not change while the event is played. */
  function begin() {
    const { name, format } = state.event;
    find("format").textContent = name.includes(format) ? "" : format;
    find("own").hidden = find("report").hidden = !state.own;
    find("own").href = state.own;
    find("report").href = state.own + "report/";
    find("test-section").hidden = !state.test;
    find("swing-section").hidden = !state.isTeams;
    find("so-far").hidden = state.isOver || state.standings.unit !== "VP";
    find("crosstable-section").hidden = !state.hasCrosstable;
    find("rounds-heading").textContent = isKnockOut() ? "Bracket" : state.isTeams ? "Matches" : "Rounds";
    find("past-section").hidden = !state.past.length;
    find("past").replaceChildren(...state.past.map((event) => element("li", {},
      element("a", { href: event.href }, event.name), " ", element("span", { class: "quiet" }, event.text))));
  }

  const isKnockOut = () => state.event.format === "knock-out";

  const DRAWN = {
    progress() {
      find("progress").textContent = state.progress + ".";
    },
    test() {
      if (state.test) fill("test", test(state.test));
    },
    swing() {
      fill("swing", swing(state.swing));
    },
    tables() {
      fill("tables", state.tables.map((row) => felt(row, "h3")));
      fill("featured", state.featured ? [felt(state.tables[state.featured - 1])] : []);
    },
    standings() {
      find("unit").textContent = state.standings.unit || "Score";
      fill("standings", state.standings.rows.map(standing));
    },
    rounds() {
      if (state.hasCrosstable) fill("crosstable", crosstable());
      fill("rounds", isKnockOut() ? bracket() : rounds());
    },
  };

  /** Make the children of an element these; those that are alike stay as they are. */
  function fill(id, children) {
    const made = find(id).cloneNode(false);
    made.append(...children);
    Arena.merge(find(id), made);
  }

  // Sequential test, swing, standings.

  function test({ lower, upper, llr, text, ratio }) {
    const at = (value) => Math.round(1000 * Math.min(1, Math.max(0, (value - lower) / (upper - lower))));
    const bound = (name, value) => element("span", {}, element("b", {}, name), " at " + minus(value.toFixed(2)));
    return [
      element("p", { class: "bounds" }, bound("H0", lower), bound("H1", upper)),
      Arena.drawing(1000, 10, ["ground", "M0 0H1000V10H0z"], ["llr", "M" + at(0) + " 0H" + at(llr) + "V10H" + at(0) + "z"],
        ["zero", "M" + at(0) + " 0V10"]),
      element("p", {}, text),
      element("p", { class: "quiet" }, minus(ratio)),
    ];
  }

  const decimal = (value) => minus(Number.isInteger(value) ? String(value) : value.toFixed(2));

  function swing(latest) {
    if (!latest) return [element("p", { class: "quiet" }, "None yet.")];
    const [winner, loser] = latest.entries.map((entry) => state.names[entry]);
    const [open, closed] = latest.results.map((text) => (text === "Pass" ? "passed out" : text ? Arena.made(text) : "no result"));
    return [
      element("p", {}, element("a", { href: "boards/" + latest.key + ".html" }, "Board " + latest.board),
        ": " + latest.imps + " IMPs to " + winner + " against " + loser),
      element("p", { class: "quiet" }, open, " in the open room, ", closed, " in the closed room",
        latest.isRuled ? "; the director ruled on it" : ""),
    ];
  }

  function standing(row) {
    return element("tr", {}, element("td", {}, String(row.rank)),
      element("th", { scope: "row" }, row.name + (row.withdrawn ? " (withdrawn)" : "")),
      element("td", { class: "number" }, decimal(row.score)),
      element("td", { class: "number" }, String(row.boards)));
  }

  // Tables.

  /** A small picture of a table; `trick` is the trick in play, if it is shown. */
  function felt(row, heading) {
    const { shown } = row;
    const lineup = (shown || row).lineup || [];
    const sits = Array.from("NESW", (seat, place) => {
      const card = heading || !shown || !shown.trick || shown.isOver ? null : shown.trick[seat];
      return element("span", { class: "sits " + seat }, element("b", {}, seat), " ",
        element("span", {}, state.names[lineup[place]] || ""),
        heading ? null : element("span", { class: "in-trick" }, card ? Arena.action(card) : ""));
    });
    const link = element("a", { href: "tables/" + row.number }, "Table " + row.number);
    return element("li", {}, heading ? element(heading, {}, link) : link,
      element("p", { class: "plays quiet" }, plays(row)),
      element("div", { class: "felt" }, ...sits, element("p", { class: "now" }, ...now(row))),
      state.isTeams ? element("p", { class: "score" }, (shown && shown.score) || "") : null);
  }

  function plays(row) {
    if (!row.lineup) return "Waits";
    return "Board " + row.board + (row.room ? ", " + row.room.toLowerCase() + " room" : "") +
      inRound(row);
  }

  const inRound = ({ round }) => (state.roundsInAll > 1 ? ", round " + round : "");

  /** What the table shows now, in three short lines. */
  function now({ board, round, shown }) {
    if (!shown) return ["nothing shown yet"];
    const isSame = shown.board === board && shown.round === round;
    const lines = [isSame ? "" : "Board " + shown.board + inRound(shown)];
    if (shown.contract) {
      lines.push(element("b", {}, Arena.contract(shown.contract, shown.declarer), shown.result ? " " + minus(shown.result) : ""));
      const [own, other] = "NS".includes(shown.declarer) ? shown.won : [...shown.won].reverse();
      if (shown.declarer) lines.push(shown.isOver ? "over" : "won " + own + ", lost " + other);
    } else if (shown.call && !shown.isOver) {
      lines.push("auction", element("span", {}, Arena.SEAT_NAMES[shown.by] + ": ", Arena.call(shown.call)));
    } else {
      lines.push(shown.isOver ? "given up" : "auction");
    }
    return lines.map((line) => element("span", {}, line));
  }

  // Matches.

  const points = (value, scores) => (value > 0 && scores[0] + scores[1] === 0 ? "+" : "") + decimal(value);
  const address = (match) => "matches/" + match.key + ".html";

  function against({ entries }) {
    const names = entries.map((entry) => state.names[entry]);
    return names.length < 4 ? names.join(" – ") : names[0] + ", " + names[2] + " – " + names[1] + ", " + names[3];
  }

  function boards(match) {
    const text = match.boards + " of " + match.of + " boards";
    if (!match.boards) return text;
    return element("a", { href: address(match), "aria-label": text + ": " + against(match) }, text);
  }

  function crosstable() {
    const met = new Map();
    for (const match of state.rounds.flatMap((round) => round.matches)) {
      if (!match.scores) continue;
      const [home, visitors] = match.entries;
      for (const [place, key] of [home + "/" + visitors, visitors + "/" + home].entries()) {
        const score = points(match.scores[place], match.scores);
        const who = place ? against({ entries: [visitors, home] }) : against(match);
        const label = score + ": " + who + (match.isOver ? "" : " so far");
        const link = element("a", { href: address(match), "aria-label": label, class: match.isOver ? null : "quiet" }, score);
        met.set(key, [...(met.get(key) || []), link, " "]);
      }
    }
    const numbers = state.names.map((name, entry) =>
      element("th", { scope: "col" }, String(entry + 1), Arena.spoken(" " + name)));
    const rows = state.names.map((name, entry) => element("tr", {},
      element("th", { scope: "row" }, entry + 1 + " " + name),
      ...state.names.map((_, other) => element("td", { class: entry === other ? "own" : null },
        ...(met.get(entry + "/" + other) || [])))));
    return [element("thead", {}, element("tr", {}, element("td"), ...numbers)), element("tbody", {}, ...rows)];
  }

  /** The rounds that are known, and places for the others, so that nothing moves when they are drawn. */
  function everyRound(draw) {
    return Array.from({ length: Math.max(state.roundsInAll, state.rounds.length) }, (_, place) =>
      draw(state.rounds[place] || { title: "Round " + (place + 1), matches: [] }, place));
  }

  function rounds() {
    const open = state.rounds.findIndex((round) => !round.matches.every((match) => match.isOver || !match.key));
    return everyRound(({ title, matches }, place) => {
      const played = matches.filter((match) => match.key);
      const over = played.filter((match) => match.isOver).length;
      const how = played.length ? over + " of " + played.length + (state.isTeams ? " matches" : " tables") + " over" : "not drawn yet";
      const list = element("ol", { class: "matches" }, ...matches.map((match) => element("li", {},
        element("span", { class: "against" }, against(match)),
        element("b", {}, match.scores ? match.scores.map((score) => points(score, match.scores)).join(" : ") : ""),
        element("span", {}, match.key ? boards(match) : match.reason === "bye" ? "bye" : ""))));
      return state.roundsInAll === 1 ? list
        : element("details", { open: place === open }, element("summary", {}, title + ": " + how), list);
    });
  }

  function bracket() {
    return [element("div", { class: "bracket", role: "region", "aria-label": "Bracket", tabindex: 0 },
      ...everyRound(({ title, matches }) => element("div", {}, element("h3", {}, title),
        matches.length ? element("ol", {}, ...matches.map(pairing)) : element("p", { class: "quiet" }, "not drawn yet"))))];
  }

  function pairing(match) {
    const names = match.entries.map((entry, place) => {
      const goesOn = match.winner === place;
      const score = match.scores ? points(match.scores[place], match.scores) : "";
      return element("p", { class: goesOn ? "won" : null }, element("span", { class: "against" }, state.names[entry]), element("span", {}, score));
    });
    const how = match.reason === "bye" ? "bye" : match.reason && "goes on " + match.reason;
    return element("li", {}, ...names, element("p", { class: "quiet" }, match.key ? boards(match) : "", " ", how));
  }

  const stop = Arena.follow("lobby", take, (text) => {
    trouble = text;
    if (state !== null) report(); else say(text);
  });
})(window.Arena);
