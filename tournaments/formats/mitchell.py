"""The Mitchell movement: North-South stay, East-West go up a table, boards go down a table.

With an even number of tables, East-West would meet their first boards again half-way. The remedy
here is share-and-relay: the first and the last table share their boards, and one set rests at a
relay between the two halves of the room. Unlike a skip it loses no round: every pair meets all of
the other direction and plays every board. That two tables play a set at the same time is no
difficulty, as these boards are not made of wood.

Without a switch the movement has two winners: North-South and East-West never hold the same cards.
For a single ranking the arrow is switched in the last eighth of the rounds, the share that balances
best: the two directions exchange their cards.

Sources: Ian McKinnon, Duplicate Bridge Schedules, History and Mathematics (2012), share and relay
Mitchell; John Manning, The EBU Manual of Duplicate Bridge Movements.
"""

from __future__ import annotations

from dataclasses import replace

from bridge_arena.tournaments.formats.sitting import Sitting


def mitchell(pairs: int) -> list[list[Sitting]]:
    """Return the rounds of a Mitchell movement.

    There are as many rounds and sets of boards as tables, t: half the pairs, rounded up. Pairs 0 to
    t-1 sit North-South, the others East-West; every pair meets each of the other direction once,
    each time on another set. With an odd number of pairs the last East-West pair is missing, and
    the pair that would meet it sits out. In the last t/8 rounds, rounded up, the pairs at each
    table exchange directions.

    Args:
        pairs: The number of pairs.

    Returns:
        The sittings of each round.

    Raises:
        ValueError: There are fewer than two pairs.
    """
    if pairs < 2:
        raise ValueError(f"a Mitchell takes at least 2 pairs, not {pairs}")
    tables = (pairs + 1) // 2
    rounds = [
        [sitting for sitting in _round(tables, number) if sitting.ew < pairs]
        for number in range(tables)
    ]
    switched = -(-tables // 8)
    return rounds[:-switched] + [[_turned(each) for each in late] for late in rounds[-switched:]]


def _turned(sitting: Sitting) -> Sitting:
    return replace(sitting, ns=sitting.ew, ew=sitting.ns)


def _round(tables: int, number: int) -> list[Sitting]:
    """Return a round, numbered from 0, in which no pair is missing."""
    relay_above = tables // 2 if tables % 2 == 0 else tables
    return [
        Sitting(
            table + 1,
            table,
            tables + (table - number) % tables,
            (table + (table >= relay_above) + number) % tables,
        )
        for table in range(tables)
    ]
