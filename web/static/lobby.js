"use strict";
// The lobby: follows the event, the standings and all tables.
(function (Arena) {
  const element = Arena.element;
  const find = (id) => document.getElementById(id);
  let state = null;
  let trouble = "";

  function take(changes) {
    for (const change of changes) {
      if (change.state) state = change.state;
      if (change.table) Object.assign(state.tables[change.table.number - 1], change.table);
      if (change.played !== undefined) state.played = change.played;
      if (change.standings) state.standings = change.standings;
    }
    if (state.isOver) stop(); // nothing is to come
    draw();
  }

  function draw() {
    say(trouble || (state.isOver ? "The event is over." : "The event is under way."));
    const { name, format } = state.event;
    find("format").textContent = name.includes(format) ? "" : format;
    find("progress").textContent = state.played + (state.played === 1 ? " result" : " results") +
      (state.isOver ? "." : " so far.");
    find("own").hidden = !state.own;
    find("own").href = state.own;
    find("report").hidden = !state.own;
    find("report").href = state.own + "report/";
    fill(find("tables"), state.tables.map(table));
    find("unit").textContent = state.standings.unit || "Score";
    fill(find("standings"), state.standings.rows.map(standing));
    find("past-section").hidden = !state.past.length;
    find("past").replaceChildren(...state.past.map((each) => element("li", {},
      element("a", { href: each.href }, each.name), " ", element("span", { class: "quiet" }, each.text))));
  }

  /** Show the state; a screen reader must not repeat what it has said. */
  function say(text) {
    if (find("state").textContent !== text) find("state").textContent = text;
  }

  /** Show rows of a table. Rows that are the same stay as they are, and keep the focus. */
  function fill(body, rows) {
    while (body.children.length > rows.length) body.lastChild.remove();
    rows.forEach((row, number) => {
      const old = body.children[number];
      if (!old) body.append(row);
      else Array.from(row.children).forEach((cell, place) => {
        if (!old.children[place].isEqualNode(cell)) old.children[place].replaceWith(cell);
      });
    });
  }

  function table(each) {
    const link = element("a", { href: "tables/" + each.number }, "Table " + each.number);
    const cell = (...parts) => element("td", {}, ...parts);
    if (!each.players) {
      // The unit played there could reveal results that are not shown yet.
      const plays = each.players === null ? "not told yet" : "–";
      return element("tr", {}, element("th", { scope: "row" }, link), cell(), cell(), cell(plays), cell(...shown(each)));
    }
    const pair = (one, other) =>
      Array.from(new Set([each.players[one], each.players[other]])).join(" – ");
    const plays = "Board " + each.board + (each.room ? ", " + each.room.toLowerCase() + " room" : "") +
      (each.round > 1 ? ", round " + each.round : "");
    return element("tr", {}, element("th", { scope: "row" }, link),
      cell(pair("N", "S")), cell(pair("E", "W")), cell(plays), cell(...shown(each)));
  }

  function shown(each) {
    const board = each.shown;
    if (!board) return ["–"];
    const parts = board.board === each.board ? [] : ["Board " + board.board + ": "];
    if (!board.contract) return [...parts, "auction"];
    parts.push(Arena.contract(board.contract, board.declarer));
    if (board.result) parts.push(" ", element("b", {}, board.result.replace("-", "−")));
    return parts;
  }

  function standing(row) {
    return element("tr", {}, element("td", {}, String(row.rank)),
      element("th", { scope: "row" }, row.name + (row.withdrawn ? " (withdrawn)" : "")),
      element("td", { class: "number" }, String(row.score).replace("-", "−")),
      element("td", { class: "number" }, String(row.boards)));
  }

  const stop = Arena.follow("lobby", take, (text) => {
    trouble = text;
    if (state !== null) draw(); else say(text);
  });
})(window.Arena);
