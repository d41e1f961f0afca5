"""The decisions on recorded boards, and what the player of each could know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, MadeCall, Mode
from bridge_arena.bridge.seats import Seat
from bridge_arena.protocol.decision import answer_to
from bridge_arena.protocol.messages import BoardEvent, BoardStart
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer, visible
from bridge_arena.recorded.audit import Kind
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.table import Table
from bridge_arena.tournaments.events.boards import auction_of


@dataclass(frozen=True, slots=True)
class Decision:
    """One call or card of a recorded board."""

    record: BoardRecord
    action: int  # the number of the call or card, from 0, with the calls first
    seat: Seat  # the player who decided; declarer for dummy's cards
    kind: Kind

    @property
    def view(self) -> View:
        """The board as the player saw it then; ValueError if the record breaks the rules."""
        actions: list[MadeCall | Card] = [*auction_of(self.record), *self.record.cards]
        table = Table("audit", self.record.board, (0, 0, 0, 0), TimeControl(1.0))
        view: View | None = None
        events = table.start(0.0)
        for number in range(self.action + 1):
            for event in events:
                shown = visible(event, Viewer(self.seat))
                message = None if shown is None else shown.message
                if isinstance(message, BoardStart):
                    view = View(self.seat, message)
                elif isinstance(message, BoardEvent) and view is not None:
                    view.apply(message)
            turn = table.turn
            if turn is None:
                raise ValueError(f"board {self.record.board.number} ends before its record does")
            if number < self.action:
                events = table.act(turn.player, answer_to(turn, actions[number]), 0.0)
        assert view is not None
        return view


def decisions(record: BoardRecord) -> Iterator[Decision]:
    """Yield the decisions of the players of a board, without the calls that were given to them.

    An action that the table substituted for a player's is included. It does not depend on a hidden
    card either, so it has no luck on average. If faults were left out, a player could hide a
    cunning card by a fault before it.
    """
    auction = auction_of(record)
    if record.mode is not Mode.PLAY and auction is record.calls:
        seat = record.board.dealer
        for action in range(len(auction)):
            yield Decision(record, action, seat, Kind.CALL)
            seat = seat.next
    if record.contract is None:
        return
    play = Play(record.contract)
    for action, card in enumerate(record.cards, len(auction)):
        yield Decision(record, action, play.player, _kind(play))
        play.push(card)


def _kind(play: Play) -> Kind:
    if not play.cards:
        return Kind.LEAD
    return Kind.DECLARER if play.turn.side == play.declarer.side else Kind.DEFENDER
