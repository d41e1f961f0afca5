"use strict";
// The page of all boards of a folder: shows the one that its address names, as in
// `#board=board-7&table=2`. Boards come by scripts, several in each, which call
// `Arena.boardsLoaded(address, boards)`. `Arena.page` is the view. This script is the first of the page, so
// that the boards are loaded beside the scripts that draw them.
window.Arena = window.Arena || {};
(function (Arena) {
  const root = document.getElementById("board");
  const none = document.getElementById("no-board");
  const { files } = JSON.parse(document.getElementById("page-data").textContent);
  const boards = new Map(); // those that are loaded, by name
  const asked = new Map(); // the scripts, by address: whether they are loaded, or cannot be
  let shown = null; // the name of the board that was drawn last

  /** The address of the script that has a board, by the ranges of the names in each; null if none has it. */
  function scriptOf(name) {
    const parts = /^(.*board-)([0-9]+)(.*)$/.exec(name);
    if (!parts) return null;
    const [, before, number, after] = parts;
    const has = ([start, first, last, end]) =>
      start === before && end === after && first <= Number(number) && Number(number) <= last;
    const place = files.findIndex((ranges) => ranges.some(has));
    return place < 0 ? null : "boards-" + (place + 1) + ".js";
  }

  /** Show the board of the address, once it is loaded. */
  function show() {
    const name = new URLSearchParams(window.location.hash.slice(1)).get("board") || "";
    const board = boards.get(name);
    const address = scriptOf(name);
    if (!board && address && !asked.has(address)) load(address);
    if (!Arena.mount) return; // the scripts that draw are still to come
    const isMissing = !board && (!address || asked.get(address));
    none.hidden = !isMissing;
    root.hidden = isMissing && shown !== null;
    if (!board) return;
    document.title = "Board " + board.board + (board.title ? ": " + board.title : "");
    if (name === shown) return;
    if (Arena.page) {
      Arena.page.change(board, 0);
      Arena.page.follow();
    } else {
      Arena.page = Arena.mount(root, board);
    }
    shown = name;
  }

  function load(address) {
    asked.set(address, false);
    const script = document.createElement("script");
    script.src = address;
    script.addEventListener("error", () => loaded(address, {}));
    document.head.append(script);
  }

  function loaded(address, found) {
    asked.set(address, true);
    for (const [name, board] of Object.entries(found)) boards.set(name, board);
    show();
  }

  Arena.boardsLoaded = loaded;
  window.addEventListener("hashchange", show);
  document.addEventListener("DOMContentLoaded", show);
  show();
})(window.Arena);
