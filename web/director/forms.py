"""The forms of rulings: a field for each part of a decision, and the decision that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, get_args, get_origin

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from bridge_arena.bridge.record import Room
from bridge_arena.tournaments.schedule.directing import Directing, RulingError, entry_named
from bridge_arena.tournaments.schedule.plan import last_round
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    Appeal,
    Decision,
    Waive,
    in_force,
    opposite,
    wrong_part,
)

Given = Mapping[str, str]
"""The fields that a form sends, by name; those that are left empty may be missing."""

KINDS: dict[str, type[Decision]] = {
    kind.model_fields["kind"].default: kind for kind in get_args(Decision)
}
"""The classes of decisions, by the names that rulings have for them."""

_LABELS = {"ns": "North-South", "ew": "East-West", "round": "From round"}
"""The labels of parts that do not have their own names."""

_OF_TEAMS = {"ns": "North-South, or home", "ew": "East-West, or visitors"}
"""Those in matches of teams."""

_NONE = "–"
"""The choice that leaves a part out."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form."""

    name: str
    label: str
    value: str
    is_needed: bool
    # The values from which one is chosen, each with its text; None if a value is typed.
    choices: tuple[tuple[str, str], ...] | None = None
    is_number: bool = False


def parts_in_words(kind: type[Decision]) -> str:
    """Return what a kind of decision does, in a sentence or two."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())


def fields_of(directing: Directing, kind: type[Decision], given: Given) -> Iterator[FormField]:
    """Yield the fields of a kind of decision, with what was given for them."""
    parts = directing.parts(kind)
    match = given.get("match", "")
    if not match or (kind is Waive and not directing.lost_boards(match)):
        match = _first_match(directing, kind)
    for name in parts:
        part = kind.model_fields[name]
        types = list(_types(part.annotation))
        is_needed = part.is_required() and not (kind is Adjust and name in ("ns", "ew"))
        choices = _choices(directing, kind, name, match, types)
        if choices is not None and not is_needed and not _default(part):
            choices = (("", _NONE), *choices)
        if choices is not None and name == "room" and kind is Adjust:
            choices = (("", "both, by artificial scores"), *choices[1:])
        labels = _LABELS | (_OF_TEAMS if directing.event.format.is_teams else {})
        yield FormField(
            name,
            labels.get(name, name.replace("_", " ").capitalize()),
            match if name == "match" and is_needed else given.get(name, _default(part)),
            is_needed,
            choices,
            is_number=choices is None and (int in types or float in types),
        )


def decision_of(directing: Directing, kind: type[Decision], given: Given) -> Decision:
    """Return the decision that a form makes. Raises RulingError."""
    values: dict[str, Any] = {
        name: given[name].strip() for name in directing.parts(kind) if given.get(name, "").strip()
    }
    if "entry" in values:
        values["entry"] = entry_named(directing.event, given["entry"])
    if kind is Adjust:
        ns, ew = values.get("ns", ""), values.get("ew", "")
        values |= {"ns": ns or opposite(ew), "ew": ew or opposite(ns)}
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise RulingError(wrong_part(error)) from None


def _choices(
    directing: Directing, kind: type[Decision], name: str, match: str, types: list[type]
) -> tuple[tuple[str, str], ...] | None:
    event = directing.event
    known = {one.id: one for one in directing.matches}
    match name:
        case "match":
            return tuple(
                (one.id, f"{one.id}: {' – '.join(event.entries[n].name for n in one.entries)}")
                for one in known.values()
                if kind is not Waive or directing.lost_boards(one.id)
            )
        case "board":
            return tuple(
                (str(number), f"{number}: {_as_played(directing, match, number)}")
                for number in _boards(directing, kind, match)
            )
        case "entry":
            of_match = kind.model_fields.get("match")
            is_of_match = of_match is not None and of_match.is_required() and match in known
            numbers = known[match].entries if is_of_match else range(len(event.entries))
            return tuple((event.entries[n].name, event.entries[n].name) for n in numbers)
        case "round":
            return tuple((str(n), str(n)) for n in range(1, last_round(event) + 1))
        case "ruling":
            return tuple(
                (str(one.number), f"{one.number}: {directing.title(one.decision)}")
                for one in in_force(directing.results.rulings)
                if kind is not Appeal or not isinstance(one.decision, Appeal)
            )
        case "room":
            return tuple((room.value, room.value) for room in Room)
        case _:
            for known_type in types:
                if issubclass(known_type, Enum):
                    return tuple((str(one.value), str(one.value)) for one in known_type)
            return None


def _as_played(directing: Directing, match: str, number: int) -> str:
    return directing.stood_before(Annul(match=match, board=number))


def _boards(directing: Directing, kind: type[Decision], match: str) -> list[int]:
    """Return the boards of a match on which a form can rule."""
    return directing.lost_boards(match) if kind is Waive else directing.boards(match)


def _first_match(directing: Directing, kind: type[Decision]) -> str:
    """Return the match that a form has at first, the last with a board; "" if it needs none."""
    part = kind.model_fields.get("match")
    if part is None or not part.is_required() or not directing.matches:
        return ""
    begun = [one.id for one in directing.matches if _boards(directing, kind, one.id)]
    return begun[-1] if begun else directing.matches[0].id


def _default(part: FieldInfo) -> str:
    return "" if part.is_required() or part.default is None else str(part.default)


def _types(annotation: Any) -> Iterator[type]:
    """Yield the types of which a part may be."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    inner = get_args(annotation)
    if not inner and isinstance(annotation, type):
        yield annotation
    for one in inner:
        yield from _types(one)
