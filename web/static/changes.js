"use strict";
// Follows a stream of changes: `Arena.follow(address, take, tell)`.
//
// Each event is a list of [number, change]. A change with `state` holds the whole state; changes that
// are in that state already, by their numbers, are skipped. `take(changes)` gets the new ones, and
// `tell(text)` the trouble with the connection, or an empty text. It returns a function that ends it.
(function (Arena) {
  Arena.follow = function (address, take, tell) {
    const source = new EventSource(address);
    let last = -1;

    source.addEventListener("open", () => {
      last = -1;
    });
    source.addEventListener("message", (event) => {
      const changes = [];
      for (const [number, change] of JSON.parse(event.data)) {
        if (number <= last) continue;
        last = number;
        changes.push(change);
      }
      tell("");
      if (changes.length) take(changes);
    });
    source.addEventListener("error", () => {
      tell(source.readyState === EventSource.CLOSED
        ? "The arena is gone: reload to try again." : "The arena does not answer: trying again …");
    });
    return () => source.close();
  };
})(window.Arena);
