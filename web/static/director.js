"use strict";
// The form of a ruling: another match is shown with its boards as soon as it is chosen.
(function () {
  const match = document.querySelector("[data-follows]");
  if (!match) return;
  const show = match.parentElement.querySelector("button");
  show.hidden = true;
  function follow() {
    const [chosen] = match.selectedOptions;
    if (chosen && !chosen.defaultSelected) match.form.requestSubmit(show);
  }
  match.addEventListener("change", follow);
  // A browser that goes back shows what was chosen, with the boards of before.
  window.addEventListener("pageshow", follow);
})();
