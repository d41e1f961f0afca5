"""Empty lines within games, and none between them: every game keeps its own tags."""

from __future__ import annotations

from io import BytesIO
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.lexer import Lexer
from bridge_arena.pbn.read.reader import GameReader, read_games
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.edit import rewrite
from bridge_arena.pbn.write.writer import format_game
from tests.data import data_path
from tests.pbn.strategies import records

FORMS = ["\n", "\r\n", "\r", "\r\r\n"]
GAP = "an empty line within the game, which goes on"
NO_LINE = "no empty line before this game"


def read(text: str, end: str = "\n") -> tuple[list[Game], GameReader]:
    data = text.replace("\n", end).encode()
    reader = read_games(BytesIO(data), "test.pbn")
    games = list(reader)
    assert b"".join(game.source for game in games) + reader.tail == data
    return games, reader


def told(game: Game) -> list[str]:
    return [problem.reason for problem in game.problems]


def deal(number: int) -> str:
    return f'[Deal "{random_deal(1, number)}"]\n'


HEAD = f'[Event "a"]\n[Board "1"]\n[West "w"]\n[Dealer "N"]\n[Vulnerable "None"]\n{deal(1)}'
PLAYED = '[Declarer "N"]\n[Contract "1C"]\n[Result "7"]\n'
AUCTION = '[Auction "N"]\n1C Pass Pass Pass\n'
PLAY = '[Play "E"]\nS4 SA S9 S3\nH7 H5 H4 HA\n'
NEXT = f'[Event "b"]\n[Board "2"]\n[West "x"]\n{deal(2)}'


@pytest.mark.parametrize("end", FORMS)
@pytest.mark.parametrize(
    "text",
    [
        HEAD + PLAYED + AUCTION + "\n" + PLAY,
        HEAD + PLAYED + "\n" + AUCTION + PLAY,
        HEAD + "\n" + PLAYED + AUCTION + PLAY,
        (HEAD + PLAYED + AUCTION + PLAY).replace("\n", "\n \n"),
        HEAD + PLAYED + AUCTION + PLAY.replace("S3\n", "S3\n\n"),
        HEAD + PLAYED + AUCTION.replace("Pass Pass", "Pass\n\nPass") + PLAY,
        HEAD + AUCTION + PLAY + "\n" + PLAYED,
        deal(1) + "\n" + HEAD.partition("\n")[2].replace(deal(1), "") + PLAYED + AUCTION + PLAY,
        HEAD + PLAYED + AUCTION + "\n{the play}\n" + PLAY,
        HEAD + PLAYED + AUCTION + "\n% escape\n\n;more\n" + PLAY,
        HEAD + PLAYED + AUCTION.replace("1C", "1C =1=") + '\n[Note "1:x"]\n\n' + PLAY,
        HEAD + PLAYED + AUCTION + PLAY + '\n[ScoreTable "Rank;Names"]\n\n1 "x y"\n\n2 "z"\n',
    ],
)
def test_a_game_goes_on_after_an_empty_line(text: str, end: str) -> None:
    (game, other), reader = read(f"{text}\n{NEXT}", end)
    assert told(game) == [GAP]
    assert (game.get("West"), game.get("Result")) == ("w", "7")
    sections = {section.name: section.tokens for section in game.sections()}
    calls = [word for word in sections["Auction"] if word[0] not in "={;"]
    assert calls == ["1C", "Pass", "Pass", "Pass"]
    assert len([word for word in sections["Play"] if word[0] in "SHDC"]) == 8
    assert len(sections.get("ScoreTable", "1234")) == 4
    assert (other.get("Event"), told(other), reader.problems) == ("b", [], [])


@pytest.mark.parametrize("end", FORMS)
@pytest.mark.parametrize(
    "text",
    [
        HEAD + "\n" + NEXT,
        HEAD + PLAYED + AUCTION + PLAY + "\n" + NEXT,
        HEAD + "\n{about b}\n" + NEXT,
        HEAD + f'\n[Site ""]\n[Board "2"]\n[West "x"]\n[Event "b"]\n{deal(2)}',
        HEAD + AUCTION + f'\n[North "y"]\n[Event "b"]\n[West "x"]\n{deal(2)}',
    ],
)
def test_another_game_begins_after_an_empty_line(text: str, end: str) -> None:
    (game, other), reader = read(text, end)
    assert (game.get("West"), other.get("West"), other.get("Event")) == ("w", "x", "b")
    assert (told(game), told(other), reader.problems) == ([], [], [])


def test_an_empty_line_may_stand_between_notes() -> None:
    (game,), _ = read(HEAD + AUCTION + '[Note "1:x"]\n\n[Note "2:y"]\n')
    assert [tag.value for tag in game.tags if tag.name == "Note"] == ["1:x", "2:y"]


