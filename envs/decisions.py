"""The decisions of recorded boards, as the environments show them: to learn from by imitation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from bridge_arena.bots.library.spaces import Observation, action_of, legal_actions, observation
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode
from bridge_arena.bridge.seats import Seat
from bridge_arena.envs.episode import Episode, Sitting
from bridge_arena.protocol.decision import answer_to
from bridge_arena.tournaments.events.boards import auction_of


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of a player.

    Attributes:
        seat: The player's seat; declarer decides for dummy.
        observation: What the player saw, as `bots.library.spaces` lays it out.
        action_mask: The legal actions.
        action: The action that was chosen.
    """

    seat: Seat
    observation: Observation
    action_mask: NDArray[Any]
    action: int


def decisions(record: BoardRecord) -> Iterator[Decision]:
    """Yield the decisions of a recorded board, in order.

    The calls of a board of which only the cards were played are no decisions. Nor are those of a
    board whose record has no auction that ends in its contract: its cards follow the shortest one.

    Raises:
        ValueError: The record has a call or card that is not legal.
    """
    auction = auction_of(record)
    is_given = record.mode is Mode.PLAY or auction is not record.calls
    sitting = Sitting(Episode(record.board, auction=auction if is_given else ()))
    acts: list[MadeCall | Card] = [*(() if is_given else auction), *record.cards]
    for chosen in acts:
        turn = sitting.turn
        action = chosen.call if isinstance(chosen, MadeCall) else chosen
        if turn is None or str(action) not in turn.legal:
            raise ValueError(f"board {record.board.number}: {action} is not legal")
        view = sitting.views[turn.player]
        yield Decision(turn.player, observation(view), legal_actions(view), action_of(action))
        sitting.answer(answer_to(turn, chosen))
