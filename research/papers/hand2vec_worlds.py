"""Measure what vectors tell of a hidden hand that has called: part of `papers.hand2vec`.

A bot that deals worlds weighs each by the probability that its hands make the actual calls. Here
WBridge5 has opened as dealer 8,000 times, not vulnerable, and `natural` with the same hands. Half
of the hands teach which hands make which calls. For each of the others, the figure is how much
likelier the hand has become among random hands when its call is known: the mean of the logarithm to
base 2, in bits. It cannot exceed the entropy of the calls.

Ranges are what explanations have: for each call, the points and lengths between the first and the
last hundredth of the hands that made it. All hands inside weigh the same, and a hand outside
`OUTSIDE` times that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import figure, p_value, table
from bridge_arena.bots.library.bidding_systems import system
from bridge_arena.bots.library.learning.hands import (
    Hands,
    hand_of,
    hands_array,
    points_and_lengths,
    random_pairs,
)
from bridge_arena.bots.library.openings.data import Openings
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.pbn.read.records import read_records
from research.papers.hand2vec_openings import Way

RANDOM = 20_000
"""Hands that the others are compared with."""

OUTSIDE = 0.02
LEAST = 0.001

Array = NDArray[np.float64]


def read_calls(path: Path, games: int | None = None) -> Openings:
    """Read the dealers' hands and first calls of a PBN file, or of its first `games`.

    Raises RecordedTextError, OSError.
    """
    records = [record for record in islice(read_records(path), games) if record.calls]
    hands = hands_array(record.board.deal[record.board.dealer] for record in records)
    return Openings(hands, np.array([str(record.calls[0].call) for record in records]))


def natural_calls(hands: Hands) -> Openings:
    """Return the calls of `natural` as dealer with hands, n×52."""
    natural = system("natural")
    empty = Auction(Seat.NORTH)
    calls = [str(natural.call(hand_of(row), empty, Vulnerability.NONE)) for row in hands]
    return Openings(hands, np.array(calls))


def bits_by_way(way: Way, calls: Openings, seed: int) -> Array:
    """Return what calls tell of each hand of the second half, in bits."""
    taught, asked = _halves(calls)
    classifier = way.made()
    classifier.fit(way.seen(taught.hands), taught.calls)
    names: list[str] = list(classifier.classes_)

    def weights(hands: Hands) -> Array:
        found: Array = np.maximum(classifier.predict_proba(way.seen(hands)), LEAST)
        return found

    return _bits(asked, names, weights, seed)


def bits_by_ranges(calls: Openings, seed: int) -> Array:
    """Return the same as `bits_by_way`, by ranges of points and lengths."""
    taught, asked = _halves(calls)
    names = sorted(set(taught.calls.tolist()))
    known = points_and_lengths(taught.hands)
    ends = [np.percentile(known[taught.calls == name], (1, 99), axis=0) for name in names]

    def weights(hands: Hands) -> Array:
        held = points_and_lengths(hands)
        within = [((held >= low) & (held <= high)).all(axis=1) for low, high in ends]
        return np.where(np.stack(within, axis=1), 1, OUTSIDE)

    return _bits(asked, names, weights, seed)


def bits_table(who: str, found: Mapping[str, Array]) -> str:
    """Return the table of the bits of each way, and its gain over the first, as markdown."""
    first = next(iter(found.values()))
    rows: list[list[str]] = []
    for name, bits in found.items():
        more = bits - first
        compared = [figure(more, sign="+"), p_value(more)] if more.any() else ["", ""]
        rows.append([name, figure(bits), *compared])
    return table([f"{who}, weighed by", "bits", f"more than {next(iter(found))}", "p"], rows)


def _halves(calls: Openings) -> tuple[Openings, Openings]:
    half = len(calls) // 2
    first, second = slice(0, half), slice(half, None)
    return (
        Openings(calls.hands[first], calls.calls[first]),
        Openings(calls.hands[second], calls.calls[second]),
    )


def _bits(asked: Openings, names: list[str], weights: Callable[[Hands], Array], seed: int) -> Array:
    """Return the bits of each hand; a call that was not learned tells nothing.

    `weights` maps hands, n×52, to the weights of the calls, n×names.
    """
    dealt = np.concatenate(random_pairs(np.random.default_rng([seed, 8]), RANDOM // 2))
    usual = weights(dealt).mean(axis=0)
    found = np.log2(weights(asked.hands) / usual)
    column = {name: number for number, name in enumerate(names)}
    bits = [
        row[column[call]] if call in column else 0.0
        for row, call in zip(found, asked.calls.tolist(), strict=True)
    ]
    return np.array(bits)
