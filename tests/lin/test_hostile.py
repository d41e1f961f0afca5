"""Whatever bytes come, reading ends, raises only RecordedTextError, and takes little memory."""

from __future__ import annotations

import resource
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.recorded_text import Problem, RecordedTextError
from bridge_arena.lin.handviewer import ADDRESS, read_link
from bridge_arena.lin.reader import TableReader
from bridge_arena.lin.records import meaning_of, read_records
from tests.data import ROOT
from tests.lin.tables import AUCTION, HANDS, START

TAGS = st.sampled_from("vg rs pw mp bn qx pn st rh pg ah sv md mb an pc mc nt zz".split())
VALUES = st.one_of(
    st.sampled_from(
        [
            "",
            f"1{HANDS}",
            "p",
            "1N",
            "d!",
            "SA",
            "o1",
            "c1",
            "Board 2",
            "10",
            "9" * 5000,
            "4SE=",
            "b",
        ]
    ),
    st.text(max_size=20),
)
PIECES = st.lists(st.tuples(TAGS, VALUES).map("|".join) | st.text(max_size=5), max_size=60)


def read_whatever(data: bytes) -> None:
    for table in TableReader(BytesIO(data)):
        meaning = meaning_of(table)
        assert (meaning.record is None) == (meaning.error is not None)
        for deviation in meaning.deviations:
            assert "\n" not in str(deviation)
            assert len(str(deviation)) < 500
    problems: list[Problem] = []
    try:
        list(read_records(BytesIO(data), problems))
    except RecordedTextError as error:
        assert "it has no board" in str(error)  # noqa: PT017 - a file without any board


@given(st.binary(max_size=2000) | PIECES.map(lambda pieces: "|".join(pieces).encode()))
def test_any_bytes_are_read(data: bytes) -> None:
    read_whatever(data)


@given(st.data())
def test_damaged_tables_are_read(data: st.DataObject) -> None:
    text = bytearray((START + AUCTION + "pc|H4|pc|H2|pc|HJ|pc|HA|mc|9|").encode() * 2)
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(text) - 1))
        if data.draw(st.booleans()):
            text[at] = data.draw(st.integers(0, 255))
        else:
            del text[at : at + data.draw(st.integers(1, 20))]
    read_whatever(bytes(text))


@given(st.text(max_size=300))
def test_any_link_is_read_or_refused(text: str) -> None:
    for link in (text, f"{ADDRESS}?lin={text}", f"{ADDRESS}?s={text}&a={text}&p={text}"):
        try:
            read_link(link)
        except RecordedTextError as error:
            assert "\n" not in str(error)  # noqa: PT017 - a link without any board


HOSTILE = {
    "numbers": lambda: (
        f"vg|a,b,I,{'9' * 9},1|rs|{'4SE=,' * 3000}|qx|o{'9' * 9}|md|1{HANDS}|ah|{'9' * 9}|"
    ),
    "calls": lambda: START + f"mb|{'p' * 16000}|" * 2000,
    "cards": lambda: START + AUCTION + f"pc|S{'2' * 16000}|" * 2000,
    "explanations": lambda: START + f"an|{'x' * 16000}|" * 2000,
    "notes": lambda: START + "mb|1C|" + "an|x|" * 400_000,
    "tags": lambda: "pg||" * 800_000,
    "tables": lambda: f"rs|{'4SE=,' * 3000}|" + f"qx|o1|md|1{HANDS}|" * 20_000,
    "no bar": lambda: "x" * 30_000_000,
    "junk": lambda: "junk|" * 800_000,
}


READ = """
import sys
from bridge_arena.lin.records import meaning_of
from bridge_arena.lin.reader import TableReader

for table in TableReader(sys.argv[1]):
    meaning_of(table)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_memory_stays_flat(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.lin"
    path.write_text(HOSTILE[name]())
    limit = 300 << 20
    result = subprocess.run(
        [sys.executable, "-c", READ, path],
        cwd=ROOT,
        capture_output=True,
        timeout=100,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert (result.returncode, result.stderr) == (0, b"")
