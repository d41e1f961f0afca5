"use strict";
// Asks the server of this page for the costs of a table's calls, when a reader wants to know them.
(function (Arena) {
  const PAUSE = 500; // milliseconds
  const root = document.getElementById("board");
  const name = root.dataset.figures;
  const view = Arena.page;
  const button = Arena.element("button", { type: "button" }, "What did each call cost?");
  const note = Arena.element("p", { class: "quiet weighing", role: "status" });
  document.getElementById("tools").prepend(button);
  root.append(note);

  async function ask(table) {
    const address = name + "-table-" + table.number + "-calls.json";
    for (;;) {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(await answer.text());
      const found = await answer.json();
      found.costs.forEach((cost, place) => {
        if (cost) table.calls[place].callCost = cost;
        else delete table.calls[place].callCost; // an estimate of what cannot be found
      });
      view.update(view.board);
      if (found.isOver) return;
      note.textContent =
        table.name + ": " + found.done + " of " + found.costs.length + " calls weighed; the others roughly";
      await new Promise((resolve) => window.setTimeout(resolve, PAUSE));
    }
  }

  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await Promise.all(view.views.map(({ table }) => ask(table)));
      note.textContent = "A red number at a call is the IMPs that the best other call would have gained " +
        "on average: step to the call to read which. Where a player has no bidding system, natural's counts.";
      return; // all costs are found
    } catch (error) {
      note.textContent = "No costs of calls: " + error.message;
    }
    button.disabled = false;
  });
})(window.Arena);
