"""Files of hands with openings."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bots.library.learning.hands import hand_of
from bridge_arena.bots.library.openings.data import OpeningsError, call_of, read_openings
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Hand

HEADING = ";PBN;OPENING"
HAND = "AQJ42.K5.Q83.J92"


def test_hands_are_read_with_their_openings(tmp_path: Path) -> None:
    path = tmp_path / "openings.csv"
    path.write_text("\n".join([HEADING, *[f"{n};{HAND};1S" for n in range(10)], "7;;"]))
    found = read_openings(path, 10)
    assert found.calls.tolist() == ["1S"] * 10
    assert hand_of(found.hands[3]) == Hand.parse(HAND)


@pytest.mark.parametrize(("text", "call"), [("PASS", "Pass"), ("1N", "1NT"), ("2C", "2C")])
def test_calls_are_read_in_every_form(text: str, call: str) -> None:
    assert call_of(text) == Call(call)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1;AKQ.2.3;1C", "line 2: 'AKQ.2.3' is not a hand"),
        ("1;AKQ.2.3.4;1C", "line 2: a hand of 6 cards, not 13"),
        (f"1;{HAND};", "line 2: no opening"),
        (f"1;{HAND};8C", "line 2: '8C' is not a call"),
        (f"1;{HAND};X", "line 2: X opens no auction"),
        (f"1;{HAND};1S", ": 10 hands or more are needed"),
    ],
)
def test_mistakes_in_a_file_of_openings_are_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"{HEADING}\n{line}\n")
    with pytest.raises(OpeningsError, match=rf"bad\.csv.*{said}"):
        read_openings(path)


def test_a_file_without_the_column_of_hands_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(";N;S\n1;2;3\n")
    with pytest.raises(OpeningsError, match="line 2: no column 'PBN'"):
        read_openings(path)
