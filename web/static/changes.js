"use strict";
// Follows a stream of changes: `Arena.follow(address, take, tell)`.
//
// Each event is a list of [number, change]; a change with `state` is the whole, and changes that a
// state has already, by their numbers, are passed over. `take(changes)` gets the new ones, `tell(text)`
// how the connection is; an empty text where all is well. Returns what ends it.
window.Arena = window.Arena || {};
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
        if (change.state) changes.length = 0;
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
