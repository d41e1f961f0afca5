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

  const { seats, questions } = document.querySelector("main").dataset;
  const told = new Arena.SeatView(Number(questions));
  const table = new Arena.Table(() => {});
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
      answered = null;
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
    const words = told.take(message);
    if (words && !isBack) tell(words);
    if (NOTED.includes(message.type)) note.textContent = words;
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

  function send(answer) {
    const { turn } = told;
    const socket = sockets[told.seat];
    if (!turn || isElsewhere || answered === turn.seq || socket.readyState !== WebSocket.OPEN) {
      return complain("It is not your turn.");
    }
    const objection = Arena.objection(answer, told);
    if (objection) return complain(objection);
    answered = turn.seq;
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
    note.textContent = words;
    tell(words);
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
    table.bottom = told.seat;
    table.update(board, told.table);
    table.go(table.actions.length);
    const theirs = told.theirs();
    for (const step of table.element.querySelectorAll(".told [data-step]")) {
      step.disabled = !theirs.includes(Number(step.dataset.step) - 1);
      step.title = step.disabled ? "" : "Ask what it means";
    }
    table.heading.textContent = told.table.name || "Your table";
    if (!isParting) state.textContent = sentence();
    const isDue = !isOver && told.turn !== null && answered !== told.turn.seq;
    offer(isDue, isOver);
    if (isOver && isTyping) keepFocus();
    if (isDue && !told.turn.claim && told.table.contract) makePlayable(card);
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
      if (told.turn.claim) return "Declarer claims " + told.claim.tricks + " of the tricks left. Do you accept?";
      if (!told.table.contract) return "Your turn to call.";
      return told.turn.seat === told.seat ? "Your turn to play." : "Your turn to play from dummy.";
    }
    if (told.claim) return "The claim waits for its answers.";
    const turn = told.next;
    if (turn === null || told.plays(turn)) return "…";
    if (told.table.contract && turn === told.seat) return "Your partner plays from your hand.";
    return Arena.SEAT_NAMES[turn] + " is to " + (told.table.contract ? "play" : "call") + ".";
  }

  let offered = "";

  /** The buttons for the turn; they stay as they are while the turn is the same. */
  function offer(isDue, isOver) {
    const board = told.board === null ? "" : told.board.board;
    const hasPlayed = told.result !== null || !at("over").hidden;
    const key = isOver ? "end " + hasPlayed : isWaiting ? "next" : isDue ? "turn " + board + " " + told.turn.seq : "";
    if (key === offered) return;
    offered = key;
    act.dataset.board = board;
    act.dataset.seq = isDue ? told.turn.seq : "";
    const hadFocus = choices.contains(document.activeElement);
    // The result of a board is prominent when it is over, and moves aside during the next board.
    if (isOver || key === "next") act.after(at("over"));
    else document.querySelector("main").append(at("over"));
    if (isOver) {
      note.textContent = "";
      choices.replaceChildren(...(parting === STOPPED_WORDS ? [Arena.interrupted(act.dataset.goOn)]
        : Arena.farewell(hasPlayed, act.dataset.results)));
    } else if (key === "next") {
      const button = element("button", { type: "button", class: "main", id: "next" }, "Next board");
      button.addEventListener("click", next);
      choices.replaceChildren(button);
    } else {
      choices.replaceChildren(...(isDue ? Arena.buttons(told, send) : []));
    }
    if (at("undo")) at("undo").hidden = !(isDue && told.hasCalled);
    if (hadFocus) keepFocus();
  }

  /** Let the player press the cards that may be played, by pointer and by key. */
  function makePlayable(focused) {
    const cards = playable();
    for (const card of cards) {
      card.classList.add("playable");
      card.setAttribute("role", "button");
      card.setAttribute("aria-label", Arena.cardName(card.dataset.card));
      card.tabIndex = -1;
    }
    const first = cards.find((card) => card.dataset.card === focused) || cards[0];
    if (first) first.tabIndex = 0;
    if (first && focused) first.focus({ preventScroll: true });
  }

  function playable() {
    const { turn } = told;
    if (!turn || turn.claim || !told.table.contract || answered === turn.seq) return [];
    return Array.from(table.felt.querySelectorAll(".hand .card[data-seat]")).filter((card) =>
      card.dataset.seat === turn.seat && turn.legal.includes(card.dataset.card));
  }

  function play(target) {
    const card = target.closest("[data-card][data-seat]");
    if (card) send({ type: "PlayCard", card: card.dataset.card });
  }

  function tick() {
    if (!told.turn || parting || answered === told.turn.seq) {
      clock.textContent = "";
      return;
    }
    const left = Math.max(0, Math.round((until - performance.now()) / 1000));
    clock.textContent = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0") + " left";
    clock.classList.toggle("short", left <= 30);
    if (left === 60 || left === 15) tell(left + " seconds left.");
  }

  // The last board.

  const PATIENCE = 120; // the most requests for its result
  let asking = 0;
  let patience = PATIENCE;

  async function about() {
    window.clearTimeout(asking);
    const answer = await window.fetch("about").catch(() => null);
    // When the event is over, the server does not answer for a while.
    const found = answer !== null && answer.ok ? await answer.json() : {};
    if (found.players && told.board) {
      Object.assign(told.players, found.players);
      told.table.name = found.room;
    }
    if (found.over) Arena.over(at("over"), found.over);
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
    return !over || over.board !== told.board.board;
  }

  // The page.

  function help() {
    const isHidden = !at("help").hidden;
    at("help").hidden = isHidden;
    at("show-help").setAttribute("aria-expanded", String(!isHidden));
  }

  function key(event) {
    typed = true;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target;
    const isTyping = target.matches("input:not([type=checkbox])") && target !== say;
    if (isTyping) return;
    const isCard = target.classList.contains("playable");
    const isFree = target === document.body || target === act || (target === say && !say.value);
    const isArrow = event.key.startsWith("Arrow");
    if (event.key === "?") help();
    else if (event.key === "Escape") say.value = "";
    else if (isCard && (event.key === "Enter" || event.key === " ")) play(target);
    else if (isArrow && (isCard || isFree)) move(event.key);
    else if (event.key === "Enter" && isFree) next();
    else {
      if (event.key.length === 1 && event.key !== " " && target !== say) say.focus();
      return;
    }
    event.preventDefault();
  }

  /** Move the focus to the next card that may be played, in reading order. */
  function move(name) {
    const cards = playable();
    const here = cards.indexOf(document.activeElement);
    const by = name === "ArrowRight" || name === "ArrowDown" ? 1 : -1;
    const there = here < 0 ? (by > 0 ? 0 : cards.length - 1) : (here + by + cards.length) % cards.length;
    if (cards[there]) cards[there].focus();
  }

  at("table").replaceChildren(table.element);
  table.explained.after(act);
  table.felt.addEventListener("click", (event) => play(event.target));
  // A press on an opponent's call asks about it; nobody steps back here.
  table.element.addEventListener("click", (event) => {
    const found = event.target.closest(".told [data-step]");
    if (!found) return;
    event.stopPropagation();
    ask(Number(found.dataset.step) - 1);
  }, true);
  at("line").addEventListener("submit", typedLine);
  at("show-help").addEventListener("click", help);
  if (at("hint")) at("hint").addEventListener("click", hint);
  if (at("undo")) at("undo").addEventListener("click", () => send({ type: "Undo" }));
  document.addEventListener("keydown", key);
  document.addEventListener("pointerdown", () => { typed = false; });
  window.setInterval(tick, 1000);
  seats.split(" ").forEach(connect);
})(window.Arena);
