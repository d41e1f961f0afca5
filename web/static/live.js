"use strict";
// The page of a live table: follows the play, also while the reader steps back. Actions that come at once are shown
// one after another.
(function (Arena) {
  const root = document.getElementById("board");
  const note = document.getElementById("state");
  const goLive = document.getElementById("go-live");
  const solver = document.getElementById("solver");
  const last = document.getElementById("last");
  const PAUSE = 500; // milliseconds for which an action stays at most
  const AT_END = 2000; // and for which the result of a board does
  const MANY = 60; // if more waits, actions stay more briefly, so that the page is half a minute late at most
  const LATE = 4; // if more of its own waits, the page is late

  let view = null;
  let live = null; // the state as far as it is shown
  let shown = null; // the board and the room that the page shows
  let follows = true; // whether the reader is at the latest step
  let stop = () => {};
  let trouble = "";
  let changed = 0; // the time of the last action
  let newest = []; // the states of the last board that the page has heard of
  const latest = new Map(); // of what waits: the last state, and the last action after it at each place

  const repeats = new Arena.Repeats();
  const pace = new Arena.Pace({ following: () => (pace.waiting.length ? 0 : -1), take, pause, draw });

  // What the page hears of its table.

  function hear(changes) {
    for (const change of changes) {
      if (change.state) unfolded(change.state).forEach(wait);
      else if (change.figures || change.values || change.weighed) know(change);
      else if (change.place === undefined || change.calls || change.cards) wait(change);
      else join(change);
    }
    const isOver = changes.some((change) => change.over || (change.state && change.state.over));
    if (isOver && !Arena.isKibitzing) stop(); // nothing is to come
    if (!pace.timer) pace.go();
  }

  function wait(change) {
    const { state } = change;
    if (state) {
      latest.clear();
      newest = [...newest.filter(({ key }) => key === state.key), state];
    }
    latest.set(slot(change), change);
    pace.waiting.push(change);
  }

  const slot = ({ state, place }) => (state ? "state" : place);

  /** What comes of an action is shown with it. */
  function join(change) {
    const action = latest.get(change.place);
    if (action) {
      action.winners = [...(action.winners || []), ...(change.winners || [])];
      action.set = { ...action.set, ...change.set };
    } else if (latest.has("state")) {
      wait(change);
    } else {
      take(change);
      if (pace.timer) draw();
    }
  }

  const own = ({ board, place }) => board.tables[place];
  /** The part of a board that one table plays, by its name. */
  const played = (state) => (state && state.board ? state.key + " " + own(state).name : "");

  /** A new state as changes: first as far as it is shown, then each action at the own table, then all of it. */
  function unfolded(state) {
    if (live === null || !state.board) return [{ state }];
    const name = played(state);
    const isShown = played(live) === name;
    const isLast = latest.has("state") && played(latest.get("state").state) === name;
    // The state has all that.
    if (isShown) pace.waiting = [];
    else if (isLast) pace.waiting.splice(pace.waiting.findIndex((change) => change.state && played(change.state) === name));
    const { calls, cards, winners, ...table } = own(state);
    const made = isShown ? Math.min(own(live).calls.length, calls.length) : 0;
    const laid = isShown ? Math.min(own(live).cards.length, cards.length) : 0;
    const start = { ...table, calls: calls.slice(0, made), cards: cards.slice(0, laid), winners: winners.slice(0, laid >> 2) };
    const { place } = state;
    const changes = calls.slice(made).map((call) => ({ place, calls: [call] }));
    if (changes.length) {
      changes[changes.length - 1].set = { contract: table.contract, declarer: table.declarer };
      delete start.contract;
    }
    cards.slice(laid).forEach((card, at) => {
      const tricks = (laid + at + 1) / 4;
      changes.push({ place, cards: [card], winners: Number.isInteger(tricks) ? winners.slice(tricks - 1, tricks) : [] });
    });
    for (const key of ["tricks", "result", "score", "imps", "claim", "remarks"]) delete start[key];
    if (!changes.length) return [{ state }];
    const tables = state.board.tables.map((each, at) => (at === place ? start : each));
    return [{ state: { ...state, board: { ...state.board, tables } } }, ...changes, { state }];
  }

  /** Take over what the solver has found, which waits for nothing. */
  function know({ place, figures, values, weighed }) {
    const { name } = newest.at(-1).board.tables[place] || {};
    for (const state of newest) {
      Object.assign(state.board, figures);
      const table = state.board.tables.find((other) => other.name === name);
      if (!table) continue;
      table.values = { ...table.values, ...values };
      table.weighed = { ...table.weighed, ...weighed };
    }
  }

  // What it shows of that, and when.

  function pause({ state, place, calls, cards, set }) {
    const isOwn = place === live.place;
    const isEnd = state ? state.board && own(state).score !== undefined : isOwn && set && set.score !== undefined;
    const isNew = isOwn && (calls || cards) && !repeats.has(own(live));
    const steady = 1000 * live.pace || Infinity; // milliseconds between two actions of the table
    const stays = isEnd ? Math.min(AT_END, 3 * steady) : isNew ? Math.min(PAUSE, steady / 2) : 0;
    return follows ? stays * Math.min(1, MANY / pace.waiting.length) : 0;
  }

  function take(change) {
    if (latest.get(slot(change)) === change) latest.delete(slot(change));
    if (change.state || change.place !== undefined) changed = Date.now();
    if (change.state) {
      if (played(live) && played(change.state) === played(live)) repeats.begin(own(live));
      else repeats.end();
      live = change.state;
      // The same board again: the reader stays at the same step.
      if (view !== null && played(live) === shown) view.board = live.board;
      return;
    }
    if (change.score !== undefined) live.score = change.score;
    if (change.over) live.over = change.over;
    if (change.place === undefined) return;
    const table = live.board.tables[change.place];
    for (const list of ["calls", "cards", "winners"]) table[list].push(...(change[list] || []));
    Object.assign(table, change.set || {});
  }

  /** Write into a table what calls and cards have cost, as far as that is known and the reader wants to know it. */
  function price(table) {
    const known = (found) => (Arena.isKibitzing && table[found]) || {};
    table.calls.forEach((call, at) => { call.callCost = known("weighed")[at + 1]; });
    const from = table.calls.length;
    const values = table.cards.map((card, at) => known("values")[from + at]);
    table.cards.forEach((card, at) => { card.cost = values[at] && values[at].cards[card.card]; });
    table.dd = values.length && values.every(Boolean) ? values[0].dd : undefined;
  }

  function draw() {
    if (live.board) live.board.tables.forEach(price);
    const isOther = played(live) !== shown;
    if (live.board && (view === null || (follows && isOther))) show();
    else if (live.board && !isOther) view.update(view.board);
    tell();
  }

  /** Show the board that the table plays, as far as it was played. */
  function show() {
    shown = played(live);
    if (view === null) {
      view = Arena.page = Arena.mount(root, live.board);
      root.addEventListener("click", tell);
      root.addEventListener("input", tell);
    }
    view.change(live.board, live.place);
    toEnd();
  }

  function toEnd() {
    for (const each of view.views) each.go(each.actions.length);
    tell();
  }

  /** Let the clocks run on between actions. */
  function tick() {
    if (view === null || live.over || !follows || pace.waiting.length) return;
    const seconds = (Date.now() - changed) / 1000;
    if (seconds <= live.pace) return; // the table may wait meanwhile
    for (const each of view.views) each.tick(seconds);
  }

  /** Whether the reader is at the latest step. */
  function isFollowing() {
    return view === null || (played(live) === shown && view.view.step === view.view.actions.length);
  }

  function tell() {
    follows = isFollowing();
    let own = live && live.place;
    const isLate = pace.waiting.filter(({ state, place }) => {
      if (state) own = state.place;
      return place === own;
    }).length > LATE;
    goLive.hidden = follows && !isLate;
    if (live !== null && live.last) {
      last.href = live.last.href;
      last.textContent = live.last.text;
      last.hidden = false;
    }
    const text = trouble || [live && sentence(isLate), live && live.score].filter(Boolean).join(" ");
    // A screen reader must not repeat what it has said.
    if (note.textContent !== text) note.textContent = text;
  }

  function sentence(isLate) {
    const over = live.over && live.over + " ";
    if (!live.board) return over + "Table " + live.table + " has shown no board" + (live.over ? "." : " yet.");
    const board = "board " + live.board.board;
    if (live.over) return over + "Table " + live.table + " showed " + board + " last.";
    const where = !follows ? "; you look back." : isLate ? ", some seconds late." : ", live.";
    return "Table " + live.table + " shows " + board + where;
  }

  // What the reader does.

  function connect() {
    stop();
    const asks = Arena.isKibitzing ? "?solver" : "";
    stop = Arena.follow(root.dataset.stream + asks, hear, (text) => {
      trouble = live !== null && live.over ? "" : text;
      if (live !== null || text) tell();
    });
  }

  function back() {
    if (view === null) return;
    pace.go(true);
    if (played(live) === shown) toEnd(); else show();
  }

  /** Follow the table with the solver's figures or without, as the setting says. */
  function kibitz() {
    Arena.isKibitzing = document.documentElement.classList.contains("solver");
    root.classList.toggle("kibitzing", Arena.isKibitzing);
    connect();
    if (live !== null) draw();
  }

  goLive.addEventListener("click", back);
  solver.addEventListener("click", kibitz); // after the setting has changed
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "l") back();
    else if (event.key === "d") solver.click();
    else if (view !== null) window.setTimeout(tell);
  });
  window.setInterval(tick, 1000);
  kibitz();
})(window.Arena);
