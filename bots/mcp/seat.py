"""The seat of an agent: turns of the table wait here until a tool answers them.

Bots ask from the threads of their tables, tools answer from threads of the server. What tools are
told are copies that were made while the bot's thread stood still, so no view is read as it changes.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition

from bridge_arena.bots.mcp.situations import (
    Board,
    Result,
    Situation,
    Turn,
    board_of,
    result_of,
    turn_of,
)
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import MadeCall
from bridge_arena.protocol.decision import Ask
from bridge_arena.protocol.delivery import Delivery
from bridge_arena.protocol.view import View

MARGIN = 5.0
"""Seconds after the end of its time for which a turn still waits, as the table may allow for the
network's time."""


@dataclass(frozen=True, slots=True)
class ClaimTricks:
    """The decision to claim so many tricks."""

    tricks: int


Decision = MadeCall | Card | Ask | ClaimTricks | bool
"""An agent's answer to a turn; a bool answers a claim."""


class NotYourTurnError(Exception):
    """The error of an agent that answers no turn that it has seen."""


class AgentLeftError(SystemExit):
    """What ends a bot whose agent has left: nobody answers its turns any more."""


@dataclass(eq=False, slots=True)
class _Question:
    """A turn that waits for its answer."""

    view: View  # its bot's thread stands still while it waits, so the view does not change
    situated: Situation
    answer: Decision | None = None
    # Whether the agent has been told of it, and so may mean it by its answer.
    is_shown: bool = False


class AgentSeat:
    """A seat whose player is an agent; turns of several boards are shown one after another."""

    def __init__(self) -> None:
        # The number of boards that have begun at each table, as two may have the same number.
        self.begun = Counter[str]()
        self._changed = Condition()
        self._questions: deque[_Question] = deque()
        self._results: list[Result] = []
        # The board that was told last, and what the agent is to be told with the next situation.
        self._board: Board | None = None
        self._news: list[str] = []
        self._ending = ""  # how it ended; empty while there is something to play
        self._has_left = False  # whether the agent has left before that

    # For bots.

    def ask(self, view: View) -> Decision:
        """Ask the agent for its decision at the turn of a view, and wait for it.

        When time has run out, it is what the table has done in the agent's place, which the table
        then ignores. Raises AgentLeftError.
        """
        assert view.turn is not None
        board, turn = board_of(view), turn_of(view)
        situated = Situation(state="your turn", news="", turn=turn, board=board, last_result=None)
        question = _Question(view, situated)
        with self._changed:
            self._board = board
            self._questions.append(question)
            self._changed.notify_all()
            self._changed.wait_for(
                lambda: question.answer is not None or self._has_left, view.turn.seconds + MARGIN
            )
            if question.answer is not None:
                return question.answer
            if self._has_left:
                raise AgentLeftError
            self._questions.remove(question)
            self._news.append(
                f"your time on board {view.number} ran out, and the table acted for you"
            )
            return _in_place(view)

    def tell(self, news: str) -> None:
        """Tell the agent something with its next situation."""
        with self._changed:
            self._news.append(news)

    def ended(self, view: View) -> None:
        result = result_of(view)
        assert result is not None
        board = board_of(view)
        with self._changed:
            self._board = board
            self._results.append(result)

    def close(self, ending: str) -> None:
        """Tell the agent that there is nothing left to play, and how it ended, in words."""
        with self._changed:
            self._ending = ending
            self._changed.notify_all()

    def leave(self) -> None:
        """End the bots that wait for the agent, which has left."""
        with self._changed:
            self._has_left = True
            self._changed.notify_all()

    @property
    def is_closed(self) -> bool:
        """Whether there is nothing left to play."""
        return bool(self._ending)

    # For tools.

    def wait(self, patience: float) -> None:
        """Wait for the agent's turn, or the end, without telling the agent anything."""
        with self._changed:
            self._changed.wait_for(lambda: self._questions or self._ending, patience)

    def situation(self) -> Situation:
        """Return what the agent may know now, which it is told by that."""
        with self._changed:
            news, self._news = "; ".join(self._news), []
            last = self._results[-1] if self._results else None
            if self._questions:
                self._questions[0].is_shown = True
                situation = self._questions[0].situated
                return situation.model_copy(update={"news": news, "last_result": last})
            return Situation(
                state="over" if self._ending else "waiting",
                news="; ".join(filter(None, (news, self._ending))),
                turn=None,
                board=self._board,
                last_result=last,
            )

    def answer(self, decide: Callable[[View], Decision]) -> None:
        """Answer the turn that is shown by the decision for its view; an error leaves it open.

        Raises NotYourTurnError if nothing is asked of the agent, or something that it has not seen.
        """
        with self._changed:
            if not self._questions:
                raise NotYourTurnError(self._ending or "it is not your turn")
            question = self._questions[0]
            if not question.is_shown:
                raise NotYourTurnError("the turn is another one by now: look at it first")
            question.answer = decide(question.view)
            self._questions.popleft()
            self._changed.notify_all()

    def turn(self) -> Turn | None:
        """Return what is asked of the agent now; None if nothing is."""
        with self._changed:
            if not self._questions:
                return None
            self._questions[0].is_shown = True
            return self._questions[0].situated.turn

    def results(self) -> tuple[list[Result], str]:
        """Return the results of the boards so far, and how it all ended; "" before the end."""
        with self._changed:
            return list(self._results), self._ending


def _in_place(view: View) -> Decision:
    """Return what a table does for a player whose time has run out (docs/faults.md)."""
    if view.turn is not None and view.turn.claim:
        return False
    if view.play is None:
        return MadeCall(PASS)
    return min(view.legal_cards(), key=lambda card: (card.rank, card.suit))


class AgentBot(Bot):
    """The player at one table of an agent's seat, where its turns wait for the agent."""

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
        return self._seat.ask(view) is True

    def board_started(self, view: View) -> None:
        """Forget the last board, which may have had the same number."""
        self._claimed = None
        self._seat.begun[view.table] += 1

    def board_ended(self, view: View) -> None:
        self._seat.ended(view)


def _place(view: View) -> tuple[int, int]:
    """Return the board, and the number of cards played."""
    return view.number, len(view.playing.cards)
