"""Starters with adders: the first round of a movement, from which all others follow.

A starter divides the numbers 1 to m-1, m odd, into pairs whose differences modulo m are all
different. With 0 left to meet one more, and everyone going up a number each round, all meet all. An
adder gives each pair a number, all different and none 0, such that the pairs with their numbers
added are a starter again. Together they make a Room square of side m: rounds and sets of boards in
which nobody plays a set twice and no set is at two tables.

Source: Jeffrey Dinitz, Room Squares, in Colbourn and Dinitz (editors), Handbook of Combinatorial
Designs.
"""

from __future__ import annotations

from itertools import combinations

from bridge_arena.tournaments.formats.exact_cover import exact_cover

Starter = list[tuple[int, int, int]]
"""The two numbers of each pair, and the number that its adder adds to both."""


def starter_with_adder(side: int) -> Starter | None:
    """Return a starter with its adder for an odd side.

    A strong starter, one whose pairs also have different sums, is found quickly; its adders are the
    negative sums. Side 9 has none, but a starter with other adders.

    Args:
        side: The side of the Room square, an odd number.

    Returns:
        The starter; None if there is none, which is so for sides 3 and 5.
    """
    strong = {(low, high, (-low - high) % side) for low, high in combinations(range(1, side), 2)}
    return _search(side, sorted(strong)) or _search(
        side,
        [
            (low, high, adder)
            for low, high in combinations(range(1, side), 2)
            for adder in range(1, side)
        ],
    )


def _search(side: int, candidates: Starter) -> Starter | None:
    choices = {
        (low, high, adder): frozenset(
            [
                ("starter", low),
                ("starter", high),
                ("sum", (low + adder) % side),
                ("sum", (high + adder) % side),
                ("difference", min(high - low, side - high + low)),
                ("adder", adder),
            ]
        )
        for low, high, adder in candidates
        if 0 not in (adder, (low + adder) % side, (high + adder) % side)
    }
    numbers = range(1, side)
    wanted = [(kind, number) for kind in ("starter", "sum") for number in numbers]
    return exact_cover(choices, wanted)