def test_a_comment_after_an_empty_line_is_the_head_of_another_game() -> None:
    (first, second), _ = read(f"{HEAD}\n{{two}}\n{PLAYED}")
    assert (first.get("Result"), second.get("Result")) == ("", "7")
    assert [comment.text for comment in second.comments] == ["{two}"]


def test_text_after_an_empty_line_is_outside_of_the_game() -> None:
    (game,), reader = read(f"{HEAD}{AUCTION}\nGenerated 10 hands\n\n{PLAYED}\n".replace(PLAYED, ""))
    assert told(game) == []
    assert [problem.line for problem in reader.problems] == [10]


def test_games_of_a_few_tags_that_name_no_board_stay_apart() -> None:
    games, _ = read('[Score "1"]\n\n[Auction "N"]\nPass\n\n' + deal(1))
    assert len(games) == 3


@pytest.mark.slow
@given(st.lists(records(), min_size=2, max_size=2), st.randoms(), st.sampled_from(FORMS))
def test_empty_lines_anywhere_within_games_lose_nothing(
    boards: list[BoardRecord], random: Random, end: str
) -> None:
    plain = [format_game(game_of(board)).replace("\r\n", "\n") for board in boards]
    text = "\n".join(with_gaps(game, random) for game in plain)
    expected = list(read_records(BytesIO("\n".join(plain).encode("latin-1"))))
    assert list(read_records(BytesIO(text.replace("\n", end).encode("latin-1")))) == expected


def with_gaps(game: str, random: Random) -> str:
    """The text of a game with some empty lines, not in its comments nor before them."""
    text, lexer = "", Lexer()
    for line in game.splitlines(keepends=True):
        if text and line[0] not in "{;%" and not lexer.is_open:
            text += random.choice(["", "\n", "\n\n"])
        text += line
        lexer.feed(line.rstrip("\n"))
    return text


TAGS = [
    '[Event "{n}"]',
    '[Site "{n}"]',
    '[Board "{n}"]',
    '[West "{n}"]',
    '[North "{n}"]',
    '[Dealer "N"]',
    '[Vulnerable "None"]',
    "DEAL",
    '[Scoring "IMP"]',
    '[Declarer "N"]',
    '[Contract "1C"]',
    '[Result "{n}"]',
    '[Auction "N"]\n1C Pass Pass Pass',
    '[Note "1:{n}"]',
    '[Play "E"]\nS4 SA S9 S3',
]


@given(st.sets(st.sampled_from(TAGS)), st.integers(2, 4), st.sampled_from(FORMS))
def test_games_without_empty_lines_between_them_are_told_apart(
    some: set[str], count: int, end: str
) -> None:
    tags = [tag for tag in TAGS if tag in some or tag == "DEAL"]
    texts = [
        "".join(f"{tag}\n" for tag in tags).replace("{n}", str(n)).replace("DEAL\n", deal(n))
        for n in range(count)
    ]
    games, _ = read("".join(texts), end)
    assert [game.values for game in games] == [read(text)[0][0].values for text in texts]
    assert [told(game) for game in games] == [[], *([NO_LINE] for _ in texts[1:])]


def test_a_deal_that_comes_again_is_no_other_game() -> None:
    (game,), _ = read(HEAD + deal(1) + '[Deal "?"]\n' + AUCTION)
    assert game.get("Auction") == "N"


def test_a_second_table_without_an_empty_line_before_it_is_another_game() -> None:
    text = HEAD + PLAYED + AUCTION + PLAY
    (first, second), _ = read(text + text.removeprefix('[Event "a"]\n').replace('"w"', '"x"'))
    assert (first.get("West"), second.get("West")) == ("w", "x")


@pytest.mark.parametrize("name", ["between-tags", "before-play"])
def test_files_with_empty_lines_within_games_are_read_whole(name: str) -> None:
    path = data_path("field", f"pbn-blank-line-{name}.pbn")
    record = next(read_records(path))
    assert (len(record.calls), len(record.cards), record.tricks) == (8, 8, 8)
    target = BytesIO()
    rewrite(path, target, lambda game: game)
    assert target.getvalue() == path.read_bytes()


def test_deals_without_empty_lines_and_hand_records_are_boards() -> None:
    for name, count in (("deals-without-blank-lines", 3), ("hand-records", 2)):
        boards = [record.board for record in read_records(data_path("field", f"pbn-{name}.pbn"))]
        expected = [Board.standard(at, board.deal) for at, board in enumerate(boards, 1)]
        assert (boards, len(boards)) == (expected, count)
