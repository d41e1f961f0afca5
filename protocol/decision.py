"""How a bot is asked: each kind of turn is one method of it, each answer one message.

Bots of the SDK and the table's in-process seats are asked alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.messages import (
    MOST_THOUGHTS,
    Answer,
    AnswerClaim,
    Claim,
    Explain,
    MakeCall,
    PlayCard,
    Thinking,
    Thought,
    YourTurn,
)
from bridge_arena.protocol.view import View


@dataclass(frozen=True, slots=True)
class Ask:
    """Given back in place of a call or card: asks what an opponent's call means, by its
    place in the auction (from 0). One is then asked again, `View.explained` holding the
    answer."""

    call: int


class Thinker(Protocol):
    """What decides for a seat: the shape of every bot of the SDK."""

    thoughts: tuple[Thinking, ...]
    """What it thought since it was last asked."""

    def call(self, view: View) -> Call | MadeCall | Ask: ...
    def play(self, view: View) -> Card | Ask: ...
    def claim(self, view: View) -> int | None: ...
    def answer_claim(self, view: View) -> bool: ...


def decide(thinker: Thinker, view: View, turn: YourTurn) -> Answer:
    """Have a turn answered. Raises TypeError for what cannot be sent, naming the method
    that gave it back: bots need not be type-checked."""
    thinker.thoughts = ()
    if turn.claim:
        accept = thinker.answer_claim(view)
        _check(thinker, "answer_claim", accept, bool)
        return AnswerClaim(table=turn.table, board=turn.board, seq=turn.seq, accept=accept)
    if view.play is None:
        called = thinker.call(view)
        _check(thinker, "call", called, Call, MadeCall, Ask)
        return answer_to(turn, called)
    if turn.may_claim:
        tricks = thinker.claim(view)
        if tricks is not None:
            _check_tricks(thinker, tricks)
            return Claim(table=turn.table, board=turn.board, seq=turn.seq, tricks=tricks)
    played = thinker.play(view)
    _check(thinker, "play", played, Card, Ask)
    return answer_to(turn, played)


def thoughts_at(thinker: Thinker, turn: YourTurn) -> list[Thought]:
    """What was thought when the turn was answered, as messages; the last, where there is more
    than may be sent."""
    return [
        # What is thought was checked when it was.
        Thought.model_construct(table=turn.table, board=turn.board, seq=turn.seq, **dict(thinking))
        for thinking in thinker.thoughts[-MOST_THOUGHTS:]
    ]


def answer_to(turn: YourTurn, action: Call | MadeCall | Card | Ask) -> Answer:
    """The message that answers a turn."""
    if isinstance(action, Card):
        return PlayCard(table=turn.table, board=turn.board, seq=turn.seq, card=action)
    if isinstance(action, Ask):
        return Explain(table=turn.table, board=turn.board, seq=turn.seq, call=action.call)
    made = action if isinstance(action, MadeCall) else MadeCall(action)
    return MakeCall(
        table=turn.table,
        board=turn.board,
        seq=turn.seq,
        call=made.call,
        alert=made.alert,
        explanation=made.explanation,
    )


def _check(thinker: Thinker, method: str, returned: object, *kinds: type) -> None:
    if not isinstance(returned, kinds):
        expected = " or ".join(kind.__name__ for kind in kinds)
        name = f"{type(thinker).__name__}.{method}"
        raise TypeError(f"{name} returned {returned!r}, expected a {expected}")


def _check_tricks(thinker: Thinker, tricks: object) -> None:
    if type(tricks) is not int or not 0 <= tricks <= 13:
        name = f"{type(thinker).__name__}.claim"
        raise TypeError(f"{name} returned {tricks!r}, expected 0 to 13 tricks or None")
