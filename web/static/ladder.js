"use strict";
// A page of a ladder, which the server draws: it is fetched again when the ladder has changed.
(function (Arena) {
  const SPREAD = 2000; // milliseconds over which the requests of all readers are spread
  const { home, stay } = document.querySelector("[data-home]").dataset;
  const state = document.getElementById("state");
  let waiting = false;
  let known = null; // the number of the state that the page shows

  async function renew() {
    waiting = false;
    const answer = await fetch(location.pathname + location.search).catch(() => null);
    if (!answer || !answer.ok) return; // the stream tells that the arena is gone
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    Arena.merge(document.querySelector("main"), page.querySelector("main"));
    document.dispatchEvent(new Event("renewed"));
  }

  Arena.follow(home + "changes", (changes) => {
    const { version } = changes.map((change) => change.state || change).pop();
    if (version !== known && !waiting) {
      waiting = true;
      // Until then the server may have a page from before the change.
      setTimeout(renew, 1000 * stay + (known === null ? 0 : Math.random() * SPREAD));
    }
    known = version;
  }, (text) => {
    if (state.textContent !== text) state.textContent = text;
  });
})(window.Arena);
