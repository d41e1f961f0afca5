"""The settings of clock, claims and faults in which an event differs from the default.

The reports tell their readers.
"""

from __future__ import annotations

from collections.abc import Mapping

from bridge_arena.tournaments.events.event import Event, Format
from bridge_arena.tournaments.events.fault_policies import PLAIN, EventPolicies

Terms = Mapping[str, str | int | float]
"""Values by their keys in an event file."""


def terms(event: Event) -> Terms:
    """Return the settings of an event that differ from the default.

    For a match, the default of plain matches counts too.

    Args:
        event: The event.

    Returns:
        The settings by their keys.
    """
    usual = (EventPolicies(), PLAIN) if event.format is Format.MATCH else (EventPolicies(),)
    keys = ("clock", "claims", "broadcast")
    found = {key: getattr(event, key) for key in keys if getattr(event, key) != _default(key)}
    for key in EventPolicies.model_fields:
        value = getattr(event.policies, key)
        if value not in [getattr(policies, key) for policies in usual]:
            found[key] = value
    return found


def terms_text(terms: Terms) -> str:
    """Return the settings as a sentence; "" if all are the default."""
    if not terms:
        return ""
    return f"Set otherwise than by default: {', '.join(map(_term, terms.items()))}."


def _term(term: tuple[str, str | int | float]) -> str:
    key, value = term
    return f"{key} {value:g}" if isinstance(value, float) else f"{key} {value}"


def _default(key: str) -> object:
    return Event.model_fields[key].default
