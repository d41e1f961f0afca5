"""Movements: who sits where, with which boards, in each round of a pairs or an individual event.

Howell: one pair stays, and the others follow each other through the places of the first round,
which comes from a starter with adder: at each table the numbers of the pairs and of the set of
boards go up by one each round. Four and six pairs have no such movement, as there is no Room square
of their size: their tables share one set of boards in each round.

Mitchell: North-South stay, East-West go up a table, boards go down a table. With an even number of
tables, East-West would meet their first boards again half-way. The remedy here is share-and-relay:
the first and the last table share their boards, and one set rests at a relay between the two halves
of the room. Unlike a skip it loses no round: every pair meets all of the other direction and plays
every board. That two tables play a set at the same time is no difficulty, as these boards are not
made of wood. Without a switch the movement has two winners: North-South and East-West never hold
the same cards. For a single ranking the arrow is switched in the last eighth of the rounds, the
share that balances best: the two directions exchange their cards.

Individual: everyone partners each other once and opposes each other twice. Such whist tournaments,
solved by E. H. Moore, Tactical Memoranda, American Journal of Mathematics 18 (1896), exist for 4k
players and, with one sitting out in each round, for 4k + 1. With 4 or 5 no board has a second table
to compare with, so an individual takes 8 or more. The movements here are cyclic: all rounds follow
from the first, in which each number goes up by one every round. For that the partners in the first
round must have all differences once, and the opponents all twice.

Sources: Ian McKinnon, Duplicate Bridge Schedules, History and Mathematics (2012), also for share
and relay Mitchell; for the directions of a Howell, E. T. Parker and A. M. Mood, Some balanced
Howell rotations for duplicate bridge sessions, American Mathematical Monthly 62 (1955); John
Manning, The EBU Manual of Duplicate Bridge Movements; for starters with adders, Jeffrey Dinitz,
Room Squares, in Colbourn and Dinitz (editors), Handbook of Combinatorial Designs; Ian Anderson,
Combinatorial Designs and Tournaments (1997).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TypeVar


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table in one round of a movement."""

    table: int  # its number, from 1
    # The numbers, from 0, of the pairs North-South and East-West, or of the players N, E, S and W.
    entries: tuple[int, ...]
    boards: int  # the number of the set of boards, from 0


Choice = TypeVar("Choice")
Item = TypeVar("Item", bound=Hashable)


def exact_cover(
    choices: Mapping[Choice, frozenset[Item]], wanted: Sequence[Item]
) -> list[Choice] | None:
    """Return choices that together take every wanted item exactly once, and others at most once.

    This is algorithm X of Donald Knuth, Dancing Links (2000): take the item that the fewest choices
    are left for, and try each of them. It does without the links, as the designs are small and
    found after a few hundred steps. Of several solutions it always finds the same one, which
    depends on the order of both arguments; without a solution it returns None.
    """
    if not wanted:
        return []
    left = Counter(item for items in choices.values() for item in items)
    scarcest = min(wanted, key=left.__getitem__)
    for choice, taken in choices.items():
        if scarcest in taken:
            rest = exact_cover(
                {other: items for other, items in choices.items() if taken.isdisjoint(items)},
                [item for item in wanted if item not in taken],
            )
            if rest is not None:
                return [choice, *rest]
    return None


Starter = list[tuple[int, int, int]]
"""The two numbers of each pair, and the number that its adder adds to both."""


