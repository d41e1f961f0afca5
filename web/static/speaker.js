"use strict";
// What a seat's page says: `new Arena.Speaker(act)`. The state stands in the bar, a remark beside what was pressed last,
// at first beside `act`; screen readers are told of all that happens. Where the setting is on, a turn begins with a tick.
(function (Arena) {
  const KEPT = 12; // sentences for screen readers

  Arena.Speaker = class {
    constructor(act) {
      [this.state, this.note, this.news] = ["state", "note", "news"].map((id) => document.getElementById(id));
      this.pressed = act; // what was pressed last
      this.place = null; // where it was then
      this.audio = null; // what ticks; null before the first time
      document.addEventListener("click", (event) => {
        const control = event.target.closest("button");
        if (control) this.point(control);
      }, true);
    }

    /** Say something to screen readers. */
    tell(words) {
      this.news.append(Arena.element("span", {}, words + " "));
      while (this.news.childElementCount > KEPT) this.news.firstElementChild.remove();
    }

    /** Show the state of the seat, also to screen readers. */
    report(words) {
      if (this.state.textContent === words) return;
      this.state.textContent = words;
      this.tell(words);
    }

    /** Show the answer to a question of the player, or a mistake, also to screen readers. */
    complain(words) {
      this.remark(words, "alert");
    }

    /** Show words beside what was pressed, over the page, so that nothing moves. */
    remark(words, role) {
      const { note } = this;
      const { left, right, top, bottom } = this.place || this.pressed.getBoundingClientRect();
      const isLow = bottom + 90 > window.innerHeight;
      note.setAttribute("role", role || "none");
      note.textContent = words;
      note.style.left = Math.max(8, Math.min((left + right) / 2 - 150, window.innerWidth - 308)) + "px";
      note.style.top = window.scrollY + (isLow ? top - 6 : bottom + 6) + "px";
      note.classList.toggle("above", isLow);
    }

    /** Tick, if the player wants it and has pressed anything yet: before, browsers let no page be heard. */
    tick() {
      if (!document.documentElement.classList.contains("tick") || !navigator.userActivation.hasBeenActive) return;
      const audio = this.audio = this.audio || new AudioContext();
      const [tone, volume] = [audio.createOscillator(), audio.createGain()];
      tone.frequency.value = 1100;
      volume.gain.setValueAtTime(0.2, audio.currentTime);
      volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.06);
      tone.connect(volume).connect(audio.destination);
      tone.start();
      tone.stop(audio.currentTime + 0.06);
    }

    hush() {
      this.note.textContent = "";
    }

    /** Remember what is pressed. */
    point(control) {
      if (this.pressed.getAttribute("aria-describedby") === "note") this.pressed.removeAttribute("aria-describedby");
      this.hush();
      this.pressed = control;
      this.place = control.getBoundingClientRect();
      control.setAttribute("aria-describedby", "note");
    }
  };
})(window.Arena);
