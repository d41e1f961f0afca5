"use strict";
// The page of a seat: shows the messages that come over the WebSocket, and sends the player's.
(function (Arena) {
  const element = Arena.element;
  const at = (id) => document.getElementById(id);
  const [state, clock, note, news, act, choices, say] =
    ["state", "clock", "note", "news", "act", "choices", "say"].map(at);
  const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Milliseconds for which the actions of the others are shown.
  const PACE = isStill ? {} : { CallMade: 300, CardPlayed: 450, TrickEnd: 900 };
  const SOON = 1000;
  const NOTED = ["Error", "ExplanationGiven", "ClaimSettled"]; // also shown beside the line
  const STOPPED = 1012; // the close code of a server that ends
  const STOPPED_WORDS = "the arena was stopped";
  const OVER = 4410; // the close code once the event is over
  const OVER_WORDS = "the event is over";
  const TITLE = document.title;

  const { seats, questions } = document.querySelector("main").dataset;
  const told = new Arena.SeatView(Number(questions));
  const table = new Arena.Table(({ step }) => { looked = step; show(); });
  const waiting = new Arena.Waiting(() => show());
  const again = new Arena.Again(() => {
    if (again.table) tell(again.sentence());
    show();
  });
  const sockets = {}; // by seat, as a person may take several seats in turn
  let queue = []; // messages that are not shown yet
  let timer = 0;
  let isWaiting = false; // whether the player has yet to go on to the next board
  let parting = ""; // the server's last words, which say why there is no more to play
  let isElsewhere = false; // whether another window has the seat
  let answered = null; // the turn that was answered, until the server reacts
  let until = 0; // the time at which the turn ends
  let lost = 0; // the number of lost connections since the last good one
  let isBack = false; // whether the board is being repeated after an action was taken back
  let typed = false; // whether the player uses the keyboard
  let known = {}; // what the server told beside the messages, at last
  let looked = null; // the step of a board that is over which the player looks at; null before

  let spot = act; // what was pressed last
  let place = null; // where it was then
  let chosen = ""; // the call or card that waits for being pressed again
  const box = new Arena.Box(press);

  // The messages to the seat.

  function connect(seat) {
    const scheme = window.location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(scheme + "//" + window.location.host + "/seat/socket/" + seat);
    sockets[seat] = socket;
    socket.addEventListener("message", (event) => hear(JSON.parse(event.data), seat));
    socket.addEventListener("close", (event) => closed(event, seat));
  }

  function hear(message, at) {
    lost = 0;
    message.at = at;
    if (message.type === "YourTurn") until = performance.now() + 1000 * message.seconds;
    if (message.type === "Goodbye") {
      part(message.reason || OVER_WORDS);
    } else if (message.type === "Snapshot") {
      const isDone = message.events.some((event) => event.type === "BoardEnd");
      if (isDone && told.board !== null && told.seat !== at) return; // of a seat that was left
      told.seat = at;
      window.clearTimeout(timer);
      timer = 0;
      isBack = isWaiting = false;
      answered = looked = null;
      again.stop();
      queue = [];
      for (const event of message.events) {
        if (event.type === "YourTurn") until = performance.now() + 1000 * event.seconds;
        told.take(event);
      }
      isWaiting = told.result !== null;
      about();
      show();
      tell(sentence());
      return;
    }
    queue.push(message);
    if (!timer) go();
  }

  /** Take note that there is no more to play, and ask what came of the last board. */
  function part(words) {
    parting = parting || words;
    about();
  }

  /** Show the waiting messages, each for its time; a board that is over stays until the player goes on. */
  function go() {
    timer = 0;
    for (let at = following(); at >= 0; at = following()) {
      const [message] = queue.splice(at, 1);
      take(message);
      const pause = document.hidden || isBack || message.seat === told.seat ? 0 : PACE[message.type];
      if (pause) {
        timer = window.setTimeout(go, pause);
        break;
      }
    }
    show();
  }

  /** The place in the queue of the message to show next; -1 if there is none. */
  function following() {
    // Messages over two sockets may come in another order: the present board is shown to its end first.
    const isPlaying = told.board !== null && !told.result && sockets[told.seat].readyState === WebSocket.OPEN;
    if (isPlaying) return queue.findIndex((each) => each.at === told.seat);
    return queue.length && !(isWaiting && queue[0].type === "BoardStart") ? 0 : -1;
  }

  function take(message) {
    if (message.type === "Error" || message.type === "YourTurn" || message.type === "BoardStart") answered = null;
    if (message.type === "YourTurn") isBack = false;
    if (message.type === "BoardStart" && told.board !== null && !told.result) {
      isBack = true;
      tell("Taken back.");
    }
    if (message.type === "BoardStart" || told.board === null) told.seat = message.at;
    if (message.type === "BoardStart") {
      looked = null;
      again.stop();
    }
    const words = told.take(message);
    if (words && !isBack) tell(words);
    if (NOTED.includes(message.type)) remark(words);
    if (message.type === "BoardStart" || message.type === "BoardEnd") about();
    if (message.type === "BoardEnd") {
      isWaiting = true;
      patience = PATIENCE;
    }
  }

  /** Say something to screen readers. */
  function tell(words) {
    news.append(element("span", {}, words + " "));
    while (news.childElementCount > 12) news.firstElementChild.remove();
  }

  /** Show the state of the seat, also to screen readers. */
  function report(words) {
    if (state.textContent === words) return;
    state.textContent = words;
    tell(words);
  }

  function closed(event, seat) {
    if (event.code === STOPPED && !event.reason) parting = parting || STOPPED_WORDS;
    if (event.code === OVER) part(OVER_WORDS);
    if (parting || isElsewhere) return show();
    if (event.code === 1008) {
      const again = element("button", { type: "button" }, "Play here");
      again.addEventListener("click", () => window.location.reload());
      report("This seat was opened in another window. ");
      state.append(again);
      choices.replaceChildren();
      isElsewhere = true;
      return;
    }
    lost += 1;
    report(event.code === 4404 ? "Nobody is awaited at this seat now: trying again …"
      : "The connection is lost: trying again …");
    window.setTimeout(retry, Math.min(lost, 5) * SOON, seat);
  }

  async function retry(seat) {
    const answer = lost > 2 ? await window.fetch("about").catch(() => null) : null;
    if (answer && answer.status === 403) report("This browser has no seat here any more.");
    else connect(seat);
  }

  // The actions of the player.

  /** Why an answer is not possible; "" if it is. */
  function objection(answer) {
    const isDue = told.turn && !isElsewhere && answered !== told.turn.seq && sockets[told.seat].readyState === WebSocket.OPEN;
    return isDue ? Arena.objection(answer, told) : "It is not your turn.";
  }

  /** Take a call or a card that was pressed; it is sent at the second time, if the player wants it so. */
  function press(answer) {
    const what = answer.call || answer.card;
    const isTwice = chosen === what || again.table || !document.documentElement.classList.contains("confirm");
    if (isTwice || objection(answer)) return send(answer);
    chosen = what;
    show();
    complain("Press again: " + (answer.call ? Arena.callName(what) : Arena.cardName(what)) + ".");
  }

  function send(answer) {
    if (again.legal.includes(answer.card)) return again.play(answer.card);
    const { turn } = told;
    const socket = sockets[told.seat];
    const wrong = objection(answer);
    if (wrong) return complain(wrong);
    answered = turn.seq;
    if (answer.type === "Undo") told.undoing = true;
    if (answer.call) box.clear();
    note.textContent = "";
    socket.send(JSON.stringify({ table: turn.table, board: turn.board, seq: turn.seq, ...answer }));
    show();
  }

  function ask(number) {
    if (told.explained.has(number)) complain(told.meaning(number));
    else send({ type: "Explain", call: number });
  }

  /** Show the answer to a question of the player, or a mistake, also to screen readers. */
  function complain(words) {
    remark(words, "alert");
  }

  /** Show words beside what was pressed, over the page, so that nothing moves. */
  function remark(words, role) {
    const { left, right, top, bottom } = place || act.getBoundingClientRect();
    const isLow = bottom + 90 > window.innerHeight;
    note.setAttribute("role", role || "none");
    note.textContent = words;
    note.style.left = Math.max(8, Math.min((left + right) / 2 - 150, window.innerWidth - 308)) + "px";
    note.style.top = window.scrollY + (isLow ? top - 6 : bottom + 6) + "px";
    note.classList.toggle("above", isLow);
  }

  /** Remember what is pressed. */
  function point(target) {
    if (spot.getAttribute("aria-describedby") === "note") spot.removeAttribute("aria-describedby");
    note.textContent = "";
    spot = target;
    place = spot.getBoundingClientRect();
    spot.setAttribute("aria-describedby", "note");
  }

  async function hint() {
    // The actions of the others count only once they are shown.
    if (!told.turn) return complain("It is not your turn.");
    const answer = await window.fetch("hint").catch(() => null);
    const found = answer && answer.ok ? await answer.json() : {};
    const what = found.call ? Arena.callName(found.call) : found.card ? "the " + Arena.cardName(found.card)
      : found.type === "Claim" ? "claim " + found.tricks : found.type === "AnswerClaim"
        ? (found.accept ? "accept" : "refuse") : null;
    const means = Arena.explanation(found.explanation);
    complain(what ? "natural: " + what + (means ? " (" + means + ")" : "") + "." : "There is no hint.");
  }

  function next() {
    if (!isWaiting || hasEnded()) return complain(parting ? ending() : "Type a call or a card; ? shows how.");
    isWaiting = false;
    show();
    if (!timer) go();
  }

  function typedLine(event) {
    event.preventDefault();
    point(say);
    if (told.board === null) return;
    const answer = Arena.read(say.value, told);
    if (answer.wrong) {
      say.select(); // what is typed next takes its place
      return complain(answer.wrong + ".");
    }
    say.value = "";
    if (answer.next) next();
    else if (answer.hint && at("hint")) hint();
    else if (answer.hint) complain("There are no hints here.");
    else if (answer.type === "Undo" && !at("undo")) complain("There is no undo here.");
    else if (answer.ask !== undefined) ask(answer.ask);
    else send(answer);
  }

  // The display.

  function show() {
    const board = told.board;
    if (isElsewhere) return;
    const isOver = hasEnded();
    const isParting = isOver || (isWaiting && parting !== "");
    if (isParting) report((told.result ? sentence() + " " : "") + ending());
    const isTyping = document.activeElement === say;
    at("line").hidden = isOver;
    if (board === null) {
      if (isOver) offer(false, isOver);
      else report("Waiting for the others …");
      return;
    }
    const focused = document.activeElement;
    const card = focused && focused.dataset ? focused.dataset.card : undefined;
    at("heading").textContent = "Board " + board.board;
    const isReview = isOpen();
    const isDue = !isOver && told.turn !== null && answered !== told.turn.seq;
    if (!isDue) chosen = "";
    const drawn = again.table || told.table;
    table.bottom = told.seat;
    table.suits = Arena.suitsOf(told.table.contract);
    table.update(board, drawn);
    if (isReview && looked === null) looked = table.opening(); // all four hands
    table.go(again.table || looked === null ? table.actions.length : looked);
    document.body.classList.toggle("reviewing", isReview);
    const theirs = told.theirs();
    for (const step of table.element.querySelectorAll(".told [data-step]")) {
      step.disabled = isReview ? again.table !== null : !theirs.includes(Number(step.dataset.step) - 1);
      step.title = step.disabled || isReview ? "" : "Ask what it means";
    }
    const steps = Array.from(table.element.querySelectorAll(".told [data-step]:not(:disabled)"));
    Arena.stopAt(steps, steps.find((step) => step === document.activeElement) || steps[steps.length - 1]);
    table.auction.scrollTop = table.auction.scrollHeight;
    for (const seat of waiting.away) table.felt.querySelector('[data-hand="' + seat + '"]').classList.add("away");
    const request = told.claim ? told.claimed() : told.turn && told.turn.undo ? told.requested() : "";
    if (request) table.felt.querySelector(".center").append(element("p", { class: "claimed" }, request));
    table.heading.textContent = drawn.name || "Your table";
    if (!isParting) state.textContent = again.table ? again.sentence() : sentence();
    document.title = (isDue ? "● Your turn – " : "") + TITLE;
    waiting.ask(!isOver && !isDue && !told.result && (known.people || "") !== "");
    offer(isDue, isOver);
    box.draw(chosen);
    onceMore(isReview);
    if (isOver && isTyping) keepFocus();
    if (again.legal.length || (isDue && !told.turn.claim && told.table.contract)) makePlayable(card);
    // The card that had the focus is gone.
    if (card && document.activeElement === document.body) keepFocus();
    tick();
  }

  /** Move the focus if its element is gone: to the line, or without a keyboard to the turn's buttons. */
  function keepFocus() {
    (typed && !at("line").hidden ? say : act).focus({ preventScroll: true });
  }

  /** Whether there is no more to play, and no board left to show that was played to its end. */
  function hasEnded() {
    return parting !== "" && !queue.some((each) => each.type === "BoardEnd");
  }

  function ending() {
    return parting[0].toUpperCase() + parting.slice(1) + ".";
  }

  function sentence() {
    if (told.result) return "Board " + told.board.board + " is over: " + (told.result.score === undefined ? "given up" : Arena.outcome(told)) + ".";
    if (told.turn && answered !== told.turn.seq) {
      if (told.turn.claim) return told.claimed() + " Do you accept?";
      if (told.turn.undo) return told.requested() + " Do you agree?";
      if (!told.table.contract) return "Your turn to call.";
      return told.turn.seat === told.seat ? "Your turn to play." : "Your turn to play from dummy.";
    }
    if (told.claim) return "The claim waits for its answers.";
    if (told.undoing) return "Your opponents are asked whether you may take it back.";
    const turn = told.next;
    if (turn === null || told.plays(turn)) return "…";
    if (told.table.contract && turn === told.seat) return "Your partner plays from your hand.";
    return waiting.sentence(told.player(turn), told.players);
  }

  let offered = "";

  /** The buttons for the turn; they stay as they are while the turn is the same. */
  function offer(isDue, isOver) {
    const board = told.board === null ? "" : told.board.board;
    const hasPlayed = told.result !== null || !at("over").hidden;
    const isAsked = isDue && (told.turn.claim || told.turn.undo);
    const isBidding = !told.result && told.board !== null && !told.table.contract && !isOver && !isAsked;
    const key = isOver ? "end " + hasPlayed + known.event : isWaiting ? "next" : isDue ? "turn " + board + " " + told.turn.seq : String(isBidding);
    if (key === offered) return;
    offered = key;
    act.dataset.board = board;
    act.dataset.seq = isDue ? told.turn.seq : "";
    const hadFocus = [choices, at("go"), at("deed")].some((part) => part.contains(document.activeElement));
    // The result of a board is prominent when it is over, and moves aside during the next board.
    if (isOver || key === "next") table.play.after(at("over"), at("scorecard"));
    else document.querySelector("main").append(at("over"), at("scorecard"));
    const button = element("button", { type: "button", class: "main", id: "next" }, "Next board");
    button.addEventListener("click", next);
    at("go").replaceChildren(...(key === "next" ? [button] : []));
    box.legal = isBidding && isDue ? told.turn.legal : [];
    if (isOver) {
      note.textContent = "";
      choices.replaceChildren(...(parting === STOPPED_WORDS ? [Arena.interrupted(act.dataset.goOn)]
        : Arena.farewell({ hasPlayed, event: known.event, ...act.dataset })));
    } else if (isBidding !== choices.contains(box.element)) {
      choices.replaceChildren(...(isBidding ? [box.element] : []));
    }
    const deed = isAsked ? Arena.answering(told.turn, send) : isBidding ? box.alerting : isDue && told.turn.may_claim ? Arena.claiming(told, send) : null;
    if (at("deed").firstElementChild !== deed) at("deed").replaceChildren(...(deed ? [deed] : []));
    if (at("undo")) at("undo").hidden = !(isDue && told.hasCalled && !isAsked && !told.refused);
    if (hadFocus && document.activeElement === document.body) keepFocus();
  }

  /** Let the player press the cards that may be played, by pointer and by key. */
  function makePlayable(focused) {
    const cards = playable();
    for (const card of cards) {
      card.classList.add("playable");
      card.setAttribute("role", "button");
      card.setAttribute("aria-label", Arena.cardName(card.dataset.card));
      card.classList.toggle("chosen", card.dataset.card === chosen);
    }
    const first = cards.find((card) => card.dataset.card === focused) || cards[0];
    Arena.stopAt(cards, first);
    if (first && focused) first.focus({ preventScroll: true });
  }

  function playable() {
    if (again.table) {
      return Array.from(table.felt.querySelectorAll(".hand .card[data-seat]")).filter((card) => again.legal.includes(card.dataset.card));
    }
    const { turn } = told;
    if (!turn || turn.claim || !told.table.contract || answered === turn.seq) return [];
    return Array.from(table.felt.querySelectorAll(".hand .card[data-seat]")).filter((card) =>
      card.dataset.seat === turn.seat && turn.legal.includes(card.dataset.card));
  }

  function play(target) {
    const card = target.closest("[data-card][data-seat]");
    if (!card) return;
    point(card);
    press({ type: "PlayCard", card: card.dataset.card });
  }

  function tick() {
    if (waiting.timer && !again.table && !parting) state.textContent = sentence();
    if (!told.turn || parting || answered === told.turn.seq) {
      clock.textContent = "";
      return;
    }
    const left = Math.max(0, Math.round((until - performance.now()) / 1000));
    clock.textContent = Arena.minutes(left) + " left";
    clock.classList.toggle("short", left <= 30);
    if (left === 60 || left === 15) tell(left + " seconds left.");
  }

  // Boards that are over.

  /** Whether the board on the table is over, and all of it was told. */
  function isOpen() {
    return known.over !== undefined && told.board === known.over.board;
  }

  /** Put a board that is over on the table with all its cards, if it is the one there or none is. */
  function open(over) {
    const isThere = told.result !== null && told.board.board === over.board.board;
    if (!isThere && (told.board !== null || !parting)) return;
    told.seat = over.seat;
    told.board = over.board;
    told.table.players = told.players;
    told.result = told.result || { score: told.table.score };
  }

  function lookAt(step) {
    if (!isOpen()) return;
    again.stop();
    looked = step;
    show();
    table.element.scrollIntoView({ block: "nearest" });
  }

  /** The buttons with which the player tries cards of a board that is over again. */
  function onceMore(isReview) {
    const button = (text, action, isOff) => {
      const made = element("button", { type: "button", disabled: isOff }, text);
      made.addEventListener("click", action);
      return made;
    };
    const stop = () => {
      again.stop();
      show();
    };
    const shown = [];
    if (again.table) {
      shown.push(element("p", {}, again.sentence()),
        button("Take the card back", () => again.back(), !again.before.length), button("Stop", stop));
    } else if (isReview && told.table.declarer) {
      const { calls, cards } = told.table;
      const first = cards.slice(0, Math.max(0, looked - calls.length));
      shown.push(button("Play on from here", () => again.begin(known.over, first), looked < calls.length || first.length === 52),
        element("p", { class: "quiet" }, "Step to a card above, and try another: it does not count, and the solver plays the other hands."));
    }
    const old = at("once-more");
    const had = old.contains(document.activeElement) ? Array.from(old.children).indexOf(document.activeElement) : -1;
    old.replaceChildren(...shown);
    if (had >= 0 && old.children[had]) old.children[had].focus({ preventScroll: true });
  }

  const PATIENCE = 120; // the most requests for its result
  let asking = 0;
  let patience = PATIENCE;

  async function about() {
    window.clearTimeout(asking);
    const answer = await window.fetch("about").catch(() => null);
    // When the event is over, the server does not answer for a while.
    const found = answer !== null && answer.ok ? await answer.json() : {};
    if (found.players) {
      known = found;
      Object.assign(told.players, found.players);
      if (found.over) open(found.over);
      if (told.board) told.table.name = found.room;
    }
    if (found.over) Arena.over(at("over"), found.over, found.scorecard || [], lookAt);
    if (found.scorecard) Arena.scorecard(at("scorecard"), found.scorecard);
    if (found.players) show();
    if ((isMissing(found.over) || (found.over && !found.over.is_solved)) && patience > 0) {
      patience -= 1;
      window.clearTimeout(asking);
      asking = window.setTimeout(about, SOON);
    }
  }

  /** Whether the server has not told yet what came of the board that is over, or of the last one. */
  function isMissing(over) {
    if (told.result === null) return parting !== "" && !over;
    return !over || over.board.board !== told.board.board;
  }

  // The page.

  function key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target;
    const isTyping = target.matches("input:not([type=checkbox])") && target !== say;
    if (isTyping) return;
    typed = true;
    document.body.classList.add("typing");
    const isCard = target.classList.contains("playable");
    const isFree = target === document.body || target === act || (target === say && !say.value);
    const isArrow = event.key.startsWith("Arrow");
    if (event.key === "Escape") {
      say.value = "";
      return; // it closes what lies over the page, too
    }
    if (event.key === "?") at("help").togglePopover();
    else if (isCard && (event.key === "Enter" || event.key === " ")) play(target);
    else if (isArrow && (isFree || groups().some((each) => each.includes(target)))) move(event.key);
    else if (event.key === "Enter" && isFree) next();
    else {
      if (event.key.length === 1 && event.key !== " " && target !== say) say.focus();
      return;
    }
    event.preventDefault();
  }

  /** The controls among which arrow keys move: cards, the bidding box, what was bid and played. */
  function groups() {
    return [playable(), choices.contains(box.element) ? box.keys : [],
      Array.from(table.element.querySelectorAll(".told [data-step]:not(:disabled)"))];
  }

  /** Move the focus by an arrow key, at first to a card or the bidding box. */
  function move(arrow) {
    const here = document.activeElement;
    const [cards, keys] = groups();
    const group = groups().find((each) => each.includes(here)) || (cards.length ? cards : keys);
    const isOn = arrow === "ArrowRight" || arrow === "ArrowDown";
    const there = group.includes(here) ? Arena.towards(arrow, here, group)
      : group.find((each) => each.tabIndex === 0 && !cards.length) || group[isOn ? 0 : group.length - 1];
    if (!there) return;
    Arena.stopAt(group, there);
    there.focus();
  }

  table.keepsPlaces = true;
  table.corners = (position) => Arena.corners(told, position, known);
  at("table").replaceChildren(table.element);
  table.explained.after(act);
  table.felt.addEventListener("click", (event) => play(event.target));
  // A press on an opponent's call asks about it; nobody steps back here.
  table.element.addEventListener("click", (event) => {
    const found = event.target.closest(".told [data-step]");
    if (!found || isOpen()) return;
    event.stopPropagation();
    ask(Number(found.dataset.step) - 1);
  }, true);
  at("line").addEventListener("submit", typedLine);
  document.addEventListener("click", (event) => {
    const control = event.target.closest("button");
    if (control) point(control);
  }, true);
  if (at("hint")) at("hint").addEventListener("click", hint);
  if (at("undo")) at("undo").addEventListener("click", () => send({ type: "Undo" }));
  document.addEventListener("keydown", key);
  document.addEventListener("pointerdown", () => { typed = false; });
  window.setInterval(tick, 1000);
  seats.split(" ").forEach(connect);
})(window.Arena);