def starter_with_adder(side: int) -> Starter | None:
    """Return a starter with its adder for an odd side.

    A starter divides the numbers 1 to m-1, m odd, into pairs whose differences modulo m are all
    different. With 0 left to meet one more, and everyone going up a number each round, all meet
    all. An adder gives each pair a number, all different and none 0, such that the pairs with their
    numbers added are a starter again. Together they make a Room square of side m: rounds and sets
    of boards in which nobody plays a set twice and no set is at two tables.

    A strong starter, one whose pairs also have different sums, is found quickly; its adders are the
    negative sums. Side 9 has none, but a starter with other adders. Sides 3 and 5 have no starter.
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


LARGEST = 60
"""The most pairs for which the search for the first round is quick."""


def howell(pairs: int) -> list[list[Sitting]]:
    """Return the rounds of a Howell movement.

    The number of rounds, and of sets of boards, is one less than the number of pairs (an odd number
    of pairs rounded up). Every pair meets each other once and plays each set once. With an odd
    number of pairs, the pair that stays is missing: the pair that would meet it sits out, and no
    two pairs miss the same set. With an even number the pair that stays, the last, sits North-South
    at the last table. Raises ValueError for fewer than 4 pairs, whose one table has no other to
    compare with, or more than LARGEST.
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
                table, ((ns + number) % circle, (ew + number) % circle), (number - adder) % circle
            )
            for table, (ns, ew, adder) in enumerate(first, start=1)
        ]
        for number in range(circle)
    ]
    if pairs % 2 == 0:
        for number, sittings in enumerate(rounds):
            sittings.append(Sitting(len(first) + 1, (circle, number), number))
    return rounds


def _directed(circle: int, starter: Starter) -> Starter:
    """Return the starter with some pairs turned round, so that the directions are balanced.

    Two pairs compete on a board when they hold the same cards; ideally any two do so equally often.
    The search turns one table after the other, each time the one that helps most, until none helps.
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
    """
    ns = sum(1 << (place + adder) % circle for place, _, adder in starter)
    total = 0
    for distance in range(1, circle):
        moved = (ns << distance | ns >> (circle - distance)) & ((1 << circle) - 1)
        total += (circle - 2 * (ns ^ moved).bit_count()) ** 2
    return total


