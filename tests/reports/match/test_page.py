"""The page: its figures, that it needs nothing else, and that it quotes what it is given."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from bridge_arena.bridge.record import Fault, FaultKind, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.match.report import render
from tests.reports.match.matches import explained_match, figures_of, worked_match
from tests.tournaments.matches import unfinished


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
    assert "beta beat alpha by 2 IMPs over 3 boards" in text
    assert "IMPs for alpha −2" in text
    assert "Victory points 8.62 : 11.38" in text
    # A row: number, dealer, vulnerability, both rooms, swing, total, split.
    assert "2 E NS 3NT E = 9/8 −400 Pass – 0 −9 −2 +2.0 −11.0 · · · · ·" in text
    assert "4♠ N = 10/10 +420 3♠ N = 9/10 +140 +7 +7 +6.0 · · · · +1.0 ·" in text
    # The last row adds up: 8 - 13.5 + 3.5 = -2.
    assert "All boards −2 +8.0 −13.5 · · · +3.5 ·" in text


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


def test_the_page_has_four_plots_with_ids_of_their_own(page: str) -> None:
    reader = Reader(page)
    assert reader.names.count("svg") == 4
    ids = [attributes["id"] for _, attributes in reader.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert "var(--first)" in page
    labels = [attributes.get("aria-label") or "" for tag, attributes in reader.tags if tag == "svg"]
    assert labels[0] == "Running score: IMPs after each board, up for alpha"


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
    assert "no board was played in both rooms" in page


def test_without_analysis_the_result_stands() -> None:
    page = render(figures_of(worked_match()[0], {}))
    assert Reader(page).names.count("svg") == 2
    assert "not analysed" in page
