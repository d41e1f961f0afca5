"use strict";
// The page of a live table: follows the play, also while the reader steps back.
(function (Arena) {
  const root = document.getElementById("board");
  const note = document.getElementById("state");
  const goLive = document.getElementById("go-live");
  const solver = document.getElementById("solver");
  const last = document.getElementById("last");
  const SOLVER = "arena-solver";

  let view = null;
  let live = null; // the newest state
  let shown = null; // the key of the board that the page shows
  let stop = () => {};
  let trouble = "";
  let changed = 0; // the time of the last change

  function take(changes) {
    const follows = isFollowing();
    changed = Date.now();
    for (const change of changes) apply(change);
    if (live.over && !Arena.isKibitzing) stop(); // nothing is to come
    const isOther = live.key !== shown;
    if (view !== null && live.board && (follows || !isOther)) {
      if (isOther) show(); else view.update(view.board);
    } else if (view === null && live.board) {
      show();
    }
    tell();
  }

  /** Let the clocks run on between actions. */
  function tick() {
    if (view === null || live.over || !isFollowing() || live.key !== shown) return;
    const seconds = (Date.now() - changed) / 1000;
    for (const each of view.views) each.tick(seconds);
  }

  function apply(change) {
    if (change.state) {
      live = change.state;
      // The same board again, after a lost connection: the reader stays at the same step.
      if (view !== null && live.board && live.key === shown) view.board = live.board;
      return;
    }
    if (change.score !== undefined) live.score = change.score;
    if (change.over) live.over = change.over;
    if (change.figures) Object.assign(live.board, change.figures);
    if (change.place === undefined) return;
    const table = live.board.tables[change.place];
    for (const list of ["calls", "cards", "winners"]) table[list].push(...(change[list] || []));
    Object.assign(table, change.set || {});
    table.values = Object.assign(table.values || {}, change.values || {});
  }

  /** Whether the reader is at the latest step. */
  function isFollowing() {
    return view === null || (live.key === shown && view.view.step === view.view.actions.length);
  }

  /** Show the board that the table plays, as far as it was played. */
  function show() {
    shown = live.key;
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

  function tell() {
    const follows = isFollowing();
    goLive.hidden = follows;
    if (live !== null && live.last) {
      last.href = live.last.href;
      last.textContent = live.last.text;
      last.hidden = false;
    }
    const text = trouble || [live && sentence(follows), live && live.score].filter(Boolean).join(" ");
    // A screen reader must not repeat what it has said.
    if (note.textContent !== text) note.textContent = text;
  }

  function sentence(follows) {
    const over = live.over && live.over + " ";
    if (!live.board) return over + "Table " + live.table + " has shown no board" + (live.over ? "." : " yet.");
    const board = "board " + live.board.board;
    if (live.over) return over + "Table " + live.table + " showed " + board + " last.";
    return "Table " + live.table + " shows " + board + (follows ? ", live." : "; you look back.");
  }

  function connect() {
    stop();
    const asks = Arena.isKibitzing ? "?solver" : "";
    stop = Arena.follow(root.dataset.stream + asks, take, (text) => {
      trouble = live !== null && live.over ? "" : text;
      if (live !== null || text) tell();
    });
  }

  function back() {
    if (view === null) return;
    if (live.key === shown) toEnd(); else show();
  }

  function kibitz(isOn) {
    Arena.isKibitzing = isOn;
    solver.setAttribute("aria-pressed", String(isOn));
    root.classList.toggle("kibitzing", isOn);
    connect();
    if (view !== null) view.update(view.board);
  }

  function kept() {
    try {
      return window.localStorage.getItem(SOLVER) === "on";
    } catch {
      return false; // the browser has no storage
    }
  }

  function toggle() {
    kibitz(!Arena.isKibitzing);
    try {
      window.localStorage.setItem(SOLVER, Arena.isKibitzing ? "on" : "off");
    } catch {
      // it holds for this page only
    }
  }

  goLive.addEventListener("click", back);
  solver.addEventListener("click", toggle);
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "l") back();
    else if (event.key === "d") toggle();
    else if (view !== null) window.setTimeout(tell);
  });
  window.setInterval(tick, 1000);
  kibitz(kept());
})(window.Arena);
