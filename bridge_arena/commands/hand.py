"""`arena hand`: hands like a given one, and its opening."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.commands.common.errors import UnusableError, unusable

if TYPE_CHECKING:
    from bridge_arena.bots.library.learning.hands import Hands
    from bridge_arena.bridge.calls import Call
    from bridge_arena.bridge.cards import Hand

RANDOM = 200_000
"""The number of random hands by default."""

LEAST = 0.01
"""The probability of an opening that is shown."""

hand = typer.Typer(help="Compare single hands, and open them.", rich_markup_mode=None)


HandText = Annotated[
    str, typer.Argument(metavar="HAND", help="spades.hearts.diamonds.clubs, as in AKQ2.QJT987.32.2")
]
Number = Annotated[int, typer.Option(min=1, help="number of hands to show")]
SeedOfHands = Annotated[int, typer.Option(min=0, help="seed of the random hands")]


@hand.command("similar")
def similar(
    text: HandText,
    among: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE.csv",
            help="pairs of hands with mean tricks; default: random hands; repeatable",
        ),
    ] = None,
    random: Annotated[
        int | None,
        typer.Option(min=2, max=10_000_000, help=f"number of random hands; default: {RANDOM:,}"),
    ] = None,
    seed: SeedOfHands = 1,
    number: Number = 10,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="weights of hand2vec; default: those that ship"),
    ] = None,
) -> None:
    """Show the hands most like a given one, by the tricks that they take with any partner.

    The distance is that between the vectors of the hands; two random hands are about 1.4 apart.

    Examples:
        arena hand similar AKQ2.QJT987.32.2
        arena hand similar AKQ2.QJT987.32.2 --number 20
    """
    from rich.table import Table

    from bridge_arena.bots.library.hand2vec.net import Hand2VecNet, shipped
    from bridge_arena.bots.library.hand2vec.net import similar as most_similar
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.commands.train.common import net_of

    query = _query(text)
    if among and random is not None:
        raise UnusableError("--random has no part in hands of a file (--among)")
    net = net_of(weights, Hand2VecNet.read, "net of hand2vec") if weights else shipped()
    table = Table("hand", "HCP", "shape", "distance", box=None, pad_edge=False)
    table.add_row(*_described(query), "")
    for alike in most_similar(net, query, _hands(among, random or RANDOM, seed), number):
        table.add_row(*_described(alike.hand), f"{alike.distance:.3f}")
    output_console().print(table)


@hand.command("opening")
def opening(
    text: HandText,
    among: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.csv", help="hands with openings, as ;PBN;OPENING; default: random hands"
        ),
    ] = None,
    seed: SeedOfHands = 1,
    number: Number = 5,
    weights: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="weights of openings; default: those that ship"),
    ] = None,
) -> None:
    """Tell how players open a hand as dealer, and how they open hands like it.

    The net that ships learned from 1,000 hands that players of the Polish second league opened, in
    Polish Club. The hands like it are random ones, each with its likeliest opening; with --among
    they have the opening that was chosen.

    Examples:
        arena hand opening AKQ2.QJT987.32.2
        arena hand opening AK652.K3.AK4.AQ2 --number 10
    """
    from rich.table import Table

    from bridge_arena.bots.library.hand2vec.net import shipped
    from bridge_arena.bots.library.hand2vec.net import similar as most_similar
    from bridge_arena.bots.library.learning.hands import hands_array
    from bridge_arena.bots.library.openings.net import OpeningsNet
    from bridge_arena.bots.library.openings.net import shipped as shipped_openings
    from bridge_arena.commands.common.console import output_console
    from bridge_arena.commands.train.common import net_of

    query = _query(text)
    net = net_of(weights, OpeningsNet.read, "net of openings") if weights else shipped_openings()
    known = {} if among is None else _known(among)
    hands = hands_array(known) if known else _hands(None, RANDOM, seed)
    likely = Table("opening", "probability", box=None, pad_edge=False)
    for call, probability in net.likely(query):
        if probability >= LEAST:
            likely.add_row(str(call), f"{100 * probability:.0f} %")
    table = Table("hand", "HCP", "shape", "distance", "opening", box=None, pad_edge=False)
    for alike in most_similar(shipped(), query, hands, number):
        call = known.get(alike.hand) or net.likely(alike.hand)[0][0]
        table.add_row(*_described(alike.hand), f"{alike.distance:.3f}", str(call))
    console = output_console()
    console.print(likely)
    console.print()
    console.print(table)


def _query(text: str) -> Hand:
    """Return the hand that is asked about. Raises UnusableError."""
    from bridge_arena.bridge.cards import Hand
    from bridge_arena.bridge.errors import NotationError
    from bridge_arena.bridge.loose_hands import plain_hand

    with unusable(NotationError):
        query = Hand.parse(plain_hand(text))
    if len(query) != 13:
        raise UnusableError(f"{text!r} is a hand of {len(query)} cards, not 13")
    return query


def _known(path: Path) -> dict[Hand, Call]:
    """Return the opening of each hand of a file. Raises UnusableError."""
    from bridge_arena.bots.library.learning.hands import hand_of
    from bridge_arena.bots.library.openings.data import call_of
    from bridge_arena.commands.train.common import known_openings

    known = known_openings(path)
    return {hand_of(row): call_of(text) for row, text in zip(known.hands, known.calls, strict=True)}


def _hands(files: list[Path] | None, number: int, seed: int) -> Hands:
    """Return the hands of files, or random ones. Raises UnusableError."""
    import numpy as np

    from bridge_arena.bots.library.learning.hands import random_pairs
    from bridge_arena.commands.train.common import mean_tricks

    if files:
        known = mean_tricks(files)
        return np.concatenate([known.hands, known.partners])
    pairs = random_pairs(np.random.default_rng(seed), (number + 1) // 2)
    return np.concatenate(pairs)[:number]


def _described(hand: Hand) -> tuple[str, str, str]:
    """Return the cells of a hand, its high-card points and its shape."""
    from bridge_arena.bridge.evaluation import hcp, shape

    return str(hand), str(hcp(hand)), "".join(map(str, shape(hand)))
