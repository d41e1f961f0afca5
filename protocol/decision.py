"""The questions to a bot: each kind of turn is one of its methods, each answer one message.

Bots of the SDK and the table's in-process seats are asked in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from bridge_arena.base.wording import one_line
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
    NoAction,
    PlayCard,
    Thinking,
    Thought,
    YourTurn,
    stamp_of,
)
from bridge_arena.protocol.types import TEXT_LIMIT
from bridge_arena.protocol.view import View


@dataclass(frozen=True, slots=True)
class Ask:
    """The answer of a bot that asks for the meaning of an opponent's call.

    A bot returns it in place of a call or card. The bot is then asked again, with the meaning in
    `View.explained`.

    Attributes:
        call: The index of the call in the auction, from 0.
    """

    call: int


class NoActionError(Exception):
    """A bot raises it in place of a call or card: it has none, and the table acts for it.

    Args:
        why: The reason, for the record and the log.
        timeout: Whether its time was up before it had an action, which counts as a time-out;
            otherwise it counts as an illegal action.
    """

    def __init__(self, why: str = "", *, timeout: bool = False) -> None:
        super().__init__(why)
        self.timeout = timeout


class LeavingError(Exception):
    """A bot raises it in place of a call or card: it plays no further, and its side forfeits.

    The text says why, for the log.
    """


class Thinker(Protocol):
    """A player that decides for a seat: the interface of every bot of the SDK."""

    thoughts: tuple[Thinking, ...]
    """Its thoughts since it was last asked."""

    def call(self, view: View) -> Call | MadeCall | Ask:
        """Return the call at the player's turn in the auction."""

    def play(self, view: View) -> Card | Ask:
        """Return the card to play from the hand whose turn it is."""

    def claim(self, view: View) -> int | None:
        """Return the number of tricks to claim of those left; None to play on."""

    def answer_claim(self, view: View) -> bool:
        """Return whether the player accepts declarer's claim."""


def decide(thinker: Thinker, view: View, turn: YourTurn) -> Answer:
    """Have a bot answer a turn, by the board as its seat sees it, and return the message to send.

    LeavingError is raised if the bot plays no further; TypeError, which names the method, if one
    returned a wrong value, which bots that are not type-checked may do.
    """
    thinker.thoughts = ()
    try:
        return _decided(thinker, view, turn)
    except NoActionError as error:
        reason = one_line(str(error), TEXT_LIMIT)
        return NoAction(**stamp_of(turn), reason=reason, timeout=error.timeout)


def _decided(thinker: Thinker, view: View, turn: YourTurn) -> Answer:
    """Return the bot's answer; raise as `decide` does, and NoActionError."""
    if turn.claim:
        accept = thinker.answer_claim(view)
        _check(thinker, "answer_claim", accept, bool)
        return AnswerClaim(**stamp_of(turn), accept=accept)
    if view.play is None:
        called = thinker.call(view)
        _check(thinker, "call", called, Call, MadeCall, Ask)
        return answer_to(turn, called)
    if turn.may_claim and (tricks := thinker.claim(view)) is not None:
        if type(tricks) is not int or not 0 <= tricks <= 13:
            name = f"{type(thinker).__name__}.claim"
            raise TypeError(f"{name} returned {tricks!r}, expected 0 to 13 tricks or None")
        return Claim(**stamp_of(turn), tricks=tricks)
    played = thinker.play(view)
    _check(thinker, "play", played, Card, Ask)
    return answer_to(turn, played)


def thoughts_at(thinker: Thinker, turn: YourTurn) -> list[Thought]:
    """Return the bot's thoughts about a turn that it has answered: of many, the last ones."""
    return [
        # Thoughts were validated when they were made.
        Thought.model_construct(**stamp_of(turn), **dict(thinking))
        for thinking in thinker.thoughts[-MOST_THOUGHTS:]
    ]


def answer_to(turn: YourTurn, action: Call | MadeCall | Card | Ask) -> Answer:
    """Return the message that answers a turn."""
    if isinstance(action, Card):
        return PlayCard(**stamp_of(turn), card=action)
    if isinstance(action, Ask):
        return Explain(**stamp_of(turn), call=action.call)
    made = action if isinstance(action, MadeCall) else MadeCall(action)
    return MakeCall(
        **stamp_of(turn), call=made.call, alert=made.alert, explanation=made.explanation
    )


def _check(thinker: Thinker, method: str, returned: object, *kinds: type) -> None:
    if not isinstance(returned, kinds):
        expected = " or ".join(kind.__name__ for kind in kinds)
        name = f"{type(thinker).__name__}.{method}"
        raise TypeError(f"{name} returned {returned!r}, expected a {expected}")
