"""The texts in a file of boards: the file itself, what is packed in it, or standard input.

A path of `-` is standard input, from its beginning however often it is read: where it comes
through a pipe it is copied to a temporary file first.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from gzip import GzipFile
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, cast
from zipfile import BadZipFile, ZipExtFile, ZipFile, ZipInfo

from bridge_arena.base.plural import plural
from bridge_arena.board_files.formats import (
    HEAD,
    OTHER_FORMATS,
    Format,
    format_of,
    is_archive,
    refusal,
)
from bridge_arena.board_files.problems import BoardFileError, Report, tell, unusable
from bridge_arena.board_files.unpacking import Stream, Unpacked, check_gzip, members, objection
from bridge_arena.lin.handviewer import is_link

Source = str | Path
"""A path, `-`, or a link to BBO's handviewer."""

STANDARD_INPUT = Path("-")
MOST_PIPED = 1 << 32
"""Bytes that standard input may have."""

_LINK, _STDIN = "<link>", "<stdin>"
_LONGEST_NAME = 200
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class BoardText:
    """One text of boards. `name`: for problems; a member of an archive (`is_member`) has the
    archive's before its own."""

    name: str
    format: Format
    _stream: Callable[[], Stream]
    is_member: bool = False

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Its bytes from the beginning; one reader at a time."""
        stream = Unpacked(self._stream(), self.name)
        # Lines are sought in a buffer; else no error may hide the bytes that come before it.
        is_lines = self.format is Format.LINKS
        yield cast("BinaryIO", io.BufferedReader(stream) if is_lines else stream)


def texts_in(source: Source, report: Report | None = None) -> Generator[BoardText]:
    """The texts in a file, each to be read before the next is asked for.

    Raises BoardFileError for a file in which nothing is a text of boards, and, where there is
    no `report`, for a member of an archive that could not be read.
    """
    name = name_of(source)
    with opened(source) as file:
        head = _head(file)
        if not is_archive(head):
            yield _text(head, name, name, lambda: cast("Stream", _rewound(file)))
        elif head.startswith(b"PK"):
            yield from _members(file, name, report)
        else:
            check_gzip(file, name)
            yield _gzip_text(file, name)


def name_of(source: Source) -> str:
    """What a file is called in problems and results: text, whatever bytes its name has."""
    if isinstance(source, str) and is_link(source):
        return _LINK
    return (
        _STDIN if Path(source) == STANDARD_INPUT else str(source).encode(errors="replace").decode()
    )


def title_of(source: Source) -> str:
    """What files that are made of a file may be called: its name without its endings."""
    name = name_of(source)
    if name in (_LINK, _STDIN):
        return name.strip("<>")
    path = Path(source)
    if path.suffix.lower() in (".gz", ".zip"):
        path = path.with_suffix("")
    return path.with_suffix("").name if path.suffix.lower() in (".pbn", ".lin") else path.name


def check_can_be_read_again(source: Source) -> None:
    """Raises BoardFileError for a pipe with a name, which gives its bytes once."""
    path = Path(source)
    if path != STANDARD_INPUT and (path.is_fifo() or path.is_char_device()):
        raise unusable(str(path), "it is a pipe, which can be read only once: give it as -")


def is_one_pbn(sources: Sequence[Source]) -> bool:
    """Whether these are a single PBN file, whose games can be copied as they stand: they may
    inherit values from each other, but not from those of another file."""
    if len(sources) != 1:
        return False
    try:
        with closing(texts_in(sources[0])) as texts:
            text = next(texts)
    except BoardFileError:
        return False
    return text.format is Format.PBN and not text.is_member


@contextmanager
def opened(source: Source) -> Iterator[BinaryIO]:
    """The bytes of a file as it is, which can be read more than once. Raises BoardFileError."""
    name = name_of(source)
    if name == _LINK:
        yield io.BytesIO(str(source).encode())
        return
    if name == _STDIN:
        yield _rewound(_standard_input(name))
        return
    try:
        file = Path(source).open("rb")  # noqa: SIM115  it is closed below
    except OSError as error:
        raise unusable(name, f"cannot be read: {error.strerror or error}") from None
    with file:
        if file.seekable():
            yield file
        else:
            with _copied(file, name) as copy:
                yield _rewound(copy)


def _standard_input(name: str) -> BinaryIO:
    if sys.stdin is None:
        raise unusable(name, "standard input is closed")
    stream = sys.stdin.buffer
    if not stream.seekable():
        # From now on the copy is standard input: what is read twice comes here twice.
        sys.stdin = io.TextIOWrapper(_copied(cast("BinaryIO", stream), name))
    return cast("BinaryIO", sys.stdin.buffer)


def _copied(stream: BinaryIO, name: str) -> BinaryIO:
    copy = TemporaryFile()  # noqa: SIM115  whoever asked for it closes it
    try:
        while chunk := stream.read(_CHUNK):
            if copy.tell() + len(chunk) > MOST_PIPED:
                raise unusable(name, f"it is longer than {MOST_PIPED >> 30} GiB: not read")
            copy.write(chunk)
    except OSError as error:
        copy.close()
        raise unusable(name, f"cannot be read: {error.strerror or error}") from None
    except BoardFileError:
        copy.close()
        raise
    return cast("BinaryIO", copy)


def _gzip_text(file: BinaryIO, name: str) -> BoardText:
    def stream() -> Stream:
        return GzipFile(fileobj=_rewound(file))

    head = _head(Unpacked(stream(), name))
    if is_archive(head):
        raise unusable(name, "it holds an archive: archives within archives are not read")
    inner = name[:-3] if name.lower().endswith(".gz") else name
    return _text(head, name, inner, stream)


def _members(file: BinaryIO, name: str, report: Report | None) -> Iterator[BoardText]:
    with members(file, name) as (archive, found):
        passed_over = texts = 0
        errors: list[BoardFileError] = []
        for info in found:
            try:
                text = _member(archive, info, f"{name}/{_shown(info.filename)}")
            except BoardFileError as error:
                errors.append(error)
                continue
            if text is None:
                passed_over += 1
                continue
            texts += 1
            yield text
        if not texts and errors:
            raise errors[0]
        if not texts:
            raise unusable(name, f"it holds no PBN or LIN: {plural(passed_over, 'other file')}")
        for each in errors:
            tell(report, each)


def _shown(name: str) -> str:
    """A member's name as it can stand in a line: whoever made the archive chose it."""
    return "".join(c if c.isprintable() else "?" for c in name[-_LONGEST_NAME:])


