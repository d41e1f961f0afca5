"""Formats are recognised by content; the name decides only if the content does not."""

from __future__ import annotations

import pytest

from bridge_arena.board_files.formats import OTHER_FORMATS, Format, format_of, is_archive, refusal
from tests.board_files.packing import as_lin, as_links, as_pbn, as_zip, some_records

PBN, LIN, LINKS = (write(some_records()) for write in (as_pbn, as_lin, as_links))


@pytest.mark.parametrize("name", ["x.pbn", "x.lin", "x.txt", "x.dup", "x", "<stdin>"])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PBN, Format.PBN),
        (PBN.replace(b"\r\n", b"\n"), Format.PBN),
        (PBN.replace(b"\r\n", b"\r"), Format.PBN),
        (PBN.decode().encode("utf-16"), Format.PBN),
        (b"\xef\xbb\xbf" + PBN, Format.PBN),
        (b'\n\n  [ Event "a" ]', Format.PBN),
        (b'[Event "mb|p|"]\n{md|}', Format.PBN),
        (LIN, Format.LIN),
        (LIN.decode().encode("utf-16"), Format.LIN),
        (b"\xef\xbb\xbf" + LIN, Format.LIN),
        (b"% PBN made LIN\r\n" + LIN, Format.LIN),
        (b'\r\nQX|o1|NT|[Event "x"]|', Format.LIN),
        (LINKS, Format.LINKS),
    ],
)
def test_the_content_of_a_file_decides_its_format(text: bytes, name: str, expected: Format) -> None:
    assert format_of(text, name) is expected


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (b"", "x", Format.PBN),
        (b"% a header alone\n", "x", Format.PBN),
        (b"; a comment", "x.txt", Format.PBN),
        (b"hello", "x.PBN", Format.PBN),
        (b"hello", "x.lin", Format.LIN),
        (b"hello", "x.txt", None),
        (b"<html>", "x", None),
        (b"\0" * 100, "x.pbn", None),
        (b"https://example.org/", "x", None),
    ],
)
def test_the_name_of_a_file_decides_where_content_does_not_tell(
    text: bytes, name: str, expected: Format | None
) -> None:
    assert format_of(text, name) is expected


@pytest.mark.parametrize("suffix", OTHER_FORMATS)
def test_other_formats_are_told_by_name(suffix: str) -> None:
    assert format_of(b"\0\1\2", f"x{suffix}") is None
    assert format_of(b"[Document]\nBoard 01=afkk\n", f"x{suffix}") is None
    assert refusal(f"x{suffix.upper()}").startswith(f"{suffix} is ")
    assert "neither" not in refusal(f"x{suffix}")
    assert refusal("x.html") == "it is neither PBN nor LIN"


def test_archives_are_told_by_their_first_bytes() -> None:
    assert is_archive(as_zip({"a": b"b"}))
    assert is_archive(as_zip({}))
    assert is_archive(b"\x1f\x8b\x08")
    assert not is_archive(PBN)
