"""Tests of how files are opened: plain, packed, from a pipe, and refused."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.recorded_text import Problem
from bridge_arena.board_files import texts, unpacking
from bridge_arena.board_files.formats import Format
from bridge_arena.board_files.games import read_games
from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.board_files.texts import (
    Source,
    check_can_be_read_again,
    is_one_pbn,
    opened,
    texts_in,
    title_of,
    without_copies,
)
from bridge_arena.lin.handviewer import lin_link
from tests.board_files.packing import (
    as_lin,
    as_links,
    as_pbn,
    as_zip,
    gzip_bomb,
    lying_zip,
    some_records,
    written,
    zip_bomb,
)

PBN, LIN, LINKS = (write(some_records()) for write in (as_pbn, as_lin, as_links))


def read(source: Source, problems: list[Problem] | None = None) -> list[tuple[str, Format, bytes]]:
    report = None if problems is None else problems.append
    found = []
    for text in texts_in(source, report):
        with text.open() as stream:
            first = stream.read()
        with text.open() as stream:
            assert stream.read() == first, "it can be read again"
            assert stream.name == text.name
        found.append((text.name, text.format, first))
    return found


def refusal(source: Source) -> str:
    with pytest.raises(BoardFileError) as caught:
        read(source)
    return str(caught.value)


def assert_damaged(path: Path, before: int = 0) -> None:
    """At least this many bytes are read before the damage is reported."""
    with closing(texts_in(path)) as found, next(found).open() as stream:
        assert len(stream.read(before)) == before
        with pytest.raises(OSError, match="the archive is damaged"):
            stream.read()


@pytest.fixture
def pipe_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], None]]:
    """Make data standard input, which as a pipe can be read only once."""
    pipes: list[io.TextIOWrapper] = []

    def pipe_in(data: bytes) -> None:
        pipes.append(_pipe(data))
        monkeypatch.setattr("sys.stdin", pipes[-1])

    yield pipe_in
    for each in (sys.stdin, *pipes):
        each.close()


def _pipe(data: bytes) -> io.TextIOWrapper:
    ends = os.pipe()

    def write() -> None:
        with os.fdopen(ends[1], "wb") as stream:
            stream.write(data)

    threading.Thread(target=write, daemon=True).start()
    return io.TextIOWrapper(os.fdopen(ends[0], "rb"))


@pytest.mark.parametrize(
    ("data", "form"), [(PBN, Format.PBN), (LIN, Format.LIN), (LINKS, Format.LINKS)]
)
def test_a_text_is_read_plain_and_packed(tmp_path: Path, data: bytes, form: Format) -> None:
    plain = written(tmp_path, "a.txt", data)
    packed = written(tmp_path, "a.txt.gz", gzip.compress(data))
    unnamed = written(tmp_path, "b", gzip.compress(data[:50]) + gzip.compress(data[50:]))
    for path in (plain, packed, unnamed):
        assert read(path) == [(str(path), form, data)]
    archive = written(tmp_path, "a.zip", as_zip({"x/y.txt": data}))
    assert read(archive) == [(f"{archive}/x/y.txt", form, data)]


def test_the_end_of_the_name_within_a_gzip_tells(tmp_path: Path) -> None:
    assert read(written(tmp_path, "a.lin.gz", gzip.compress(b"x")))[0][1] is Format.LIN
    assert ".dup is" in refusal(written(tmp_path, "a.dup.gz", gzip.compress(b"\0")))


def test_members_of_an_archive_are_read(tmp_path: Path) -> None:
    members = {
        "folder/": b"",
        "folder/a.pbn": PBN,
        "b.LIN": LIN,
        "README.txt": b"hello",
        "photo.jpg": b"\xff\xd8\0",
        "__MACOSX/._a.pbn": b"\0\5",
        ".hidden.pbn": PBN,
    }
    path = written(tmp_path, "x.zip", as_zip(members))
    found = [(name, form) for name, form, _ in read(path)]
    assert found == [(f"{path}/folder/a.pbn", Format.PBN), (f"{path}/b.LIN", Format.LIN)]


def test_what_of_an_archive_cannot_be_read_is_named(tmp_path: Path) -> None:
    members = {
        "a.pbn": PBN,
        "b.dup": b"\0",
        "c.zip": as_zip({"d.pbn": PBN}),
        "e.pbn.gz": gzip.compress(PBN),
    }
    path = written(tmp_path, "x.zip", as_zip(members))
    problems: list[Problem] = []
    assert [name for name, *_ in read(path, problems)] == [f"{path}/a.pbn"]
    assert [str(problem).removeprefix(f"{path}/") for problem in problems] == [
        "b.dup: .dup is deals of the Duplimate dealing machine, which is not read: "
        "export it as PBN",
        "c.zip: archives within archives are not read",
        "e.pbn.gz: archives within archives are not read",
    ]
    assert refusal(path).startswith(f"{path}/b.dup: ")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (as_zip({"a.txt": b"hello"}), "it holds no PBN or LIN: 1 other file"),
        (as_zip({}), "it holds no PBN or LIN: 0 other files"),
        (as_zip({"a.zip": as_zip({})}), "archives within archives are not read"),
        (as_zip({"a.pbn": PBN}, zipfile.ZIP_LZMA), "it is packed by a method that is not read"),
        (as_zip({"a.pbn": PBN}, zipfile.ZIP_BZIP2), "it is packed by a method that is not read"),
        (as_zip({"a.pbn": PBN})[:-30], "cannot be unpacked: File is not a zip file"),
        (b"PK\3\4", "cannot be unpacked: File is not a zip file"),
        (gzip.compress(as_zip({"a.pbn": PBN})), "archives within archives are not read"),
        (gzip.compress(gzip.compress(PBN)), "archives within archives are not read"),
        (b"\0\1\2\3", "it is neither PBN nor LIN"),
    ],
)
def test_files_that_cannot_be_read_are_refused_with_the_reason(
    tmp_path: Path, data: bytes, reason: str
) -> None:
    path = written(tmp_path, "x", data)
    assert reason in refusal(path)
    assert refusal(path).startswith(str(path))


def test_the_name_of_a_member_stays_in_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, "x.zip", as_zip({"a\n\x1b[2Jb.pbn": PBN, "c" * 60_000: PBN}))
    names = [name for name, *_ in read(path)]
    assert names == [f"{path}/a??[2Jb.pbn", f"{path}/{'c' * 200}"]


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    data = bytearray(as_zip({"a.pbn": PBN}))
    data[data.index(b"PK\1\2") + 8] |= 1
    assert "a.pbn: it is encrypted: not read" in refusal(written(tmp_path, "x.zip", bytes(data)))


@pytest.mark.parametrize("cut", [12, 40, 100])
def test_a_gzip_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path, cut: int) -> None:
    path = written(tmp_path, "x.pbn.gz", gzip.compress(PBN)[:-cut])
    assert_damaged(path, 200)


def test_a_member_whose_checksum_is_wrong_is_told_as_damaged(tmp_path: Path) -> None:
    packed = as_zip({"a.pbn": PBN}, zipfile.ZIP_STORED)
    path = written(tmp_path, "x.zip", packed.replace(b"Nora", b"Cora"))
    assert_damaged(path)


def test_a_path_that_is_no_file_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "x.pbn").endswith("x.pbn: cannot be read: No such file or directory")
    assert refusal(tmp_path).endswith("cannot be read: Is a directory")


# Bombs.


def test_a_gzip_bomb_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "x.pbn.gz", gzip_bomb(64))
    assert "it unpacks to more than" in refusal(path)


@pytest.mark.parametrize("members", [1, 8])
def test_a_zip_bomb_is_refused(tmp_path: Path, members: int) -> None:
    path = written(tmp_path, "x.zip", zip_bomb(32 // members, members))
    assert refusal(path) == f"{path}: it unpacks to more than 16 MiB: not read"


def test_a_zip_that_claims_to_be_small_is_told_as_damaged(tmp_path: Path) -> None:
    """A member is read to its stated size, and its checksum shows that this is wrong."""
    path = written(tmp_path, "x.zip", lying_zip(b'[Event "x"]\n' + b" " * (32 << 20), 100))
    assert_damaged(path)


def test_an_archive_of_too_many_members_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = {f"{number}.pbn": b"" for number in range(50_000)}
    path = written(tmp_path, "x.zip", as_zip(many, zipfile.ZIP_STORED))
    assert "its directory is too long" in refusal(path)
    monkeypatch.setattr(unpacking, "MOST_MEMBERS", 2)
    path = written(tmp_path, "y.zip", as_zip(dict.fromkeys(["a", "b", "c"], PBN)))
    assert "it has more than 2 members: not read" in refusal(path)


def test_an_archive_may_be_large_where_it_is_no_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "FREE", 1)
    data = os.urandom(1 << 20).hex().encode()
    for name, packed in (("a.gz", gzip.compress(PBN + data)), ("a.zip", as_zip({"a": PBN + data}))):
        assert read(written(tmp_path, name, packed))[0][2] == PBN + data
    monkeypatch.setattr(unpacking, "MOST_UNPACKED", 1 << 20)
    assert "more than 1 MiB" in refusal(tmp_path / "a.zip")
    assert "it unpacks to more than" in refusal(tmp_path / "a.gz")


# Standard input, pipes and links.


@pytest.mark.parametrize("data", [PBN, LIN, LINKS])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_standard_input_is_read_plain_and_packed(
    pipe_in: Callable[[bytes], None], pack: Callable[[bytes], bytes], data: bytes
) -> None:
    pipe_in(pack(data))
    for _ in range(2):
        ((name, _, text),) = read("-")
        assert (name, text) == ("<stdin>", data)


def test_an_archive_may_come_by_standard_input(pipe_in: Callable[[bytes], None]) -> None:
    pipe_in(as_zip({"a": PBN}))
    assert read(Path("-")) == [("<stdin>/a", Format.PBN, PBN)]


def test_standard_input_that_is_closed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert refusal("-") == "<stdin>: standard input is closed"


def test_standard_input_may_be_a_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with written(tmp_path, "a.pbn", PBN).open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert read("-") == read("-") == [("<stdin>", Format.PBN, PBN)]


def test_standard_input_that_does_not_end_is_refused(
    monkeypatch: pytest.MonkeyPatch, pipe_in: Callable[[bytes], None]
) -> None:
    monkeypatch.setattr(texts, "MOST_PIPED", 100)
    pipe_in(PBN)
    assert refusal("-") == "<stdin>: it is longer than 0 GiB: not read"


def test_a_named_pipe_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    threading.Thread(target=path.write_bytes, args=[LIN], daemon=True).start()
    with closing(texts_in(path)) as found, next(found).open() as stream:
        assert stream.read() == LIN
    with pytest.raises(BoardFileError, match="it is a pipe, which can be read only once"):
        check_can_be_read_again(path)
    for other in ("-", tmp_path / "none", tmp_path):
        check_can_be_read_again(other)


def test_a_link_is_read_as_a_text() -> None:
    link = lin_link(some_records()[0])
    assert read(link) == [("<link>", Format.LINKS, link.encode())]
    with opened(link) as stream:
        assert cast("io.BytesIO", stream).getvalue() == link.encode()


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("a/b.pbn", "b"),
        ("b.lin.gz", "b"),
        ("b.zip", "b"),
        ("b.c.txt", "b.c.txt"),
        ("-", "stdin"),
        ("https://x/handviewer.html?b=1", "link"),
    ],
)
def test_titles_are_made_of_the_names_of_sources(source: str, title: str) -> None:
    assert title_of(source) == title


def test_a_single_pbn_file_is_told_from_others(tmp_path: Path) -> None:
    pbn, lin = written(tmp_path, "a.pbn", PBN), written(tmp_path, "a.lin", LIN)
    assert is_one_pbn([pbn])
    assert is_one_pbn([written(tmp_path, "a.pbn.gz", gzip.compress(PBN))])
    assert not is_one_pbn([written(tmp_path, "a.zip", as_zip({"a.pbn": PBN}))])
    for others in ([lin], [pbn, pbn], [tmp_path / "none"]):
        assert not is_one_pbn(others)


# Whatever a file holds.

WHOLE = (
    gzip.compress(PBN, mtime=0),
    as_zip({"a.pbn": PBN, "b.lin": LIN}),
    as_zip({"a.pbn": PBN}, zipfile.ZIP_STORED),
    LINKS,
)


@given(
    st.sampled_from(WHOLE),
    st.lists(st.tuples(st.integers(0, 5000), st.integers(0, 255)), max_size=4),
    st.integers(0, 5000),
)
def test_a_changed_byte_or_a_cut_is_told_in_one_line(
    whole: bytes, changes: list[tuple[int, int]], cut: int
) -> None:
    data = bytearray(whole)
    for at, value in changes:
        data[at % len(data)] = value
    if cut < len(data):
        del data[cut:]
    problems: list[Problem] = []
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(data)
        file.flush()
        try:
            for each in read_games(file.name, problems.append):
                assert each.record is None or each.error is None
        except BoardFileError as error:
            problems.append(error.problem)
    for problem in problems:
        assert str(problem).startswith(file.name)
        assert "\n" not in str(problem)


@given(st.binary(max_size=300), st.sampled_from(["", "PK\3\4", "\x1f\x8b\x08", "PK\5\6", "md|"]))
def test_no_bytes_make_it_raise_anything_else(data: bytes, magic: str) -> None:
    with tempfile.NamedTemporaryFile(suffix=".pbn") as file:
        file.write(magic.encode("latin-1") + data)
        file.flush()
        with suppress(BoardFileError):
            for _ in read_games(file.name, lambda _: None):
                pass


def test_a_link_in_place_of_a_path_is_told_as_one() -> None:
    link = as_links(some_records([1])).decode().strip()
    for source, reason in (
        (link, "only `arena boards` takes a link"),
        ("https://tinyurl.com/x", "it holds no board: it is a shortened link"),
    ):
        with pytest.raises(BoardFileError, match=reason):
            next(texts_in(Path(source)))


def test_each_text_once_and_the_others_are_told(tmp_path: Path) -> None:
    for name, text in (("a.pbn", "a"), ("b.pbn", "b"), ("c.pbn", "a")):
        (tmp_path / name).write_text(text)
    a, b, c = (tmp_path / name for name in ("a.pbn", "b.pbn", "c.pbn"))
    none = tmp_path / "none.pbn"
    problems: list[Problem] = []
    assert without_copies([a, b, a, c, none, none], problems.append) == [a, b, none, none]
    assert list(map(str, problems)) == [
        f"{a}: it is given twice: counted once",
        f"{c}: it is the same as {a}: counted once",
    ]
