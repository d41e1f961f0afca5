"""`arena train` of what plays cards: `qplay`, `sarsa`, `dqn` and `fastplay`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.bots.library.minibridge import Defence, HandsKnown, Kept
from bridge_arena.bots.qplay.learning import QPlaySettings, Reward, When
from bridge_arena.commands.common.errors import FailedError, UnusableError
from bridge_arena.commands.train.options import Device, Out, Resume, Seed, Steps

if TYPE_CHECKING:
    from bridge_arena.bots.fastplay.plays import Plays
    from bridge_arena.bots.qplay.learning import Rule

_USUAL = QPlaySettings()

Games = Annotated[int, typer.Option(min=1, help="games to learn from")]
Hands = Annotated[
    HandsKnown, typer.Option(help="whether a state holds the aces and kings of the hands")
]
Rate = Annotated[float, typer.Option(min=0, max=1, help="learning rate")]
Discount = Annotated[float, typer.Option(min=0, max=1, help="discount of the next state's value")]
Spread = Annotated[
    float,
    typer.Option(
        min=0, max=1, help="share of the reward for the adjacent cards of the suit; 0: none"
    ),
]
Rewarded = Annotated[
    Reward, typer.Option(help="a game's reward: the tricks above the contract, or one more")
]
Fed = Annotated[When, typer.Option(help="the steps of a game that get its reward")]
Learned = Annotated[Kept, typer.Option(help="the random games that are learned from")]
Against = Annotated[Defence, typer.Option(help="the rules by which the defenders play")]
Least = Annotated[
    int, typer.Option(min=1, help="leave states out of the table that fewer games reached")
]


def _command(name: str, rule: Rule, says: str) -> Callable[..., None]:
    """Return the command that trains a table by a rule."""

    def train_table(
        out: Out = Path(f"runs/train-{name}"),
        games: Games = 15_000,
        seed: Seed = 1,
        hands: Hands = _USUAL.hands,
        rate: Rate = _USUAL.rate,
        discount: Discount = _USUAL.discount,
        spread: Spread = _USUAL.spread,
        reward: Rewarded = _USUAL.reward,
        when: Fed = _USUAL.when,
        kept: Learned = _USUAL.kept,
        defence: Against = _USUAL.defence,
        least: Least = 2,
        resume: Resume = False,  # noqa: FBT002
    ) -> None:
        from bridge_arena.bots.qplay import training
        from bridge_arena.commands.train import common

        settings = QPlaySettings(rule, hands, rate, discount, spread, reward, when, kept, defence)
        how = asdict(settings)
        del how["rule"]  # the name of the command says it
        options = {"games": games, "seed": seed, **how, "least": least}
        record = {"rule": rule, **options}
        with common.training_run(name, out, options, record, "won", resume=resume) as run:
            on_games = run.phase("games", games)
            course = training.QPlayTrainer(settings, seed, games, least)
            weights = run.train(course, games, training.EVERY, on_games)
        print(f"the table is in {weights}")

    train_table.__name__ = name
    train_table.__doc__ = f"""{says}

    Examples:
        arena train {name} --games 50000 --out runs/{name}
        arena train {name} --games 50000 --out runs/{name} --resume
    """
    return train_table


qplay = _command(
    "qplay",
    "qlearning",
    "Train the table that declares at notrump, by Q-learning from games of a random declarer.",
)
sarsa = _command(
    "sarsa",
    "sarsa",
    "Train the table that declares at notrump, by SARSA from games of a random declarer.",
)


def dqn(
    out: Out = Path("runs/train-dqn"),
    lessons: Annotated[
        int, typer.Option(min=1, help="lessons of 512 games, from which it learns in 20 steps")
    ] = 400,
    seed: Seed = 1,
    width: Annotated[int, typer.Option(min=8, max=4096, help="neurons in a layer")] = 128,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the network that declares at notrump, by Q-learning from games of its own.

    Examples:
        arena train dqn --lessons 40 --out runs/dqn
    """
    from bridge_arena.commands.train import common

    device = common.computing_on(device)
    module = import_module("bridge_arena.bots.dqn.training")
    settings = module.DqnSettings(seed=seed, lessons=lessons, width=width)
    options = {"lessons": lessons, "seed": seed, "width": width, "device": device}
    record = asdict(settings) | {"device": device}
    with common.training_run("dqn", out, options, record, "won", resume=resume) as run:
        trainer, on_progress = module.DqnTrainer(settings), run.phase("lessons", lessons)
        weights = run.train(trainer, lessons, module.EVERY, on_progress)
    print(f"the network is in {weights}")


