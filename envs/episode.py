"""An episode: one board with what is to be decided on it, and the table at which it is played.

The table of the server is the judge, and each seat has the view that a bot of its own would have.
It is played in step, without processes and clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from random import Random

from bridge_arena.bots.library.bidding_systems import System
from bridge_arena.bots.library.portable_random import pick
from bridge_arena.bots.sdk.client import Bot, start_board
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import MadeCall, Mode
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.bridge.seeds import PublicSeed
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import par
from bridge_arena.oracle.solved_deals import SolvedDeals
from bridge_arena.oracle.solver import double_dummy_table
from bridge_arena.protocol.decision import decide
from bridge_arena.protocol.messages import Answer, BoardStart, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event, Viewer, visible
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.table import Table
from bridge_arena.tournaments.events.boards import bid

_PATIENT = TimeControl(24 * 3600.0)

_VULNERABILITIES = tuple(Vulnerability)

_VIEWERS = tuple(map(Viewer, SEATS))


@dataclass(frozen=True)
class Episode:
    """A board, and which part of it the players decide.

    Attributes:
        board: The board.
        mode: The part that the players decide. If it is the auction alone, the contract is scored
            double dummy.
        seeds: The seeds of the random choices of N, E, S and W, as the views tell them.
        auction: The auction that the players are given, if they only play the cards.
        solved: The double-dummy table of the deal, if it is known.
    """

    board: Board
    mode: Mode = Mode.FULL
    seeds: tuple[int, int, int, int] = (0, 0, 0, 0)
    auction: tuple[MadeCall, ...] = ()
    solved: DoubleDummyTable | None = None

    @cached_property
    def table(self) -> DoubleDummyTable:
        """The double-dummy table of the deal, solved when it is first asked for if not known."""
        return self.solved or double_dummy_table(self.board.deal)


Standard = Callable[[Episode], int]
"""What a result is compared with: the points of North-South on an episode."""


def par_points(episode: Episode) -> int:
    """Return North-South's points at par."""
    board = episode.board
    return par(episode.table, board.dealer, board.vulnerability).score


def second_table(make_bot: Callable[[], Bot]) -> Standard:
    """Return the standard that four bots set who play the same episode at another table.

    Args:
        make_bot: Makes the bot of a seat: a subclass of `Bot`, or what `bots.adapters` returns.
    """

    def points(episode: Episode) -> int:
        sitting = Sitting(episode)
        bots = {seat: make_bot() for seat in SEATS}
        for seat, bot in bots.items():
            start_board(bot, sitting.views[seat])
        while (turn := sitting.turn) is not None:
            sitting.answer(decide(bots[turn.player], sitting.views[turn.player], turn))
        for seat, bot in bots.items():
            bot.board_ended(sitting.views[seat])
        assert sitting.points is not None
        return sitting.points

    return points


class Sitting:
    """An episode in progress; `views` has what each seat sees."""

    def __init__(self, episode: Episode) -> None:
        self.episode = episode
        self._table = Table(
            "env",
            episode.board,
            episode.seeds,
            _PATIENT,
            bidding_only=episode.mode is Mode.BIDDING,
            given=episode.auction,
        )
        events = self._table.start(0.0)
        self.views: dict[Seat, View] = {}
        for seat in SEATS:
            dealt = visible(events[0], _VIEWERS[seat])
            assert dealt is not None
            assert isinstance(dealt.message, BoardStart)
            self.views[seat] = View(seat, dealt.message)
        self._tell(events[1:])

    @property
    def turn(self) -> YourTurn | None:
        """The turn to be answered; None when the episode is over."""
        return self._table.turn

    @property
    def points(self) -> int | None:
        """North-South's points; None until the episode is over."""
        return self._table.score

    def answer(self, answer: Answer) -> None:
        """Take the answer to the open turn; the table judges it as it judges any bot's."""
        turn = self.turn
        assert turn is not None
        self._tell(self._table.act(turn.player, answer, 0.0))
        contract = self._table.unplayed
        if contract is not None:
            tricks = self.episode.table.tricks(contract.denomination, contract.declarer)
            self._tell(self._table.award(tricks))

    def _tell(self, events: list[Event]) -> None:
        for event in events:
            for seat, view in self.views.items():
                outgoing = visible(event, _VIEWERS[seat])
                if outgoing is not None:
                    view.apply(outgoing.message)


def episodes(seed: int, mode: Mode, bidder: System, deals: SolvedDeals | None) -> Iterator[Episode]:
    """Yield episodes without end, with any dealer and vulnerability, by a public seed.

    The deals are solved ones, or random without them. If only the cards are to be played, `bidder`
    makes the auctions, and a board that four of it would pass out is left out.
    """
    rng = Random(seed)
    dealt = PublicSeed(seed)
    for number in count(1):
        deal, solved = dealt.deal(number), None
        if deals is not None:
            index = int(rng.random() * len(deals))
            deal, solved = deals.deal(index), deals.table(index)
        board = Board(number, pick(rng, SEATS), pick(rng, _VULNERABILITIES), deal)
        auction = bid(board, bidder) if mode is Mode.PLAY else ()
        if mode is Mode.PLAY and not any(made.call.is_bid for made in auction):
            continue
        north, east, south, west = (dealt.seat_seed(number, seat) for seat in SEATS)
        yield Episode(board, mode, (north, east, south, west), auction, solved)
