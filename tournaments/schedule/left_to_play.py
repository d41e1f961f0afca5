"""The units that are left to play, and the boards whose hands are therefore a secret no more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.tournaments.events.boards import EXTRA, SUBSTITUTES
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Deals, Format
from bridge_arena.tournaments.schedule.early_stop import EarlyStop
from bridge_arena.tournaments.schedule.plan import Results, plan
from bridge_arena.tournaments.schedule.rulings import Ruling
from bridge_arena.tournaments.schedule.units import Round, Unit, in_schedule_order


def left_to_play(
    units: Iterable[Unit],
    played: Container[str],
    is_due: Callable[[Unit], bool],
    early_stop: EarlyStop,
) -> Iterator[Unit]:
    """Yield those of some units that are left to play, when their turn comes.

    `played` has the ids of units; `is_due` returns whether one that is not there is to be played.
    """
    for unit in units:
        if unit.id not in played and is_due(unit) and not early_stop.is_beyond(unit):
            yield unit


class Remaining:
    """The present state of an event: its rounds and units that are known, and what is left."""

    def __init__(
        self, event: Event, records: Mapping[str, BoardRecord], rulings: Iterable[Ruling] = ()
    ) -> None:
        in_order = [records[unit] for unit in sorted(records, key=in_schedule_order)]
        results = Results(event, in_order, rulings)
        self.rounds = plan(event, results)
        self.units = [
            unit for round_ in self.rounds for match in round_.matches for unit in match.units()
        ]
        early_stop = EarlyStop(event)
        for unit in self.units:
            if unit.id in records:
                early_stop.add(unit, records[unit.id])
        # Yields those of some units that are left to play.
        self.left: Callable[[Iterable[Unit]], Iterator[Unit]] = partial(
            left_to_play,
            played=records,
            is_due=results.is_due,
            early_stop=early_stop,
        )
        # The same, with those that would be left if rulings were taken back.
        self.may_be_left = partial(self.left, is_due=results.may_be_due)

    @property
    def is_over(self) -> bool:
        """Whether no unit is left to play."""
        return next(self.left(self.units), None) is None


class FinishedBoards:
    """The finished boards, as a container of their numbers in the supply.

    A board is finished if no unit with it is left to play in the known rounds, and none can be in a
    later round.
    """

    def __init__(
        self,
        event: Event,
        rounds: Sequence[Round],
        left: Callable[[Iterable[Unit]], Iterator[Unit]],
    ) -> None:
        self._left = left
        self._units: defaultdict[int, list[Unit]] = defaultdict(list)
        for round_ in rounds:
            for match in round_.matches:
                for unit in match.units():
                    self._units[unit.board].append(unit)
        # Whether there may be another round, and whether it plays the same boards.
        last = rounds[-1]
        if event.format is Format.SWISS:
            self._goes_on = last.number < (event.rounds or 1)
        else:
            going_on = len(last.matches) + len(last.byes)
            self._goes_on = event.format is Format.KNOCK_OUT and going_on > 1
        self._repeats = event.deals is Deals.SAME
        self._last_round = last.number

    def __contains__(self, board: object) -> bool:
        units = self._units.get(board) if isinstance(board, int) else None
        if not units or self._may_return(units):
            return False
        return next(self._left(units), None) is None

    def _may_return(self, units: Sequence[Unit]) -> bool:
        """Return whether units that are not known yet may have the board of these."""
        if not self._goes_on or units[0].board > SUBSTITUTES:
            return False
        if units[0].board > EXTRA:
            # All tied matches of a round play the same extra boards, though not at the same time.
            return units[0].match.round == self._last_round
        return self._repeats


def due_anew(
    results: Results, ruled: Results, played: Container[str]
) -> Iterator[tuple[Unit, bool]]:
    """Yield the units that are due once there is another ruling, but not without it.

    Args:
        results: The results without the ruling.
        ruled: The results with it.
        played: The ids of the units that were played.

    Yields:
        A unit, and whether its board was begun at another table and is finished without the
        ruling, so that anybody may know its hands.
    """
    event = results.event
    # Of a sequential test it is enough to know that the match may go on.
    left = partial(left_to_play, played=played, early_stop=EarlyStop(event))
    may_be_left = partial(left, is_due=results.may_be_due)
    rounds = plan(event, results)
    finished = FinishedBoards(event, rounds, may_be_left)
    units = [
        unit for known in plan(event, ruled) for match in known.matches for unit in match.units()
    ]
    begun = {unit.board for unit in units if unit.id in played}
    known = {unit.id for one in rounds for match in one.matches for unit in match.units()}
    for unit in left(units, is_due=ruled.is_due):
        if unit.id not in known or not results.is_due(unit):
            yield unit, unit.board in begun and unit.board in finished
