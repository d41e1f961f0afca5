"use strict";
// The search of a list of boards: sends the words to the server, which answers with the page.
(function () {
  const WAIT = 200; // milliseconds after the last letter
  const input = document.getElementById("query");
  let timer = null;
  let asked = 0;

  async function search() {
    const address = "?" + new URLSearchParams({ q: input.value });
    const number = ++asked;
    const answer = await fetch(address);
    if (!answer.ok || number !== asked) return;
    const found = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.getElementById("list").replaceWith(found.getElementById("list"));
    window.history.replaceState(null, "", address);
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, WAIT);
  });
})();