def _member(archive: ZipFile, info: ZipInfo, name: str) -> BoardText | None:
    """A member of an archive; None where it is something else than boards."""
    reason = objection(info)
    if reason is not None:
        raise unusable(name, f"{reason}: not read")

    def stream() -> Stream:
        try:
            return cast("ZipExtFile", archive.open(info))
        except (OSError, RuntimeError, ValueError, BadZipFile) as error:
            raise unusable(name, f"cannot be unpacked: {error}") from None

    head = _head(Unpacked(stream(), name))
    if is_archive(head):
        raise unusable(name, "archives within archives are not read")
    is_other = Path(name).suffix.lower() in OTHER_FORMATS
    if format_of(head, name) is None and not is_other:
        return None
    return replace(_text(head, name, name, stream), is_member=True)


def _text(head: bytes, name: str, inner: str, stream: Callable[[], Stream]) -> BoardText:
    """A text, `inner` its name unpacked. Raises BoardFileError for what is not read."""
    found = format_of(head, inner)
    if found is None:
        raise unusable(name, refusal(inner))
    return BoardText(name, found, stream)


def _head(stream: BinaryIO | Unpacked) -> bytes:
    """The first bytes; a damaged archive has those before the damage, or none."""
    head = b""
    try:
        while len(head) < HEAD and (more := stream.read(HEAD - len(head))):
            head += more
    except OSError:
        pass  # who reads it is told
    return head


def _rewound(stream: BinaryIO) -> BinaryIO:
    stream.seek(0)
    return stream
