"""Files of hands, each with the opening that a player chose: `;PBN;OPENING`, a hand a line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import Rows
from bridge_arena.bots.library.learning.hands import Hands, hands_array, read_rows
from bridge_arena.bridge.calls import DOUBLE, REDOUBLE, Call
from bridge_arena.bridge.cards import Hand

LEAST = 10
"""The fewest hands of a file."""


class OpeningsError(ValueError):
    """The error of a file that holds no hands with openings; the text names file and line."""


@dataclass(frozen=True, slots=True)
class Openings(Rows):
    """Hands with openings."""

    hands: Hands  # the hands, n×52
    # The opening with each, n, as files have it: PASS, 1C .. 7S, notrump as 1N .. 7N.
    calls: NDArray[np.str_]


def read_openings(path: Path, hands: int | None = None) -> Openings:
    """Read a file of openings: `hands` of them, or all if None."""
    rows = read_rows(path, lambda row: (_hand(row), _call(row)), OpeningsError, hands)
    if len(rows) < LEAST:
        raise OpeningsError(f"{path}: {LEAST} hands or more are needed")
    return Openings(hands_array(hand for hand, _ in rows), np.array([call for _, call in rows]))


def call_of(text: str) -> Call:
    """Return the call that a file names."""
    call = Call(f"{text}T" if text.upper().endswith("N") else text)
    if call in (DOUBLE, REDOUBLE):
        raise ValueError(f"{text} opens no auction")
    return call


def _hand(row: Mapping[str, str | None]) -> Hand:
    """Return the hand of a row. Raises KeyError, ValueError, BridgeError."""
    hand = Hand.parse(row["PBN"] or "")
    if len(hand) != 13:
        raise ValueError(f"a hand of {len(hand)} cards, not 13")
    return hand


def _call(row: Mapping[str, str | None]) -> str:
    """Return the call of a row. Raises KeyError, ValueError, BridgeError."""
    text = row["OPENING"]
    if not text:
        raise ValueError("no opening")
    call_of(text)
    return text
