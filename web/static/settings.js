"use strict";
// Four-colour suits: a button in the page's header; the browser keeps the choice if it can.
(function () {
  const KEY = "arena-suits";
  const button = document.getElementById("four-colours");

  function kept() {
    try {
      return window.localStorage.getItem(KEY) === "four";
    } catch {
      return false; // the browser has no storage
    }
  }

  function show(isFour) {
    document.documentElement.classList.toggle("four-colours", isFour);
    button.setAttribute("aria-pressed", String(isFour));
  }

  button.addEventListener("click", () => {
    const isFour = button.getAttribute("aria-pressed") !== "true";
    show(isFour);
    try {
      window.localStorage.setItem(KEY, isFour ? "four" : "two");
    } catch {
      // it holds for this page only
    }
  });
  show(kept());
})();
