"use strict";
// Asks the server of this page for double-dummy figures of the boards on it, shows the progress, and
// fills them in.
(function (Arena) {
  const root = document.getElementById("board");
  const name = root.dataset.figures;
  const view = Arena.page;
  const asked = new Set();
  const note = Arena.element("p", { class: "quiet progress", role: "status" });
  let done = 0;
  let failed = "";
  root.append(note);

  async function ask(address, take) {
    if (asked.has(address)) return;
    asked.add(address);
    tell();
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(await answer.text());
      take(await answer.json());
      view.update(view.board);
    } catch (error) {
      failed = "No double-dummy figures: " + error.message;
    }
    done += 1;
    tell();
  }

  function tell() {
    const solving = done < asked.size ? "Solving double dummy: " + done + " of " + asked.size : "";
    note.textContent = solving || failed;
  }

  /** Ask for the figures of the tables that are shown, if they were played and have none yet. */
  function look() {
    for (const { table } of view.views) {
      const isKnown = table.script || table.dd !== undefined || table.tricks === undefined;
      if (!isKnown) ask(name + "-table-" + table.number + ".json", (rest) => Object.assign(table, rest));
    }
  }

  root.addEventListener("arena:shown", look);
  if (!view.board.dd) ask(name + ".json", (found) => Object.assign(view.board, found));
  look();
})(window.Arena);
