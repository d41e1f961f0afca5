"""The games of board files of any format, each with its interpretation.

A table of a LIN file becomes the PBN game that its record makes. Boards without a number get the
running count of their file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import BinaryIO

from bridge_arena.base.recorded_text import Problem, RecordedTextError
from bridge_arena.board_files.formats import Format
from bridge_arena.board_files.problems import BoardFileError, Report, tell, unusable
from bridge_arena.board_files.texts import BoardText, Source, name_of, texts_in
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.deviations import Deviation, Kind, Meaning, NoRecordError
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lin.handviewer import read_tables
from bridge_arena.lin.model import Table
from bridge_arena.lin.reader import TableReader
from bridge_arena.lin.records import meanings_of as meanings_of_tables
from bridge_arena.pbn.model import Comment, Game
from bridge_arena.pbn.read.reader import GameReader
from bridge_arena.pbn.read.records import meanings_of
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_canonical


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game and its interpretation.

    Attributes:
        game: The game in PBN's terms.
        board: The board; None if the game has no complete one.
        record: The board record; None if the game holds none.
        error: The reason why there is no record; it is among the deviations too.
        deviations: What is odd or wrong in the game.
        table: The table of the LIN file from which the game was made.
    """

    game: Game
    board: Board | None
    record: BoardRecord | None
    error: NoRecordError | None
    deviations: Sequence[Deviation]
    table: Table | None = None

    @property
    def told(self) -> list[Deviation]:
        """The deviations to print: errors, and why what is in the file makes no board."""
        hidden = (Kind.HIDDEN_HANDS, *([Kind.NO_DEAL] if self.table else []))
        return [one for one in self.deviations if one.is_error or one.kind in hidden]


def read_games(source: Source, report: Report | None = None) -> Iterator[ReadGame]:
    """Yield every game of a file, in order.

    Args:
        source: The file.
        report: Called with a problem for each part that cannot be read, if other games can be.

    Yields:
        The games.

    Raises:
        BoardFileError: The file has no game; or a part cannot be read and there is no `report`.
    """
    count = 0
    for text in texts_in(source, report):
        games = GamesOfText(text)
        try:
            yield from games
            if not games.count:
                raise unusable(text.name, "it has no game")
        except BoardFileError as error:
            if not (games.count or text.is_member):
                raise
            tell(report, error)
        count += games.count
    if not count:
        raise unusable(name_of(source), "it has no game that can be read")


class GamesOfText:
    """An iterable over the games of one text.

    Args:
        text: The text.

    Attributes:
        count: The number of games read so far.
        problems: The problems outside of any game.

    Raises:
        BoardFileError: While iterating: the text cannot be read to its end, or has no game but
            other text.
    """

    def __init__(self, text: BoardText) -> None:
        self._text = text
        # Games read so far, and problems outside of any game.
        self.count = 0
        self.problems: Sequence[Problem] = ()

    def __iter__(self) -> Iterator[ReadGame]:
        read = {
            Format.PBN: self._pbn,
            Format.LIN: self._lin,
            Format.LINKS: self._links,
        }[self._text.format]
        try:
            with self._text.open() as stream:
                for game in read(stream):
                    self.count += 1
                    yield game
        except RecordedTextError as error:
            raise BoardFileError(error.problem) from None
        if self.problems and not self.count:
            if self._text.format is Format.LINKS:
                raise BoardFileError(self.problems[0])
            line = self.problems[0].line
            reason = f"this is not a {self._text.format} file: it has no game"
            raise BoardFileError(Problem(self._text.name, line, 0, reason))

    def _pbn(self, stream: BinaryIO) -> Iterator[ReadGame]:
        games = GameReader(stream, self._text.name)
        self.problems = games.problems
        for game, meaning in meanings_of(games):
            yield ReadGame(game, meaning.board, meaning.record, meaning.error, meaning.deviations)

    def _lin(self, stream: BinaryIO) -> Iterator[ReadGame]:
        tables = TableReader(stream, self._text.name)
        self.problems = tables.problems
        return _of_tables(tables)

    def _links(self, stream: BinaryIO) -> Iterator[ReadGame]:
        problems: list[Problem] = []
        self.problems = problems
        return _of_tables(read_tables(stream, self._text.name, problems))


def _of_tables(tables: Iterable[Table]) -> Iterator[ReadGame]:
    return (_of_table(table, meaning) for table, meaning in meanings_of_tables(tables))


def _of_table(table: Table, meaning: Meaning) -> ReadGame:
    record = meaning.record
    game = Game() if record is None else _game_of(record, table.comments)
    game.file, game.number, game.line = table.file, table.number, table.line
    return ReadGame(game, meaning.board, record, meaning.error, meaning.deviations, table)


def _game_of(record: BoardRecord, comments: Iterable[str]) -> Game:
    """Return the game of a record with its PBN text, so that it can be annotated like others."""
    game = game_of(record)
    brackets = str.maketrans("{}", "()")
    game.comments = [Comment(f"{{{text.translate(brackets)}}}", 0) for text in comments]
    return next(GameReader(BytesIO(format_canonical(game).encode("latin-1"))))
