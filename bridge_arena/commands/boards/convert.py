"""`arena boards convert`: games in the export form of PBN, as LIN, or as handviewer links."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from enum import StrEnum
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.boards.files import Files
from bridge_arena.commands.common.errors import FailedError, UnusableError

if TYPE_CHECKING:
    from bridge_arena.base.recorded_text import Problem
    from bridge_arena.board_files.formats import Traits, Writing
    from bridge_arena.board_files.games import GamesOfText, ReadGame
    from bridge_arena.board_files.texts import Source
    from bridge_arena.bridge.record import BoardRecord
    from bridge_arena.pbn.model import Game


class To(StrEnum):
    """A format that can be written: a value of `board_files.formats.Format` in small letters."""

    PBN = "pbn"
    LIN = "lin"
    LINK = "link"


Out = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE|DIR",
        help="one file for all games, or a folder for a file of each; default: standard output",
    ),
]


def convert(
    files: Files,
    out: Out = None,
    to: Annotated[
        To | None,
        typer.Option(help="link: to BBO's handviewer; default: by the ending of --out, or pbn"),
    ] = None,
) -> None:
    """Write the games of files as PBN or LIN, whatever format they have.

    PBN is written in the export form of PBN 2.1, in which the same game always gives the same
    text. Games that cannot be written are left out, and each is named with file and line. Errors
    in other games are named too. What LIN or a link cannot hold is counted. If --out ends in
    .pbn, .lin or .txt, all games go to that one file. The given files are never changed. Exit
    status: 1 if a game has errors, 2 if nothing can be read.

    Examples:
        arena boards convert club.lin --out club.pbn
        arena boards convert final.pbn --to lin
        arena boards convert one.lin two.pbn --out both.pbn
    """
    from bridge_arena.commands.common.progress import LongWork

    if to is None:
        to = To.LIN if out is not None and out.suffix.lower() == ".lin" else To.PBN
    # A bar would stand amid games that are printed on the terminal.
    has_bar = out is not None or not sys.stdout.isatty()
    with LongWork() if has_bar else nullcontext() as work:
        on_game = work.begin("converting", unit="games").advance if work else None
        conversion = _Conversion(to, on_game or (lambda: None))
        if out is None:
            conversion.write(sys.stdout.buffer, files)
            sys.stdout.buffer.flush()
        else:
            for sources, target in _targets(files, out, to):
                _write_new(target, sources, conversion)
    conversion.finish()


def format_files(files: Files, out: Out = None) -> None:
    """Write the games of files in PBN 2.1's export form, as `arena boards convert` does.

    Examples:
        arena pbn format final.pbn --out tidy.pbn
    """
    convert(files, out, To.PBN)


class _Conversion:
    """A conversion, which prints each problem as a line on standard error."""

    def __init__(self, to: To, on_game: Callable[[], None]) -> None:
        self._to = to
        self._on_game = on_game
        # Whether all games that are written come from one file, so that they may inherit tag
        # values from each other.
        self._are_alone = False
        # The numbers of files that were read, of games written, of games and files left out, and
        # of games, and lines between them, that have errors.
        self.files = 0
        self._games = 0
        self._failed = 0
        self._odd = 0
        # The number of games with each tag or part of the outcome that LIN, or a link, cannot hold.
        self._dropped: Counter[str] = Counter()

    def write(self, stream: BinaryIO, files: Sequence[Source]) -> None:
        """Write the games of files; write nothing where none can be read."""
        writing = _traits(self._to).writing
        games = self._read(files)
        if writing is None:
            stream.writelines(self._as_pbn(games))
        else:
            texts = writing.texts(self._records(games, writing))
            stream.writelines(text.encode() for text in texts)

    def finish(self) -> None:
        """Print what was left out. Raises UnusableError or FailedError where there were errors."""
        if self._dropped:
            counts = self._dropped.items()
            dropped = ", ".join(f"{name} of {plural(count, 'game')}" for name, count in counts)
            writing = _traits(self._to).writing
            assert writing is not None
            self._say(f"{writing.name} has no place for it, so it is not written: {dropped}")
        if not self._failed and not self._odd:
            return
        if not self.files:
            raise UnusableError("no file could be read")
        raise FailedError(
            f"{plural(self._games, 'game')} written, {self._failed} left out, "
            f"{self._odd} with errors"
        )

    def _read(self, files: Sequence[Source]) -> Iterator[ReadGame]:
        from bridge_arena.board_files.games import GamesOfText
        from bridge_arena.board_files.problems import BoardFileError
        from bridge_arena.board_files.texts import texts_in

        for file in files:
            try:
                for text in texts_in(file, self._fail):
                    self._are_alone = len(files) == 1 and not text.is_member
                    try:
                        yield from self._read_text(GamesOfText(text))
                    except BoardFileError as error:
                        self._fail(error.problem)
            except BoardFileError as error:
                self._fail(error.problem)

    def _read_text(self, games: GamesOfText) -> Iterator[ReadGame]:
        for game in games:
            if games.count == 1:
                self.files += 1
            self._look_at(game)
            yield game
            self._on_game()
        if not games.count:
            self.files += 1
        for problem in games.problems:
            self._say(problem)
            self._odd += 1

    def _as_pbn(self, games: Iterator[ReadGame]) -> Iterator[bytes]:
        from bridge_arena.base.recorded_text import RecordedTextError
        from bridge_arena.pbn.write.canonical import canonical
        from bridge_arena.pbn.write.edit import resolved
        from bridge_arena.pbn.write.succession import Succession
        from bridge_arena.pbn.write.writer import HEADER, format_canonical

        first = list(islice(games, 1))
        if first or self.files:
            yield HEADER.encode()
        # Where games of several files are written, inherited values are written out, as a game
        # must not inherit from one of another file.
        succession = Succession()
        for game in chain(first, games):
            if game.record is None and not game.is_pbn:
                self._fail_at(game)
                continue
            try:
                alone = self._are_alone
                form = succession.form(game.game) if alone else canonical(resolved(game.game))
            except RecordedTextError as error:
                self._fail(error.problem)
                continue
            yield format_canonical(form).encode("latin-1")
            self._games += 1

    def _records(self, games: Iterator[ReadGame], writing: Writing) -> Iterator[BoardRecord]:
        for game in games:
            if game.record is None:
                self._fail_at(game)
            else:
                self._games += 1
                self._count_dropped(game.game, game.record, writing)
                yield game.record

    def _count_dropped(self, game: Game, record: BoardRecord, writing: Writing) -> None:
        from bridge_arena.pbn.model import Section
        from bridge_arena.pbn.values import text_of

        names = {
            tag.name: None
            for tag in game.tags
            if tag.name not in writing.tags
            and (isinstance(tag, Section) or text_of(game.get(tag.name)))
        }
        self._dropped.update(filter(None, (*names, writing.left_out(record))))

    def _look_at(self, read: ReadGame) -> None:
        """Print the errors of a game, even where it can be written as it is."""
        errors = [deviation for deviation in read.deviations if deviation.is_error]
        for wrong in (*read.game.problems, *errors):
            self._say(wrong)
        self._odd += bool(read.game.problems or errors)

    def _fail_at(self, read: ReadGame) -> None:
        """Note a game that is no record, and say why, unless it was said as one of its errors."""
        self._failed += 1
        error = read.error
        if error is not None and not any(
            deviation.is_error and deviation.problem == error.problem
            for deviation in read.deviations
        ):
            self._say(error)

    def _fail(self, problem: Problem) -> None:
        self._failed += 1
        self._say(problem)

    def _say(self, line: object) -> None:
        print(line, file=sys.stderr)


def _traits(to: To) -> Traits:
    from bridge_arena.board_files.formats import TRAITS, Format

    return next(TRAITS[form] for form in Format if form.lower() == to)


def _targets(files: Sequence[Source], out: Path, to: To) -> list[tuple[Sequence[Source], Path]]:
    """Return the files to write, each with the files whose games it gets."""
    from bridge_arena.board_files.formats import TRAITS
    from bridge_arena.board_files.texts import title_of

    # With several files, a name with any other ending is that of a folder.
    endings = {traits.ending for traits in TRAITS.values()}
    pairs: list[tuple[Sequence[Source], Path]]
    if not out.is_dir() and (len(files) == 1 or out.suffix.lower() in endings):
        pairs = [(files, out)]
    else:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnusableError(f"{out} is no folder for {len(files)} files: {error}") from None
        suffix = _traits(to).ending
        pairs = [([file], out / (title_of(file) + suffix)) for file in files]
    targets = Counter(target for _, target in pairs)
    for target, count in targets.items():
        if target.exists() and not target.is_file():
            raise UnusableError(f"{target} is no regular file: choose another --out")
        if count > 1:
            raise UnusableError(f"more than one file would become {target}")
        for file in files:
            with suppress(OSError):  # one of them does not exist
                if target.samefile(file):
                    raise UnusableError(f"{target} would overwrite {file}: choose another --out")
    return pairs


def _write_new(target: Path, sources: Sequence[Source], conversion: _Conversion) -> None:
    """Write `target` whole, or not at all: it exists only when it is complete."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    before = conversion.files
    try:
        with part.open("xb") as stream:
            conversion.write(stream, sources)
        if conversion.files > before:
            part.replace(target)
    except OSError as error:
        raise UnusableError(f"cannot write {target}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            part.unlink()
