"use strict";
// The keyboard at a seat: `new Arena.Keyboard({ groups, play, next })`. What is typed goes to the line. Arrow keys move
// among the controls of a group, which is one stop of the Tab key: `groups()` are the cards that may be played, the
// bidding box, and what was bid and played. `Arena.stopAt` makes one of a group its stop.
(function (Arena) {
  const at = (id) => document.getElementById(id);

  Arena.stopAt = function (controls, stop) {
    for (const control of controls) control.tabIndex = control === stop ? 0 : -1;
  };

  /** The nearest of some controls in the direction of an arrow key; `from` itself if there is none. */
  function towards(arrow, from, controls) {
    const isAcross = arrow === "ArrowLeft" || arrow === "ArrowRight";
    const way = isOn(arrow) ? 1 : -1;
    const middle = (control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      return isAcross ? [left + right, top + bottom] : [top + bottom, left + right];
    };
    const [start, line] = middle(from);
    let nearest = from;
    let least = Infinity;
    for (const control of controls) {
      const [place, aside] = middle(control);
      const along = way * (place - start);
      const off = Math.abs(aside - line);
      // Across within a row only; up and down to the next row, there to the nearest.
      const distance = isAcross ? along + (off > 30 ? Infinity : 0) : 1000 * along + off;
      if (along > 2 && distance < least) [nearest, least] = [control, distance];
    }
    return nearest;
  }

  const isOn = (arrow) => arrow === "ArrowRight" || arrow === "ArrowDown";

  Arena.Keyboard = class {
    constructor({ groups, play, next }) {
      Object.assign(this, { groups, play, next });
      this.isUsed = false; // whether the player has used it since the last press
      document.addEventListener("keydown", (event) => this.key(event));
      document.addEventListener("pointerdown", () => { this.isUsed = false; });
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const { key, target } = event;
      const say = at("say");
      if (target !== say && target.matches("input:not([type=checkbox])")) return;
      this.isUsed = true;
      document.body.classList.add("typing");
      const isFree = target === document.body || target === at("act") || (target === say && !say.value);
      if (key === "Escape") {
        say.value = "";
        return; // it closes what lies over the page, too
      }
      if (key === "?") at("help").togglePopover();
      else if (target.classList.contains("playable") && (key === "Enter" || key === " ")) this.play(target);
      else if (key.startsWith("Arrow") && (isFree || this.groups().some((group) => group.includes(target)))) this.move(key);
      else if (key === "Enter" && isFree) this.next();
      else {
        if (key.length === 1 && key !== " " && target !== say) say.focus();
        return;
      }
      event.preventDefault();
    }

    /** Move the focus by an arrow key, at first to a card or the bidding box. */
    move(arrow) {
      const here = document.activeElement;
      const groups = this.groups();
      const [cards, keys] = groups;
      const group = groups.find((controls) => controls.includes(here)) || (cards.length ? cards : keys);
      const there = group.includes(here) ? towards(arrow, here, group)
        : group.find((control) => control.tabIndex === 0 && !cards.length) || group[isOn(arrow) ? 0 : group.length - 1];
      if (!there) return;
      Arena.stopAt(group, there);
      there.focus();
    }

    /** Move the focus if its element is gone: to the line, or without a keyboard to the turn's buttons. */
    keepFocus() {
      at(this.isUsed && !at("line").hidden ? "say" : "act").focus({ preventScroll: true });
    }
  };
})(window.Arena);