def mitchell(pairs: int) -> list[list[Sitting]]:
    """Return the rounds of a Mitchell movement.

    There are as many rounds and sets of boards as tables, t: half the pairs, rounded up. Pairs 0 to
    t-1 sit North-South, the others East-West; every pair meets each of the other direction once,
    each time on another set. With an odd number of pairs the last East-West pair is missing, and
    the pair that would meet it sits out. In the last t/8 rounds, rounded up, the pairs at each
    table exchange directions. Raises ValueError.
    """
    if pairs < 2:
        raise ValueError(f"a Mitchell takes at least 2 pairs, not {pairs}")
    tables = (pairs + 1) // 2
    rounds = [
        [sitting for sitting in _round(tables, number) if max(sitting.entries) < pairs]
        for number in range(tables)
    ]
    switched = -(-tables // 8)
    return rounds[:-switched] + [
        [replace(sitting, entries=sitting.entries[::-1]) for sitting in late]
        for late in rounds[-switched:]
    ]


def _round(tables: int, number: int) -> list[Sitting]:
    """Return a round, numbered from 0, in which no pair is missing."""
    relay_above = tables // 2 if tables % 2 == 0 else tables
    return [
        Sitting(
            table + 1,
            (table, tables + (table - number) % tables),
            (table + (table >= relay_above) + number) % tables,
        )
        for table in range(tables)
    ]


FIRST_ROUNDS = {
    8: "7 5 0 1, 6 3 4 2",
    9: "1 6 2 3, 4 7 8 5",
    12: "11 5 0 9, 4 8 7 10, 2 1 3 6",
    16: "15 14 0 3, 8 1 11 9, 10 6 12 5, 13 7 4 2",
    20: "19 18 0 2, 8 12 17 14, 16 4 11 5, 7 10 15 6, 9 1 3 13",
    21: "8 15 12 14, 11 13 19 7, 18 9 20 4, 1 2 10 5, 16 17 6 3",
    24: "23 4 0 5, 2 13 16 3, 7 9 1 12, 18 21 11 17, 10 19 15 8, 6 20 14 22",
    28: "27 25 0 9, 12 8 3 13, 4 24 11 1, 23 21 6 7, 14 19 15 22, 17 26 5 20, 16 2 18 10",
    32: (
        "31 1 0 28, 22 2 19 17, 26 10 3 12, 27 24 6 4, 25 15 7 29, 14 13 23 8, "
        "11 18 5 30, 16 20 9 21"
    ),
    33: (
        "10 15 21 6, 19 4 25 18, 28 31 12 5, 32 2 24 23, 29 8 16 7, 26 13 11 9, 22 17 27 14, "
        "30 1 20 3"
    ),
    36: (
        "35 34 0 12, 3 30 29 25, 9 32 16 31, 20 27 1 15, 8 26 33 24, 21 10 6 4, 2 5 13 23, "
        "19 14 11 17, 22 7 18 28"
    ),
    40: (
        "39 13 0 26, 36 18 19 24, 30 15 31 33, 12 6 28 21, 25 29 20 1, 10 35 8 16, 4 14 11 22, "
        "34 23 9 32, 37 17 27 5, 7 38 3 2"
    ),
}
"""The seats, N E S W, at the tables of a first round, found by search, for the numbers of players
that have no formula. With 4k players the last one keeps its seat. The tables for 40 players were
found by a symmetry: 16 times a table is again a table (modulo 39, where 16 has the order 3), so
that three tables give nine."""

NUMBERS = sorted({*FIRST_ROUNDS, 13, 17, 25, 29, 37, 41})
"""The numbers of players that have a movement: all of a whist tournament from 8 to 41."""


def individual(players: int) -> list[list[Sitting]]:
    """Return the rounds of an individual movement.

    4k players play 4k - 1 rounds and every set. 4k + 1 players play that many rounds, and player r
    sits out round r. All tables of a round play the same set, which has the number of the round.
    Everyone sits in each seat equally often, except that of 4k players the last is always North,
    and each other is North once less. Raises ValueError.
    """
    if players not in NUMBERS:
        raise ValueError(
            f"format individual takes {', '.join(map(str, NUMBERS))} entries, not {players}"
        )
    if players in FIRST_ROUNDS:
        first = [tuple(map(int, table.split())) for table in FIRST_ROUNDS[players].split(", ")]
    else:
        first = list(_by_formula(players))
    return [
        [
            Sitting(table, tuple(_followed(at, number, players) for at in seats), number)
            for table, seats in enumerate(first, start=1)
        ]
        for number in range(players - (players % 4 == 0))
    ]


def _by_formula(players: int) -> Iterator[tuple[int, ...]]:
    """Yield the tables of the first round by the formula of Bose and Cameron.

    It serves the odd numbers modulo which -1 is the square of some `root` (R. C. Bose and J. M.
    Cameron, The bridge tournament problem, Journal of Research of the National Bureau of Standards
    69B, 1965).

    Each table is the four products of a number with the powers of the root, opposite ones as
    partners. The differences are again such fours: of partners those of 2x, once; of opponents
    those of (1 - root)x, twice. For all x together these are all numbers, as 2 and 1 - root have
    inverses: 2 = (1 - root)(1 + root), and the modulus is odd.
    """
    root = next(root for root in range(players) if (root * root + 1) % players == 0)
    seated: set[int] = set()
    for north in range(1, players):
        if north not in seated:
            east = north * root % players
            table = (north, east, players - north, players - east)
            seated.update(table)
            yield table


def _followed(player: int, rounds: int, players: int) -> int:
    """Return the player who comes to a player's seat some rounds later.

    Nine players have no movement modulo nine: their two digits to base three go round separately,
    as in the field of nine elements.
    """
    if players == 9:
        return (player // 3 + rounds // 3) % 3 * 3 + (player + rounds) % 3
    if players % 4 == 1:
        return (player + rounds) % players
    stays = players - 1
    return player if player == stays else (player + rounds) % stays
