"""Views with a turn that waits for the seat's answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from bridge_arena.bots.mcp.seat import AgentSeat, Decision
from bridge_arena.bots.mcp.situations import Situation
from bridge_arena.bridge.cards import Deal
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.messages import BoardEnd, ClaimMade, YourTurn
from bridge_arena.protocol.view import View
from tests.bots.views import at_play, hold
from tests.patience import PATIENCE

DEAL = Deal.parse(
    "N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65",
)

HAND = "AK3.T9854.T.K832"
"""East's."""


def asked(
    view: View, seconds: float = PATIENCE, *, may_claim: bool = False, claim: bool = False
) -> View:
    """The view when its seat is asked to act."""
    if claim:
        legal, seat = [], view.seat
    elif view.play is None:
        legal, seat = [str(call) for call in view.legal_calls()], view.seat
    else:
        legal, seat = [str(card) for card in view.legal_cards()], view.play.turn
    view.apply(
        YourTurn(
            table="t",
            board=view.number,
            seq=9,
            player=view.seat,
            seat=seat,
            legal=legal,
            seconds=seconds,
            may_claim=may_claim,
            claim=claim,
        )
    )
    return view


def to_call(calls: str = "1NT", explanation: Explanation | None = None) -> View:
    """Return what is to call after `calls`, the last of which has been explained."""
    view = hold(HAND, calls)
    if explanation is not None:
        view.calls[-1] = MadeCall(view.calls[-1].call, alert=True, explanation=explanation)
    return view


def to_play(cards: str = "", contract: str = "2H", declarer: Seat = Seat.EAST) -> View:
    """Return what is to play a card after `cards`."""
    return at_play(DEAL, contract, declarer, cards)


def claimed(view: View, tricks: int) -> View:
    """The view when declarer has claimed."""
    declarer = view.playing.declarer
    held = DEAL[declarer] - view.played[declarer]
    view.apply(ClaimMade(table="t", board=1, seq=8, seat=declarer, tricks=tricks, hand=held))
    return view


def ended(view: View, tricks: int | None, score: int | None) -> View:
    """The view when the board is over."""
    view.apply(BoardEnd(table="t", board=view.number, seq=10, tricks=tricks, score=score))
    return view


class Asking:
    """A bot's thread that asks the seat about one turn."""

    def __init__(self, seat: AgentSeat, view: View) -> None:
        self._pool = ThreadPoolExecutor(1)
        self._future = self._pool.submit(seat.ask, view)
        self._pool.shutdown(wait=False)

    @property
    def decision(self) -> Decision:
        return self._future.result(PATIENCE)


def shown(seat: AgentSeat) -> Situation:
    """What an agent is told that has waited for its turn."""
    seat.wait(PATIENCE)
    return seat.situation()
