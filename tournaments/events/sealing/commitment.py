"""The commitment to an event's deals: published before the first card, opened with the results.

With it anybody can check afterwards that the boards come from a key that was chosen before anybody
had seen a card, and for the event as it was defined then.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seeds import KEY_BYTES, DealKey, DealSource, PublicSeed
from bridge_arena.tournaments.events.event import Event


def definition_of(event: Event) -> str:
    """Return an event as the text that a commitment covers: JSON in ASCII."""
    return event.model_dump_json(ensure_ascii=True)


def digest_of(boards: Iterable[Board]) -> str:
    """Return the SHA-256 of boards in their order, hexadecimal."""
    lines = (f"{each.number} {each.dealer} {each.vulnerability} {each.deal}\n" for each in boards)
    return sha256("".join(lines).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Commitment:
    """The public facts about an event's deals.

    Attributes:
        definition: The event as it was committed to, as text.
        digest: The commitment that was published before the first card, hexadecimal.
        public_value: The value of the event's public text; "" if it names none.
        key: The key that the deals come from; None until the event is over.
    """

    definition: str
    digest: str
    public_value: str = ""
    key: DealKey | None = None


@dataclass(frozen=True, slots=True)
class Sealing:
    """The facts about an event's deals that only the arena knows while the event runs.

    Attributes:
        definition: The event, as text.
        key: The key that was committed to.
        public_value: The value of the event's public text; "" if it names none.
    """

    definition: str
    key: DealKey
    public_value: str = ""

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
