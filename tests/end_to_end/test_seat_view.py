"""What the page of a seat makes of the messages, without a table."""

from __future__ import annotations

from playwright.sync_api import Browser

from bridge_arena.web.common.pages import static_files

SCRIPTS = ("symbols.js", "seat_view.js", "objection.js")

MESSAGES = """() => {
  const told = new Arena.SeatView(4);
  told.seat = "W";
  told.take({ type: "BoardStart", seq: 1, board: 1, dealer: "N", vulnerability: "None", hand: "" });
  told.take({ type: "YourTurn", seq: 2, player: "W", seat: "W", legal: [], undo: "1NT" });
  const turns = [told.turn];
  for (const code of ["illegal", "substituted"]) {
    told.take({ type: "Error", code, text: "no", seat: "W", seq: 2 });
    turns.push(told.turn);
  }
  return turns.map((turn) => turn && turn.undo);
}"""

REFUSED = """() => {
  const told = new Arena.SeatView(4);
  told.seat = "N";
  told.take({ type: "BoardStart", seq: 1, board: 1, dealer: "N", vulnerability: "None", hand: "" });
  told.take({ type: "YourTurn", seq: 2, player: "N", seat: "N", legal: ["Pass"] });
  told.undoing = true;
  told.take({ type: "Error", code: "illegal", text: "too often", seat: "N", seq: 2 });
  return Arena.objection({ type: "Undo" }, told);
}"""


def test_an_undo_that_is_settled_or_refused_is_not_asked_for_again(browser: Browser) -> None:
    page = browser.new_page()
    scripts = {file.name: file.read_text() for file in static_files()}
    for name in SCRIPTS:
        page.add_script_tag(content=scripts[name])
    assert page.evaluate(MESSAGES) == ["1NT", "1NT", None]
    assert page.evaluate(REFUSED) == "It was refused at this turn."
    page.close()
