"""A call and everything that its cost depends on: one line of text, which is also its name."""

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
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.decisions import Decision
from bridge_arena.recorded.calls.seat_systems import Systems, systems_at

LAYOUTS = 64
"""Layouts of the hidden hands for each call: an even number."""


@dataclass(frozen=True, slots=True)
class Question:
    """The question what the last of some calls cost."""

    board: Board
    systems: Systems  # the systems that complete the auction, at N, E, S and W
    calls: tuple[MadeCall, ...]  # the calls up to the one that is asked about

    @property
    def decision(self) -> Decision:
        """The call as its maker saw it."""
        place = len(self.calls) - 1
        record = BoardRecord(self.board, ("", "", "", ""), self.calls)
        return Decision(record, place, record.caller(place), Kind.CALL)

    @property
    def situation(self) -> str:
        """Everything that the caller knew; the layouts are drawn from nothing else."""
        decision, board = self.decision, self.board
        hand = board.deal[decision.seat]
        return f"{decision.seat} {hand} {board.vulnerability} {self._calls()[:-1]}"

    def __str__(self) -> str:
        """Return the text of the question.

        It holds what the answer depends on and nothing else: not the board's number, the players,
        or the later calls. It names the release, as another one may bid differently.
        """
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
        """Return the question that `str` has written."""
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
    """Return a question for each call of a table, in order.

    There is none if the players were given their calls.
    """
    if record.mode is Mode.PLAY:
        return []
    systems = systems_at(record, specs)
    return [
        str(Question(record.board, systems, record.calls[: place + 1]))
        for place in range(len(record.calls))
    ]


def _promises(explanation: Explanation | None) -> str | None:
    """Return an explanation without its text, from which nothing is drawn."""
    return None if explanation is None else str(replace(explanation, text=""))
