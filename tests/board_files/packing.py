"""Boards in every format and packing, and archives that are not what they claim."""

from __future__ import annotations

import gzip
import struct
import zipfile
from collections.abc import Iterable, Mapping
from io import BytesIO
from pathlib import Path

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lin.handviewer import lin_link
from bridge_arena.lin.writer import format_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_game

MIB = 1 << 20


def some_records(numbers: Iterable[int] = (1, 2, 3)) -> list[BoardRecord]:
    players = ("Nora", "Ed", "Sue", "Will")
    return [BoardRecord(Board.dealt(1, number), players) for number in numbers]


def as_pbn(records: Iterable[BoardRecord]) -> bytes:
    return (HEADER + "".join(format_game(game_of(record)) for record in records)).encode("latin-1")


def as_lin(records: Iterable[BoardRecord]) -> bytes:
    return "".join(format_records(records)).encode()


def as_links(records: Iterable[BoardRecord]) -> bytes:
    return "".join(f"{lin_link(record)}\n" for record in records).encode()


def as_zip(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def gzip_bomb(mebibytes: int) -> bytes:
    """Return a `.gz` file a thousand times smaller than its content."""
    packed = BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as stream:
        stream.write(b'[Event "x"]\n')
        for _ in range(mebibytes):
            stream.write(b" " * MIB)
    return packed.getvalue()


def zip_bomb(mebibytes: int, members: int = 1) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(members):
            with archive.open(f"{number}.pbn", "w") as stream:
                stream.write(b'[Event "x"]\n')
                for _ in range(mebibytes):
                    stream.write(b" " * MIB)
    return packed.getvalue()


def lying_zip(data: bytes, claimed: int) -> bytes:
    """Return an archive of one member that gives a wrong unpacked size in both of its headers."""
    packed = as_zip({"a.pbn": data})
    return packed.replace(struct.pack("<L", len(data)), struct.pack("<L", claimed))


def written(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path
