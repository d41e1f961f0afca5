"""Write the page of the event file's keys from the classes that read it.

python -m docs.generators.event_file_document [FOLDER]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from enum import StrEnum
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from bridge_arena.tournaments.events.event import Entrant, Event, EventPart, EventPolicies
from bridge_arena.tournaments.events.event_file import KEYS, NUMBER_OR_TEXT, OLD_KEYS
from bridge_arena.tournaments.formats.rules import Format
from docs.generators.docstrings import attributes
from docs.generators.page import table, write

NAME = "event-file.md"

_HEAD = """\
# The event file

<!-- Written by docs/generators/event_file_document.py: change the classes, and run it again. -->

Every key of an event file. `arena tournament FILE` plays the event, `arena serve FILE` serves it,
and `arena tournament FILE --check` says what is wrong with the file. [Running an
event](../running-an-event.md) explains formats, scoring and policies;
`docs/examples/events/every-key.toml` has every key.

The file is [TOML](https://toml.io), in UTF-8. It has a table `[event]`, a table `[[entry]]` for
each entry, in order of seeding, and may have a table `[policies]`. An unknown key is an error.
"""

_TABLES: dict[str, tuple[str, type[EventPart]]] = {
    "event": ("[event]", Event),
    "entry": ("[[entry]]", Entrant),
    "policies": ("[policies]", EventPolicies),
}

_DEFAULTS = {
    "broadcast": '`"live"`; `"board"` if people play, or if deals are sealed and bots come from '
    "elsewhere",
    "deals": "[by format](#defaults-by-format)",
    "illegal": "no limit",
    "rounds": "by the number of entries",
    "scoring": "[by format](#defaults-by-format)",
    "timeouts": "no limit",
}
"""The defaults that are not one value."""

_OF_ENTRY = {
    "clock": "the event's",
    "dir": "the event file's",
    "isolation": "the event's",
    "name": "the bot's, with the folder where two differ by it, numbered if it repeats",
    "restarts": "the policies'",
    "start": "the policies'",
}
"""The defaults of an entry's keys that are not one value."""

_OPTIONS = (
    "`options`",
    "table of numbers and texts",
    "none",
    "The options of one bot that ships: `options = { worlds = 20 }` is the same as "
    '`bot = "montecarlo:worlds=20"`. See [The bots](bots.md).',
)
"""The row of the key that only the file has."""

_MORE = {
    "at_zero": "[Clocks](../faults.md#clocks)",
    "boards_from": "[Recorded boards](../recorded-boards.md)",
    "bot": "[Bots](../running-a-match.md#bots)",
    "broadcast": "[Watching](../running-an-event.md#watching)",
    "claims": "[Claims](../faults.md#claims)",
    "clock": "[Clocks](../faults.md#clocks)",
    "deals": "[Deals](../running-an-event.md#deals)",
    "format": "[Formats](../running-an-event.md#formats)",
    "illegal": "[Faults](../faults.md#faults)",
    "isolation": "[Isolation](../running-an-event.md#isolation)",
    "mode": "[Modes](../running-a-match.md#modes)",
    "movement": "[Formats](../running-an-event.md#formats)",
    "practice": "[Reproducible deals](../sealed-deals.md#reproducible-deals-from-a-seed)",
    "public": "[Sealed deals](../sealed-deals.md#deals-that-the-organiser-cannot-choose)",
    "restarts": "[When a bot is lost](../running-an-event.md#when-a-bot-is-lost)",
    "retries": "[Faults](../faults.md#faults)",
    "scoring": "[Scoring](../running-an-event.md#scoring)",
    "seed": "[Reproducible deals](../sealed-deals.md#reproducible-deals-from-a-seed)",
    "sprt": "[The sequential test](../statistics.md#the-sequential-test)",
    "timeouts": "[Faults](../faults.md#faults)",
}
"""Where more is said of a key."""

_KINDS = {str: "text", int: "whole number", float: "number", bool: "`true` or `false`"}

_LIMITS = {
    "ge": "at least {}",
    "gt": "above {}",
    "le": "at most {}",
    "lt": "below {}",
    "max_length": "at most {} characters",
}


def markdown() -> str:
    """Return the text of the page."""
    sections = [_HEAD]
    for name, (heading, described) in _TABLES.items():
        rows = [_row(name, key, described) for key in KEYS[name]]
        sections += [f"## {heading}\n", table(("key", "type", "default", "meaning"), rows), ""]
        for old, new in OLD_KEYS.get(name, {}).items():
            sections += [f"`{old}` is the former name of `{new}`, and works in this release.\n"]
    sections += ["## Defaults by format\n", table(_COLUMNS, map(_by_format, Format)), "", _DEALS]
    return "\n".join(sections)


_COLUMNS = ("format", "`deals`", "`scoring`", "other values of `scoring`")

_DEALS = """\
A round robin or gauntlet in which people play, or whose deals are sealed while bots come from
elsewhere, has `deals = "barometer"` by default. In pairs and individual events the movement decides
which tables play the same boards, and `deals` cannot be set.
"""


def _by_format(form: Format) -> tuple[str, ...]:
    usual, *others = form.rules.scorings
    deals = f"`{form.rules.deals}`" if form.is_teams else "by the movement"
    return f"`{form}`", deals, f"`{usual}`", ", ".join(f"`{other}`" for other in others)


def _row(name: str, key: str, described: type[EventPart]) -> tuple[str, str, str, str]:
    if key == "options":
        return _OPTIONS
    field = described.model_fields[key]
    meaning = attributes(described)[key]
    if key in _MORE:
        meaning += f" See {_MORE[key]}."
    return f"`{key}`", _kind(key, field), _default(name, key, field), meaning


def _default(name: str, key: str, field: FieldInfo) -> str:
    if name == "entry" and key in _OF_ENTRY:
        return _OF_ENTRY[key]
    if field.is_required():
        return "required"
    if key in _DEFAULTS:
        return _DEFAULTS[key]
    return "none" if field.default in (None, ()) else f"`{json.dumps(field.default)}`"


def _kind(key: str, field: FieldInfo) -> str:
    if key in NUMBER_OR_TEXT:
        return "number or text"
    return ", ".join([_plain_kind(field.annotation), *_limits(field.metadata)])


def _plain_kind(annotation: Any) -> str:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _plain_kind(parts[0])
    if origin in (Union, UnionType):
        return next(_plain_kind(part) for part in parts if part is not type(None))
    if origin is tuple:
        return "array of texts"
    if issubclass(annotation, StrEnum):
        return ", ".join(f'`"{member.value}"`' for member in annotation)
    return _KINDS[annotation]


def _limits(metadata: list[Any]) -> Iterator[str]:
    limits = {kind: value for each in metadata for kind, value in _values(each)}
    if {"ge", "le"} <= limits.keys():
        yield f"{limits.pop('ge'):,} to {limits.pop('le'):,}"
    for kind, value in limits.items():
        yield _LIMITS[kind].format(f"{value:,}")


def _values(limit: object) -> Iterator[tuple[str, Any]]:
    for kind in _LIMITS:
        if (value := getattr(limit, kind, None)) is not None:
            yield kind, value


if __name__ == "__main__":
    write(NAME, markdown(), sys.argv[1:])