def fastplay(
    out: Out = Path("runs/train-fastplay"),
    boards: Annotated[
        int, typer.Option(min=1, help="boards to learn from, made in files of 250")
    ] = 120_000,
    check: Annotated[
        int, typer.Option(min=1, help="boards to measure it on; not learned from")
    ] = 2000,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="processes that make boards; default: one for each processor"),
    ] = None,
    steps: Steps = 20_000,
    start: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="go on from this net; default: the one that ships"),
    ] = None,
    earlier: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="learn from the boards of an earlier training too; repeatable"
        ),
    ] = None,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the net that estimates the cost of every card; it goes on from what it knows.

    It learns from boards that it plays itself, with errors, as it is at the start, and from some
    that strangers play. The command makes them in DIR/plays, and solves their cards double dummy. A
    board takes about 0.06 seconds of a processor.

    Examples:
        arena train fastplay --seed 2 --boards 5000 --out runs/fastplay
    """
    from bridge_arena.bots.fastplay.lessons import SHARD, make_shard, shard_paths
    from bridge_arena.bots.fastplay.net import PlayNet, shipped
    from bridge_arena.bots.fastplay.plays import read_plays
    from bridge_arena.bots.library.learning.arrays import ArraysError, joined
    from bridge_arena.bots.library.learning.made_files import make_missing
    from bridge_arena.commands.train import common
    from bridge_arena.oracle.errors import OracleError

    if start is None:
        begun = shipped()
        known = common.recorded_shipped("bridge_arena.bots.fastplay", "weights.npz")
    else:
        begun = common.net_of(start, PlayNet.read, "net to start from")
        (known,) = common.recorded([start])
    device = common.computing_on(device)
    module = import_module("bridge_arena.bots.fastplay.training")
    settings = module.FastPlaySettings(seed=seed, steps=steps)
    held_back = shard_paths(out / "plays", seed, check)
    paths = shard_paths(out / "plays", seed, len(held_back) * SHARD + boards)
    data: dict[str, object] = {"boards": boards, "checked_boards": check, "start": known}
    before = [_boards_of(folder, seed) for folder in earlier or ()]
    if before:
        data["earlier"] = [known for _, known in before]
    record = asdict(settings) | {"device": device, "data": data}
    options: dict[str, object] = {"boards": boards, "check": check, "steps": steps, "seed": seed}
    options |= {"start": start, "earlier": earlier, "device": device, "workers": workers}
    make = partial(make_shard, start=start and start.resolve())
    with common.training_run("fastplay", out, options, record, "declarer", resume=resume) as run:
        try:
            make_missing(paths, make, workers, run.phase("files of boards", len(paths)))
        except OracleError as error:
            raise FailedError(f"boards could not be made: {error}") from None
        try:
            checked = joined(map(read_plays, held_back)).rows(slice(check))
            fresh = joined(map(read_plays, paths[len(held_back) :])).rows(slice(boards))
        except ArraysError as error:
            raise UnusableError(f"{error}; without this file it is made again") from None
        plays = joined([fresh, *(plays for plays, _ in before)])
        trainer = module.PlayTrainer(settings, begun, plays, checked)
        weights = run.train(trainer, steps, module.EVERY, run.phase("training", steps))
    print(f"the net is in {weights}")


def _boards_of(folder: Path, seed: int) -> tuple[Plays, dict[str, str]]:
    """Return the boards of an earlier training, which had another seed, and their record."""
    from bridge_arena.bots.fastplay.plays import read_plays
    from bridge_arena.bots.library.learning.arrays import ArraysError, joined
    from bridge_arena.commands.train import common

    files = sorted((folder / "plays").glob("plays-*.npz"))
    if not files:
        raise UnusableError(f"{folder} has no boards of a training of fastplay")
    if any(file.name.startswith(f"plays-{seed}-") for file in files):
        raise UnusableError(f"{folder} has the boards of seed {seed}: give another --seed")
    try:
        plays = joined(map(read_plays, files))
    except ArraysError as error:
        raise UnusableError(f"no boards of an earlier training: {error}") from None
    return plays, common.recorded_together(folder.resolve().name, files)
