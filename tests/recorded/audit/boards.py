"""Boards that were played, for the audit."""

from __future__ import annotations

from dataclasses import replace

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode, Room
from tests.server.tables import new_table, play_lowest, say

PLAYERS = ("cat", "dog", "cat", "dog")

EXPLAINED = {3: "strong notrump [hcp 15-17]", 5: "transfer [H 5-13]"}
"""The explanations of West's 1NT and East's 2D."""


def played(calls: str, *, mode: Mode = Mode.FULL) -> BoardRecord:
    """Board 1 of the tests of tables, North dealing: the lowest cards, after these calls."""
    table = new_table()
    table.start(0.0)
    for number, text in enumerate(calls.split()):
        told = EXPLAINED.get(number)
        explanation = None if told is None else Explanation.parse(told)
        say(table, MadeCall(Call(text), explanation=explanation))
    play_lowest(table)
    return replace(table.record(PLAYERS), mode=mode, room=Room.OPEN, home="cat", visitors="dog")
