"""The page: its figures, that it needs nothing else, and that it quotes what it is given."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from bridge_arena.base.plots import FIRST
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.intervals import interval
from bridge_arena.reports.match.figures import match_figures
from bridge_arena.reports.match.plots import draw
from bridge_arena.reports.match.report import render
from bridge_arena.tournaments.events.sealed_deals import Commitment, Sealing
from bridge_arena.tournaments.formats.rules import Format
from tests.reports.match.matches import explained_match, figures_of, results_of, worked_match
from tests.tournaments.matches import table, unfinished
from tests.tournaments.scores import event


class Reader(HTMLParser):
    """Every opening tag with its attributes, the ids, and all the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"}:
            self.text += " "

    def handle_data(self, data: str) -> None:
        self.text += data

    @property
    def names(self) -> list[str]:
        return [tag for tag, _ in self.tags]


@pytest.fixture(scope="module")
def page() -> str:
    return render(figures_of(*worked_match()))


def test_the_page_contains_the_figures(page: str) -> None:
    text = " ".join(Reader(page).text.split())
    assert "Too few boards with a swing to tell alpha and beta apart" in text
    assert "beta is ahead of alpha by 2 IMPs over 3 boards" in text
    assert "VPs 11.38 - 8.62" in text
    assert "alpha gained 8 IMPs in the auction and lost 10 IMPs in the play." in text
    assert "Opening lead alpha −13.5 2 −11.0, 3 −2.5 −4.50 ± 3.33" in text
    # A row: number, swing, total, both rooms, split, dealer, vulnerability.
    assert "2 −9 −2 3NT E = 9/8 −400 Pass – 0 +2.0 −11.0 · · E NS" in text
    assert "1 +7 +7 4♠ N = 10/10 +420 3♠ N = 9/10 +140 +6.0 · +1.0 · N None" in text
    # The last row adds up: 8 - 13.5 + 3.5 = -2.
    assert "All −2 +8.0 −13.5 +3.5" in text


def test_the_biggest_swings_come_first_with_what_their_losers_did(page: str) -> None:
    text = " ".join(Reader(page).text.split())
    before, _, after = text.partition("The biggest swings")
    assert "The boards" not in before
    assert after.startswith(" Board 2 beta +9 Open 3NT E = −400 Closed Pass 0 Auction +2.0, play")
    assert after.index("Board 2") < after.index("Board 1") < after.index("The match")
    assert "Board 3" not in after.partition("The match")[0], "it was flat"


def test_the_page_shows_no_more_and_no_less_than_the_verdict() -> None:
    """The verdict is by p, and not by the interval, which one big swing widens."""
    contracts = [("1C", "N", 7)] * 6 + [("7NT", "N", 13)]
    records: list[BoardRecord] = []
    for number, contract in enumerate(contracts, start=1):
        records += table(number, Room.OPEN, *contract), table(number, Room.CLOSED)
    over, unfinished_match = figures_of(records, {}), figures_of(records[:-1], {})
    low, _ = interval(over.imps_per_board) or (0.0, 0.0)
    assert low < 0
    for figures in (over, unfinished_match):
        is_shown, page = figures is over, render(figures)
        assert (f'fill="{FIRST}"' in draw(figures)["verdict"].svg("")) == is_shown
        assert ("The boards that decided it" in page) == is_shown
        assert ("The biggest swings" in page) != is_shown
        assert ("95 % intervals; the verdict is by p" in page) == is_shown


def test_how_the_match_was_run_comes_last_and_its_seal_first() -> None:
    seal = Sealing.of(event(Format.MATCH, 2))
    commitment = Commitment(seal.definition, seal.digest)
    results = replace(results_of(*worked_match()), commitment=commitment)
    text = " ".join(Reader(render(match_figures(results))).text.split())
    first, _, how = text.partition("How this was run")
    assert "sealed ✓" in first
    assert seal.digest not in first
    assert f"Sealed deals: committed to {seal.digest} before the first card" in how
    assert "arena report RESULTS" in how


def test_the_page_tells_explanations_and_the_worst_of_them() -> None:
    text = " ".join(Reader(render(figures_of(*explained_match()))).text.split())
    assert "Calls, explained, alerted 1, 1, 1" in text
    assert "Points, 4.0 wide 0.0 % (of 1, 1.0 off)" in text
    assert "Diamonds, 9.0 wide 100.0 % (of 1)" in text
    assert "Clubs," not in text
    assert text.count("Explains nothing") == 1
    row = "alpha 1 Open N 1D invitation [hcp 14-18, S 3-13, D 4-13] 13 points, 1 spade"
    assert f"{row} 2.KQ74.QJ83.KQ72" in text


def test_explanations_are_quoted() -> None:
    records, ledgers = explained_match()
    first, *others = records[0].calls
    assert first.explanation is not None
    told = replace(first.explanation, text="</td><script>alert(1)</script>")
    records[0] = replace(records[0], calls=(replace(first, explanation=told), *others))
    reader = Reader(render(figures_of(records, ledgers)))
    assert "script" not in reader.names
    assert "</td><script>alert(1)</script>" in reader.text


def test_the_page_is_self_contained(page: str) -> None:
    reader = Reader(page)
    assert not {"script", "link", "img", "iframe", "object"} & set(reader.names)
    assert not re.search("https?:", page)
    assert "@import" not in page
    policies = [
        attributes["content"] for _, attributes in reader.tags if "http-equiv" in attributes
    ]
    assert [str(policy).startswith("default-src 'none';") for policy in policies] == [True]
    for _, attributes in reader.tags:
        for name in ("href", "src", "xlink:href"):
            # It leads to the replays, but needs nothing of them.
            assert re.match("#|boards/(board|index).html", attributes.get(name) or "#")
    assert all(target.startswith("#") for target in re.findall(r"url\(([^)]*)\)", page))


def test_the_page_has_three_plots_with_ids_of_their_own(page: str) -> None:
    reader = Reader(page)
    assert reader.names.count("svg") == 3
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert "var(--first)" in page
    labels = [attributes.get("aria-label") or "" for tag, attributes in reader.tags if tag == "svg"]
    assert labels[1] == "Running score: IMPs after each board, up for alpha"


def test_every_plot_leads_to_boards() -> None:
    for name, plot in draw(figures_of(*worked_match())).items():
        links = [values["href"] for tag, values in Reader(plot.svg(name)).tags if tag == "a"]
        assert links, name
        assert all(link and link.startswith("boards/") for link in links), name


def test_the_same_figures_give_the_same_bytes(page: str) -> None:
    assert render(figures_of(*worked_match())) == page


def test_names_and_details_are_escaped() -> None:
    evil = "<script>alert('x')</script>&"
    records = [replace(record, home=evil, visitors='"><b>') for record in worked_match()[0]]
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "<img src=x>")
    records.append(replace(unfinished(4, Room.OPEN, crash), home=evil, visitors='"><b>'))
    page = render(figures_of(records, worked_match()[1]))
    assert "<script" not in page
    assert "<img" not in page
    assert '"><b>' not in page
    assert evil in Reader(page).text
    assert "(<img src=x>)" in Reader(page).text


def test_without_boards_there_are_no_plots() -> None:
    page = render(figures_of([], {}))
    assert "svg" not in Reader(page).names
    assert "Not over: 0 of 1 board played in both rooms so far" in page


def test_without_analysis_the_result_stands() -> None:
    page = render(figures_of(worked_match()[0], {}))
    assert Reader(page).names.count("svg") == 3
    assert "not analysed" in page
