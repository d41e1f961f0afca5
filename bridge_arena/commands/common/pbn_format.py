"""`arena pbn format`: games in PBN's export form."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from bridge_arena.base.plural import plural
from bridge_arena.commands.common.errors import FailedError, UnusableError, cannot_write
from bridge_arena.pbn.model import Game, PbnError
from bridge_arena.pbn.read.meaning import deviations_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.write.canonical import canonical
from bridge_arena.pbn.write.edit import resolved
from bridge_arena.pbn.write.succession import Succession
from bridge_arena.pbn.write.writer import HEADER, format_canonical


def format_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="PBN files")],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE|DIR",
            help="where to; a folder for more than one file; standard output if none",
        ),
    ] = None,
) -> None:
    """Write the games of PBN files in PBN 2.1's export form: the same game always gives
    the same text.

    Games that have no such form are named, with file and line, and left out; so is what is
    wrong in others. The files themselves are never changed. Exit status: 1 where a game has
    errors, 2 where nothing can be read.
    """
    report = _Report()
    if out is None:
        export = _Export(sys.stdout.buffer)
        for file in files:
            _write_file(export, file, report, alone=len(files) == 1)
        sys.stdout.buffer.flush()
    else:
        for file, target in _targets(files, out):
            _write_new(target, file, report)
    report.finish()


class _Report:
    """What went wrong, a line each on standard error, and how it ends."""

    def __init__(self) -> None:
        # Files that were read; games written, games and files left out, and games and
        # texts between them in which something is wrong.
        self.files = 0
        self.games = 0
        self.failed = 0
        self.odd = 0

    def say(self, line: object) -> None:
        print(line, file=sys.stderr)

    def fail(self, error: PbnError) -> None:
        self.failed += 1
        self.say(error)

    def look_at(self, game: Game) -> None:
        """Say what is wrong with a game, also where it can be written as it is."""
        errors = [deviation for deviation in deviations_of(game) if deviation.is_error]
        for wrong in (*game.problems, *errors):
            self.say(wrong)
        self.odd += bool(game.problems or errors)

    def finish(self) -> None:
        if not self.failed and not self.odd:
            return
        if not self.files:
            raise UnusableError("no PBN could be read")
        raise FailedError(
            f"{plural(self.games, 'game')} written, {self.failed} left out, {self.odd} with errors"
        )


class _Export:
    """An export file in the making: without a file that could be read, it stays empty."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._has_begun = False

    def begin(self) -> None:
        """Write the header, once."""
        if not self._has_begun:
            self._stream.write(HEADER.encode())
            self._has_begun = True

    def add(self, game: str) -> None:
        self.begin()
        self._stream.write(game.encode("latin-1"))


def _write_file(export: _Export, file: Path, report: _Report, *, alone: bool) -> bool:
    """The games of one file. Where other files' games share the stream, no game may
    inherit from them: inherited values are written out. False if it is no PBN file."""
    games = read_games(file)
    succession = Succession()
    try:
        for game in games:
            report.look_at(game)
            try:
                form = succession.form(game) if alone else canonical(resolved(game))
            except PbnError as error:
                report.fail(error)
                continue
            export.add(format_canonical(form))
            report.games += 1
    except PbnError as error:  # the file as a whole
        report.fail(error)
        return False
    for problem in games.problems:
        report.say(problem)
        report.odd += 1
    if games.problems and not games.count:
        report.failed += 1
        return False
    export.begin()
    report.files += 1
    return True


def _targets(files: Sequence[Path], out: Path) -> list[tuple[Path, Path]]:
    """Each file with the file to write."""
    if len(files) == 1 and not out.is_dir():
        pairs = [(files[0], out)]
    else:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnusableError(f"{out} is no folder for {len(files)} files: {error}") from None
        pairs = [(file, out / file.name) for file in files]
    targets = [target for _, target in pairs]
    for file, target in pairs:
        if target.exists() and not target.is_file():
            raise UnusableError(f"{target} is no regular file: choose another --out")
        if targets.count(target) > 1:
            raise UnusableError(f"more than one file would become {target}")
        if any(target.exists() and _same(target, each) for each in files):
            raise UnusableError(f"{target} would overwrite {file}: choose another --out")
    return pairs


def _same(one: Path, other: Path) -> bool:
    return other.exists() and one.samefile(other)


def _write_new(target: Path, file: Path, report: _Report) -> None:
    """Write `target` whole, or not at all: it is there when it is complete."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            is_read = _write_file(_Export(stream), file, report, alone=True)
        if is_read:
            part.replace(target)
    except OSError as error:
        raise UnusableError(cannot_write(error, target)) from None
    finally:
        with suppress(OSError):
            part.unlink()
