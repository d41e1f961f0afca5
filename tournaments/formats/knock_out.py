"""Knock-out: the seeded bracket, in which the best two can meet only in the final.

If the number of entries is a power of two, seed 1 meets the lowest seed, seed 2 the next lowest,
and so on; if no favourite loses, the same holds in every round. If entries are missing, the best
seeds have byes.
"""

from __future__ import annotations

from collections.abc import Sequence


def bracket(entries: int) -> list[tuple[int, int | None]]:
    """Return the first round of a knock-out, from the top of the bracket to its foot.

    The better seed is at home. The number of pairs is a power of two: winners of neighbouring pairs
    meet next (see `next_round`).

    Args:
        entries: The number of entries.

    Returns:
        Pairs of home and visitors; the visitors are None where the home entry has a bye.

    Raises:
        ValueError: There are fewer than two entries.
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
    """Return the next round of a knock-out as (home, visitors); the better seed is at home.

    Args:
        winners: The winners of the round before, in the order of the bracket.

    Returns:
        The matches, in the order of the bracket.

    Raises:
        ValueError: The number of winners is not 2, 4, 8, 16, ..., or an entry is named twice.
    """
    count = len(winners)
    if count < 2 or count & (count - 1):
        raise ValueError(f"the winners of a round are 2, 4, 8, 16, ..., not {count}")
    if len(set(winners)) < count:
        raise ValueError(f"an entry cannot win twice in a round: {list(winners)}")
    pairs = zip(winners[::2], winners[1::2], strict=True)
    return [(min(pair), max(pair)) for pair in pairs]
