"""The tolerant reader of PBN, and what is made of its games: any bytes are a file."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.meaning import board_of, meaning_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import game_of
from bridge_arena.pbn.strict.verdict import verdict_of
from bridge_arena.pbn.write.edit import places
from bridge_arena.pbn.write.writer import format_game, write_games
from tests.fuzz.room import ordinary


def check(data: bytes) -> None:
    """The bytes as a file: every one of them is in some game or after the last."""
    reader = read_games(BytesIO(data), "fuzz.pbn")
    games = list(reader)
    assert reader.count == len(games)
    if not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        assert b"".join(game.source for game in games) + reader.tail == data
    for game in games:
        assert game.tags
        _check_game(game)
    verdict_of(BytesIO(data), "fuzz.pbn")


def _check_game(game: Game) -> None:
    for made in (board_of, places):
        with _explained():
            made(game)
    meaning = meaning_of(game)
    assert (meaning.record is None) != (meaning.error is None)
    with _explained():
        text = format_game(game)
        assert len(list(read_games(BytesIO(text.encode("latin-1"))))) == 1


@contextmanager
def _explained() -> Iterator[None]:
    """Pass over a refusal that names the file."""
    try:
        yield
    except RecordedTextError as error:
        if not str(error).startswith("fuzz.pbn"):
            raise


def seeds() -> list[bytes]:
    """Boards as the arena writes them, and files that people have written."""
    return [*(_board(number) for number in range(6)), *(text.encode("latin-1") for text in _TEXTS)]


def _board(number: int) -> bytes:
    """The file of a board that was played."""
    room = ordinary(number)
    room.lawfully()
    stream = BytesIO()
    write_games(stream, [game_of(room.table.record(("a", "b", "c", "d")))])
    return stream.getvalue()


_DEAL = "N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65"
_TEXTS = (
    f"""% PBN 2.1
[Event "##Cup"] [Board "1"] [Dealer "N"] [Vulnerable "love"]
[Deal "{_DEAL}"] {{ a comment
over lines }}
[Declarer "W"] [Contract "4H"] [Result "8"] [Score "EW -100"]
[Auction "N"] pass P Pass 1NT =1= AP ; rest of the line
[Note "1:15-17 [hcp 15-17]"]
[Play "N"]
DK D2 DT D5
- - +
*

[Board "2"] [Event "#"]
[Contract "3NTX"] [Declarer "^S"] [Result "-2"]
[Auction "E"]
1S!? $3 X *
""",
    '[Event "a"]\r[Site "b\\"c"]\r\r[Deal "S:- AKQJT98765432.-.- ... -"]\r%escape\r',
    '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\nN NT 7\nE S 13\n',
    '[ScoreTable "+Rank\\3R;PairId_NS\\99999999999R;Names\\2L"]\n1 2 "x"\n[Round "99999999999"]\n',
    '[ActionTable "Rank\\3R;Call"]\n1 "1NT" ; [x]\n\n[Auction "W"]\n1C =2= 7NT ^S ^R + -\n',
    '[Event "x\n[Event "never closed\n{ never closed\n[Board "3"]\n',
    '\ufeff[Board "1"]\n'.encode().decode("latin-1"),
)
