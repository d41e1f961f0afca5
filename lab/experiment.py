"""The definition of an experiment, what came of some of its boards, and the folder that keeps both.

In the folder, experiment.json is the definition. parts/00000.npz has the first boards,
parts/00001.npz those after them. Slow bots begin a part in parts/00000.begun.npz, with the first of
its boards. A file is written whole or not at all, so an experiment goes on where it was
interrupted.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge_arena.base.files import replace_file, replacing
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


DEFINITION = "experiment.json"

FORMAT = "bridge-arena experiment 1"


class FolderError(Exception):
    """The error of a folder that cannot be used; its line says why."""


class Folder:
    def __init__(self, path: Path, experiment: Experiment) -> None:
        self.path = path
        self.experiment = experiment  # its definition

    @classmethod
    def new(cls, path: Path, experiment: Experiment) -> Folder:
        """Make the folder of a new experiment. Raises FolderError, OSError."""
        if (path / DEFINITION).exists():
            raise FolderError(f"{path} holds an experiment already: choose another --out")
        (path / "parts").mkdir(parents=True, exist_ok=True)
        text = json.dumps({"format": FORMAT, **asdict(experiment)}, indent=2)
        replace_file(path / DEFINITION, text.encode() + b"\n")
        return cls(path, experiment)

    @classmethod
    def open(cls, path: Path) -> Folder:
        """Open the folder of an experiment. Raises FolderError, OSError."""
        file = path / DEFINITION
        if not file.exists():
            raise FolderError(f"{path} holds no experiment")
        try:
            facts = json.loads(file.read_bytes())
            form = facts.pop("format")
            arms = tuple(Bidder(**arm) for arm in facts.pop("arms"))
            opponent = Bidder(**facts.pop("opponent"))
            deals = tuple(DealFile(**file) for file in facts.pop("deals"))
            leader = facts.pop("leader", None)
            experiment = Experiment(
                arms, opponent, deals=deals, leader=leader and Bidder(**leader), **facts
            )
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise FolderError(f"{file} is no definition of an experiment ({error})") from None
        if form != FORMAT:
            raise FolderError(f"{file} is {form!r}, expected {FORMAT!r}")
        return cls(path, experiment)

    def discard(self) -> None:
        """Remove the experiment if no board of it is done, so that the folder can be used again."""
        with suppress(OSError):  # a part is there: the folder is not empty
            (self.path / "parts").rmdir()
            (self.path / DEFINITION).unlink()
            self.path.rmdir()

    def part(self, index: int) -> Path:
        """Return the path of a part, counted from 0."""
        return self.path / "parts" / f"{index:05d}.npz"

    def has(self, index: int) -> bool:
        return self.part(index).exists()

    def keep(self, index: int, size: int, arrays: Arrays) -> None:
        """Keep the next boards of a part, which has `size` of them. Raises FolderError, OSError."""
        begun = self.begun(index)
        if begun is not None:
            arrays = Part.joined([begun, Part.of(arrays)]).arrays()
        is_whole = len(arrays["numbers"]) == size
        kept = self.part(index) if is_whole else self._begun(index)
        with replacing(kept) as path, path.open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]
        if is_whole:
            self._begun(index).unlink(missing_ok=True)

    def load(self, index: int) -> Part:
        """Return a part that is done. Raises FolderError and OSError."""
        return self._load(self.part(index))

    def begun(self, index: int) -> Part | None:
        """Return the boards of a part that is not whole. Raises FolderError and OSError."""
        path = self._begun(index)
        return self._load(path) if path.exists() else None

    def boards_done(self) -> int:
        """Return how many boards are done, of all parts. Raises FolderError and OSError."""
        boards, size = self.experiment.boards, self.experiment.part
        done = 0
        for index, start in enumerate(range(0, boards, size)):
            if self.has(index):
                done += min(size, boards - start)
            elif (begun := self.begun(index)) is not None:
                done += len(begun.boards)
        return done

    def _begun(self, index: int) -> Path:
        return self.part(index).with_suffix(".begun.npz")

    def _load(self, path: Path) -> Part:
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return Part.of(dict(arrays))
        except (ValueError, KeyError, EOFError, zipfile.BadZipFile):
            raise FolderError(f"{path} is damaged; without it its boards are bid again") from None

    def parts(self, boards: int) -> Iterator[Part]:
        """Yield the parts that hold the first boards, as far as they are done without a gap."""
        index = 0
        while boards > 0 and self.has(index):
            part = self.load(index)
            yield part
            boards -= len(part.boards)
            index += 1
