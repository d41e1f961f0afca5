"""The complete Howell movement: every pair meets every other and plays every board.

One pair stays, and the others follow each other through the places of the first round, which comes
from a starter with adder: at each table the numbers of the pairs and of the set of boards go up by
one each round. Four and six pairs have no such movement, as there is no Room square of their size:
their tables share one set of boards in each round.

Sources: Ian McKinnon, Duplicate Bridge Schedules, History and Mathematics (2012); for the
directions, E. T. Parker and A. M. Mood, Some balanced Howell rotations for duplicate bridge
sessions, American Mathematical Monthly 62 (1955).
"""

from __future__ import annotations

from bridge_arena.tournaments.formats.sitting import Sitting
from bridge_arena.tournaments.formats.starter import Starter, starter_with_adder

LARGEST = 60
"""The most pairs for which the search for the first round is quick."""


def howell(pairs: int) -> list[list[Sitting]]:
    """Return the rounds of a Howell movement.

    The number of rounds, and of sets of boards, is one less than the number of pairs (an odd number
    of pairs rounded up). Every pair meets each other once and plays each set once. With an odd
    number of pairs, the pair that stays is missing: the pair that would meet it sits out, and no
    two pairs miss the same set. With an even number the pair that stays, the last, sits North-South
    at the last table.

    Args:
        pairs: The number of pairs.

    Returns:
        The sittings of each round.

    Raises:
        ValueError: There are fewer than 4 pairs, whose one table has no other to compare with, or
            more than LARGEST.
    """
    if not 4 <= pairs <= LARGEST:
        raise ValueError(f"a Howell takes 4 to {LARGEST} pairs, not {pairs}")
    circle = pairs - 1 + pairs % 2
    starter = starter_with_adder(circle)
    if starter is None:
        starter = [(low, circle - low, 0) for low in range(1, (circle + 1) // 2)]
    first = _directed(circle, starter)
    rounds = [
        [
            Sitting(
                table, (ns + number) % circle, (ew + number) % circle, (number - adder) % circle
            )
            for table, (ns, ew, adder) in enumerate(first, start=1)
        ]
        for number in range(circle)
    ]
    if pairs % 2 == 0:
        for number, sittings in enumerate(rounds):
            sittings.append(Sitting(len(first) + 1, circle, number, number))
    return rounds


def _directed(circle: int, starter: Starter) -> Starter:
    """Return the starter with some pairs turned round, so that the directions are balanced.

    Two pairs compete on a board when they hold the same cards; ideally any two do so equally often.
    The search turns one table after the other, each time the one that helps most, until none helps.

    Returns:
        The starter with the directions of some tables exchanged.
    """
    best = starter
    score = _imbalance(circle, starter)
    while True:
        turned = [
            [*best[:table], (ew, ns, adder), *best[table + 1 :]]
            for table, (ns, ew, adder) in enumerate(best)
        ]
        scores = [_imbalance(circle, candidate) for candidate in turned]
        if not scores or min(scores) >= score:
            return best
        score = min(scores)
        best = turned[scores.index(score)]


def _imbalance(circle: int, starter: Starter) -> int:
    """Return how unequally often two pairs compete: 0 is ideal.

    It is the sum of squares, over the distances between two pairs, of the boards on which they
    compete less those on which they do not. Seen from a board, each place plays it North-South or
    East-West, and two pairs are two places that keep their distance. Place 0 sits East-West,
    against the pair that stays.

    Returns:
        The sum of squares.
    """
    ns = sum(1 << (place + adder) % circle for place, _, adder in starter)
    total = 0
    for distance in range(1, circle):
        moved = (ns << distance | ns >> (circle - distance)) & ((1 << circle) - 1)
        total += (circle - 2 * (ns ^ moved).bit_count()) ** 2
    return total
