"""Entries of one name in several events: whether they are the same bot, and how to keep them apart.

A bot is told by its name, its definition, and the programs that played, with their versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice

from bridge_arena.tournaments import EventResults
from bridge_arena.tournaments.events.entries import definition_of


@dataclass(frozen=True, slots=True)
class NamedBot:
    definition: str  # the bot as the event defines it, with its folder
    # The programs that played, by their own names and versions; empty if that is not known, as of
    # PBN files.
    programs: tuple[str, ...]

    def may_be(self, other: NamedBot) -> bool:
        """Return whether it is the other bot, as far as is known."""
        same_programs = self.programs == other.programs or not (self.programs and other.programs)
        return self.definition == other.definition and same_programs

    def __str__(self) -> str:
        programs = f" ({', '.join(self.programs)})" if self.programs else ""
        return f"`{self.definition}`{programs}"


@dataclass(frozen=True, slots=True)
class SharedName:
    """A name that more than one bot has."""

    name: str
    # The bots, each with the numbers of its events, from 0, in the order of the events.
    bots: tuple[tuple[NamedBot, tuple[int, ...]], ...]
    # The name that each has in the leaderboard: the shared one, or one of its own.
    names: tuple[str, ...]


def shared_names(results: Sequence[EventResults], *, apart: bool) -> list[SharedName]:
    groups_of: dict[str, list[tuple[NamedBot, list[int]]]] = {}
    for number, of_event in enumerate(results):
        programs = of_event.programs
        for entrant in of_event.event.entries:
            where = "" if entrant.dir is None else f" in {entrant.dir}"
            definition = f"{definition_of(entrant.bot)}{where}"
            bot = NamedBot(definition, programs.get(entrant.name, ()))
            groups = groups_of.setdefault(entrant.name, [])
            for known, numbers in groups:
                if known.may_be(bot):
                    numbers.append(number)
                    break
            else:
                groups.append((bot, [number]))
    taken = set(groups_of)
    return [
        SharedName(
            name,
            tuple((bot, tuple(numbers)) for bot, numbers in groups),
            tuple(_free_names(name, len(groups), taken) if apart else [name] * len(groups)),
        )
        for name, groups in groups_of.items()
        if len(groups) > 1
    ]


def renamed(results: Sequence[EventResults], shared: Iterable[SharedName]) -> list[EventResults]:
    """Return results in which each bot has the name that it has in the leaderboard."""
    names: list[dict[str, str]] = [{} for _ in results]
    for name_of in shared:
        for (_, numbers), name in zip(name_of.bots, name_of.names, strict=True):
            for number in numbers:
                names[number][name_of.name] = name
    return [
        _renamed(of_event, own) if own else of_event
        for of_event, own in zip(results, names, strict=True)
    ]


def _free_names(name: str, needed: int, taken: set[str]) -> list[str]:
    """Return so many names that nobody has, `NAME (1)` and on, and add them to those taken."""
    numbered = (f"{name} ({number})" for number in count(1))
    free = list(islice((own for own in numbered if own not in taken), needed))
    taken.update(free)
    return free


def _renamed(results: EventResults, names: Mapping[str, str]) -> EventResults:
    """Return results in which entries have other names."""

    def now(name: str) -> str:
        return names.get(name, name)

    entries = tuple(
        entrant.model_copy(update={"name": now(entrant.name)}) for entrant in results.event.entries
    )
    event = results.event.model_copy(update={"entries": entries})
    played = [table.renamed(now) for table in results.played]
    return replace(results, event=event, played=played)
