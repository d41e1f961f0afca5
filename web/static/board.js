"use strict";
// A board with its tables: `Arena.mount(root, board)` draws it, and returns a view whose
// `update(board)` draws it again when the document has grown.
//
// Two tables are side by side if there is room, and otherwise the reader switches between them. Of
// more tables one is shown, beside the list of all. Keys step through the table chosen last.
(function (Arena) {
  const { element, signed } = Arena;
  const VULNERABLE = { None: "nobody", NS: "North-South", EW: "East-West", Both: "both sides" };
  const DENOMINATIONS = ["C", "D", "H", "S", "NT"];

  class BoardView {
    constructor(root) {
      this.root = root;
      this.chosen = 0;
      this.views = [];
      this.drawn = new Map();
      this.asked = new Set(); // the addresses of scripts that load tables
      this.rests = new Map(); // what they have loaded, by address
      this.seat = null; // the seat whose cards alone are shown; null shows all
      root.classList.add("board");
      this.head = element("header", { class: "board-head" });
      this.switch = element("div", { class: "switch", role: "group", "aria-label": "Tables" });
      this.place = element("div", { class: "tables" });
      this.all = element("div", {
        class: "all-tables rows", role: "region", "aria-label": "All tables", tabindex: 0,
      });
      this.facts = element("aside", { class: "facts", "aria-label": "Double dummy" });
      root.replaceChildren(this.head, this.facts, this.switch, this.place, this.all);
      document.addEventListener("keydown", (event) => this.key(event));
      window.addEventListener("hashchange", () => this.follow());
      Arena.tablesLoaded = (address, rests) => this.loaded(address, rests);
    }

    get hasBoth() {
      return this.board.tables.length <= 2;
    }

    /** The view of the table that was chosen last. */
    get view() {
      return this.views[this.hasBoth ? this.chosen : 0];
    }

    // The document.

    update(board) {
      const isFirst = this.board === undefined;
      this.board = board;
      const count = Math.min(board.tables.length, this.hasBoth ? 2 : 1);
      while (this.views.length < count) this.add();
      while (this.views.length > count) this.views.pop().element.remove();
      this.chosen = Math.min(this.chosen, board.tables.length - 1);
      this.draw();
      if (isFirst) this.follow();
    }

    /** Show another board, from one of its tables. */
    change(board, chosen) {
      for (const view of this.views) view.step = null;
      this.chosen = chosen;
      this.update(board);
    }

    add() {
      const view = new Arena.Table(() => this.stepped(view));
      view.seat = this.seat;
      view.element.addEventListener("pointerdown", () => this.pick(view));
      view.element.addEventListener("focusin", () => this.pick(view));
      this.views.push(view);
      this.place.append(view.element);
    }

    draw() {
      const { board } = this;
      const results = board.tables.map((table) =>
        [table.name, table.players, table.contract, table.result, table.score, table.worth]);
      const told = [board.board, board.title, board.dealer, board.vulnerable, board.outcome];
      this.redraw(this.head, [told, board.parts, board.links], () => this.headed());
      this.redraw(this.facts, [board.dd, board.par], () => this.figures());
      this.redraw(this.switch, results, () => this.switches());
      this.redraw(this.all, results, () => this.listed());
      this.mark();
      this.place.classList.toggle("both", this.views.length === 2);
      this.views.forEach((view, index) => {
        const table = this.board.tables[this.hasBoth ? index : this.chosen];
        this.load(table);
        view.update(this.board, table);
      });
      this.tell();
    }

    /** Replace the children of a place only if their content has changed, so that a reader who
     * has the keyboard focus on one of them keeps it. */
    redraw(place, told, make) {
      const text = JSON.stringify(told);
      if (this.drawn.get(place) === text) return;
      this.drawn.set(place, text);
      place.replaceChildren(...make());
    }

    /** Show which table was chosen last. */
    mark() {
      const mark = (place, attribute, value) =>
        place.querySelectorAll("button").forEach((button, index) =>
          button.setAttribute(attribute, String(index === this.chosen ? value : false)));
      mark(this.switch, "aria-pressed", true);
      mark(this.all, "aria-current", true);
      this.views.forEach((view, index) =>
        view.element.classList.toggle("chosen", !this.hasBoth || index === this.chosen));
    }

    /** Let other scripts know what is shown, which may know more about it. */
    tell() {
      this.root.dispatchEvent(new CustomEvent("arena:shown", { detail: this }));
    }

    /** Load a table that comes by a script when the reader looks at it. */
    load(table) {
      if (!table.script) return;
      const { script } = table;
      if (this.rests.has(script)) {
        delete table.script;
        Object.assign(table, this.rests.get(script)[table.number]);
      } else if (!this.asked.has(script)) {
        this.asked.add(script);
        document.head.append(element("script", { src: script }));
      }
    }

    loaded(address, rests) {
      this.rests.set(address, rests);
      for (const view of this.views) if (view.table.script === address) view.step = null;
      this.draw();
      this.follow();
    }

    // Where the reader is: the table, by its number from 1, and the step.

    follow() {
      const place = new URLSearchParams(window.location.hash.slice(1));
      // Another board may be on its way.
      if (this.board.name && place.get("board") !== this.board.name) return;
      if (place.has("seat")) this.from(place.get("seat"));
      const table = Number(place.get("table"));
      if (table >= 1 && table <= this.board.tables.length) this.choose(table - 1);
      if (place.has("step") && !this.board.tables[this.chosen].script) {
        this.view.go(Number(place.get("step")) || 0);
      }
    }

    /** Show all cards, or only those that a player has at a seat: N, E, S or W. */
    from(seat) {
      this.seat = Object.hasOwn(Arena.SEAT_NAMES, seat) ? seat : null;
      this.root.classList.toggle("one-seat", this.seat !== null);
      for (const view of this.views) if (view.seat !== this.seat) view.from(this.seat);
      this.tell();
    }

    stepped(view) {
      this.pick(view);
      this.address();
    }

    /** Have the address of the page name what it shows. */
    address() {
      // A table that is not loaded yet opens at its usual step.
      const step = this.view.table.script ? "" : "&step=" + this.view.step;
      const board = this.board.name ? "board=" + this.board.name + "&" : "";
      const seat = this.seat ? "&seat=" + this.seat : "";
      window.history.replaceState(null, "", "#" + board + "table=" + (this.chosen + 1) + step + seat);
    }

    pick(view) {
      const index = this.views.indexOf(view);
      if (this.hasBoth && index !== this.chosen) this.choose(index);
    }

    choose(index) {
      this.chosen = index;
      this.mark();
      if (this.hasBoth) return;
      const table = this.board.tables[index];
      this.load(table);
      if (this.view.table !== table) {
        this.view.step = null;
        this.view.update(this.board, table);
      }
      this.tell();
    }

    // Keys.

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || !this.view || this.root.hidden) return;
      if (event.target.closest("input:not([type=range]), textarea, select, pre")) return;
      const links = this.board.links || {};
      const isSlider = event.target.matches("input[type=range]");
      const steps = {
        ArrowLeft: this.view.step - 1,
        ArrowRight: this.view.step + 1,
        Home: 0,
        End: this.view.actions.length,
      };
      if (event.key in steps) {
        if (isSlider) return; // it steps by itself
        this.view.choose(steps[event.key]);
      } else if (event.key === "m") {
        this.view.chooseMistake();
      } else if (event.key === "t") {
        this.choose((this.chosen + 1) % this.board.tables.length);
        this.address();
      } else if (event.key === "n" && links.next) {
        window.location.assign(links.next.href);
      } else if (event.key === "p" && links.previous) {
        window.location.assign(links.previous.href);
      } else {
        return;
      }
      event.preventDefault();
    }

    // The text about the board.

    headed() {
      const { board } = this;
      const links = board.links || {};
      const link = (to, mark, key) => (to
        ? element("a", { href: to.href, rel: mark, "aria-keyshortcuts": key }, to.text) : element("span", {}));
      const shown = [
        element("nav", { "aria-label": "Boards" },
          link(links.index, "up"), link(links.previous, "prev", "p"), link(links.next, "next", "n")),
        element("h1", {}, "Board " + board.board,
          board.title ? element("small", {}, board.title) : null),
        element("p", { class: "quiet" }, "Dealer " + Arena.SEAT_NAMES[board.dealer] +
          ", vulnerable: " + VULNERABLE[board.vulnerable]),
      ];
      if (board.outcome) {
        const parts = (board.parts || []).map((part) =>
          element("span", { class: "part" }, part.what + " ", element("b", {}, signed(part.imps))));
        shown.push(element("p", { class: "outcome" }, element("b", {}, board.outcome), ...parts));
      }
      return shown;
    }

    switches() {
      if (this.board.tables.length !== 2) return [];
      return this.board.tables.map((table, index) => this.button(table, index));
    }

    /** The button that shows a table. */
    button(table, index) {
      return Arena.button(() => {
        this.choose(index);
        this.address();
      }, {}, table.name);
    }

    listed() {
      const { tables } = this.board;
      if (this.hasBoth) return [];
      const hasWorth = tables.some((table) => table.worth);
      const heads = ["Table", "North-South", "East-West", "Contract", "Score"];
      if (hasWorth) heads.push("Worth");
      const rows = tables.map((table, index) => {
        const contract = element("td", {});
        if (table.contract) contract.append(Arena.contract(table.contract, table.declarer));
        if (table.result) contract.append(" ", element("b", {}, Arena.minus(table.result)));
        const pair = (one, other) =>
          Array.from(new Set([table.players[one], table.players[other]])).join(" – ");
        return element("tr", {},
          element("th", { scope: "row" }, this.button(table, index)),
          element("td", {}, pair("N", "S")), element("td", {}, pair("E", "W")), contract,
          element("td", { class: "number" }, table.score === undefined ? "–" : signed(table.score)),
          hasWorth ? element("td", {}, table.worth || "") : null);
      });
      return [Arena.grid({ caption: "All tables", heads, rows })];
    }

    figures() {
      const { dd, par } = this.board;
      const shown = [];
      if (dd) {
        const heads = DENOMINATIONS.map((of) => (of === "NT" ? of : Arena.suit(of, Arena.SUITS[of].name)));
        const rows = ["N", "E", "S", "W"].map((seat, index) => element("tr", {},
          element("th", { scope: "row" }, Arena.SEAT_NAMES[seat]),
          ...dd[index].map((count) => element("td", {}, String(count)))));
        shown.push(Arena.grid({ caption: "Double-dummy tricks", heads: ["Declarer", ...heads], rows }));
      }
      if (par) {
        const made = par.contracts.map(Arena.made);
        shown.push(element("p", { class: "par" }, element("b", {}, "Par "), "NS " + signed(par.score),
          ...(made.length ? made : [": pass out"])));
      }
      return shown;
    }
  }

  Arena.mount = function (root, board) {
    const view = new BoardView(root);
    view.update(board);
    return view;
  };
})(window.Arena);
