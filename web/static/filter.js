"use strict";
// Filters the rows of a leaderboard by kind and author. The choice is part of the address.
(function () {
  const [kind, author] = ["kind", "author"].map((id) => document.getElementById(id));

  function show() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const select of [kind, author]) select.value = wanted.get(select.id) || "";
    const rows = Array.from(document.querySelectorAll(".ladder tbody tr"));
    for (const row of rows) {
      const isOfKind = !kind.value || row.dataset.kind.split("|").includes(kind.value);
      row.hidden = !isOfKind || Boolean(author.value && row.dataset.author !== author.value);
    }
    const shown = rows.filter((row) => !row.hidden).length;
    const form = document.querySelector(".filter");
    form.hidden = false;
    form.querySelector("output").textContent = shown < rows.length ? `${shown} of ${rows.length} players` : "";
  }

  function choose() {
    const wanted = new URLSearchParams();
    for (const select of [kind, author]) if (select.value) wanted.set(select.id, select.value);
    // Not by the hash itself, which would add a step to the history.
    history.replaceState(null, "", `#${wanted}`);
    show();
  }

  for (const select of [kind, author]) select.addEventListener("change", choose);
  window.addEventListener("hashchange", show);
  document.addEventListener("renewed", show);
  show();
})();
