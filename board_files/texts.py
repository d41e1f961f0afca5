"""The texts in a file of boards: the file itself, or the files packed in it.

The path `-` is standard input, which is read from its beginning every time. If it comes through a
pipe, it is copied to a temporary file first.
"""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from gzip import GzipFile
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO, TypeVar, cast
from zipfile import BadZipFile, ZipExtFile, ZipFile, ZipInfo

from bridge_arena.base.recorded_text import Problem
from bridge_arena.base.wording import plural
from bridge_arena.board_files.formats import (
    ENDINGS,
    HEAD,
    OTHER_FORMATS,
    Format,
    format_of,
    is_archive,
    refusal,
)
from bridge_arena.board_files.problems import BoardFileError, Report, tell, unusable
from bridge_arena.board_files.unpacking import Stream, Unpacked, check_gzip, members, objection
from bridge_arena.lin.handviewer import is_address, is_link, without_board

Source = str | Path
"""A path, `-`, or a link to BBO's handviewer."""

STANDARD_INPUT = Path("-")
MOST_PIPED = 1 << 32
"""The largest number of bytes that are copied from a pipe."""

_LINK, _STDIN = "<link>", "<stdin>"
_LONGEST_NAME = 200
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class BoardText:
    """One text of boards."""

    name: str  # the name for problems; that of an archive's member follows the archive's name
    format: Format
    _stream: Callable[[], Stream]
    is_member: bool = False  # whether the text is a member of a `.zip` archive

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the text at its beginning; only one reader may be open at a time."""
        stream = Unpacked(self._stream(), self.name)
        # Only links are read by line, which needs a buffer. The other formats are read without one,
        # so that an error does not lose the bytes that come before it.
        is_lines = self.format is Format.LINKS
        yield cast("BinaryIO", io.BufferedReader(stream) if is_lines else stream)


def texts_in(source: Source, report: Report | None = None) -> Generator[BoardText]:
    """Yield the texts in a file; each must be read before the next is asked for.

    `report` is called with a problem for each member of an archive that cannot be read; without it
    BoardFileError is raised, as it is if nothing in the file is a text of boards.
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
    """Return the name of a file in problems and results, as valid text whatever its bytes."""
    if isinstance(source, str) and is_link(source):
        return _LINK
    if Path(source) == STANDARD_INPUT:
        return _STDIN
    return str(source).encode(errors="replace").decode()


def title_of(source: Source) -> str:
    """Return the base of the names of files made from a file: its name without its endings."""
    name = name_of(source)
    if name in (_LINK, _STDIN):
        return name.strip("<>")
    path = Path(source)
    if path.suffix.lower() in (".gz", ".zip"):
        path = path.with_suffix("")
    return path.with_suffix("").name if path.suffix.lower() in ENDINGS else path.name


def check_can_be_read_again(source: Source) -> None:
    """Raise BoardFileError for a named pipe, which gives its bytes only once."""
    path = Path(source)
    if path != STANDARD_INPUT and (path.is_fifo() or path.is_char_device()):
        raise unusable(str(path), "it is a pipe, which can be read only once: give it as -")


def is_one_pbn(sources: Sequence[Source]) -> bool:
    """Return whether the files are a single PBN file, whose games can be copied unchanged.

    Games may inherit values from other games of their file, but not from those of another file. The
    file may be packed with gzip, but is no `.zip` archive.
    """
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
    """Open a file without unpacking it, in a form that can be read more than once.

    BoardFileError is raised if it cannot be opened.
    """
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
        reason = f"cannot be read: {error.strerror or error}"
        if is_link(name):
            reason = "only `arena boards` takes a link: put it into a text file"
        elif is_address(name):
            reason = without_board(name)
        raise unusable(name, reason) from None
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
        # The copy becomes standard input, so that a second reading finds the same bytes.
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
    with members(file, name) as (archive, infos):
        passed_over = texts = 0
        errors: list[BoardFileError] = []
        for info in infos:
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
            formats = " or ".join(ENDINGS.values())
            raise unusable(name, f"it holds no {formats}: {plural(passed_over, 'other file')}")
        for unread in errors:
            tell(report, unread)


def _shown(name: str) -> str:
    """Return a member's name fit for one line of output: whoever made the archive chose it."""
    return "".join(c if c.isprintable() else "?" for c in name[-_LONGEST_NAME:])


def _member(archive: ZipFile, info: ZipInfo, name: str) -> BoardText | None:
    """Return a member of an archive as a text, or None if it holds no boards."""
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
    """Return the text named `inner` when unpacked; raise BoardFileError if it is not readable."""
    form = format_of(head, inner)
    if form is None:
        raise unusable(name, refusal(inner))
    return BoardText(name, form, stream)


def _head(stream: BinaryIO | Unpacked) -> bytes:
    """Return the first bytes; of a damaged archive only those before the damage."""
    head = b""
    try:
        while len(head) < HEAD and (more := stream.read(HEAD - len(head))):
            head += more
    except OSError:
        pass  # the reader of the text gets the same error
    return head


def _rewound(stream: BinaryIO) -> BinaryIO:
    stream.seek(0)
    return stream


_Source = TypeVar("_Source", bound=Source)


def without_copies(sources: Sequence[_Source], report: Report) -> list[_Source]:
    """Return the files that differ in their bytes, in their order; report each that is left out.

    Boards of a file that is given twice would count twice. A file that cannot be read is kept, so
    that the reader reports the reason.
    """
    if len(sources) == 1:
        return list(sources)
    names: dict[str, str] = {}
    kept: list[_Source] = []
    for source in sources:
        name = name_of(source)
        try:
            with opened(source) as stream:
                file = cast("io.BufferedReader", stream)
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except (BoardFileError, OSError):
            kept.append(source)
            continue
        first = names.setdefault(digest, name)
        if first is name:
            kept.append(source)
        else:
            as_what = "given twice" if name == first else f"the same as {first}"
            report(Problem(name, 0, 0, f"it is {as_what}: counted once"))
    return kept
