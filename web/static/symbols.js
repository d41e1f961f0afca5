"use strict";
// Cards, suits and calls as elements. All text is set as text, never as markup.
window.Arena = window.Arena || {};
(function (Arena) {
  const SVG = "http://www.w3.org/2000/svg";
  const SUITS = {
    S: { name: "spades", one: "spade",
      path: "M12 1C10 6 2 10 2 15.4a4.6 4.6 0 0 0 8.4 2.6C10.3 20 9.4 22 8 23h8c-1.4-1-2.3-3-2.4-5a4.6 4.6 0 0 0 8.4-2.6C22 10 14 6 12 1z" },
    H: { name: "hearts", one: "heart",
      path: "M12 22.5C9.5 18 2 13.5 2 7.7A5.4 5.4 0 0 1 12 5a5.4 5.4 0 0 1 10 2.7c0 5.8-7.5 10.3-10 14.8z" },
    D: { name: "diamonds", one: "diamond", path: "M12 1.5C14.5 6 17.5 9.5 20.5 12c-3 2.5-6 6-8.5 10.5C9.5 18 6.5 14.5 3.5 12 6.5 9.5 9.5 6 12 1.5z" },
    C: { name: "clubs", one: "club",
      path: "M12 1.5a4.8 4.8 0 0 0-3.8 7.7A4.9 4.9 0 1 0 10.5 17c-.2 2.3-1 4.4-2.5 6h8c-1.5-1.6-2.3-3.7-2.5-6a4.9 4.9 0 1 0 2.3-7.8A4.8 4.8 0 0 0 12 1.5z" },
  };
  const ICONS = {
    start: "M4 4h3v16H4zM20 4v16L8 12z",
    back: "M18 4v16L6 12z",
    on: "M6 4v16l12-8z",
    end: "M17 4h3v16h-3zM4 4v16l12-8z",
  };
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };
  const CALLS = { Pass: "pass", X: "double", XX: "redouble" };

  Arena.SUITS = SUITS;
  Arena.SEAT_NAMES = { N: "North", E: "East", S: "South", W: "West" };

  /** An element with attributes and children; strings among these become text. */
  Arena.element = function (name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value !== null && value !== undefined && value !== false) {
        made.setAttribute(key, value === true ? "" : String(value));
      }
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };
  const element = Arena.element;

  /** A button that calls a function when it is pressed. */
  Arena.button = function (press, attributes, ...children) {
    const made = element("button", { type: "button", ...attributes }, ...children);
    made.addEventListener("click", press);
    return made;
  };

  /** A table of rows below heads, one for each column; `classes` are those of heads. */
  Arena.grid = function ({ caption, heads, classes = [], rows }) {
    const head = heads.map((shown, place) => element("th", { scope: "col", class: classes[place] }, shown));
    return element("table", {}, caption && element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
  };

  /** Give an element other children, unless they are alike; what is pressed keeps the focus, by its place. */
  Arena.renew = function (parent, children) {
    const made = parent.cloneNode(false);
    made.append(...children);
    if (made.isEqualNode(parent)) return;
    const controls = () => Array.from(parent.querySelectorAll("a, button"));
    const place = controls().indexOf(document.activeElement);
    parent.replaceChildren(...made.childNodes);
    if (place >= 0 && controls()[place]) controls()[place].focus({ preventScroll: true });
  };

  /** A number with its sign, as texts have it. */
  Arena.signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(value);

  /** A text with the signs that texts have. */
  Arena.minus = (text) => (text || "").replaceAll("-", "−");

  /** Text for screen readers only. */
  Arena.spoken = (text) => element("span", { class: "spoken" }, text);

  /** A picture of a width and height, of paths that are given as [class, data]. */
  Arena.drawing = function (width, height, ...paths) {
    const drawn = document.createElementNS(SVG, "svg");
    drawn.setAttribute("viewBox", "0 0 " + width + " " + height);
    drawn.setAttribute("preserveAspectRatio", "none");
    drawn.setAttribute("aria-hidden", "true");
    for (const [style, data] of paths) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", style);
      path.setAttribute("d", data);
      drawn.append(path);
    }
    return drawn;
  };

  function sign(style, data) {
    const drawn = Arena.drawing(24, 24, ["", data]);
    drawn.setAttribute("class", style);
    return drawn;
  }

  /** The picture on a button of the controls: start, back, on, end. */
  Arena.icon = (name) => sign("icon", ICONS[name]);

  /** A suit's symbol, drawn; screen readers say `spoken` in its place, or nothing if it is "". */
  Arena.suit = function (suit, spoken) {
    const drawn = sign("suit " + suit, SUITS[suit].path);
    if (!spoken) return drawn;
    return element("span", { class: "sign" }, drawn, Arena.spoken(spoken));
  };

  Arena.rank = (rank) => (rank === "T" ? "10" : rank);

  /** "the queen of hearts" */
  Arena.cardName = (card) =>
    (RANKS[card[1]] || card[1]) + " of " + SUITS[card[0]].name;

  /** "three notrump", in figures: "3 notrump". */
  Arena.callName = function (call) {
    if (call in CALLS) return CALLS[call];
    const of = call.slice(1);
    if (of === "NT") return call[0] + " notrump";
    return call[0] + " " + SUITS[of][call[0] === "1" ? "one" : "name"];
  };

  /** "4 spades doubled", of 4SX. */
  Arena.contractName = function (contract) {
    const [, bid, risk] = /^(.*?)(X*)$/.exec(contract);
    return Arena.callName(bid) + ["", " doubled", " redoubled"][risk.length];
  };

  /** A call as players write it, with its name for screen readers. */
  Arena.call = function (call) {
    const shown = element("span", { class: "call-text", "aria-hidden": "true" });
    if (call in CALLS || call.endsWith("NT")) shown.append(call);
    else shown.append(call[0], Arena.suit(call[1]));
    return element("span", { class: "call-name call-" + (call in CALLS ? call : "bid") },
      shown, Arena.spoken(Arena.callName(call)));
  };

  /** A call or card as players write it; any other text as it is. */
  Arena.action = function (text) {
    if (/^[SHDC][2-9TJQKA]$/.test(text)) {
      return element("span", { class: "text" }, Arena.suit(text[0], SUITS[text[0]].name + " "),
        Arena.rank(text[1]));
    }
    return /^(Pass|XX?|[1-7](NT|[SHDC]))$/.test(text) ? Arena.call(text) : text;
  };

  /** "4♠X South", of a contract such as 4SX. */
  Arena.contract = function (contract, declarer) {
    if (contract === "Pass") return element("span", {}, "Passed out");
    const [, level, of, risk] = /^(\d)(NT|[SHDC])(X{0,2})$/.exec(contract);
    const shown = element("span", { class: "contract" }, level);
    shown.append(of === "NT" ? "NT" : Arena.suit(of, " " + SUITS[of].name), risk);
    if (declarer) shown.append(" ", Arena.SEAT_NAMES[declarer]);
    return shown;
  };

  /** A contract with its result, of "4S N =". */
  Arena.made = function (text) {
    const [contract, declarer, result] = text.split(" ");
    return element("span", { class: "part" }, Arena.contract(contract, declarer), " ", element("b", {}, Arena.minus(result)));
  };

  /** A card with its face up. */
  Arena.card = function (card) {
    return element("span", { class: "card " + card[0], "data-card": card },
      element("span", { "aria-hidden": "true" }, Arena.rank(card[1])),
      Arena.suit(card[0]), Arena.spoken(Arena.cardName(card)));
  };

  /** A card in a hand: in a row of its suit only its rank is visible. */
  Arena.smallCard = (card) =>
    element("span", { class: "card small " + card[0], "data-card": card }, Arena.rank(card[1]), Arena.suit(card[0]));
})(window.Arena);
