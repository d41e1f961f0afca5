"""The size of an event: rounds, matches, different boards, tables."""

from __future__ import annotations

from dataclasses import dataclass

from bridge_arena.tournaments.events.event import Deals, Event, Format, Movement
from bridge_arena.tournaments.formats.howell import howell
from bridge_arena.tournaments.formats.individual import individual
from bridge_arena.tournaments.formats.mitchell import mitchell
from bridge_arena.tournaments.formats.round_robin import round_robin


@dataclass(frozen=True, slots=True)
class EventSize:
    """The size of an event, without the boards that a knock-out adds to break a tie.

    Attributes:
        rounds: The number of rounds.
        matches: Matches of two teams; in pairs and individual events, the sets of boards that are
            played at a table.
        boards: Different boards.
        tables: Boards to be played, each counted once for every table that plays it.
    """

    rounds: int
    matches: int
    boards: int
    tables: int


def event_size(event: Event) -> EventSize:
    """Return the size of an event.

    Raises:
        ValueError: The format cannot be played with that number of entries.
    """
    if not event.format.is_teams:
        rounds, matches, sets = _movement(event)
        return EventSize(rounds, matches, sets * event.boards, matches * event.boards)
    rounds, matches = _meetings(event)
    sets = {
        # Each leg has other boards: on the same ones a bot would only repeat itself.
        Deals.SAME: event.legs,
        Deals.BAROMETER: rounds,
        Deals.FRESH: matches,
    }[event.deals]
    return EventSize(rounds, matches, sets * event.boards, 2 * matches * event.boards)


def _meetings(event: Event) -> tuple[int, int]:
    """Return the numbers of rounds and of matches of teams."""
    entries = len(event.entries)
    if entries < 2:
        raise ValueError(f"two entries at least are needed, not {entries}")
    match event.format:
        case Format.MATCH:
            return 1, 1
        case Format.GAUNTLET:
            return entries - 1, entries - 1
        case Format.SWISS:
            rounds = event.rounds or 1
            return rounds, rounds * (entries // 2)
        case Format.KNOCK_OUT:
            return (entries - 1).bit_length(), entries - 1
        case _:
            one_leg = round_robin(entries)
            return event.legs * len(one_leg), event.legs * sum(map(len, one_leg))


def _movement(event: Event) -> tuple[int, int, int]:
    """Return the rounds, the sets of boards played at a table, and the different sets."""
    entries = len(event.entries)
    sets: list[list[int]]
    if event.format is Format.INDIVIDUAL:
        sets = [[four.boards for four in fours] for fours in individual(entries)]
    else:
        movement = howell if event.movement is Movement.HOWELL else mitchell
        sets = [[sitting.boards for sitting in sittings] for sittings in movement(entries)]
    played = [number for of_round in sets for number in of_round]
    return len(sets), len(played), 1 + max(played, default=-1)
