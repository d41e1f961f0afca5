"""Comments that are never closed cost no tag, call or card, and are told."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import read_records
from tests.data import data_path

FORMS = ["\n", "\r\n", "\r", "\r\r\n"]
GAME = f"""[Event "a"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "{random_deal(1, 1)}"]
[South "s"]
[West "w"] ; {{ West }}
[North "{{n}}"]
[East "e"]
[Declarer "N"]
[Contract "1C"]
[Result "7"]
[Auction "N"]
1C Pass
Pass Pass
[Play "E"]
S4 sa S9 s3
H7! h5 =1= H4 HA
- - - -
[Note "1:x"]
"""
LINES = GAME.splitlines(keepends=True)
CLOSED = "{Feasibility: 5 5 2}\n"


def read(text: str, end: str = "\n") -> list[Game]:
    data = text.replace("\n", end).encode()
    reader = read_games(BytesIO(data), "test.pbn")
    games = list(reader)
    assert b"".join(game.source for game in games) + reader.tail == data
    assert reader.problems == []
    return games


def contents(game: Game) -> tuple[dict[str, str], dict[str, list[str]]]:
    """The values, and the tokens of each section without its comments."""
    return game.values, {
        tag.name: [token for token in tag.tokens if token[0] not in "{;"]
        for tag in game.tags
        if isinstance(tag, Section)
    }


def unclosed(game: Game) -> list[int]:
    assert all(
        "comment is not closed, and left out: '{" in str(problem) for problem in game.problems
    )
    return [problem.line for problem in game.problems]


@given(
    st.sets(st.integers(1, len(LINES) - 2), min_size=1, max_size=4),
    st.integers(1, len(LINES)),
    st.sampled_from(["\n", " "]),
    st.sampled_from(FORMS),
    st.sampled_from(["", '[Event "b"]\n', '{two}\n[Event "b"]\n{x}\n', ';x\n%y\n[Event "b"]\n']),
)
def test_what_follows_an_unclosed_comment_is_read(
    openings: set[int], closed: int, before: str, end: str, after: str
) -> None:
    lines = list(LINES)
    for at in openings:
        space = "\n" if ";" in lines[at - 1] else before
        lines[at - 1] = lines[at - 1].rstrip("\n") + f"{space}{{PAR of it: 2H = [show NS]\n"
    lines[closed - 1] += CLOSED
    games = read("".join(lines) + "\n" + after, end)
    (expected,) = read(GAME)
    assert contents(games[0]) == contents(expected)
    assert [game.get("Event") for game in games[1:]] == (["b"] if after else [])
    # Where nothing stands between two comments, the end of the second closes the first.
    assert bool(unclosed(games[0])) == bool(openings - {closed})


@pytest.mark.parametrize(
    "comment",
    [
        "{The lesson:\n[show NS]\n[NEXT] bid 2H (as taught)\n[BID 2H]\n}",
        '{The old tags:\n[South "x"]\n[Auction "N"]\n1C Pass\n}',
        "{It ends {so\nor {so}",
        "{\n\n[three]\n % no }",
        "{[Event]}",
    ],
)
def test_commentary_that_is_closed_stays_whole(comment: str) -> None:
    for at in (6, 14, 17):
        game, other = read("".join([*LINES[:at], f"{comment}\n", *LINES[at:]]) + '\n[Event "b"]\n')
        (expected,) = read(GAME)
        assert contents(game) == contents(expected)
        comments = [comment for tag in game.tags for comment in tag.comments]
        tokens = [token for section in game.sections() for token in section.tokens]
        assert comment in comments + tokens
        assert (game.problems, other.problems) == ([], [])


def test_text_of_an_unclosed_comment_is_no_table() -> None:
    (game,) = read('[Generator "x"]\n{PAR: 5S\nFeasibility: 3 11 8\n[South "s"]\n{ok}\n')
    assert contents(game) == ({"Generator": "x", "South": "s"}, {})


def test_the_players_of_a_match_with_unclosed_comments_are_read() -> None:
    first, second = read_records(data_path("field", "pbn-unclosed-comment.pbn"))
    assert first.players == ("Robot A", "Robot B", "Robot A", "Robot B")
    assert (str(first.contract), first.tricks, len(first.cards)) == ("2H", 8, 20)
    assert (str(second.contract), second.tricks) == ("3NTX", 9)
