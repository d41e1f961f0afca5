"""A call, and all that its cost depends on: one line of text, which is its name too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import bridge_arena
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.recorded.audit.decisions import Decision, Kind
from bridge_arena.recorded.calls.seat_systems import Systems, systems_at

LAYOUTS = 64
"""Layouts of the hidden hands for each call: an even number."""


@dataclass(frozen=True, slots=True)
class Question:
    """What did the last of `calls` cost? `systems`: who bids on by what."""

    board: Board
    systems: Systems
    calls: tuple[MadeCall, ...]

    @property
    def decision(self) -> Decision:
        """The call as its maker saw it."""
        place = len(self.calls) - 1
        record = BoardRecord(self.board, ("", "", "", ""), self.calls)
        return Decision(record, place, record.caller(place), Kind.CALL)

    @property
    def situation(self) -> str:
        """All that the caller knew: the layouts are drawn from nothing else."""
        decision, board = self.decision, self.board
        hand = board.deal[decision.seat]
        return f"{decision.seat} {hand} {board.vulnerability} {self._calls()[:-1]}"

    def __str__(self) -> str:
        """What the answer depends on, and nothing else: not the board's number, the players, or
        what was called later. A release may bid otherwise than the one before."""
        return json.dumps(
            {
                "version": bridge_arena.__version__,
                "deal": str(self.board.deal),
                "dealer": str(self.board.dealer),
                "vulnerable": str(self.board.vulnerability),
                "systems": self.systems,
                "layouts": LAYOUTS,
                "calls": self._calls(),
            }
        )

    @classmethod
    def parse(cls, text: str) -> Question:
        """The question that `str` wrote."""
        facts: dict[str, Any] = json.loads(text)
        board = Board(
            1,
            Seat.parse(facts["dealer"]),
            Vulnerability.parse(facts["vulnerable"]),
            Deal.parse(facts["deal"]),
        )
        calls = tuple(
            MadeCall(Call(call), explanation=None if told is None else Explanation.parse(told))
            for call, told in facts["calls"]
        )
        return cls(board, tuple(facts["systems"]), calls)

    def _calls(self) -> list[tuple[str, str | None]]:
        return [(str(made.call), _promises(made.explanation)) for made in self.calls]


def call_units(record: BoardRecord, specs: Mapping[str, str] | None = None) -> list[str]:
    """A question for each call of a table, in order: none where the players were given their
    calls. `specs`: as in `systems_at`."""
    if record.mode is Mode.PLAY:
        return []
    systems = systems_at(record, specs)
    return [
        str(Question(record.board, systems, record.calls[: place + 1]))
        for place in range(len(record.calls))
    ]


def _promises(explanation: Explanation | None) -> str | None:
    """Without the text, which nothing is drawn from."""
    return None if explanation is None else str(replace(explanation, text=""))
