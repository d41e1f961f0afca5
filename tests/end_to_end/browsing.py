"""Looks at pages as people do: narrow and wide, by day and by night, in a real browser."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, ViewportSize

from tests.patience import PATIENCE

SIZES = {390: 844, 1400: 900}
"""Widths of windows, and their heights."""

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

LARGEST = 200_000
"""Bytes of a page with all that it loads."""


@dataclass
class Opened:
    """A page in a window of its own. `complaints`: what went wrong there; `requests`: the addresses
    that it asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def sizes(self) -> dict[str, int]:
        """Return the bytes of the page and of everything that it loaded, by address."""
        loaded: list[tuple[str, int]] = self.page.evaluate(_LOADED)
        return {
            address: Path(urlsplit(address).path).stat().st_size
            if address.startswith("file:")
            else size
            for address, size in loaded
        }

    def check(self, home: str) -> None:
        """Nothing went wrong, nothing came from elsewhere than `home`, it is small, it needs no
        scrolling sideways, all text can be read, and all that can be pressed has a name."""
        assert not self.complaints, self.complaints
        strangers = [each for each in self.requests if not each.startswith((home, "data:"))]
        assert not strangers, strangers
        sizes = self.sizes()
        assert sum(sizes.values()) < LARGEST, sizes
        widths = "[document.documentElement.scrollWidth, window.innerWidth]"
        content, window = self.page.evaluate(widths)
        assert content <= window, f"{content} pixels are wider than the window of {window}"
        faint = self.page.evaluate(_CONTRAST)
        assert not faint, faint
        nameless = self.page.evaluate(_NAMELESS)
        assert not nameless, nameless


@contextmanager
def opened(browser: Browser, address: str, width: int = 1400) -> Iterator[Opened]:
    """Open a window at an address, where nothing is shown late."""
    size: ViewportSize = {"width": width, "height": SIZES.get(width, 768)}
    context = browser.new_context(viewport=size, reduced_motion="reduce")
    context.set_default_timeout(1000 * PATIENCE)
    found = Opened(context.new_page())
    try:
        listen(found)
        found.page.goto(address)
        yield found
    except BaseException as error:
        # Without asking the page, which may never answer.
        asked = found.requests[-20:]
        error.add_note(f"{found.page.url}: {found.complaints}, after asking for {asked}")
        raise
    finally:
        context.close()


def look(browser: Browser, address: str, home: str) -> None:
    """Check a page at all widths and in both colour schemes."""
    for width in SIZES:
        with opened(browser, address, width) as found:
            for scheme in SCHEMES:
                found.page.emulate_media(color_scheme=scheme)
                found.check(home)


@contextmanager
def web_server(folder: Path) -> Iterator[str]:
    """A web server of plain files, as anybody has one; its address."""
    handler = partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def listen(found: Opened) -> None:
    def on_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            found.complaints.append(message.text)

    def on_failure(request: Request) -> None:
        # Whoever goes on to another page before all is there stops the rest.
        if request.failure != "net::ERR_ABORTED":
            found.complaints.append(f"{request.url} failed: {request.failure}")

    page = found.page
    page.on("console", on_console)
    page.on("pageerror", lambda error: found.complaints.append(str(error)))
    page.on("request", lambda request: found.requests.append(request.url))
    page.on("requestfailed", on_failure)


_LOADED = """() => ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
  .map((each) => [each.name.split("#")[0], each.decodedBodySize])"""

_CONTRAST = """() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  function parse(colour) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  }
  const over = (top, under) => [0, 1, 2].map((i) => top[3] * top[i] + (1 - top[3]) * under[i]);
  function ground(element) {
    if (!element) return [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own[3] === 1 ? own.slice(0, 3) : over(own, ground(element.parentElement));
  }
  function light(colour) {
    const parts = colour.map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  }
  function seen(element) {
    let opacity = 1;
    for (let each = element; each; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.clipPath !== "none" || style.visibility === "hidden") return 0;
      opacity *= Number(style.opacity);
    }
    return element.getClientRects().length ? opacity : 0;
  }
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || ["SCRIPT", "STYLE", "NOSCRIPT"].includes(element.tagName)) continue;
    const opacity = seen(element);
    if (!opacity) continue;
    const under = ground(element);
    const style = getComputedStyle(element);
    const ink = parse(element instanceof SVGElement ? style.fill : style.color);
    ink[3] *= opacity;
    const both = [light(over(ink, under)), light(under)].sort((a, b) => b - a);
    const ratio = (both[0] + 0.05) / (both[1] + 0.05);
    if (ratio < 4.5) faint.push(text.slice(0, 30) + ": " + ratio.toFixed(2));
  }
  return faint;
}"""

_NAMELESS = """() => {
  const wrong = [];
  for (const each of document.querySelectorAll("button, a[href], summary")) {
    if (!(each.getAttribute("aria-label") || each.textContent).trim()) wrong.push(each.outerHTML);
  }
  for (const each of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
    if (!each.getAttribute("aria-label") && !each.labels.length) wrong.push(each.outerHTML);
  }
  for (const each of document.querySelectorAll("th:not([scope])")) {
    if (each.textContent.trim()) wrong.push(each.outerHTML);
  }
  for (const each of document.querySelectorAll("svg:not([aria-hidden=true])")) {
    if (!each.closest("[role=img][aria-label]")) wrong.push(each.outerHTML.slice(0, 80));
  }
  if (!document.documentElement.lang) wrong.push("no lang");
  if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
  if (document.querySelectorAll("main").length !== 1) wrong.push("not one main");
  const ids = Array.from(document.querySelectorAll("[id]"), (each) => each.id);
  if (new Set(ids).size !== ids.length) wrong.push("an id twice");
  return wrong;
}"""
