// What @msgpack/msgpack reads and writes, held against ../../protocol.vectors.json.

import { deepStrictEqual, throws } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decode, encode } from "@msgpack/msgpack";

const file = new URL("../../protocol.vectors.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8"));

const bytes = ({ hex, fill }) =>
  Buffer.from(hex + (fill ? fill.hex.repeat(fill.times) : ""), "hex");

for (const vector of [...vectors.messages, ...vectors.frames]) {
  test(`${vector.from}: ${vector.name}`, () => {
    deepStrictEqual(decode(bytes(vector)), vector.json);
    // What a client writes comes out as the arena's own codec writes it, so it is accepted there.
    if (vector.from === "client")
      deepStrictEqual(Buffer.from(encode(vector.json)).toString("hex"), vector.hex);
  });
}

// These may leave out what has a default, and have fields that nobody knows; the rest must agree.
for (const vector of vectors.read) {
  test(`${vector.from}, read: ${vector.name}`, () => {
    const messages = decode(bytes(vector));
    deepStrictEqual(messages.length, vector.json.length);
    messages.forEach((message, index) => agree(message, vector.json[index]));
  });
}

function agree(message, expected) {
  for (const [name, value] of Object.entries(message)) {
    if (!(name in expected)) continue;
    if (name === "explanation") agree(value, expected[name]);
    else deepStrictEqual(value, expected[name], name);
  }
}

for (const vector of vectors.refused.filter(({ from }) => from === "server")) {
  test(`server, refused: ${vector.name}`, () => {
    if (vector.error.startsWith("the frame is not msgpack")) throws(() => decode(bytes(vector)));
    else decode(bytes(vector)); // msgpack, though no frame of a server
  });
}
