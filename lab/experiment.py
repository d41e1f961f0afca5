"""The definition of an experiment, and what came of some of its boards."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.bidding import Bid, padded
from bridge_arena.lab.boards import LabBoards

PART = 250
"""The boards of a part."""

APART = 20
"""The same, if a bidder is asked one board at a time: a robot may take minutes for them."""

UNKNOWN = 255
"""What stands for tricks that were not solved."""


@dataclass(frozen=True, slots=True)
class DealFile:
    path: str  # in full
    digest: str  # its SHA-256 hash, hexadecimal

    @classmethod
    def of(cls, path: Path) -> DealFile:
        """Return a file as it is now. Raises OSError."""
        with path.open("rb") as file:
            return cls(str(path.resolve()), file_digest(file, "sha256").hexdigest())

    @property
    def has_changed(self) -> bool:
        """Whether the file is gone, or is not what it was when the experiment began."""
        path = Path(self.path)
        return not path.is_file() or self.digest != DealFile.of(path).digest


@dataclass(frozen=True, slots=True)
class Experiment:
    """Bidders, the arms, that each bid the same boards against one opponent."""

    arms: tuple[Bidder, ...]  # each sits North-South in the open room of its match
    opponent: Bidder
    boards: int
    seed: int  # the seed of the boards, and of the bots' own choices
    deals: tuple[DealFile, ...] = ()  # the boards' files; empty to deal them from the seed
    sprt: str | None = None  # the sequential test that ends the experiment; None to bid all boards
    leader: Bidder | None = None  # whose leads are in the scoring bracket; None for no bracket

    def is_apart(self, arm: Bidder) -> bool:
        """Return whether an arm meets the opponent in processes of their own."""
        return arm.is_apart or self.opponent.is_apart

    @property
    def part(self) -> int:
        """The boards that are done, and kept, at a time: some seconds of work, if it is quick."""
        return APART if any(map(self.is_apart, self.arms)) else PART

    @property
    def key(self) -> DealKey:
        """The key that deals and the bots' own choices come from."""
        return DealKey.of_seed(self.seed)


@dataclass(frozen=True, slots=True)
class Match:
    """What came of n boards of one arm against the opponent."""

    bid: Bid  # the auctions in both rooms
    # Declarer's double-dummy tricks, n×2; `UNKNOWN` where both rooms reached the same contract, or
    # the board was passed out.
    tricks: NDArray[np.uint8]
    # North-South's points, n×2; 0 in both rooms where they reached the same contract.
    points: NDArray[np.int64]
    imps: NDArray[np.int64]  # the arm's IMPs, n
    # Declarer's double-dummy tricks after the lead of `lab.bracket`, n×2; `UNKNOWN` where `tricks`
    # is; None if they were not asked for.
    led: NDArray[np.uint8] | None = None


Arrays = dict[str, NDArray[Any]]

_OF_BID = ("calls", "bid", "risk", "declarer")

_OF_MATCH = ("tricks", "points", "imps")


@dataclass(frozen=True, slots=True)
class Part:
    """What came of some of an experiment's boards."""

    boards: LabBoards
    matches: tuple[Match, ...]  # the match of each arm, in the order of the arms

    def arrays(self) -> Arrays:
        """Return the part as arrays by name, for a file."""
        arrays: Arrays = {"numbers": self.boards.numbers, "seats": self.boards.seats}
        for index, match in enumerate(self.matches):
            for name in _OF_BID:
                arrays[f"{index}.{name}"] = getattr(match.bid, name)
            for name in _OF_MATCH:
                arrays[f"{index}.{name}"] = getattr(match, name)
            if match.led is not None:
                arrays[f"{index}.led"] = match.led
        return arrays

    @classmethod
    def of(cls, arrays: Arrays) -> Part:
        """Return the part that `arrays` were made from; KeyError if an array is missing."""
        matches: list[Match] = []
        while (at := f"{len(matches)}.") + "calls" in arrays:
            bid = Bid(*(arrays[at + name] for name in _OF_BID))
            tricks, points, imps = (arrays[at + name] for name in _OF_MATCH)
            matches.append(Match(bid, tricks, points, imps, arrays.get(at + "led")))
        return cls(LabBoards(arrays["numbers"], arrays["seats"]), tuple(matches))

    def first(self, boards: int) -> Part:
        return Part.of({name: array[:boards] for name, array in self.arrays().items()})

    @classmethod
    def joined(cls, parts: list[Part]) -> Part:
        arrays = [part.arrays() for part in parts]
        joined: Arrays = {}
        for name in arrays[0]:
            own = [part[name] for part in arrays]
            if name.endswith(".calls"):
                longest = max(calls.shape[2] for calls in own)
                own = [padded(calls, longest) for calls in own]
            joined[name] = np.concatenate(own)
        return cls.of(joined)
