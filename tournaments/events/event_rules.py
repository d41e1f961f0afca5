"""The rules of event definitions: what may stand together, and what is the default."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import chain

from bridge_arena.bridge.record import Mode
from bridge_arena.server.bluechip_gateway import team_key
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import Remedy
from bridge_arena.server.feed import Broadcast
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.boards import EXTRA, SUBSTITUTES
from bridge_arena.tournaments.events.entries import Access, Entry, EntryError, Party
from bridge_arena.tournaments.events.event import Entrant, Event, event_size, lost_in_pbn
from bridge_arena.tournaments.events.people import misseated, people_of
from bridge_arena.tournaments.events.sealed_deals import meets_deals_again
from bridge_arena.tournaments.events.toml_lines import KeyPath
from bridge_arena.tournaments.formats.rules import RULES, Deals, Format, Scoring
from bridge_arena.tournaments.statistics.sequential import Sprt

# Names that PBN can write and read again: printable ISO 8859-1, without PBN's sign for an
# unknown value or for the value of the game before at the start.
_NAME = re.compile(r"(?![?#])[ -~\xa1-\xac\xae-\xff]{1,100}")

_VARIABLE = re.compile(r"[A-Za-z_]\w*(=[^\0]*)?", re.ASCII)
"""An environment variable, by its name alone or with its value."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in an event's definition."""

    place: KeyPath  # its path in an event file
    text: str  # what is wrong


def settle(event: Event, given: Collection[str]) -> Event:
    """Return the event with the default deals, scoring and rounds, but for keys that are given."""
    chosen: dict[str, object] = {}
    if "deals" not in given:
        usual = event.format.rules.deals
        # People and bots that run elsewhere can remember a deal, so they meet each deal once.
        is_open = event.is_sealed or bool(people_of(event))
        chosen["deals"] = Deals.BAROMETER if is_open and _has_visitors(event) else usual
    if "scoring" not in given:
        chosen["scoring"] = event.format.rules.scorings[0]
    if "rounds" not in given and event.format is Format.SWISS:
        chosen["rounds"] = swiss_rounds(len(event.entries))
    return event.model_copy(update=chosen)


def _has_visitors(event: Event) -> bool:
    """Return whether an event of several matches has people, or bots that connect by themselves."""
    if event.format is Format.MATCH or event.format.rules.rounds is None:
        return False
    players = [player for entrant in event.entries for player in entrant.known_players]
    return any(player.is_elsewhere for player in players)


def swiss_rounds(entries: int) -> int:
    """Return the default number of rounds of a Swiss.

    It is one more than a knock-out would take, if that is sure to need no rematch, and otherwise
    the most that is sure to need none. That is half the number of entries, a bye counted as an
    entry: if everyone has met half or fewer of the others, all can be paired anew (Dirac's theorem
    on Hamiltonian circuits). With up to four entries all can meet.
    """
    even = entries + entries % 2
    sure = even - 1 if even <= 4 else even // 2
    return max(1, min((entries - 1).bit_length() + 1, sure))


def most_rounds(entries: int) -> int:
    """Return the number of rounds after which all entries have met."""
    return entries - 1 + entries % 2


def mistakes(event: Event, given: Collection[str]) -> Iterator[Mistake]:
    """Yield the mistakes in a settled event; `given` are the keys that were set."""
    for format_, rules in RULES.items():
        key = rules.own_key
        if key in given and event.format is not format_:
            yield Mistake(("event", key), f"only for format {format_}, not {event.format}")
    if "deals" in given and not event.format.is_teams:
        text = f"not for format {event.format}, whose movement says who plays which boards"
        yield Mistake(("event", "deals"), text)
    if (people := people_of(event)) and meets_deals_again(event):
        text = f'"same" gives {people[0]} the same boards in every match: "barometer" or "fresh"'
        yield Mistake(("event", "deals"), text)
    yield from _dealt(event)
    yield from _scored(event, given)
    yield from _sized(event)
    players = [{player.name for player in entry.known_players} for entry in event.entries]
    for number, entrant in enumerate(event.entries):
        yield from _entrant(event, number, entrant)
        yield from _same_names(event.entries, players, number)
    for number, text in chain(misseated(event), unreachable(event)):
        yield Mistake(("entry", number, "bot"), text)
    if (wrong := _name(event.name)) is not None:
        yield Mistake(("event", "name"), wrong)
    yield from _conducted(event)


def _dealt(event: Event) -> Iterator[Mistake]:
    """Yield mistakes about the origin of the boards."""
    if event.public is None:
        return
    if not event.is_sealed:
        other = "seed" if event.seed is not None else "boards_from"
        yield Mistake(("event", "public"), f"only for sealed deals, not with {other}")
    if not event.public.strip() or not event.public.isprintable():
        yield Mistake(("event", "public"), "expected the name of a text that nobody knows yet")


