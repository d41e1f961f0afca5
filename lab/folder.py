"""The folder of an experiment: its definition, and a file for each part that is done.

experiment.json is the definition. parts/00000.npz has the first boards, parts/00001.npz those after
them. A part is written whole or not at all, so an experiment goes on where it was interrupted.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import numpy as np

from bridge_arena.base.files import replace_file, replacing
from bridge_arena.lab.bidders import Bidder
from bridge_arena.lab.experiment import Arrays, DealFile, Experiment, Part

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
        """Remove the experiment if no part of it is done, so that the folder can be used again."""
        with suppress(OSError):  # a part is done: the folder is not empty
            (self.path / "parts").rmdir()
            (self.path / DEFINITION).unlink()
            self.path.rmdir()

    def part(self, index: int) -> Path:
        """Return the path of a part, counted from 0."""
        return self.path / "parts" / f"{index:05d}.npz"

    def has(self, index: int) -> bool:
        return self.part(index).exists()

    def save(self, index: int, arrays: Arrays) -> None:
        """Keep a part. Raises OSError."""
        with replacing(self.part(index)) as path, path.open("wb") as file:
            np.savez_compressed(file, **arrays)  # type: ignore[arg-type]

    def load(self, index: int) -> Part:
        """Return a part that is done. Raises FolderError and OSError."""
        path = self.part(index)
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
