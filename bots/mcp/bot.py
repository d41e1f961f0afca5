"""The bot that has an agent decide."""

from __future__ import annotations

from bridge_arena.bots.mcp.seat import AgentSeat, ClaimTricks, Decision
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.view import View


class AgentBot(Bot):
    """The player at one table of an agent's seat.

    Args:
        seat: The seat, where its turns wait for the agent.
    """

    name = "agent"
    delivery = Delivery.LIVE

    def __init__(self, seat: AgentSeat) -> None:
        super().__init__()
        self._seat = seat
        # What the agent has decided instead of a claim; None before that.
        self._decided: Decision | None = None
        # The board and the number of cards played at the agent's last claim; None before that.
        self._claimed: tuple[int, int] | None = None

    def call(self, view: View) -> MadeCall | Ask:
        """Return the agent's call or question."""
        decision = self._seat.ask(view)
        assert isinstance(decision, MadeCall | Ask)
        return decision

    def claim(self, view: View) -> int | None:
        """Return the agent's claim; None if it has decided on a card or a question."""
        decision = self._ask(view)
        if isinstance(decision, ClaimTricks):
            self._claimed = _place(view)
            return decision.tricks
        self._decided = decision
        return None

    def play(self, view: View) -> Card | Ask:
        """Return the agent's card or question."""
        decision, self._decided = self._decided, None
        decision = self._ask(view) if decision is None else decision
        assert isinstance(decision, Card | Ask)
        return decision

    def _ask(self, view: View) -> Decision:
        """Return the agent's decision, and tell it when it has claimed in vain."""
        if self._claimed == _place(view):
            self._claimed = None
            self._seat.tell("your claim was not accepted: play goes on")
        return self._seat.ask(view)

    def answer_claim(self, view: View) -> bool:
        """Return whether the agent accepts a claim."""
        return self._seat.ask(view) is True

    def board_started(self, view: View) -> None:
        """Forget the last board, which may have had the same number."""
        self._claimed = None
        self._seat.began(view)

    def board_ended(self, view: View) -> None:
        """Show the agent the result."""
        self._seat.ended(view)


def _place(view: View) -> tuple[int, int]:
    """Return the board, and the number of cards played."""
    return view.number, len(view.playing.cards)
