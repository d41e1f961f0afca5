"""Files of arrays, numpy's archives NAME.npz: pairs of hands, and what was learned."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from bridge_arena.base.whole_files import replacing
from bridge_arena.bots.library.learning.files import UNREADABLE

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_T = TypeVar("_T", bound="DataclassInstance")


class ArraysError(ValueError):
    """A file does not hold the arrays that it should: one line names it and what is wrong."""


class Arrays:
    """A file of arrays that is read, and the names of those in it."""

    def __init__(self, path: Path) -> None:
        """Raises ArraysError, OSError."""
        self.path = path
        data = io.BytesIO(path.read_bytes())
        try:
            archive = np.load(data)
        except UNREADABLE:
            raise self._damaged() from None
        if not isinstance(archive, NpzFile):
            raise self._damaged()
        self._archive = archive
        self.names = frozenset(archive.files)

    def numbers(self, name: str, *shape: int | None) -> NDArray[Any]:
        """An array of numbers, of so many rows, columns ..; of any number of them where it is
        None. Raises ArraysError."""
        if name not in self.names:
            raise ArraysError(f"{self.path}: there is no array {name}")
        try:
            found = self._archive[name]
        except UNREADABLE:
            raise self._damaged() from None
        if not isinstance(found, np.ndarray) or found.dtype.kind not in "buif":
            raise ArraysError(f"{self.path}: {name} is no array of numbers")
        sizes = zip(found.shape, shape, strict=False)
        if found.ndim != len(shape) or any(size not in (has, None) for has, size in sizes):
            wanted = " × ".join("n" if size is None else str(size) for size in shape)
            has = " × ".join(map(str, found.shape))
            raise ArraysError(f"{self.path}: {name} is {has or 'one number'}, expected {wanted}")
        return found

    def weights(self, name: str, *shape: int | None) -> NDArray[np.float32]:
        """As `numbers`, in single precision, all finite. Raises ArraysError."""
        with np.errstate(over="ignore"):
            found = self.numbers(name, *shape).astype(np.float32)
        if not np.isfinite(found).all():
            raise ArraysError(f"{self.path}: {name} holds something that is no finite number")
        return found

    def _damaged(self) -> ArraysError:
        return ArraysError(f"{self.path}: no file of arrays, or a damaged one")


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], *, compress: bool = False) -> None:
    """Write a whole file, or nothing; the same arrays give the same bytes. Raises OSError."""
    save = np.savez_compressed if compress else np.savez

    with replacing(path) as unfinished, unfinished.open("wb") as file:
        save(file, **arrays)  # type: ignore[arg-type]


def write_halved(
    path: Path,
    weights: Mapping[str, NDArray[Any]],
    whole: Mapping[str, NDArray[Any]] | None = None,
    *,
    compress: bool = False,
) -> None:
    """As `write_arrays`, the weights in half precision, the others as they are."""
    halved = {name: each.astype(np.float16) for name, each in weights.items()}
    write_arrays(path, {**(whole or {}), **halved}, compress=compress)


def joined(parts: Iterable[_T]) -> _T:
    """One after the other, of a dataclass of arrays, one part or more."""
    every = list(parts)
    kind = type(every[0])
    return kind(
        *(np.concatenate([getattr(part, each.name) for part in every]) for each in fields(kind))
    )