def _conducted(event: Event) -> Iterator[Mistake]:
    """Yield mistakes in clock, claims and policies."""
    if event.claims is not Claims.OFF and event.mode is Mode.BIDDING:
        yield Mistake(("event", "claims"), "only where cards are played, not in mode bidding")
    if event.undo and not people_of(event):
        yield Mistake(("event", "undo"), "only where people play: a bot takes nothing back")
    if event.broadcast is not None:
        try:
            Broadcast.parse(event.broadcast)
        except ValueError as error:
            yield Mistake(("event", "broadcast"), str(error))
    clocks: dict[KeyPath, str] = {("event", "clock"): event.clock}
    clocks |= {
        ("entry", number, "clock"): entrant.clock
        for number, entrant in enumerate(event.entries)
        if entrant.clock is not None
    }
    controls = []
    for place, clock in clocks.items():
        try:
            controls.append(TimeControl.parse(clock))
        except ValueError as error:
            yield Mistake(place, str(error))
    if len(controls) < len(clocks):
        return
    for number, text in wrong_clocks(event, controls):
        place = ("policies", "at_zero") if number is None else list(clocks)[number]
        yield Mistake(place, text)


def wrong_clocks(event: Event, controls: Sequence[TimeControl]) -> Iterator[tuple[int | None, str]]:
    """Yield which of some clocks an event cannot have together, None for all, and why."""
    if event.policies.at_zero is Remedy.FORFEIT and all(
        control.board is control.match is None for control in controls
    ):
        text = '"forfeit" needs a clock with a limit for the board or the match, as "60 board=300"'
        yield None, text
    if event.format is Format.INDIVIDUAL:
        for number, control in enumerate(controls):
            if control.board != controls[0].board:
                text = "players take turns as partners, who share one limit for the board"
                yield number, text


def _scored(event: Event, given: Collection[str]) -> Iterator[Mistake]:
    """Yield mistakes in the scoring, and in keys that go with one scoring only."""
    allowed = event.format.rules.scorings
    if event.scoring not in allowed:
        text = f"{event.scoring} does not go with format {event.format} ({', '.join(allowed)})"
        yield Mistake(("event", "scoring"), text)
    if "trim" in given and event.scoring is not Scoring.BUTLER:
        yield Mistake(("event", "trim"), f"only for scoring by butler, not by {event.scoring}")
    if event.sprt is None or event.format is not Format.MATCH:
        return
    if event.scoring is not Scoring.IMPS:
        yield Mistake(("event", "sprt"), f"only for scoring by imps, not by {event.scoring}")
    try:
        Sprt.parse(event.sprt)
    except ValueError as error:
        yield Mistake(("event", "sprt"), str(error))


def _sized(event: Event) -> Iterator[Mistake]:
    """Yield mistakes in the numbers of entries, rounds and boards."""
    entries = len(event.entries)
    least, most = event.format.rules.entries
    if most is not None and not least <= entries <= most:
        takes = f"{most}" if least == most else f"{least} to {most}"
        yield Mistake(("entry",), f"format {event.format} takes {takes} entries, not {entries}")
    elif entries < least:
        text = f"format {event.format} takes {least} entries or more, not {entries}"
        yield Mistake(("entry",), text)
    elif event.format is Format.SWISS and (event.rounds or 1) > most_rounds(entries):
        text = f"{event.rounds} is too many: all have met after round {most_rounds(entries)}"
        yield Mistake(("event", "rounds"), text)
    else:
        try:
            boards = event_size(event).boards
        except ValueError as error:
            yield Mistake(("entry",), str(error))
            return
        is_knock_out = event.format is Format.KNOCK_OUT
        if boards > (most := EXTRA if is_knock_out else SUBSTITUTES):
            what = "a knock-out" if is_knock_out else "an event"
            text = f"they make {boards} different ones: {what} has {most} at most"
            yield Mistake(("event", "boards"), text)


def _entrant(event: Event, number: int, entrant: Entrant) -> Iterator[Mistake]:
    """Yield mistakes in the players and the name of an entry."""
    place = ("entry", number, "bot")
    try:
        party = entrant.party()
    except EntryError as error:
        yield Mistake(place, str(error))
    else:
        count, most = len(party.players), event.format.rules.players
        if count > most:
            yield Mistake(place, f"{count} players: format {event.format} takes {most} at most")
        for player in party.players:
            if player.access is Access.BLUECHIP:
                yield from _program(event, number, player)
            if (text := lost_in_pbn(player.name)) is not None:
                yield Mistake(place, text)
        yield from _program_settings(number, entrant, party)
    if (text := _name(entrant.name)) is not None:
        yield Mistake(("entry", number, "name"), text)


