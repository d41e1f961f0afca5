"use strict";
// The page of a seat: takes the messages of its table, and shows the board and the turn.
(function (Arena) {
  const element = Arena.element;
  const at = (id) => document.getElementById(id);
  const [state, clock, act, say] = ["state", "clock", "act", "say"].map(at);
  const PAUSES = { CallMade: 300, CardPlayed: 450, TrickEnd: 900 }; // milliseconds for which actions of the others are shown
  const AMPLE = 60; // seconds; a turn that leaves less begins at once
  const NOTED = ["Error", "ExplanationGiven", "ClaimSettled"]; // also shown beside the line
  const TITLE = document.title;

  const { seats, questions } = document.querySelector("main").dataset;
  const view = new Arena.SeatView(Number(questions));
  const table = new Arena.Table(({ step }) => { review.step = step; show(); });
  const waiting = new Arena.Waiting(show);
  const speaker = new Arena.Speaker(act);
  const connection = new Arena.Connection(seats.split(" "), hear, changed);
  const repeats = new Arena.Repeats();
  const pace = new Arena.Pace({ following, take, pause, draw: show });
  const review = new Arena.Review({ view, connection, speaker, onChange: show });
  const actions = new Arena.Actions({ view, connection, review, speaker, onChange: show });
  const offers = new Arena.Offers({ view, connection, review, actions, table, onNext: next, onGone: () => keyboard.keepFocus() });
  const keyboard = new Arena.Keyboard({ groups, play: (card) => offers.play(card), next });
  let isWaiting = false; // whether the player has yet to go on to the next board
  let until = 0; // the time at which the turn ends
  let wasDue = false; // whether it was the player's turn when the page was drawn last

  function hear(message, at) {
    message.at = at;
    if (message.type === "YourTurn") until = performance.now() + 1000 * message.seconds;
    if (message.type === "Snapshot") return restore(message, at);
    if (message.type === "Goodbye") {
      connection.end(message.reason || act.dataset.ending || "the event is over");
      review.ask();
    }
    pace.add(message);
    if (isPressing(message)) pace.go();
  }

  /** Whether a message asks for an action whose time must not pass while the page shows others. */
  function isPressing({ type, seconds, board_seconds, match_seconds }) {
    return type === "YourTurn" && (seconds < AMPLE || board_seconds !== undefined || match_seconds !== undefined);
  }

  function restore({ events }, at) {
    const isDone = events.some((event) => event.type === "BoardEnd");
    if (isDone && view.board !== null && view.seat !== at) return; // of a seat that was left
    view.seat = at;
    pace.clear();
    repeats.end();
    actions.answered = null;
    review.leave();
    for (const event of events) {
      if (event.type === "YourTurn") until = performance.now() + 1000 * event.seconds;
      view.take(event);
    }
    isWaiting = view.result !== null;
    review.ask();
    show();
    speaker.tell(sentence());
  }

  /** The place of the message to show next; -1 if there is none: a board that is over stays until the player goes on. */
  function following() {
    const messages = pace.waiting;
    // Messages over two sockets may come in another order: the present board is shown to its end first.
    const isPlaying = view.board !== null && !view.result && connection.isOpen(view.seat);
    if (isPlaying) return messages.findIndex((message) => message.at === view.seat);
    return messages.length && !(isWaiting && messages[0].type === "BoardStart") ? 0 : -1;
  }

  /** Whether the board is being repeated after an action was taken back. */
  function isRepeated() {
    return view.board !== null && repeats.has(view.table);
  }

  function pause({ seat, type }) {
    return isRepeated() || seat === view.seat || pace.waiting.some(isPressing) ? 0 : PAUSES[type];
  }

  function take(message) {
    const { type } = message;
    const isStart = type === "BoardStart";
    if (isStart || type === "Error" || type === "YourTurn") actions.answered = null;
    if (isStart || type === "YourTurn") repeats.end();
    if (isStart && view.board !== null && !view.result) {
      repeats.begin(view.table);
      speaker.tell("Taken back.");
    }
    if (isStart || view.board === null) view.seat = message.at;
    if (isStart) review.leave();
    const words = view.take(message);
    if (words && !isRepeated()) speaker.tell(words);
    if (NOTED.includes(type)) speaker.remark(words);
    if (isStart) review.ask();
    if (type === "BoardEnd") {
      isWaiting = true;
      review.end();
    }
  }

  function changed(words) {
    if (!words) return show();
    speaker.report(words);
    if (!connection.isElsewhere) return;
    state.append(Arena.button(() => window.location.reload(), {}, "Play here"));
    at("choices").replaceChildren();
  }

  function next() {
    if (!isWaiting || hasEnded()) return speaker.complain(connection.ending ? ending() : "Type a call or a card; ? shows how.");
    isWaiting = false;
    show();
    if (!pace.timer) pace.go();
  }

  function show() {
    if (connection.isElsewhere) return;
    const isOver = hasEnded();
    const isTyping = document.activeElement === say;
    at("line").hidden = isOver;
    const { again } = review;
    if (!again.table && (isOver || (isWaiting && connection.ending))) speaker.report((view.result ? sentence() + " " : "") + ending());
    if (view.board === null) {
      if (isOver) offers.show(isOver, isWaiting);
      else speaker.report("Waiting for the others …");
      return;
    }
    const focused = document.activeElement && document.activeElement.dataset.card;
    if (!actions.isDue) actions.chosen = "";
    else if (!wasDue) speaker.tick();
    wasDue = actions.isDue;
    draw();
    at("heading").textContent = "Board " + view.board.board;
    if (again.table) state.textContent = again.sentence();
    else if (!connection.ending) state.textContent = sentence();
    document.title = (actions.isDue ? "● Your turn – " : "") + TITLE;
    waiting.ask(!isOver && !actions.isDue && (view.result || review.known.people));
    offers.show(isOver, isWaiting);
    actions.box.draw(actions.chosen);
    review.draw();
    if (isOver && isTyping) keyboard.keepFocus();
    offers.showCards(focused);
    tick();
  }

  /** Draw the table: in play, at the step of a board that is over, or with cards tried again. */
  function draw() {
    const { again, isOpen } = review;
    const drawn = again.table || view.table;
    table.bottom = view.seat;
    table.suits = Arena.suitsOf(view.table.contract);
    table.update(view.board, drawn);
    if (isOpen && review.step === null) review.step = table.opening(); // all four hands
    table.go(again.table || review.step === null ? table.actions.length : review.step);
    table.heading.textContent = drawn.name || "Your table";
    document.body.classList.toggle("reviewing", isOpen);
    const theirs = view.theirs();
    for (const step of steps("")) {
      step.disabled = isOpen ? again.table !== null : !theirs.includes(Number(step.dataset.step) - 1);
      step.title = step.disabled || isOpen ? "" : "Ask what it means";
    }
    const stops = steps(":not(:disabled)");
    Arena.stopAt(stops, stops.find((step) => step === document.activeElement) || stops[stops.length - 1]);
    table.auction.scrollTop = table.auction.scrollHeight;
    for (const seat of waiting.away) table.felt.querySelector('[data-hand="' + seat + '"]').classList.add("away");
    const request = view.claim ? view.claimed() : view.turn && view.turn.undo ? view.requested() : "";
    if (request) table.felt.querySelector(".center").append(element("p", { class: "claimed" }, request));
  }

  /** What was bid and played, as far as it can be pressed. */
  function steps(which) {
    return Array.from(table.element.querySelectorAll(".told [data-step]" + which));
  }

  /** Whether there is no more to play, and no board left to show that was played to its end. */
  function hasEnded() {
    return connection.ending !== "" && !pace.waiting.some((message) => message.type === "BoardEnd");
  }

  function ending() {
    return connection.ending[0].toUpperCase() + connection.ending.slice(1) + ".";
  }

  function sentence() {
    const { board, result, turn, next } = view;
    const paused = waiting.isPaused ? " Paused by the director." : "";
    if (result) return "Board " + board.board + " is over: " + (result.score === undefined ? "given up" : Arena.outcome(view)) + "." + paused;
    if (actions.isDue) {
      if (turn.claim) return view.claimed() + " Do you accept?";
      if (turn.undo) return view.requested() + " Do you agree?";
      if (!view.table.contract) return "Your turn to call.";
      return turn.seat === view.seat ? "Your turn to play." : "Your turn to play from dummy.";
    }
    if (view.claim) return "The claim waits for its answers.";
    if (view.undoing) return "Your opponents are asked whether you may take it back.";
    if (next === null || view.plays(next)) return "…";
    if (view.table.contract && next === view.seat) return "Your partner plays from your hand.";
    return waiting.sentence(view.player(next), view.players);
  }

  function tick() {
    if (waiting.timer && !review.again.table && !connection.ending) state.textContent = sentence();
    if (!actions.isDue) {
      clock.textContent = "";
      return;
    }
    const left = Math.max(0, Math.round((until - performance.now()) / 1000));
    clock.textContent = Arena.minutes(left) + " left";
    clock.classList.toggle("short", left <= 30);
    if (left === 60 || left === 15) speaker.tell(left + " seconds left.");
  }

  /** The controls among which arrow keys move. */
  function groups() {
    const { box } = actions;
    return [offers.cards, at("choices").contains(box.element) ? box.keys : [], steps(":not(:disabled)")];
  }

  table.keepsPlaces = true;
  table.corners = (position) => Arena.corners(view, position, review.known);
  at("table").replaceChildren(table.element);
  table.explained.after(act);
  // A press on an opponent's call asks about it; nobody steps back here.
  table.element.addEventListener("click", (event) => {
    const step = event.target.closest(".told [data-step]");
    if (!step || review.isOpen) return;
    event.stopPropagation();
    actions.ask(Number(step.dataset.step) - 1);
  }, true);
  at("line").addEventListener("submit", (event) => {
    event.preventDefault();
    speaker.point(say);
    if (view.board === null) return;
    const line = say.value;
    say.value = "";
    if (!line.trim()) return next();
    if (actions.type(line)) return;
    say.value = line;
    say.select(); // what is typed next takes its place
  });
  window.setInterval(tick, 1000);
})(window.Arena);
