"""Sealed deals: the commitment to the boards of an event, where they come from, and the kept key.

The commitment is published before the first card, and opened with the results. With it anybody can
check afterwards that the boards come from a key that was chosen before anybody had seen a card, and
for the event as it was defined then.

`arena deal --commit EVENT.toml` draws the key of an event and keeps it in `EVENT.key.json`. The
event reads it from there when it begins, and the file is deleted, as a key must not deal a second
event.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seeds import KEY_BYTES, DealKey, DealSource, PublicSeed
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.entries import Access
from bridge_arena.tournaments.events.event import Event, broadcast_of
from bridge_arena.tournaments.formats.rules import Deals, Format


def definition_of(event: Event) -> str:
    """Return an event as the text that a commitment covers: JSON in ASCII."""
    return event.model_dump_json(ensure_ascii=True)


def digest_of(boards: Iterable[Board]) -> str:
    """Return the SHA-256 of boards in their order, hexadecimal."""
    lines = (
        f"{board.number} {board.dealer} {board.vulnerability} {board.deal}\n" for board in boards
    )
    return sha256("".join(lines).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Commitment:
    """The public facts about an event's deals."""

    definition: str  # the event as it was committed to, as text
    digest: str  # the commitment that was published before the first card, hexadecimal
    public_value: str = ""  # the value of the event's public text; "" if it names none
    key: DealKey | None = None  # the key that the deals come from; None until the event is over


@dataclass(frozen=True, slots=True)
class Sealing:
    """The facts about an event's deals that only the arena knows while the event runs."""

    definition: str  # the event, as text
    key: DealKey  # the key that was committed to
    public_value: str = ""  # the value of the event's public text; "" if it names none

    @classmethod
    def of(cls, event: Event, key: DealKey | None = None, public_value: str = "") -> Sealing:
        """Seal an event by a key that was drawn for it, else by its seed, else by a new key."""
        if key is None:
            key = new_key() if event.seed is None else DealKey.of_seed(event.seed)
        return cls(definition_of(event), key, public_value)

    @property
    def digest(self) -> str:
        """The hash to publish before the first card."""
        return self.key.commitment(self.definition)


def source_of(event: Event, known: Sealing | Commitment | None) -> DealSource:
    """Return the source that the boards of an event are dealt from.

    If no key is known, it is the public hash of release 0.1.
    """
    if known is None or known.key is None:
        return PublicSeed(event.seed or 0)
    return known.key.with_public(known.public_value) if known.public_value else known.key


def new_key() -> DealKey:
    """Draw a key that nobody can foresee."""
    return DealKey(secrets.token_bytes(KEY_BYTES))


class Origin(StrEnum):
    """The origin of an event's boards."""

    SEALED = "sealed"  # a secret key, committed to before the first card
    REPRODUCIBLE = "reproducible"  # a key made from a seed: foreseeable by guessing the seed
    FILE = "file"  # a file of boards: known to anybody who has it
    PUBLIC_SEED = "public seed"  # a public hash of a seed, as release 0.1 dealt
    UNKNOWN = "unknown"  # nothing in the records tells


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of an event's boards, and the proof of it as far as it is known."""

    event: Event
    commitment: Commitment | None  # the commitment to its deals; None for one of release 0.1

    @property
    def origin(self) -> Origin:
        if self.event.boards_from is not None:
            return Origin.FILE
        if self.commitment is not None:
            return Origin.SEALED if self.event.seed is None else Origin.REPRODUCIBLE
        return Origin.UNKNOWN if self.event.seed is None else Origin.PUBLIC_SEED

    @property
    def text(self) -> str:
        """The text of the reports, in a sentence or two; "" if the origin is unknown."""
        match self.origin:
            case Origin.SEALED:
                return f"Sealed deals: {self._committed}"
            case Origin.REPRODUCIBLE:
                return (
                    f"Reproducible, not sealed: whoever guesses seed {self.event.seed} can work "
                    "out the boards."
                )
            case Origin.FILE:
                return f"Not sealed: the boards are those of {self.event.boards_from}."
            case Origin.PUBLIC_SEED:
                return (
                    f"Not sealed: the boards are a public hash of seed {self.event.seed}, as "
                    "release 0.1 dealt them."
                )
            case Origin.UNKNOWN:
                return ""

    @property
    def short(self) -> str:
        """Whether the deals were sealed, in a few words; "" if the origin is unknown."""
        match self.origin:
            case Origin.SEALED:
                return "sealed ✓"
            case Origin.REPRODUCIBLE | Origin.PUBLIC_SEED:
                return f"not sealed: seed {self.event.seed}"
            case Origin.FILE:
                return "not sealed: boards of a file"
            case Origin.UNKNOWN:
                return ""

    @property
    def values(self) -> dict[str, str | int | None]:
        """The values under `deals` in the JSON files."""
        known = self.commitment
        return {
            "origin": self.origin.value,
            "seed": self.event.seed,
            "file": self.event.boards_from,
            "commitment": None if known is None else known.digest,
            "public": self.event.public,
            "public_value": None if known is None else known.public_value or None,
            "key": None if known is None or known.key is None else str(known.key),
        }

    @property
    def _committed(self) -> str:
        assert self.commitment is not None
        text = f"committed to {self.commitment.digest} before the first card"
        if self.commitment.public_value:
            text += f", mixed with {self.event.public} ({self.commitment.public_value})"
        if self.commitment.key is None:
            return f"{text}; the key is revealed when the event is over."
        return f"{text}; the key is {self.commitment.key} (check: arena deal --verify)."


