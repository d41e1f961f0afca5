"""`arena boards check`: how well files keep to their format."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Annotated

import typer

from bridge_arena.base.plural import plural
from bridge_arena.board_files.formats import Format
from bridge_arena.board_files.games import GamesOfText, ReadGame
from bridge_arena.board_files.problems import BoardFileError, Problem
from bridge_arena.board_files.texts import BoardText, texts_in
from bridge_arena.commands.boards.files import Files
from bridge_arena.commands.common.each_file import Workers, each_file
from bridge_arena.commands.common.errors import FailedError, UnusableError
from bridge_arena.pbn.model import PbnError
from bridge_arena.pbn.strict.verdict import FileVerdict, Severity, verdict_of

SHOWN = 20
"""Reasons printed for each file, unless all are asked for."""


def check(
    files: Files,
    *,
    every: Annotated[
        bool, typer.Option("--all", help=f"print all reasons, not the first {SHOWN} of a file")
    ] = False,
    workers: Workers = 1,
) -> None:
    """Say how well files keep to their format, and why.

    The verdict on PBN is by the letter of PBN 2.1: OK, warning, error or severe. LIN has no
    standard: a file is OK where no table has errors. Exit status: 0 where all files are clean
    or have warnings, 1 where one has errors or cannot be read, 2 where none can be read.
    """
    read, is_bad = 0, False
    work = partial(_check, keep=sys.maxsize if every else SHOWN)
    for checked in each_file(work, files, workers):
        for line in checked.lines:
            print(line)
        for complaint in checked.complaints:
            print(f"arena: {complaint}", file=sys.stderr)
        read += checked.read
        is_bad = is_bad or checked.is_bad
    if not read:
        raise UnusableError("no file could be read")
    if is_bad:
        raise FailedError("not all files keep to the standard")


def _check(file: str, keep: int) -> _Check:
    checked = _Check(keep)
    try:
        for text in texts_in(file, checked.fail):
            checked.look_at(text)
    except BoardFileError as error:
        checked.fail(error.problem)
    return checked


class _Check:
    """What was found in a file; no more than `keep` reasons of a kind are told."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        # What is to be printed, and what could not be read.
        self.lines: list[str] = []
        self.complaints: list[str] = []
        # Texts that could be read, and whether anything was wrong with any.
        self.read = 0
        self.is_bad = False

    def fail(self, problem: Problem) -> None:
        """Note what could not be read."""
        self.is_bad = True
        self.complaints.append(str(problem))

    def look_at(self, text: BoardText) -> None:
        """Note the verdict on a text, and the reasons."""
        try:
            if text.format is Format.PBN:
                self._check_pbn(text)
            else:
                self._check_lin(text)
        except (BoardFileError, PbnError) as error:
            self.fail(error.problem)
        else:
            self.read += 1

    def _check_pbn(self, text: BoardText) -> None:
        with text.open() as stream:
            verdict = verdict_of(stream, text.name, keep=self._keep)
        self.is_bad = self.is_bad or verdict.severity > Severity.WARNING
        games = _count(verdict.games, "game", verdict.broken)
        self.lines.append(f"{text.name}: {verdict} ({games})")
        self._add_findings(text.name, verdict)
        readable = _Games(text)
        self._add_errors(readable)
        broken = verdict.broken or readable.broken
        if broken is not None:
            self.fail(broken)

    def _add_findings(self, name: str, verdict: FileVerdict) -> None:
        for number, finding in verdict.findings:
            self.lines.append(
                f"  {name}:{finding.line}: game {number}: {finding.severity}: {finding.reason}"
            )
        if verdict.left_out:
            self.lines.append(f"  {verdict.left_out} more (--all prints them)")

    def _check_lin(self, text: BoardText) -> None:
        games = _Games(text)
        wrong = sum(_is_wrong(game) for game in games)
        tables = _count(games.count, "table", games.broken)
        verdict = f"errors in {wrong} of {tables}" if wrong else f"OK ({tables})"
        if games.problems:
            verdict += f", {plural(len(games.problems), 'line')} outside of tables"
        self.is_bad = self.is_bad or bool(wrong or games.problems)
        self.lines.append(f"{text.name}: {verdict}")
        self._add_some(games.problems, "lines outside of tables")
        self._add_errors(_Games(text))
        if games.broken is not None:
            self.fail(games.broken)

    def _add_errors(self, games: Iterable[ReadGame]) -> None:
        """What is odd about the bridge."""
        errors = (
            f"{deviation} [{deviation.kind}]"
            for game in games
            for deviation in game.deviations
            if deviation.is_error
        )
        for line in islice(errors, self._keep):
            self.lines.append(f"  {line}")
        rest = sum(1 for _ in errors)
        if rest:
            self.lines.append(
                f"  {rest} more deviations of auction, play and result (--all prints them)"
            )

    def _add_some(self, problems: Sequence[Problem], what: str) -> None:
        for problem in problems[: self._keep]:
            self.lines.append(f"  {problem}")
        if len(problems) > self._keep:
            self.lines.append(f"  {len(problems) - self._keep} more {what} (--all prints them)")


class _Games:
    """Iterates over the games of a text, up to where it is damaged.

    Raises BoardFileError where no game can be read.
    """

    def __init__(self, text: BoardText) -> None:
        self._games = GamesOfText(text)
        self.broken: Problem | None = None

    @property
    def count(self) -> int:
        return self._games.count

    @property
    def problems(self) -> Sequence[Problem]:
        return self._games.problems

    def __iter__(self) -> Iterator[ReadGame]:
        try:
            yield from self._games
        except BoardFileError as error:
            if not self.count:
                raise
            self.broken = error.problem


def _count(number: int, what: str, broken: Problem | None) -> str:
    return plural(number, what) + (", not read to its end" if broken else "")


def _is_wrong(game: ReadGame) -> bool:
    return any(deviation.is_error for deviation in game.deviations)
