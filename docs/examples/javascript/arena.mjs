// The dialogue with the arena, as docs/protocol.md has it. Nothing of a bot's game is here: copy
// this file as it is.

import { setTimeout as sleep } from "node:timers/promises";
import { decode, encode } from "@msgpack/msgpack";
import WebSocket from "ws";
import { Board } from "./board.mjs";

const { ARENA_URL, ARENA_TOKEN, ARENA_SEAT } = process.env;
delete process.env.ARENA_TOKEN; // programs that the bot starts have no use for it

/** For how many seconds to try to come back, or longer where the grace is longer. */
const PATIENCE = 60;
/** Seconds between two attempts: the first pause, which doubles, and the longest. */
const PAUSE = 0.25;
const LONGEST_PAUSE = 5;
/** Answers to the handshake, and close codes, after which there is no coming back. */
const FINAL = new Set([400, 401, 426, 1002, 1008]);

/** How a handshake ends whose two ends do not agree on TLS, by the errors' codes. */
const NOT_AGREED = /^(ECONNRESET|EPROTO|HPE_\w+|ERR_SSL_\w+)$/;

/**
 * Plays until the arena says Goodbye at every table. `answer(board, turn)` returns what to send
 * for a turn, as `{ type: "MakeCall", call: "1NT" }`. Returns the exit status: 0, or 1 when a
 * seat was lost.
 */
export async function play(bot, answer) {
  if (!ARENA_URL || !ARENA_TOKEN) {
    console.error("ARENA_URL and ARENA_TOKEN are not set: the arena or its organiser gives them");
    return 2;
  }
  const others = [];
  const first = await playTable(bot, answer, ARENA_SEAT, (welcome) => {
    for (let table = 1; table < (welcome.tables ?? 1); table++)
      others.push(playTable(bot, answer, welcome.seat));
  });
  return [first, ...(await Promise.all(others))].every(Boolean) ? 0 : 1;
}

/** One table to its end, over as many connections as it takes; true after Goodbye. */
async function playTable(bot, answer, seat, onSeated) {
  const hello = { type: "Hello", version: 1, ...bot, delivery: "turn" };
  if (seat) hello.seat = seat;
  let patience = PATIENCE;
  let lost = Date.now(); // milliseconds
  let pause = PAUSE;
  for (;;) {
    const { welcome, goodbye, code, why } = await connect(hello, answer, onSeated);
    if (goodbye) return true;
    console.error(`connection lost: ${code} ${why}`);
    if (welcome) {
      onSeated = undefined; // the other tables are on their way
      hello.seat = welcome.seat;
      hello.resume = welcome.session ?? "";
      patience = Math.max(PATIENCE, welcome.grace_seconds ?? 0);
      lost = Date.now();
      pause = PAUSE;
    }
    if (code === 1012) delete hello.resume; // this seat is gone, but there may be another
    const wayBack = hello.resume !== "" && !FINAL.has(code);
    if (!wayBack || Date.now() + pause * 1000 > lost + patience * 1000) return false;
    await sleep(pause * 1000);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

/** What to try where only one end speaks TLS. */
function otherScheme() {
  const [scheme, ...rest] = ARENA_URL.split(":");
  return scheme === "wss"
    ? `if the server has no TLS, its address is ${["ws", ...rest].join(":")}`
    : `if the server has TLS, its address is ${["wss", ...rest].join(":")}`;
}

/** One connection, from Hello to its close. Never rejects: says how it ended. */
function connect(hello, answer, onSeated) {
  return new Promise((resolve) => {
    const end = { code: 1006, why: "" };
    let board;
    let turn; // the open one

    function take(message) {
      switch (message.type) {
        case "Welcome":
          end.welcome = message;
          onSeated?.(message);
          break;
        case "BoardStart":
          board = new Board(end.welcome.seat, message);
          break;
        case "YourTurn":
          turn = message;
          break;
        case "Snapshot":
          message.events.forEach(take);
          break;
        case "Error":
          console.error(`${message.code}: ${message.text}`);
          break;
        case "Goodbye":
          end.goodbye = true;
          break;
        default:
          board?.take(message); // a type or a field that it does not know changes nothing
      }
    }

    const socket = new WebSocket(ARENA_URL, "bridge-arena.v1", {
      headers: { Authorization: `Bearer ${ARENA_TOKEN}` },
      perMessageDeflate: false,
      handshakeTimeout: 10_000, // milliseconds
    });
    const send = (message) => socket.send(encode([message]));
    // A network that dies in silence shows within half a minute.
    socket.on("upgrade", (response) => response.socket.setKeepAlive(true, 10_000));
    let opened = false;
    socket.on("open", () => {
      opened = true;
      send(hello);
    });
    socket.on("message", (frame) => {
      decode(frame).forEach(take);
      if (!turn) return;
      const { table, board: number, seq } = turn;
      send({ ...answer(board, turn), table, board: number, seq });
      turn = undefined;
    });
    socket.on("unexpected-response", (request, response) => {
      end.code = response.statusCode;
      socket.terminate();
    });
    socket.on("error", (error) => {
      end.why ||= error.message;
      if (!opened && NOT_AGREED.test(error.code)) end.why += `: ${otherScheme()}`;
    });
    socket.on("close", (code, reason) => {
      if (end.code === 1006) end.code = code;
      end.why = String(reason) || end.why;
      resolve(end);
    });
  });
}
