"""Tournaments: events, their schedule and play, what came of them, and the statistics.

The names that other rooms take, by one import; each loads its module when it is first used. The
modules that no other room may import are named in `pyproject.toml`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge_arena.tournaments.events.boards import GivenBoard
    from bridge_arena.tournaments.events.entries import (
        Access,
        Entry,
        EntryError,
        parse_entry,
        parse_party,
    )
    from bridge_arena.tournaments.events.event import Entrant, Event, broadcast_of, event_size
    from bridge_arena.tournaments.events.sealed_deals import Commitment, Provenance, Sealing
    from bridge_arena.tournaments.formats.rules import Format, Scoring
    from bridge_arena.tournaments.play.event_log import EventLog
    from bridge_arena.tournaments.schedule.event_files import LOG, STORE, header_of
    from bridge_arena.tournaments.schedule.event_results import ControlResults, EventResults, Played
    from bridge_arena.tournaments.schedule.plan import plan, withdrawn
    from bridge_arena.tournaments.schedule.scores import Outcome, Swing, outcome, swing
    from bridge_arena.tournaments.schedule.splits import ByRole, Split, split_of
    from bridge_arena.tournaments.schedule.standings import Standings, standings
    from bridge_arena.tournaments.schedule.units import HOME, VISITORS, Match, Unit, team_at
    from bridge_arena.tournaments.store import Store, StoreError
    from bridge_arena.tournaments.store.director import Director

__all__ = [
    "HOME",
    "LOG",
    "STORE",
    "VISITORS",
    "Access",
    "ByRole",
    "Commitment",
    "ControlResults",
    "Director",
    "Entrant",
    "Entry",
    "EntryError",
    "Event",
    "EventLog",
    "EventResults",
    "Format",
    "GivenBoard",
    "Match",
    "Outcome",
    "Played",
    "Provenance",
    "Scoring",
    "Sealing",
    "Split",
    "Standings",
    "Store",
    "StoreError",
    "Swing",
    "Unit",
    "broadcast_of",
    "event_size",
    "header_of",
    "outcome",
    "parse_entry",
    "parse_party",
    "plan",
    "split_of",
    "standings",
    "swing",
    "team_at",
    "withdrawn",
]

_NAMES = {
    "events.boards": ["GivenBoard"],
    "events.entries": ["Access", "Entry", "EntryError", "parse_entry", "parse_party"],
    "events.event": ["Entrant", "Event", "broadcast_of", "event_size"],
    "events.sealed_deals": ["Commitment", "Provenance", "Sealing"],
    "formats.rules": ["Format", "Scoring"],
    "play.event_log": ["EventLog"],
    "schedule.event_files": ["LOG", "STORE", "header_of"],
    "schedule.event_results": ["ControlResults", "EventResults", "Played"],
    "schedule.plan": ["plan", "withdrawn"],
    "schedule.scores": ["Outcome", "Swing", "outcome", "swing"],
    "schedule.splits": ["ByRole", "Split", "split_of"],
    "schedule.standings": ["Standings", "standings"],
    "schedule.units": ["HOME", "VISITORS", "Match", "Unit", "team_at"],
    "store": ["Store", "StoreError"],
    "store.director": ["Director"],
}

_HOMES = {name: f"{__name__}.{module}" for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    # Not at the top: whoever imports any module of the room runs this file first (PEP 562).
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
