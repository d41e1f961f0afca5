"""Which boards of an event nobody is to play any more, so that their hands are no secret."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from bridge_arena.tournaments.events.board_supply import EXTRA
from bridge_arena.tournaments.events.event import Deals, Event, Format
from bridge_arena.tournaments.schedule.units import Round, Unit


class FinishedBoards:
    """The boards of the supply, by their numbers, that are in no unit which is left to play of
    the `rounds` that are known, and in none of those to come. `left`: which of some units are left
    to play now."""

    def __init__(
        self,
        event: Event,
        rounds: Sequence[Round],
        left: Callable[[Iterable[Unit]], Iterator[Unit]],
    ) -> None:
        self._left = left
        self._units: defaultdict[int, list[Unit]] = defaultdict(list)
        for each in rounds:
            for match in each.matches:
                for unit in match.units():
                    self._units[unit.board].append(unit)
        # Whether there may be another round, and whether it plays the boards of those before.
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
        """Whether units that are not known yet may be of the same board."""
        if not self._goes_on:
            return False
        if units[0].board > EXTRA:
            # All matches of a round that are tied play the same extra boards, each when it is.
            return units[0].match.round == self._last_round
        return self._repeats
