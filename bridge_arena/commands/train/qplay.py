"""`arena train qplay`, `arena train sarsa`: the training of tables that declare at notrump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.bots.library.minibridge import Defence, Kept, Seen
from bridge_arena.bots.qplay.learning import QPlaySettings, Reward, When
from bridge_arena.commands.train.options import Out, Resume, Seed

if TYPE_CHECKING:
    from bridge_arena.bots.qplay.learning import Rule

_USUAL = QPlaySettings()

Games = Annotated[int, typer.Option(min=1, help="games to learn from")]
Hands = Annotated[Seen, typer.Option(help="whether a state holds the aces and kings of the hands")]
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
        settings = QPlaySettings(rule, hands, rate, discount, spread, reward, when, kept, defence)
        _train(name, settings, out, games, seed, least, resume=resume)

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


def _train(
    name: str,
    settings: QPlaySettings,
    out: Path,
    games: int,
    seed: int,
    least: int,
    *,
    resume: bool,
) -> None:
    from bridge_arena.bots.qplay.training import train
    from bridge_arena.commands.train.common import training_run

    how = asdict(settings)
    rule: Rule = how.pop("rule")
    options = {"games": games, "seed": seed, **how, "least": least}
    record = {"rule": rule, **options}
    with training_run(name, out, options, record, "won", resume=resume) as (run, phase):
        weights = train(run, settings, seed, games, least, phase("games", games))
    print(f"the table is in {weights}")
