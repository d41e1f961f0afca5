"""Removal of files given more than once, whose boards would count twice."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from typing import TypeVar, cast

from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files.problems import BoardFileError, Report
from bridge_arena.board_files.texts import Source, name_of, opened

_Source = TypeVar("_Source", bound=Source)


def without_copies(sources: Sequence[_Source], report: Report) -> list[_Source]:
    """Return the files that differ in their bytes, in their order.

    A file that cannot be read is kept, so that the reader reports the reason.

    Args:
        sources: The files.
        report: Called with a problem for each file left out.

    Returns:
        The first file of each content.
    """
    if len(sources) == 1:
        return list(sources)
    names: dict[str, str] = {}
    kept: list[_Source] = []
    for source in sources:
        name = name_of(source)
        try:
            with opened(source) as stream:
                digest = hashlib.file_digest(
                    cast("io.BufferedReader", stream), "sha256"
                ).hexdigest()
        except (BoardFileError, OSError):
            kept.append(source)
            continue
        first = names.setdefault(digest, name)
        if first is name:
            kept.append(source)
        else:
            report(_copy(name, first))
    return kept


def _copy(name: str, first: str) -> Problem:
    as_what = "given twice" if name == first else f"the same as {first}"
    return Problem(name, 0, 0, f"it is {as_what}: counted once")
