"""Knock-out: the seeded bracket, in which the best two can meet only in the final.

With as many entries as a power of two, seed 1 meets the lowest, 2 the next lowest, and so
on, and if no favourite loses this holds in every round. Missing entries are byes of the
best seeds.
"""

from __future__ import annotations

from collections.abc import Sequence


def bracket(entries: int) -> list[tuple[int, int | None]]:
    """The first round as (home, visitors) from the top of the bracket to its foot.

    The better seed is at home; None marks a bye. The number of pairs is a power of two:
    winners of neighbouring pairs meet next (`next_round`).

    Raises ValueError below two entries.
    """
    if entries < 2:
        raise ValueError(f"a knock-out takes at least 2 entries, not {entries}")
    order = [0]
    while len(order) < entries:
        lowest = 2 * len(order) - 1
        order = [seed for better in order for seed in (better, lowest - better)]
    pairs = zip(order[::2], order[1::2], strict=True)
    return [(better, worse if worse < entries else None) for better, worse in pairs]


def next_round(winners: Sequence[int]) -> list[tuple[int, int]]:
    """The round after, as (home, visitors), of the winners in the order of the bracket.

    The better seed is at home.

    Raises ValueError unless the winners are all different and 2, 4, 8, 16, ...
    """
    count = len(winners)
    if count < 2 or count & (count - 1):
        raise ValueError(f"the winners of a round are 2, 4, 8, 16, ..., not {count}")
    if len(set(winners)) < count:
        raise ValueError(f"an entry cannot win twice in a round: {list(winners)}")
    pairs = zip(winners[::2], winners[1::2], strict=True)
    return [(min(pair), max(pair)) for pair in pairs]
