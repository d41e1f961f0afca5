"""Annotated games: what is added, and that the rest stays."""

from __future__ import annotations

import re
from io import BytesIO

import pytest

from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import record_of
from bridge_arena.pbn.write.writer import format_game
from bridge_arena.recorded.analysis.annotated import annotate
from bridge_arena.recorded.analysis.findings import find
from bridge_arena.recorded.analysis.games import Entry
from tests.recorded.analysis.games import CLOSED, HEAD, OPEN, entry_of, outcomes


def annotated(entry: Entry, values: str) -> Game:
    return annotate(find(entry, outcomes((entry, values))))


def tokens(game: Game, name: str) -> list[str]:
    section = game.section(name)
    assert section is not None
    assert len(section.tokens) == len(section.lines)
    return section.tokens


def test_a_game_is_annotated_with_table_and_par() -> None:
    game = annotated(entry_of(OPEN), "bbbbb")
    assert game.get("OptimumScore") == "EW 450"
    cells = tokens(game, "OptimumResultTable")
    assert cells[:3] == ["N", "NT", "3"]
    assert ["E", "H", "11"] in [cells[at : at + 3] for at in range(0, 60, 3)]


def test_comments_stand_behind_the_cards() -> None:
    """That of the claim behind the last card; what the file said stays before them."""
    assert tokens(annotated(entry_of(OPEN), "bcccb"), "Play") == [
        "D3",
        "{lead}",
        "{DD: D3 costs South 1 trick (opening lead), declarer then has 12}",
        "DA",
        "D4",
        "DT",
        "{DD: DT costs East 1 trick (declarer play), declarer then has 11; "
        "the result costs East 1 trick, declarer then has 10}",
        "*",
    ]


def test_columns_are_not_the_order_of_play() -> None:
    """West, dummy, leads to the second trick, from the second column."""
    entry = entry_of(
        OPEN.replace("D3 {lead} DA D4 DT\n", "D3 DA D4 DT\nHQ $1 HA H6 H4\n").replace("10", "11")
    )
    assert tokens(annotated(entry, "bbbbb" + "aaab"), "Play")[4:] == [
        "HQ",
        "$1",
        "{DD: HQ costs South 1 trick (defence), declarer then has 11}",
        "HA",
        "{DD: HA costs East 1 trick (declarer play), declarer then has 10}",
        "H6",
        "H4",
        "*",
    ]


@pytest.mark.parametrize(
    "row",
    ["HQ $1 HA H6 H4", "HA H6 H4 HQ $1", "HQ $1 H6 H4 HA", "HQ $1 HA\nH6 H4", "hq $1 ha h6 h4"],
)
def test_a_card_is_annotated_in_its_place_whatever_the_order_of_the_row(row: str) -> None:
    """Also where rows are in playing order, which the reader repairs."""
    text = OPEN.replace("D3 {lead} DA D4 DT\n", f"D3 DA D4 DT\n{row}\n").replace("10", "11")
    found = tokens(annotated(entry_of(text), "bbbbb" + "aaab"), "Play")
    behind = {found[at - 1].upper(): token[:9] for at, token in enumerate(found) if token[0] == "{"}
    assert behind == {"$1": "{DD: HQ c", "HA": "{DD: HA c"}


def test_all_that_is_not_annotated_keeps_its_bytes() -> None:
    """Whatever is added can be taken out again; a second time adds nothing."""
    text = "% a line\n" + OPEN.replace("[Room", '{a comment}\n[Unknown  "tag"]\n[Room')
    entry = entry_of(text)
    source = annotated(entry, "bcccb").source.decode()
    left = re.sub(r' \{DD: [^}]*\}|\[OptimumScore "EW 450"\]\n', "", source)
    assert left.partition("\n[OptimumResultTable")[0] == text.rstrip("\n")

    (again,) = read_games(BytesIO(source.encode()), "test.pbn")
    assert annotated(Entry(again, entry.record), "bcccb").source.decode() == source


def test_a_game_that_is_annotated_alone_means_the_same() -> None:
    """Tags inherited from the game before are written out."""
    first, second = read_games(BytesIO(f"{OPEN}\n{CLOSED.replace('Test', '#')}".encode()))
    assert second.get("Event") == "Test"
    entry = Entry(second, record_of(second))
    game = annotate(find(entry, outcomes((entry, "bbb"))), is_alone=True)
    (alone,) = read_games(BytesIO(game.source))
    assert record_of(alone) == entry.record
    assert alone.get("OptimumScore") == "EW 450"
    assert first.number == 1


def test_an_annotated_game_reads_back_as_the_same_board() -> None:
    for text in (OPEN, CLOSED):
        entry = entry_of(text)
        game = annotated(entry, "b" * (1 + len(entry.record.cards)))  # type: ignore[union-attr]
        (read,) = read_games(BytesIO(format_game(game).encode("latin-1")))
        assert record_of(read) == entry.record
        assert tokens(read, "OptimumResultTable") == tokens(game, "OptimumResultTable")


def test_a_board_that_was_not_played_stays_as_it_is() -> None:
    entry = entry_of(HEAD)
    assert annotate(find(entry, {})).tags == entry.game.tags
