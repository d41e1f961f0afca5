"""Files of arrays, numpy archives NAME.npz: pairs of hands, and what was learned."""

from __future__ import annotations

import io
import pickle
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.lib.npyio import NpzFile
from numpy.typing import NDArray

from bridge_arena.base.files import replacing

_Read = TypeVar("_Read")
_Rows = TypeVar("_Rows", bound="Rows")

SHIPPED = "shipped"
"""The value of a bot's option that stands for the file that ships with the project."""

UNREADABLE = (
    *(ValueError, TypeError, LookupError, EOFError, MemoryError, OverflowError, RuntimeError),
    *(pickle.UnpicklingError, struct.error, tokenize.TokenError, zipfile.BadZipFile, zlib.error),
)
"""The errors that the readers of numpy and torch raise if a file holds something else."""


class ArraysError(ValueError):
    """The error of a file that lacks the arrays it should hold: one line names file and fault."""


class Arrays:
    """A file of arrays, `names`, that has been opened for reading.

    Raises ArraysError if it is no archive of arrays, OSError if it cannot be read.
    """

    def __init__(self, path: Path) -> None:
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
        """Return an array of numbers of a shape, with None for any size, or raise ArraysError."""
        if name not in self.names:
            raise ArraysError(f"{self.path}: there is no array {name}")
        try:
            numbers = self._archive[name]
        except UNREADABLE:
            raise self._damaged() from None
        if not isinstance(numbers, np.ndarray) or numbers.dtype.kind not in "buif":
            raise ArraysError(f"{self.path}: {name} is no array of numbers")
        sizes = zip(numbers.shape, shape, strict=False)
        if numbers.ndim != len(shape) or any(size not in (has, None) for has, size in sizes):
            wanted = " × ".join("n" if size is None else str(size) for size in shape)
            has = " × ".join(map(str, numbers.shape))
            raise ArraysError(f"{self.path}: {name} is {has or 'one number'}, expected {wanted}")
        return numbers

    def weights(self, name: str, *shape: int | None) -> NDArray[np.float32]:
        """Return, likewise, an array of finite numbers in single precision."""
        with np.errstate(over="ignore"):
            weights = self.numbers(name, *shape).astype(np.float32)
        if not np.isfinite(weights).all():
            raise ArraysError(f"{self.path}: {name} holds something that is no finite number")
        return weights

    def _damaged(self) -> ArraysError:
        return ArraysError(f"{self.path}: no file of arrays, or a damaged one")


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], *, compress: bool = False) -> None:
    """Write a whole file or nothing; the same arrays give the same bytes."""
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
    """Write a file as `write_arrays` does: `weights` in half precision, `whole` as it is."""
    halved = {name: weight.astype(np.float16) for name, weight in weights.items()}
    write_arrays(path, {**(whole or {}), **halved}, compress=compress)


class Rows:
    """The base of a dataclass of arrays, or tensors, with a row for each of n boards or hands."""

    __slots__ = ()

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __len__(self) -> int:
        return len(getattr(self, next(iter(self.__dataclass_fields__))))

    def rows(self, chosen: Any) -> Self:
        kind: Callable[..., Self] = type(self)
        return kind(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


def joined(parts: Iterable[_Rows]) -> _Rows:
    """Return parts as one, array by array; there must be a part."""
    every = list(parts)
    kind: Callable[..., _Rows] = type(every[0])
    names = every[0].__dataclass_fields__
    return kind(*(np.concatenate([getattr(part, name) for part in every]) for name in names))


def read_shipped(package: str, read: Callable[[Path], _Read], name: str = "weights.npz") -> _Read:
    """Return what `read` makes of a file that ships in the folder of a bot."""
    with resources.as_file(resources.files(package) / name) as path:
        return read(path)


def read_named(file: str, read: Callable[[Path], _Read]) -> _Read:
    """Return what `read` makes of a file that a bot's option names; ValueError names a bad one."""
    try:
        return read(Path(file))
    except OSError as error:
        raise ValueError(f"cannot read {error.filename or file}: {error.strerror}") from None
