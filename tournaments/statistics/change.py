"""Evidence that a program has changed, from what it did when it played the same boards again.

Two plays of a board are the same up to an action in which they differ, and have nothing in common
after it. So all plays of a board form a tree. If the program is the same, and what it does by
chance does not depend on the time, each order of these plays is equally likely. If it has changed,
the earlier plays are together on a branch that no later one is on, or the later ones are. Of n
plays, c of which are earlier, that has the chance N / C(n, c), if N branches have c plays.

A bet at these odds multiplies a stake by 1 on average, whatever the program is. The stakes of
several boards are multiplied, as chance on one board has nothing to do with that on another. So a
stake of x has at most the chance 1 / x, and a program that does all by chance is safe: its earlier
plays are as far from each other as from the later ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import comb, exp, log

Play = tuple[str, ...]
"""The actions of one play of a board, the last of which ends it."""

AT_STAKE = 0.8
"""The share of a stake that is bet on each board."""


def stake(plays: Sequence[Sequence[Play | None]]) -> float:
    """Return what a stake of 1 has become that was bet on a change, at each time in equal parts.

    Args:
        plays: What the program played on each board, one time after the other; None for a
            board that was not played to its end.
    """
    times = len(plays)
    boards = [_branches(board) for board in zip(*plays, strict=True)]
    logs = [
        sum(_outcome(board, set(group)) for board in boards)
        for change in range(1, times)
        for group in (range(change), range(change, times))
        if len(group) > 1
    ]
    if not logs:
        return 1.0
    most = max(logs)  # so that no number is too large
    return exp(min(most, 700)) * sum(exp(one - most) for one in logs) / len(logs)


def _branches(board: Sequence[Play | None]) -> tuple[frozenset[int], set[frozenset[int]]]:
    """Return who played a board, by their numbers, and the branches of the tree of their plays."""
    begun: defaultdict[Play, set[int]] = defaultdict(set)
    for number, play in enumerate(board):
        for length in range(len(play) + 1) if play is not None else ():
            assert play is not None
            begun[play[:length]].add(number)
    return frozenset(begun[()]), {frozenset(together) for together in begun.values()}


def _outcome(board: tuple[frozenset[int], set[frozenset[int]]], group: set[int]) -> float:
    """Return the logarithm of what becomes of 1 that is bet on a group being a branch."""
    everybody, branches = board
    own = everybody & group
    alike = sum(len(branch) == len(own) for branch in branches)
    if not 1 < len(own) < len(everybody) or not alike:
        return 0.0
    odds = comb(len(everybody), len(own)) / alike if own in branches else 0.0
    return log(1 - AT_STAKE + AT_STAKE * odds)
