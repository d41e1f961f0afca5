"""How an event stands: its matches, and lines that say how far it is."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from bridge_arena.base.wording import plural
from bridge_arena.tournaments import Event, EventResults, Match, event_size
from bridge_arena.tournaments.schedule.directing import Directing
from bridge_arena.tournaments.schedule.left_to_play import Remaining
from bridge_arena.tournaments.schedule.rulings import changes, paused


@dataclass(frozen=True, slots=True)
class MatchState:
    """How far a match is, or the sitting of a table in pairs and individual events."""

    match: Match
    names: tuple[str, ...]  # of its entries
    done: int  # boards that were played, at each of its tables
    due: int  # those that are left to play

    @property
    def state(self) -> str:
        """The state in a word or two."""
        if not self.due:
            return "done"
        return "under way" if self.done else "due"


def match_states(
    event: Event, remaining: Remaining, played: Container[str]
) -> Iterator[MatchState]:
    """Yield how far each match is that is known, round by round."""
    due = {unit.id for unit in remaining.left(remaining.units)}
    for round_ in remaining.rounds:
        for match in round_.matches:
            units = [unit.id for unit in match.units()]
            yield MatchState(
                match,
                tuple(event.entries[entry].name for entry in match.entries),
                sum(unit in played for unit in units),
                sum(unit in due for unit in units),
            )


def headlines(
    results: EventResults, states: Sequence[MatchState], *, is_played: bool
) -> Iterator[str]:
    """Yield lines that say what the event is, how far it is, and who is withdrawn or paused."""
    event = results.event
    size = event_size(event)
    entries = len(event.entries)
    yield f"{event.name}: {event.format}, {entries} entries, {plural(size.tables, 'table')}"
    done, due = sum(one.done for one in states), sum(one.due for one in states)
    current = next((one.match.round for one in states if one.due), None)
    if current is None:
        yield f"it is over: {plural(done, 'table')} played"
    else:
        how = "is being played" if is_played else "is not being played at the moment"
        number = f", round {current} of {size.rounds}" if size.rounds > 1 else ""
        # Others follow from results.
        known = " of the rounds known so far" if event.format.is_drawn else ""
        yield f"it {how}{number}: {plural(done, 'table')} played, {due} due{known}"
    for entry, since in sorted(results.so_far.withdrawn.items()):
        yield f"{event.entries[entry].name} is withdrawn since round {since}"
    directing = Directing(results.so_far)
    for ruling in changes(event, results.rulings):
        yield f"{directing.title(ruling.decision)} by ruling {ruling.number}"
    for target in sorted(paused(results.rulings), key=str):
        yield f"{directing.paused(target)} is paused"
