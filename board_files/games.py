"""The games of board files of any format, each with its interpretation.

A table of another format than PBN becomes the PBN game that its record makes. Boards without a
number get the running count of their file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bridge_arena.base.recorded_text import Problem, RecordedTextError
from bridge_arena.board_files.formats import TRAITS, Format
from bridge_arena.board_files.problems import BoardFileError, Report, tell, unusable
from bridge_arena.board_files.texts import BoardText, Source, name_of, texts_in
from bridge_arena.bridge.deviations import Deviation, Kind, Meaning
from bridge_arena.pbn.model import Game


@dataclass(slots=True)
class ReadGame(Meaning):
    """A game of a file with its meaning."""

    game: Game  # in PBN's terms
    is_pbn: bool = True  # whether it was a game of PBN in the file; else its record made it

    @property
    def to_print(self) -> list[Deviation]:
        """The deviations to print: errors, and why what is in the file makes no board."""
        hidden = (Kind.HIDDEN_HANDS, *([] if self.is_pbn else [Kind.NO_DEAL]))
        return [one for one in self.deviations if one.is_error or one.kind in hidden]


def read_games(source: Source, report: Report | None = None) -> Iterator[ReadGame]:
    """Yield every game of a file, in order.

    `report` is called with a problem for each part that cannot be read, if other games can be.
    BoardFileError is raised if the file has no game; or a part cannot be read and there is no
    `report`.
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

    Iterating raises BoardFileError if the text cannot be read to its end, or has no game but other
    text.
    """

    def __init__(self, text: BoardText) -> None:
        self._text = text
        self.count = 0  # the number of games read so far
        self.problems: Sequence[Problem] = ()  # the problems outside of any game

    def __iter__(self) -> Iterator[ReadGame]:
        form = self._text.format
        traits = TRAITS[form]
        try:
            with self._text.open() as stream:
                reader = traits.reader(stream, self._text.name)
                self.problems = reader.problems
                for read, meaning in traits.meanings(reader):
                    self.count += 1
                    yield ReadGame(
                        meaning.board,
                        meaning.record,
                        meaning.error,
                        meaning.deviations,
                        traits.as_game(read, meaning),
                        is_pbn=form is Format.PBN,
                    )
        except RecordedTextError as error:
            raise BoardFileError(error.problem) from None
        if self.problems and not self.count:
            problem = self.problems[0]
            # A line that is no link says so itself, and what it is instead.
            if form is not Format.LINKS:
                reason = f"this is not a {form} file: it has no game"
                problem = Problem(self._text.name, problem.line, 0, reason)
            raise BoardFileError(problem)
