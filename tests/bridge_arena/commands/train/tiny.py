"""Tiny versions of all trainings, each with the files that it reads."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.commands.main import run
from bridge_arena.oracle.solved_deals import Heading, SolvedDeals, write
from tests.late_imports import late_imports

with late_imports("numba", "pytorch_optimizer", "torch"):
    from bridge_arena.bots.neural import training


class Tiny(NamedTuple):
    """A training that takes about a second.

    It has the words of its command; what is smaller than usual, by the name in the package, for
    settings by their names; and how often it is to be killed.
    """

    words: str
    smaller: Mapping[str, object]
    kills: int


def made_here(
    paths: list[Path], make: Callable[[Path], None], _: int | None, made: Callable[[int], None]
) -> None:
    """Make files without other processes, which would know nothing of smaller ones."""
    for number, path in enumerate(paths):
        made(number)
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            make(path)


_SELF_PLAY: dict[str, Any] = {
    **{"turns": 16, "meanings": 3, "bidden": 20, "width": 16, "layers": 1, "kept": 2}
}


def imitating(seed: int, imitation: int, lessons: int, _: object) -> training.SelfPlaySettings:
    sizes = {"auctions": 8, "boards": 6, "dealt": 8, "passes": 2}
    return training.SelfPlaySettings(seed, 2, imitation, lessons=lessons, **sizes, **_SELF_PLAY)


_MINIBRIDGE = {"bots.qplay.training.EVERY": 10, "bots.qplay.training.TESTED": 5}

TINY = {
    "qplay": Tiny("--games 200", _MINIBRIDGE, 10),
    "sarsa": Tiny("--games 200", _MINIBRIDGE, 10),
    "openings": Tiny("--openings openings.csv", {}, 4),
    "dqn": Tiny(
        "--lessons 20 --width 8",
        {
            "bots.dqn.training.EVERY": 2,
            "bots.dqn.training.LESSON": 4,
            "bots.dqn.training.PARTS": 2,
            "bots.dqn.training.TESTED": 5,
        },
        4,
    ),
    "tricks": Tiny(
        "--deals some.deals --means means.csv --check other.deals --steps 60",
        {
            "bots.library.tricks.training.EVERY": 4,
            "bots.library.tricks.training.TricksSettings": {"width": 16, "between": 1, "batch": 16},
        },
        4,
    ),
    "tables": Tiny(
        "--deals some.deals --check other.deals --steps 40",
        {
            "bots.library.tables.training.EVERY": 4,
            "bots.library.tables.training.TablesSettings": {"width": 16, "layers": 1, "batch": 16},
        },
        4,
    ),
    "hand2vec": Tiny(
        "--means means.csv --pairs 60 --check means.csv --means more.csv --steps 40 --dimensions 3",
        {
            "bots.library.hand2vec.training.CHUNK": 20,
            "bots.library.hand2vec.training.EVERY": 4,
            "bots.library.hand2vec.training.Hand2VecSettings": {"batch": 16},
        },
        4,
    ),
    "deepq": Tiny(
        "--steps 16 --width 16",
        {
            "bots.deepq.training.AUCTIONS": 20_000,
            "bots.deepq.training.CHECKED": 20,
            "bots.deepq.training.EVERY": 2,
            "bots.deepq.training.DeepQSettings": {"pairs": 16},
        },
        4,
    ),
    "qtable": Tiny(
        "--pairs 500 --rounds 5",
        {
            "bots.qtable.examples.CHUNK": 100,
            "bots.qtable.training.AUCTIONS": 2000,
            "bots.qtable.training.KEPT_EVERY": 1,
            "bots.qtable.training.ROUND": 200,
        },
        3,
    ),
    "fastplay": Tiny(
        "--boards 4 --check 2 --steps 20",
        {
            "bots.library.learning.made_files.make_missing": made_here,
            "bots.fastplay.lessons.SHARD": 1,
            "bots.fastplay.training.EVERY": 4,
            "bots.fastplay.training.FastPlaySettings": {"batch": 16},
        },
        3,
    ),
    "neural": Tiny(
        "--deals some.deals --check other.deals --auctions 8 --imitate 4 --steps 6",
        {
            "bots.neural.imitation.SHARD": 4,
            "bots.neural.training.imitating": imitating,
        },
        3,
    ),
    "selfplay": Tiny(
        "--deals some.deals --check other.deals --lessons 8 --boards 6 --hot 0.5",
        {
            "bots.neural.training.SelfPlaySettings": {"every": 2, **_SELF_PLAY},
        },
        3,
    ),
    "disciplined": Tiny(
        "--deals some.deals --check other.deals --rounds 2 --boards 12 --steps 6",
        {
            "bots.disciplined.lessons.SHARD": 6,
            "bots.disciplined.training.make_missing": made_here,
            "bots.disciplined.training.EVERY": 2,
            "bots.disciplined.training.CHECKED": 8,
            "bots.disciplined.training.DisciplinedSettings": {
                **{"width": 16, "layers": 1, "batch": 16},
            },
        },
        4,
    ),
}


def write_files(folder: Path) -> None:
    """Write what the trainings read: deals and hands with made-up results."""
    rng = np.random.default_rng(1)
    for seed, name in enumerate(("some.deals", "other.deals"), start=1):
        seats = np.zeros((20, 52), np.uint8)
        for number, row in enumerate(seats, start=1):
            deal = random_deal(seed, number)
            for seat in SEATS:
                row[list(deal[seat])] = int(seat)
        tricks = rng.integers(14, size=(20, 5, 4)).astype(np.uint8)
        write(folder / name, Heading(seed, 1, 20, 1, "none"), SolvedDeals(seats, tricks))
    for seed, name in enumerate(("means.csv", "more.csv"), start=3):
        lines = [";N;S;NC;ND;NH;NS;NNT;SC;SD;SH;SS;SNT"]
        for number in range(20):
            deal = random_deal(seed, number + 1)
            means = ";".join(f"{mean:.1f}" for mean in rng.uniform(0, 13, 10))
            lines.append(f"{number};{deal[Seat.NORTH]};{deal[Seat.SOUTH]};{means}")
        (folder / name).write_text("\n".join(lines) + "\n")
    hands = [random_deal(5, number)[Seat.NORTH] for number in range(1, 31)]
    lines = [f"{n};{hand};{'1C' if n % 2 else 'PASS'}" for n, hand in enumerate(hands)]
    (folder / "openings.csv").write_text("\n".join([";PBN;OPENING", *lines]) + "\n")


def train(name: str, folder: Path, out: str) -> None:
    """Train in a process of its own, from the beginning or where another was killed, and exit."""
    os.chdir(folder)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    tiny = TINY[name]
    for path, value in tiny.smaller.items():
        name_of_module, _, attribute = path.rpartition(".")
        module = import_module(f"bridge_arena.{name_of_module}")
        settings = isinstance(value, Mapping) and partial(getattr(module, attribute), **value)
        setattr(module, attribute, settings or value)
    resume = ["--resume"] if Path(out, "record.json").exists() else []
    raise SystemExit(run(["train", name, *tiny.words.split(), "--out", out, *resume]))
