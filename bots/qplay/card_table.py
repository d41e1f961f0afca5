"""A learned Q-table in numpy, for the bot at the table, and its file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.library.learning.arrays import (
    Arrays,
    ArraysError,
    read_shipped,
    write_halved,
)
from bridge_arena.bots.library.minibridge import HandsKnown
from bridge_arena.bots.library.minibridge.games import BITS, without_unknown
from bridge_arena.bots.qplay.learning import Values, best_card


@dataclass(frozen=True)
class CardTable:
    """The arrays of a file, in which `known` is 1 if the states include the hands, else 0."""

    states: NDArray[np.uint64]  # the states, ascending
    first: NDArray[np.int64]  # the index of the first card of each state, and the end of the last
    cards: NDArray[np.uint8]  # the cards of each state, ascending
    values: NDArray[np.floating]  # one for each pair of state and card
    hands: HandsKnown  # whether the states include the hands

    @classmethod
    def of(cls, values: Values, hands: HandsKnown) -> CardTable:
        rows = sorted(values.items())
        pairs = [pair for _, row in rows for pair in sorted(row.items())]
        return cls(
            np.array([state for state, _ in rows], np.uint64),
            np.cumsum([0, *(len(row) for _, row in rows)]),
            np.array([card for card, _ in pairs], np.uint8),
            np.array([value for _, value in pairs], np.float64),
            hands,
        )

    @classmethod
    def read(cls, path: Path) -> CardTable:
        """Read the table from a file."""
        arrays = Arrays(path)
        states = _whole(arrays, "states", 0, 2**BITS - 1)
        first = _whole(arrays, "first", 0, 52 * 2**26)
        cards = _whole(arrays, "cards", 0, 51)
        values = arrays.numbers("values", len(cards))
        (known,) = _whole(arrays, "known", 0, 1, size=1)
        if not np.isfinite(values).all():
            raise ArraysError(f"{path}: values holds something that is no finite number")
        if (np.diff(states) <= 0).any():
            raise ArraysError(f"{path}: the states are not in rising order")
        ends = first[:1].tolist(), first[-1:].tolist(), len(first)
        if ends != ([0], [len(cards)], len(states) + 1) or (np.diff(first) < 0).any():
            raise ArraysError(f"{path}: first does not part the cards by states")
        return cls(
            states.astype(np.uint64),
            first,
            cards.astype(np.uint8),
            values.astype(np.float64),
            "known" if known else "unknown",
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of a file."""
        return {
            "states": self.states,
            "first": self.first.astype(np.uint32),
            "cards": self.cards,
            "values": self.values,
            "known": np.array([self.hands == "known"], np.uint8),
        }

    def write(self, path: Path) -> None:
        """Write a file, with the values in half precision."""
        write_halved(path, {"values": self.values}, self.arrays(), compress=True)

    def nested(self) -> Values:
        """Return the values in the form in which they are learned."""
        cards, values = self.cards.tolist(), self.values.tolist()
        first = self.first.tolist()
        return {
            state: dict(zip(cards[begin:end], values[begin:end], strict=True))
            for state, begin, end in zip(self.states.tolist(), first, first[1:], strict=False)
        }

    @cached_property
    def _by_state(self) -> dict[int, int]:
        return {state: place for place, state in enumerate(self.states.tolist())}

    def best(self, state: int, legal: int) -> int | None:
        """Return the legal card of the highest value, or None if no legal card has one."""
        place = self._by_state.get(without_unknown(state, self.hands))
        if place is None:
            return None
        part = slice(self.first[place], self.first[place + 1])
        row = dict(zip(self.cards[part].tolist(), self.values[part].tolist(), strict=True))
        return best_card(row, legal)


def _whole(
    arrays: Arrays, name: str, least: int, most: int, size: int | None = None
) -> NDArray[np.int64]:
    """Return a row of whole numbers within bounds, or raise ArraysError."""
    whole = arrays.numbers(name, size)
    if whole.dtype.kind not in "ui" or (whole < least).any() or (whole > most).any():
        raise ArraysError(f"{arrays.path}: {name} has a value outside {least} to {most}")
    return whole.astype(np.int64)


def shipped(package: str) -> CardTable:
    """Return the table that ships in the folder of a bot."""
    return read_shipped(package, CardTable.read)
