"use strict";
// The settings of this browser, as buttons with `data-setting`: one that is on is a class of the page. The browser
// keeps the choices if it can; until there is one, a setting is on where the browser's own settings ask for it.
(function () {
  const IMPLIED = { "high-contrast": "(prefers-contrast: more)", confirm: "(pointer: coarse)" };
  const page = document.documentElement;

  function kept(name) {
    try {
      return window.localStorage.getItem("arena-" + name);
    } catch {
      return null; // the browser has no storage
    }
  }

  function keep(name, value) {
    try {
      window.localStorage.setItem("arena-" + name, value);
    } catch {
      // it holds for this page only
    }
  }

  for (const button of document.querySelectorAll("[data-setting]")) {
    const name = button.dataset.setting;
    const show = (isOn) => {
      page.classList.toggle(name, isOn);
      button.setAttribute("aria-pressed", String(isOn));
    };
    button.addEventListener("click", () => {
      show(!page.classList.contains(name));
      keep(name, page.classList.contains(name) ? "on" : "off");
    });
    const choice = kept(name);
    show(choice === null ? name in IMPLIED && window.matchMedia(IMPLIED[name]).matches : choice === "on");
  }

  // Where they have a place of their own, they are offered at the first visit.
  const place = document.getElementById("settings");
  if (place && kept("offered") === null) {
    place.showPopover();
    keep("offered", "yes");
  }
})();
