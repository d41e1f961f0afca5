"""Unpacking of `.gz` and `.zip` within limits that hold whatever an archive claims.

An archive that unpacks to more than the limit is refused before anything of it is read.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from gzip import GzipFile
from pathlib import PurePosixPath
from typing import BinaryIO, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipExtFile, ZipFile, ZipInfo

from bridge_arena.base.wording import plural
from bridge_arena.board_files.problems import BoardFileError, unusable

MOST_UNPACKED = 1 << 32
"""The largest number of bytes that an archive may unpack to."""
FREE = 1 << 24
"""The number of bytes that any archive may unpack to, however small it is."""
MOST_RATIO = 200
"""The largest factor by which an archive may grow beyond `FREE`; text grows 5 to 20 times."""
MOST_MEMBERS = 10_000
_LONGEST_DIRECTORY = 1 << 21
_CHUNK = 1 << 16


Stream = GzipFile | ZipExtFile | io.BufferedReader | io.BytesIO
"""Streams with `read1`, which returns the bytes at hand without waiting for all."""


class Unpacked(io.RawIOBase):
    """The bytes of a packed text; where it is damaged, OSError comes after the intact bytes."""

    def __init__(self, stream: Stream, name: str) -> None:
        self.name = name
        self._stream = stream

    def readable(self) -> bool:
        """Return True: the stream can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read bytes into a buffer and return their number; raise OSError for a damaged archive."""
        try:
            data = self._stream.read1(len(buffer))
        except (EOFError, zlib.error, BadZipFile) as error:
            raise OSError(f"the archive is damaged: {error}") from None
        buffer[: len(data)] = data
        return len(data)


def check_gzip(stream: BinaryIO, name: str) -> None:
    """Raise BoardFileError for a gzip file that unpacks to more than the limit.

    It is unpacked once without keeping the bytes. Damage is no concern of this check: the reader of
    the text gets that error.
    """
    stream.seek(0)
    unpacked = 0
    try:
        with GzipFile(fileobj=stream) as packed:
            while chunk := packed.read(_CHUNK):
                unpacked += len(chunk)
                if unpacked > _limit(stream.tell()):
                    raise _too_much(name, unpacked)
    except (OSError, EOFError, zlib.error):
        return  # the reader of the text gets the same error


@contextmanager
def members(stream: BinaryIO, name: str) -> Iterator[tuple[ZipFile, list[ZipInfo]]]:
    """Open a `.zip` archive, and yield it with its members that are files.

    BoardFileError is raised if it cannot be unpacked, or is over the limits.
    """
    limit = _limit(stream.seek(0, io.SEEK_END))
    try:
        archive = ZipFile(cast("BinaryIO", _Bounded(stream)))
    except (BadZipFile, OSError, EOFError, ValueError, NotImplementedError) as error:
        raise unusable(name, f"cannot be unpacked: {error}") from None
    with archive:
        infos = [info for info in archive.infolist() if not _is_passed_over(info)]
        if len(infos) > MOST_MEMBERS:
            raise unusable(name, f"it has more than {plural(MOST_MEMBERS, 'member')}: not read")
        if sum(info.file_size for info in infos) > limit:
            raise _too_much(name, limit)
        yield archive, infos


def objection(info: ZipInfo) -> str | None:
    """Return the reason why a member cannot be unpacked, or None if it can."""
    if info.flag_bits & 1:
        return "it is encrypted"
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        return "it is packed by a method that is not read"
    return None


def _is_passed_over(info: ZipInfo) -> bool:
    """Return whether a member is a folder or a file that an operating system added."""
    parts = PurePosixPath(info.filename).parts
    return info.is_dir() or any(part.startswith((".", "__MACOSX")) for part in parts)


class _Bounded:
    """A file that gives no more bytes at once than a directory of MOST_MEMBERS may take.

    Without it, ZipFile would read a directory of any size that the archive claims.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable

    def read(self, size: int = -1) -> bytes:
        wanted = _LONGEST_DIRECTORY + 1
        data = self._stream.read(wanted if size < 0 else min(size, wanted))
        if len(data) == wanted:
            raise BadZipFile("its directory is too long")
        return data


def _limit(packed: int) -> int:
    """Return the number of bytes to which `packed` bytes may unpack."""
    return min(MOST_UNPACKED, max(FREE, MOST_RATIO * packed))


def _too_much(name: str, size: int) -> BoardFileError:
    return unusable(name, f"it unpacks to more than {size >> 20:,} MiB: not read")
