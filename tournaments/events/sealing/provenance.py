"""The origin of the boards, as the readers of results are told."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.sealing.commitment import Commitment


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

    origin: Origin
    seed: int | None = None
    file: str | None = None
    public: str | None = None
    commitment: Commitment | None = None

    @classmethod
    def of(cls, event: Event, commitment: Commitment | None) -> Provenance:
        """Return the provenance of an event; without a commitment, one of release 0.1."""
        if event.boards_from is not None:
            origin = Origin.FILE
        elif commitment is not None:
            origin = Origin.SEALED if event.seed is None else Origin.REPRODUCIBLE
        else:
            origin = Origin.UNKNOWN if event.seed is None else Origin.PUBLIC_SEED
        return cls(origin, event.seed, event.boards_from, event.public, commitment)

    @property
    def text(self) -> str:
        """The text of the reports, in a sentence or two; "" if the origin is unknown."""
        match self.origin:
            case Origin.SEALED:
                return f"Sealed deals: {self._committed}"
            case Origin.REPRODUCIBLE:
                return (
                    f"Reproducible, not sealed: whoever guesses seed {self.seed} can work out "
                    "the boards."
                )
            case Origin.FILE:
                return f"Not sealed: the boards are those of {self.file}."
            case Origin.PUBLIC_SEED:
                return (
                    f"Not sealed: the boards are a public hash of seed {self.seed}, as release "
                    "0.1 dealt them."
                )
            case Origin.UNKNOWN:
                return ""

    @property
    def values(self) -> dict[str, str | int | None]:
        """The values under `deals` in the JSON files."""
        known = self.commitment
        return {
            "origin": self.origin.value,
            "seed": self.seed,
            "file": self.file,
            "commitment": None if known is None else known.digest,
            "public": self.public,
            "public_value": None if known is None else known.public_value or None,
            "key": None if known is None or known.key is None else str(known.key),
        }

    @property
    def _committed(self) -> str:
        assert self.commitment is not None
        text = f"committed to {self.commitment.digest} before the first card"
        if self.commitment.public_value:
            text += f", mixed with {self.public} ({self.commitment.public_value})"
        if self.commitment.key is None:
            return f"{text}; the key is revealed when the event is over."
        return f"{text}; the key is {self.commitment.key} (check: arena deal --verify)."


def deals_in_short(event: Event) -> str:
    """Return a few words on the deals of an event that is about to be played."""
    seed = "" if event.seed is None else f"seed {event.seed}"
    if event.boards_from is not None:
        return ", ".join(filter(None, [seed, f"boards of {event.boards_from}"]))
    return f"{seed} (reproducible, not sealed)" if seed else "sealed deals"
