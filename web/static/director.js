"use strict";
// The form of a ruling: another match is shown with its boards as soon as it is chosen.
(function () {
  const match = document.querySelector("[data-follows]");
  if (!match) return;
  const show = match.parentElement.querySelector("button");
  show.hidden = true;
  match.addEventListener("change", () => match.form.requestSubmit(show));
})();
