"use strict";
// The page of a board: draws the document that is in it. `Arena.page` is the view.
(function (Arena) {
  const text = document.getElementById("page-data").textContent;
  Arena.page = Arena.mount(document.getElementById("board"), JSON.parse(text));
})(window.Arena);