def _same_names(
    entries: Sequence[Entrant], players: Sequence[Set[str]], number: int
) -> Iterator[Mistake]:
    """Yield the mistake that an entry, or a player of it, has the name of an earlier one."""
    name = entries[number].name
    for earlier, other in enumerate(entries[:number]):
        if name == other.name:
            text = f"{name!r} is the name of entry {earlier + 1} too"
            yield Mistake(("entry", number, "name"), text)
            return
        if shared := players[number] & players[earlier]:
            text = f"{min(shared)!r} is the name of a player of entry {earlier + 1} too"
            yield Mistake(("entry", number, "name"), text)
            return


def _program_settings(number: int, entrant: Entrant, party: Party) -> Iterator[Mistake]:
    """Yield mistakes in the settings of an entry's programs."""

    def mistake(key: str, text: str) -> Mistake:
        return Mistake(("entry", number, key), text)

    if all(player.access is not Access.STARTED for player in party.players):
        for key in ("dir", "env", "start", "isolation"):
            if getattr(entrant, key):
                yield mistake(key, "only for a program that the arena starts")
    if entrant.dir is not None and not os.path.isdir(entrant.folder or ""):  # noqa: PTH112
        # Not Path.is_dir(), which raises for a name that is too long.
        yield mistake("dir", f"there is no folder {entrant.folder}")
    for variable in entrant.env:
        if not _VARIABLE.fullmatch(variable):
            yield mistake("env", f'{variable!r} is neither "NAME" nor "NAME=value"')
        elif variable.startswith("ARENA_"):
            yield mistake("env", f"{variable.partition('=')[0]} is the arena's own")
    names = Counter(variable.partition("=")[0] for variable in entrant.env)
    for name in (name for name, times in names.items() if times > 1):
        yield mistake("env", f"{name} is given {names[name]} times")


def _program(event: Event, number: int, player: Entry) -> Iterator[Mistake]:
    """Yield mistakes in a player that speaks Blue Chip."""
    place = ("entry", number, "bot")
    if event.mode is Mode.PLAY:
        yield Mistake(place, "a Blue Chip program bids for itself: not in mode play")
    for earlier, other in enumerate(event.entries[:number]):
        programs = [one for one in other.known_players if one.access is Access.BLUECHIP]
        if team_key(player.team) in [team_key(program.team) for program in programs]:
            yield Mistake(place, f"{player.team!r} is the team of entry {earlier + 1} too")
            return


def _name(name: str) -> str | None:
    """Return why a text cannot be the name of an event or entry; None if it can."""
    if _NAME.fullmatch(name) and name == name.strip():
        return None
    return (
        f"{name!r} is no name that PBN can hold: 1 to 100 printable characters of Latin-1, "
        "without ? or # in front or spaces around them"
    )


def unreachable(event: Event) -> Iterator[tuple[int, str]]:
    """Yield the numbers of entries whose robot a sandbox would cut off, each with a text."""
    for number, entrant in enumerate(event.entries):
        isolation = entrant.isolation or event.isolation
        if isolation is Isolation.SANDBOX and any(one.asks for one in entrant.known_players):
            yield (
                number,
                f"{entrant.name} is asked over the network, which a sandbox does not have: "
                'play it with the isolation "none", or let it connect by itself (remote:NAME)',
            )


def cautions(event: Event) -> Iterator[str]:
    """Yield what others than its organiser may read of an event by the settings of its entries."""
    yield from _published(event)
    for entrant in event.entries:
        isolation = entrant.isolation or event.isolation
        if isolation is Isolation.SANDBOX and (beside := _beside(event, entrant)):
            yield (
                f"dir of {entrant.name} holds {beside}, and its bot can read all that is there: "
                "give it a folder of its own"
            )


def _beside(event: Event, entrant: Entrant) -> str:
    """Return what there is in the folder of an entry that is not its own."""
    if entrant.dir is None or entrant.folder is None:
        return ""
    if entrant.holds_event:
        return "the folder of the event file"
    folders = [(one.name, one.folder) for one in event.entries if one.dir and one.folder]
    names = [name for name, folder in folders if entrant.folder in folder.parents]
    return f"the folder of {', '.join(names)}" if names else ""


def _published(event: Event) -> Iterator[str]:
    """Yield what an event's results show of the environment variables of its programs."""
    for entrant in event.entries:
        names = [
            name for name, equals, _ in (text.partition("=") for text in entrant.env) if equals
        ]
        if names:
            yield (
                f"env of {entrant.name}: the results show the values of {', '.join(names)}: give a "
                "secret by its name alone, and set it where the arena runs"
            )
