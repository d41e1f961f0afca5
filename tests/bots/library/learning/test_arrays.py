"""Files of arrays: what was written is read back, and errors name what is wrong."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import (
    Arrays,
    ArraysError,
    write_arrays,
    write_halved,
)

ARRAYS: dict[str, NDArray[Any]] = {
    "one": np.arange(6, dtype=np.float16).reshape(2, 3),
    "two": np.ones(2),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_arrays(tmp_path / "some", ARRAYS)
    return tmp_path / "some"


def test_what_is_written_is_read(path: Path) -> None:
    arrays = Arrays(path)
    assert arrays.names == {"one", "two"}
    found = arrays.weights("one", 2, None)
    assert found.dtype == np.float32
    assert np.array_equal(found, ARRAYS["one"])
    assert arrays.numbers("one", None, 3).dtype == np.float16
    assert [child.name for child in path.parent.iterdir()] == ["some"]


def test_a_file_is_whole_or_the_one_before(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def interrupted(file: io.BytesIO, **_: object) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr("bridge_arena.bots.library.learning.arrays.np.savez", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_arrays(path, ARRAYS)
    assert path.read_bytes() == before


def npy(_: bytes) -> bytes:
    data = io.BytesIO()
    np.save(data, np.zeros(3))
    return data.getvalue()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "text": lambda _: b"no arrays\n",
    "cut short": lambda data: data[: len(data) // 2],
    "an array alone": npy,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_file_that_is_no_archive_is_refused(path: Path, name: str) -> None:
    path.write_bytes(DAMAGES[name](path.read_bytes()))
    with pytest.raises(ArraysError, match=r"some: no file of arrays, or a damaged one$"):
        Arrays(path)


def test_damage_within_an_array_is_noticed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(b"NUMPY") + 130] ^= 0x55
    path.write_bytes(data)
    with pytest.raises(ArraysError, match=r"some: no file of arrays, or a damaged one$"):
        Arrays(path).numbers("one", 2, 3)


def test_arrays_of_other_shapes_and_names_are_refused(path: Path) -> None:
    arrays = Arrays(path)
    with pytest.raises(ArraysError, match=r"some: there is no array three$"):
        arrays.numbers("three")
    with pytest.raises(ArraysError, match=r"some: one is 2 × 3, expected n × 2$"):
        arrays.numbers("one", None, 2)
    with pytest.raises(ArraysError, match=r"some: one is 2 × 3, expected 2$"):
        arrays.numbers("one", 2)


def test_arrays_of_no_numbers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.npz"
    np.savez(path, words=np.array(["x"]), objects=np.array([None]), holes=np.array([np.nan, 1]))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("note", "no array")
    arrays = Arrays(path)
    with pytest.raises(ArraysError, match="words is no array of numbers"):
        arrays.numbers("words", None)
    with pytest.raises(ArraysError, match="no file of arrays"):
        arrays.numbers("objects", None)
    with pytest.raises(ArraysError, match="note is no array of numbers"):
        arrays.numbers("note", None)
    assert len(arrays.numbers("holes", None)) == 2
    with pytest.raises(ArraysError, match="holes holds something that is no finite number"):
        arrays.weights("holes", None)


def test_weights_are_halved_and_the_others_kept(tmp_path: Path) -> None:
    path = tmp_path / "some"
    third = np.full(3, 1 / 3, np.float32)
    write_halved(path, {"weights": third}, {"kept": third})
    with np.load(path) as found:
        assert (found["weights"].dtype, found["kept"].dtype) == (np.float16, np.float32)
        assert found["weights"].tolist() == third.astype(np.float16).tolist()
        assert found["kept"].tolist() == third.tolist()
