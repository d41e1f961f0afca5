"""The ledger: the double-dummy tricks that each player lost, and their cost in IMPs.

It consists of pure functions over a board's record and the values that `oracle.solver.play_values`
gives for it; nothing here calls the solver. A part that is played perfectly costs nothing: losses
are always measured against perfect play with all cards seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from math import factorial
from typing import TYPE_CHECKING

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.errors import ImpossibleError

if TYPE_CHECKING:  # numpy is slow to load, and charges do not need it
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_POINTS = 10_000
"""More than any score of a board, in a multiple of ten."""


class Role(StrEnum):
    """The three parts of the play in which tricks are lost."""

    OPENING_LEAD = "opening lead"
    DECLARER_PLAY = "declarer play"
    DEFENCE = "defence"

    @property
    def key(self) -> str:
        """Its name in keys and columns of files."""
        return self.value.replace(" ", "_")


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
    declarer = record.contract.declarer
    losses: list[Loss] = []
    for index, (player, (before, after)) in enumerate(
        zip(record.play().players, pairwise(values), strict=True)
    ):
        declares = player == declarer
        lost = before - after if declares else after - before
        defends = Role.DEFENCE if index else Role.OPENING_LEAD
        if lost < 0:
            raise ImpossibleError(f"card {index} cannot win a double-dummy trick for {player}")
        if lost:
            losses.append(Loss(index, player, Role.DECLARER_PLAY if declares else defends, lost))
    if record.tricks is not None and record.tricks != values[-1]:
        rise = record.tricks - values[-1]
        seat = declarer if rise < 0 else None
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
    in_open = scores_of_losses(open_record, open_ledger)
    return _swing(in_open, scores_of_losses(closed_record, closed_ledger), tuple(Room))


def split_against_par(record: BoardRecord, ledger: TableLedger | None, par_score: int) -> Swing:
    """Split the IMPs of one table against par, as North-South see them.

    Par stands for the closed room, so the parts are those of `Room.OPEN`, whatever room the record
    names.

    `ledger` has its losses, None for a board passed out; `par_score` is in North-South's points.
    Raises ImpossibleError as `split_swing` does.
    """
    scores = scores_of_losses(record, ledger)
    return _swing(scores, [par_score] * len(scores), (Room.OPEN,))


def scores_of_losses(record: BoardRecord, ledger: TableLedger | None) -> list[int]:
    """Return North-South's points at a table as if only some roles had lost tricks.

    There is one for each set of roles: bit n of its number stands for the nth of `Role`. Raises
    ImpossibleError if the record and the ledger do not fit.
    """
    number, contract = record.board.number, record.contract
    if record.score is None:
        raise ImpossibleError(f"board {number} was not finished and counts nowhere")
    if (contract is None) != (ledger is None):
        raise ImpossibleError(f"board {number} needs a ledger exactly if it has a contract")
    scores = [0] * (1 << len(Role))
    if contract is not None and ledger is not None:
        lost = {role: ledger.lost(role) for role in Role}
        lost[Role.DECLARER_PLAY] *= -1
        effects = [*lost.values()]
        if ledger.dd_tricks + sum(effects) != record.tricks:
            raise ImpossibleError(f"board {number} was not played as its ledger says")
        for chosen in range(len(scores)):
            own = sum(effect for bit, effect in enumerate(effects) if chosen >> bit & 1)
            # Some sets of losses cannot occur alone.
            tricks = min(13, max(0, ledger.dd_tricks + own))
            scores[chosen] = score_ns(contract, tricks, record.board.vulnerability)
    if scores[-1] != record.score:
        raise ImpossibleError(f"board {number} was not scored by its contract and tricks")
    return scores


def split_swings(
    in_open: NDArray[np.integer], in_closed: NDArray[np.integer]
) -> tuple[Floats, Floats, Floats]:
    """Split the IMPs of boards by `scores_of_losses` of both rooms, of shape (boards, sets).

    Returns:
        The IMPs of each board, those of the auction, and the parts of shape (boards, rooms, roles).
    """
    # All points are tens, and so are the steps of the scale.
    tens = in_open[:, None, :] // 10 - in_closed[:, :, None] // 10
    worth = _imps_of_tens()[tens + _MOST_TENS].reshape(len(in_open), 1 << 2 * len(Role))
    # Both are whole numbers, so that the parts are exact up to the division.
    parts = worth @ _shares() / factorial(2 * len(Role))
    return worth[:, -1], worth[:, 0], parts.reshape(-1, 2, len(Role))


_MOST_TENS = 2 * MOST_POINTS // 10


@cache
def _imps_of_tens() -> Floats:
    """Return the IMPs of differences in tens of points, from -_MOST_TENS on."""
    import numpy as np  # noqa: PLC0415

    differences = range(-10 * _MOST_TENS, 10 * _MOST_TENS + 1, 10)
    return np.array([float(imps(points)) for points in differences])


@cache
def _shares() -> Floats:
    """Return what the IMPs of each set of roles add to each part, of shape (sets, parts).

    It is the Shapley value in units of 1/count!. A role that lost nothing makes no difference.
    """
    import numpy as np  # noqa: PLC0415

    count = 2 * len(Role)
    shares = np.zeros((1 << count, count))
    for others, bit in np.ndindex(shares.shape):
        if not others >> bit & 1:
            size = others.bit_count()
            orders = factorial(size) * factorial(count - size - 1)
            shares[others | 1 << bit, bit] += orders
            shares[others, bit] -= orders
    return shares


def _swing(in_open: Sequence[int], in_closed: Sequence[int], rooms: Sequence[Room]) -> Swing:
    """Return the split of one board, with the parts of some rooms."""
    import numpy as np  # noqa: PLC0415

    total, auction, parts = split_swings(np.array([in_open]), np.array([in_closed]))
    of_rooms = {
        (room, role): part
        for room, own in zip(rooms, parts[0].tolist(), strict=False)
        for role, part in zip(Role, own, strict=True)
    }
    return Swing(int(total[0]), int(auction[0]), of_rooms)
