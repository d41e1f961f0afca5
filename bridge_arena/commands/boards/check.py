"""`arena boards check`: a check of files of boards against their format."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.boards.files import Files, Workers, map_files
from bridge_arena.commands.common.errors import FailedError, UnusableError, complain
from bridge_arena.commands.common.options import Json, print_json

if TYPE_CHECKING:
    from bridge_arena.base.recorded_text import Problem
    from bridge_arena.board_files.formats import Format
    from bridge_arena.board_files.games import GamesOfText, ReadGame
    from bridge_arena.board_files.texts import BoardText

SHOWN = 20
"""The number of reasons that are printed for each file by default."""


def check(
    files: Files,
    *,
    every: Annotated[
        bool, typer.Option("--all", help=f"print all reasons, not only the first {SHOWN} of a file")
    ] = False,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Check whether files keep to their format, and print the reasons.

    The verdict on a PBN file follows PBN 2.1 to the letter: OK, warning, error or severe. LIN has
    no standard: a file is OK if no table has errors. Exit status: 0 if no file has errors, 1 if
    one has errors or cannot be read, 2 if none can be read.

    Examples:
        arena boards check club.lin final.pbn
        arena boards check --all --json archive.zip
    """
    from bridge_arena.commands.common.progress import LongWork

    verdicts: list[_Verdict] = []
    read, is_bad = 0, False
    work = partial(_check, keep=sys.maxsize if every else SHOWN)
    with LongWork() as long_work:
        checking = map_files(work, files, workers)
        for checked in long_work.count(checking, "checking", len(files), "files"):
            verdicts += checked.verdicts
            for verdict in () if as_json else checked.verdicts:
                print(f"{verdict.file}: {verdict.verdict}")
                for reason in verdict.reasons:
                    print(f"  {reason}")
            for complaint in checked.complaints:
                complain(complaint)
            read += checked.read
            is_bad = is_bad or checked.is_bad
    if as_json:
        print_json([asdict(verdict) for verdict in verdicts])
    if not read:
        raise UnusableError("no file could be read")
    if is_bad:
        raise FailedError("not all files keep to the standard")


def _check(file: str, keep: int) -> _Check:
    from bridge_arena.board_files.problems import BoardFileError
    from bridge_arena.board_files.texts import texts_in

    checked = _Check(keep)
    try:
        for text in texts_in(file, checked.fail):
            checked.look_at(text)
    except BoardFileError as error:
        checked.fail(error.problem)
    return checked


@dataclass(slots=True)
class _Verdict:
    """The verdict on the text of a file, as `--json` shows it."""

    file: str
    format: Format
    is_clean: bool  # no errors; there may be warnings
    games: int  # as many as could be read
    verdict: str
    reasons: list[str] = field(default_factory=list)  # with lines, at most `keep` of a kind


class _Check:
    """The findings in a file, with at most `keep` reasons of a kind."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        # The verdicts on texts whose beginning could be read; the problems of what could not be.
        self.verdicts: list[_Verdict] = []
        self.complaints: list[str] = []
        # The number of texts that could be read; whether there was an error in any.
        self.read = 0
        self.is_bad = False

    def fail(self, problem: Problem) -> None:
        """Note what could not be read."""
        self.is_bad = True
        self.complaints.append(str(problem))

    def look_at(self, text: BoardText) -> None:
        """Note the verdict on a text, and the reasons."""
        from bridge_arena.base.recorded_text import RecordedTextError
        from bridge_arena.board_files.formats import Format
        from bridge_arena.board_files.problems import BoardFileError

        try:
            if text.format is Format.PBN:
                self._check_pbn(text)
            else:
                self._check_lin(text)
        except (BoardFileError, RecordedTextError) as error:
            self.fail(error.problem)
        else:
            self.read += 1

    def _check_pbn(self, text: BoardText) -> None:
        from bridge_arena.board_files.games import GamesOfText
        from bridge_arena.pbn.strict.verdict import Severity, verdict_of

        with text.open() as stream:
            verdict = verdict_of(stream, text.name, keep=self._keep)
        games = _count(verdict.games, "game", verdict.broken)
        is_clean = verdict.severity <= Severity.WARNING
        reasons = self._note(text, f"{verdict} ({games})", verdict.games, is_clean=is_clean)
        for number, finding in verdict.findings:
            reasons.append(
                f"{text.name}:{finding.line}: game {number}: {finding.severity}: {finding.reason}"
            )
        if verdict.left_out:
            reasons.append(f"{verdict.left_out} more (--all prints them)")
        broken = [verdict.broken] if verdict.broken else []
        self._add_errors(reasons, _up_to_damage(GamesOfText(text), broken))
        for problem in broken[:1]:
            self.fail(problem)

    def _check_lin(self, text: BoardText) -> None:
        from bridge_arena.board_files.games import GamesOfText

        games = GamesOfText(text)
        broken: list[Problem] = []
        wrong = sum(
            any(deviation.is_error for deviation in game.deviations)
            for game in _up_to_damage(games, broken)
        )
        tables = _count(games.count, "table", broken)
        verdict = f"errors in {wrong} of {tables}" if wrong else f"OK ({tables})"
        problems = games.problems
        if problems:
            verdict += f", {plural(len(problems), 'line')} outside of tables"
        is_clean = not (wrong or problems)
        reasons = self._note(text, verdict, games.count, is_clean=is_clean)
        reasons += [str(problem) for problem in problems[: self._keep]]
        if len(problems) > self._keep:
            more = len(problems) - self._keep
            reasons.append(f"{more} more lines outside of tables (--all prints them)")
        self._add_errors(reasons, _up_to_damage(GamesOfText(text), []))
        for problem in broken:
            self.fail(problem)

    def _note(self, text: BoardText, verdict: str, games: int, *, is_clean: bool) -> list[str]:
        """Note the verdict on a text, and return the list for its reasons."""
        self.is_bad = self.is_bad or not is_clean
        noted = _Verdict(text.name, text.format, is_clean, games, verdict)
        self.verdicts.append(noted)
        return noted.reasons

    def _add_errors(self, reasons: list[str], games: Iterable[ReadGame]) -> None:
        """Add what is wrong, left out or guessed in games."""
        errors = (line for game in games for line in self._errors_of(game))
        reasons += islice(errors, self._keep)
        rest = sum(1 for _ in errors)
        if rest:
            reasons.append(f"{rest} more deviations (--all prints them)")

    def _errors_of(self, game: ReadGame) -> Iterator[str]:
        from bridge_arena.bridge.deviations import Kind

        for deviation in game.to_print:
            yield f"{deviation} [{deviation.kind}]"
        for problem in game.game.problems:
            self.is_bad = True
            yield f"{problem} [{Kind.NOT_PBN}]"


def _up_to_damage(games: GamesOfText, broken: list[Problem]) -> Iterator[ReadGame]:
    """Yield the games of a text; `broken` gets its damage; BoardFileError where none is read."""
    from bridge_arena.board_files.problems import BoardFileError

    try:
        yield from games
    except BoardFileError as error:
        if not games.count:
            raise
        broken.append(error.problem)


def _count(number: int, what: str, broken: object) -> str:
    return plural(number, what) + (", not read to its end" if broken else "")
