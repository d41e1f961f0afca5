"""The boards of an event that nobody is to play any more, so that their hands are no secret."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from bridge_arena.tournaments.events.board_supply import EXTRA
from bridge_arena.tournaments.events.event import Deals, Event, Format
from bridge_arena.tournaments.schedule.units import Round, Unit


class FinishedBoards:
    """The finished boards, as a container of their numbers in the supply.

    A board is finished if no unit with it is left to play in the known rounds, and none can be in a
    later round.

    Args:
        event: The event.
        rounds: The rounds that are known.
        left: Yields those of some units that are left to play now.
    """

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
        if not self._goes_on:
            return False
        if units[0].board > EXTRA:
            # All tied matches of a round play the same extra boards, though not at the same time.
            return units[0].match.round == self._last_round
        return self._repeats