def deals_in_short(event: Event) -> str:
    """Return a few words on the deals of an event that is about to be played."""
    seed = "" if event.seed is None else f"seed {event.seed}"
    if event.boards_from is not None:
        return ", ".join(filter(None, [seed, f"boards of {event.boards_from}"]))
    return f"{seed} (reproducible, not sealed)" if seed else "sealed deals"


def exposures(event: Event) -> Iterator[str]:
    """Yield, for an event of sealed deals, the ways in which its bots' authors could know cards."""
    if not event.is_sealed:
        return
    players = event.players
    remote = [player.name for player in players if player.is_elsewhere]
    # A program in a sandbox remembers nothing in the next match.
    trusted = [one for one in event.entries if event.settings(one).isolation is Isolation.NONE]
    started = [
        player.name
        for entrant in trusted
        for player in entrant.players
        if not (player.is_elsewhere or player.ships)
    ]
    if meets_deals_again(event) and (strangers := [*remote, *started]):
        yield (
            'deals = "same": every match plays the same boards, so that a bot can remember them '
            f'({", ".join(strangers)}): "barometer" and "fresh" give nobody a board twice'
        )
    if remote and not broadcast_of(event).after_board:
        yield (
            f'broadcast = "{event.broadcast}": who watches sees hands that others hold or will yet '
            f'play, and can tell the authors of bots ({", ".join(remote)}): "board" shows '
            "them when nobody is to play them any more"
        )
    # Each person has only one seat.
    bots = [
        player.name
        for player in players
        if player.is_elsewhere and player.access is not Access.HUMAN
    ]
    if event.format.is_teams and bots:
        yield (
            "a team sits North-South in one room and East-West in the other: whoever runs the bots "
            f"of one ({', '.join(bots)}) can lay the hands of both rooms side by side: see "
            "docs/security.md"
        )


def meets_deals_again(event: Event) -> bool:
    """Return whether an entry can meet a deal in several matches."""
    return (
        event.format.is_teams
        and event.format is not Format.MATCH
        and event.deals is Deals.SAME
        and len(event.entries) > 2
    )


_VERSION = 1


class KeyFileError(Exception):
    """The file of a key cannot be read or written; the message is one line."""


def key_path(event_file: Path) -> Path:
    """Return the path of the file that keeps an event's key until the event begins."""
    return event_file.with_suffix(".key.json")


def write_key(path: Path, sealing: Sealing) -> None:
    """Write a key to a file that only its owner can read. Raises KeyFileError."""
    facts = {"version": _VERSION, "key": str(sealing.key), "definition": sealing.definition}
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(facts, file, indent=2)
            file.write("\n")
    except FileExistsError:
        raise KeyFileError(f"{path} exists already: the event is committed to") from None
    except OSError as error:
        path.unlink(missing_ok=True)
        raise KeyFileError(f"cannot write {path}: {error.strerror}") from None


def forget_key(path: Path) -> None:
    """Delete the file of a key that has been used for an event. Raises KeyFileError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise KeyFileError(f"cannot delete {path}: {error.strerror}") from None


def read_key(path: Path) -> Sealing | None:
    """Return the key that was kept for an event; None if there is no file. Raises KeyFileError."""
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        if facts["version"] != _VERSION:
            raise KeyFileError(f"{path}: version {facts['version']} is not known")
        return Sealing(str(facts["definition"]), DealKey.parse(facts["key"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeyFileError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise KeyFileError(f"{path}: this is no file of a deal key") from None
