"""Checks that hold for every movement of pairs."""

from __future__ import annotations

from collections import Counter

from bridge_arena.tournaments.formats.movements import Sitting

Movement = list[list[Sitting]]


def meetings(movement: Movement) -> Counter[frozenset[int]]:
    """Return how often two pairs meet."""
    return Counter(frozenset(s.entries) for sittings in movement for s in sittings)


def plays(movement: Movement) -> Counter[tuple[int, int]]:
    """Return how often (pair, set of boards) is played."""
    return Counter(
        (pair, s.boards) for sittings in movement for s in sittings for pair in s.entries
    )


def check_rounds(movement: Movement, pairs: int) -> None:
    """In a round everyone, but for one of an odd number, sits once, each at a table of
    its own of those there are."""
    for sittings in movement:
        seated = [pair for s in sittings for pair in s.entries]
        assert len(set(seated)) == len(seated) == pairs - pairs % 2
        assert set(seated) <= set(range(pairs))
        tables = [s.table for s in sittings]
        assert len(set(tables)) == len(tables)
        assert set(tables) <= set(range(1, (pairs + 1) // 2 + 1))


def sharing(movement: Movement) -> list[int]:
    """Return for each round how many tables share a set with an earlier one."""
    return [len(sittings) - len({s.boards for s in sittings}) for sittings in movement]
