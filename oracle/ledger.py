"""The ledger: the double-dummy tricks that each player lost, and their cost in IMPs.

It consists of pure functions over a board's record and the values that `oracle.solver.play_values`
gives for it; nothing here calls the solver. A part that is played perfectly costs nothing: losses
are always measured against perfect play with all cards seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import factorial

from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.errors import ImpossibleError


class Role(StrEnum):
    """The three parts of the play in which tricks are lost."""

    OPENING_LEAD = "opening lead"
    DECLARER_PLAY = "declarer play"
    DEFENCE = "defence"


@dataclass(frozen=True, slots=True)
class Loss:
    """Tricks lost by one card."""

    # The index of the card in the record's cards. The number of cards stands for the last step,
    # from the value where the play stopped to the result scored (a claim).
    card: int
    # The seat that is charged, declarer for dummy's cards; None for defenders who agreed to a
    # claim.
    seat: Seat | None
    role: Role  # the part of the play
    tricks: int  # the number of tricks lost, 1 to 13


@dataclass(frozen=True, slots=True)
class TableLedger:
    """The losses of one board at one table.

    For a finished board: tricks taken = dd_tricks + lost by lead + lost by defence - lost by
    declarer.
    """

    dd_tricks: int  # declarer's double-dummy tricks before the lead
    losses: tuple[Loss, ...]  # the losses in playing order

    def lost(self, role: Role) -> int:
        """Return the number of tricks lost in a role."""
        return sum(loss.tricks for loss in self.losses if loss.role == role)


@dataclass(frozen=True, slots=True)
class Swing:
    """A board's IMPs and their causes, all from the same side's view.

    `total` is `auction` and the sum of `parts`, to 1e-9.
    """

    total: int  # the IMPs of the board
    auction: int  # the IMPs that perfect play on both sides of the comparison would have given
    # The IMPs of each role in each room; every role of a room is present.
    parts: Mapping[tuple[Room, Role], float]


def charge(record: BoardRecord, values: Sequence[int]) -> TableLedger:
    """Charge every lost trick of a board to the card and the player that lost it.

    A loss of declarer's side makes the values fall, a loss of the defence makes them rise. If the
    record's tricks differ from the last value, that is one more step, charged to declarer if it
    falls and to both defenders if it rises. An unfinished board has no such step.

    Raises:
        ImpossibleError: There is no contract, or the values cannot be those of the play.
    """
    if record.contract is None:
        raise ImpossibleError(f"board {record.board.number} has no contract to charge")
    if len(values) != len(record.cards) + 1:
        raise ImpossibleError(f"{len(record.cards)} cards cannot have {len(values)} values")
    play = Play(record.contract)
    losses: list[Loss] = []
    for index, (before, after) in enumerate(pairwise(values)):
        player = play.player
        play.push(record.cards[index])
        declares = player == play.declarer
        lost = before - after if declares else after - before
        defends = Role.DEFENCE if index else Role.OPENING_LEAD
        if lost < 0:
            raise ImpossibleError(f"card {index} cannot win a double-dummy trick for {player}")
        if lost:
            losses.append(Loss(index, player, Role.DECLARER_PLAY if declares else defends, lost))
    if record.tricks is not None and record.tricks != values[-1]:
        rise = record.tricks - values[-1]
        seat = play.declarer if rise < 0 else None
        role = Role.DECLARER_PLAY if rise < 0 else Role.DEFENCE
        losses.append(Loss(len(record.cards), seat, role, abs(rise)))
    return TableLedger(values[0], tuple(losses))


def split_swing(
    open_record: BoardRecord,
    closed_record: BoardRecord,
    open_ledger: TableLedger | None,
    closed_ledger: TableLedger | None,
) -> Swing:
    """Split the IMPs of a board played in both rooms, as the home team sees them.

    The home team sits North-South in the open room and East-West in the closed room. `auction` is
    the IMPs of the two double-dummy scores. The rest is shared among the roles of both rooms by
    Shapley value: the mean, over all orders in which the roles' losses could be counted one after
    the other, of the IMPs that each adds. IMPs are not linear, so that any single order would
    favour one of them.

    A ledger is None for a board passed out. ImpossibleError is raised if the records are of
    different deals or unfinished, their scores are not those of contract and tricks, or the ledgers
    are of other records.
    """
    boards = open_record.board, closed_record.board
    if boards[0].deal != boards[1].deal or boards[0].vulnerability != boards[1].vulnerability:
        raise ImpossibleError("the two rooms did not play the same board")
    rooms = {
        Room.OPEN: _Half(open_record, open_ledger),
        Room.CLOSED: _Half(closed_record, closed_ledger),
    }
    return _split(rooms, lambda scores: imps(scores[Room.OPEN] - scores[Room.CLOSED]))


def split_against_par(record: BoardRecord, ledger: TableLedger | None, par_score: int) -> Swing:
    """Split the IMPs of one table against par, as North-South sees them.

    Par stands for the closed room, so the parts are those of `Room.OPEN`, whatever room the record
    names.

    `ledger` has its losses, None for a board passed out; `par_score` is in North-South's points.
    Raises ImpossibleError as `split_swing` does.
    """
    rooms = {Room.OPEN: _Half(record, ledger)}
    return _split(rooms, lambda scores: imps(scores[Room.OPEN] - par_score))


class _Half:
    """One room's side of the comparison: its score as if only some roles had erred."""

    def __init__(self, record: BoardRecord, ledger: TableLedger | None) -> None:
        number = record.board.number
        if record.score is None:
            raise ImpossibleError(f"board {number} was not finished and counts nowhere")
        if (record.contract is None) != (ledger is None):
            raise ImpossibleError(f"board {number} needs a ledger exactly if it has a contract")
        self._record = record
        self._dd_tricks = ledger.dd_tricks if ledger else 0
        # The change in declarer's tricks by each role's losses; roles without losses are left out.
        self.effects: dict[Role, int] = {}
        for role in Role:
            lost = ledger.lost(role) if ledger else 0
            if lost:
                self.effects[role] = -lost if role is Role.DECLARER_PLAY else lost
        if ledger and self._dd_tricks + sum(self.effects.values()) != record.tricks:
            raise ImpossibleError(f"board {number} was not played as its ledger says")
        if self.score(set(Role)) != record.score:
            raise ImpossibleError(f"board {number} was not scored by its contract and tricks")

    def score(self, roles: set[Role]) -> int:
        """Return North-South's points as if only `roles` had lost tricks.

        Some sets of losses cannot occur alone, so the tricks are kept within 0 to 13.
        """
        if self._record.contract is None:
            return 0
        tricks = self._dd_tricks + sum(self.effects.get(role, 0) for role in roles)
        held = min(13, max(0, tricks))
        return score_ns(self._record.contract, held, self._record.board.vulnerability)


def _split(rooms: dict[Room, _Half], swing: Callable[[dict[Room, int]], int]) -> Swing:
    """Return the Shapley value of each role that lost something, over all sets of the others."""
    players = [(room, role) for room, half in rooms.items() for role in half.effects]
    # The IMPs with the losses of each set of players, which has one bit for each player.
    imps_of: list[int] = []
    for chosen in range(1 << len(players)):
        scores = {
            room: half.score(
                {role for bit, (r, role) in enumerate(players) if r is room and chosen >> bit & 1}
            )
            for room, half in rooms.items()
        }
        imps_of.append(swing(scores))
    parts = {(room, role): 0.0 for room in rooms for role in Role}
    count = len(players)
    for bit, player in enumerate(players):
        # The share is in units of 1/count!, so that it is exact up to the final division.
        share = 0
        for others in range(1 << count):
            if not others >> bit & 1:
                size = others.bit_count()
                orders = factorial(size) * factorial(count - size - 1)
                share += orders * (imps_of[others | 1 << bit] - imps_of[others])
        parts[player] = share / factorial(count)
    return Swing(imps_of[-1], imps_of[0], parts)
