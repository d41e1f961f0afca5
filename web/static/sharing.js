"use strict";
// Above a board: from which seat it is seen, and a link to exactly this position, with a note where
// nobody else could open it. In another page's frame what leads away is hidden.
(function (Arena) {
  const SHOWN = 2000; // milliseconds
  const chooser = document.getElementById("seen-from");
  const copy = document.getElementById("copy");
  const note = document.getElementById("copied");
  const { protocol, hostname } = window.location;
  const isHere = protocol === "file:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

  function follow(view) {
    chooser.value = view.seat || "";
  }

  /** Copy a text also where a page may not write to the clipboard: over plain HTTP, and in a frame. */
  function copySelected(text) {
    const field = Arena.element("textarea", { class: "spoken", "aria-label": "Link" });
    field.value = text;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    if (!isCopied) window.prompt("A link to this position", text);
  }

  chooser.addEventListener("change", () => {
    Arena.page.from(chooser.value);
    Arena.page.address();
  });
  copy.addEventListener("click", async () => {
    Arena.page.address();
    const address = window.location.href;
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      copySelected(address);
    }
    copy.textContent = "Copied";
    note.textContent = isHere ? "This link opens on this machine alone. A site of arena publish has links for others." : "";
    window.setTimeout(() => { copy.textContent = "Copy link"; }, SHOWN);
    window.setTimeout(() => { note.textContent = ""; }, 4 * SHOWN);
  });
  document.getElementById("board").addEventListener("arena:shown", (event) => follow(event.detail));
  document.documentElement.classList.toggle("framed", window.self !== window.top);
  if (Arena.page) follow(Arena.page);
})(window.Arena);
