"""`arena train` of bidders: `deepq`, `neural`, `selfplay`, `disciplined`, `qtable`; `evaluate`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib import import_module
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bridge_arena.bots.deepq import FEWEST
from bridge_arena.commands.common.errors import FailedError, UnusableError, unusable
from bridge_arena.commands.train.options import (
    Check,
    Deals,
    Device,
    Estimate,
    Out,
    Resume,
    Seed,
    SomeDeals,
    Steps,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bridge_arena.bots.library.tricks.net import TricksNet
    from bridge_arena.bots.qtable.examples import Examples
    from bridge_arena.oracle.solved_deals import SolvedDeals

_PAIRS = 500_000
"""The number of random pairs to learn from where no deals are given."""


def deepq(
    out: Out = Path("runs/train-deepq"),
    steps: Steps = 50_000,
    seed: Seed = 1,
    calls: Annotated[
        int, typer.Option(min=2, max=10, help="largest number of calls in an auction")
    ] = 6,
    width: Annotated[int, typer.Option(min=8, help="neurons in a layer")] = 320,
    tricks: Estimate = None,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the networks that bid without opponents, on pairs of hands dealt at random.

    Examples:
        arena train deepq --steps 5000 --out runs/deepq
        arena train deepq --steps 5000 --out runs/deepq --resume
    """
    from bridge_arena.commands.train import common

    net, file = common.estimate_of_tricks(tricks)
    device = common.computing_on(device)
    module = import_module("bridge_arena.bots.deepq.training")
    settings = module.DeepQSettings(seed=seed, steps=steps, calls=calls, width=width)
    sizes = {"steps": steps, "seed": seed, "calls": calls, "width": width}
    options = {**sizes, "tricks": tricks, "device": device}
    record = asdict(settings) | {"device": device, "data": {"tricks": file}}
    figure = "cost_of_checked"
    with common.training_run("deepq", out, options, record, figure, resume=resume) as run:
        bidden = run.phase("pairs bid by the result", module.AUCTIONS)
        trainer = module.DeepQTrainer(settings, module.Labels(net), bidden)
        weights = run.train(trainer, steps, module.EVERY, run.phase("training", steps))
    print(f"the networks are in {weights}")


def neural(
    deals: Deals,
    check: Check,
    out: Out = Path("runs/train-neural"),
    auctions: Annotated[
        int, typer.Option(min=1, help="boards to learn natural's calls from")
    ] = 30_000,
    imitate: Annotated[int, typer.Option(min=1, help="steps of imitation")] = 1500,
    start: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.npz", help="begin self-play with these networks, without imitation"
        ),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, help="steps of self-play")] = 700,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the networks that bid against opponents, scored double dummy.

    First they learn to imitate natural. The command makes its auctions in DIR/auctions; a board
    takes about 4 ms of a processor. Then they learn from auctions against their present and past
    selves, and against natural, qtable and deepq, on the solved deals and on deals scored by the
    estimate of tables that ships.

    Examples:
        arena train neural --deals deals --check check.txt
        arena train neural --deals deals --check check.txt --resume
        arena train neural --deals deals --check check.txt --start weights.npz --out more
    """
    import numpy as np

    from bridge_arena.bots.neural import imitation
    from bridge_arena.bots.neural.net import Nets
    from bridge_arena.commands.train import common

    begun = common.net_of(start, Nets.read, "networks to start from") if start else None
    solved, held_back, data = common.deals_to_learn_from(deals, check)
    device = common.computing_on(device)
    module = import_module("bridge_arena.bots.neural.training")
    settings = module.imitating(seed, imitate, steps, begun)
    how = {"auctions": auctions, "imitate": imitate, "steps": steps, "seed": seed}
    options = {**how, "start": start, "check": check, "deals": deals, "device": device}
    data |= {
        "start": common.recorded([start]) if start else None,
        "imitated_boards": 0 if start else auctions,
        "tables": common.recorded_shipped("bridge_arena.bots.library.tables", "weights.npz"),
    }
    shards = [] if start else imitation.shard_paths(out / "auctions", auctions)
    record = asdict(settings) | {"device": device, "data": data}
    with common.training_run("neural", out, options, record, "from_par", resume=resume) as run:
        on_file = run.phase("files of auctions", len(shards))
        imitated = None
        if shards:
            imitation.make(shards, seed, on_file)
            with unusable(imitation.AuctionsError):
                imitated = imitation.read(shards).rows(np.arange(auctions))
        on_bidden = run.phase("boards bid by the result", settings.bidden)
        opponents = module.SYSTEMS
        course = module.SelfPlay(
            settings, solved, held_back, begun, opponents, imitated, on_bidden=on_bidden
        )
        on_progress = run.phase("training", settings.total)
        weights = run.train(course, settings.total, settings.every, on_progress, ends=settings.ends)
    print(f"the networks are in {weights}")


def selfplay(
    deals: Deals,
    check: Check,
    out: Out = Path("runs/train-selfplay"),
    lessons: Annotated[int, typer.Option(min=1, help="lessons of self-play")] = 500,
    boards: Annotated[int, typer.Option(min=2, help="boards of a lesson")] = 32_768,
    hot: Annotated[
        float, typer.Option(min=0.02, help="temperature of the first lesson, in IMPs")
    ] = 1.0,
    rate: Annotated[float, typer.Option(min=1e-6, help="the highest learning rate")] = 7e-4,
    silent: Annotated[
        float, typer.Option(min=0, max=1, help="share of lessons against silent opponents")
    ] = 0.0,
    start: Annotated[
        Path | None, typer.Option(metavar="FILE.npz", help="begin with these networks")
    ] = None,
    opponent: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE.npz", help="meet these networks now and then; repeatable"),
    ] = None,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the networks of neural by self-play alone, in large lessons, on a GPU.

    They begin with no knowledge of bidding, or with those of --start. They learn from auctions
    against their present and past selves, and in one lesson of five against the networks of
    --opponent, scored double dummy by the estimate of tables that ships and on the solved deals.

    Examples:
        arena train selfplay --deals deals --check check.txt
        arena train selfplay --deals deals --check check.txt --start runs/one/weights.npz --hot 0.3
    """
    from bridge_arena.bots.neural.net import Nets
    from bridge_arena.commands.train import common

    begun = common.net_of(start, Nets.read, "networks to start from") if start else None
    opponents = opponent or []
    given = [common.net_of(path, Nets.read, "networks to meet") for path in opponents]
    solved, held_back, data = common.deals_to_learn_from(deals, check)
    device = common.computing_on(device)
    module = import_module("bridge_arena.bots.neural.training")
    how = {"lessons": lessons, "boards": boards, "hot": hot, "rate": rate, "silent": silent}
    settings = module.SelfPlaySettings(**how, seed=seed, dealt=boards)
    options: dict[str, object] = {**how, "seed": seed, "start": start, "opponent": opponents}
    options |= {"check": check, "deals": deals, "device": device}
    data |= {
        "start": common.recorded([start]) if start else None,
        "opponents": common.recorded(opponents),
        "tables": common.recorded_shipped("bridge_arena.bots.library.tables", "weights.npz"),
    }
    record = asdict(settings) | {"device": device, "data": data}
    with common.training_run("selfplay", out, options, record, "from_par", resume=resume) as run:
        on_bidden = run.phase("boards bid by the result", settings.bidden)
        course = module.SelfPlay(settings, solved, held_back, begun, given, on_bidden=on_bidden)
        on_progress = run.phase("lessons", settings.total)
        weights = run.train(course, settings.total, settings.every, on_progress, ends=settings.ends)
    print(f"the networks are in {weights}")


def disciplined(
    deals: Deals,
    check: Check,
    out: Out = Path("runs/train-disciplined"),
    rounds: Annotated[int, typer.Option(min=1, help="rounds of lessons, then of steps")] = 1,
    boards: Annotated[
        int, typer.Option(min=1, help="boards of a round's lessons, made in files of 1,500")
    ] = 240_000,
    steps: Annotated[int, typer.Option(min=1, help="steps of the optimizer in a round")] = 2500,
    workers: Annotated[
        int | None,
        typer.Option(min=1, help="processes that make lessons; default: one for each processor"),
    ] = None,
    seed: Seed = 1,
    device: Device = "auto",
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the network that judges which call of natural's card to make.

    It learns from auctions in which other calls of the card are tried, scored double dummy on the
    solved deals. The command makes them in DIR/lessons. A board takes about 0.005 seconds of a
    processor.

    Examples:
        arena train disciplined --deals deals --check check.txt
        arena train disciplined --deals deals --check check.txt --boards 15000 --steps 1000
    """
    from bridge_arena.bots.library.learning.arrays import ArraysError
    from bridge_arena.commands.train import common
    from bridge_arena.oracle.errors import OracleError

    solved, held_back, data = common.deals_to_learn_from(deals, check)
    device = common.computing_on(device)
    module = import_module("bridge_arena.bots.disciplined.training")
    how = {"rounds": rounds, "boards": boards, "steps": steps, "seed": seed}
    settings = module.DisciplinedSettings(**how)
    options: dict[str, object] = {**how, "workers": workers, "check": check, "deals": deals}
    options["device"] = device
    data["neural"] = common.recorded_shipped("bridge_arena.bots.neural", "weights.npz")
    record = asdict(settings) | {"device": device, "data": data}
    figure = "against_natural"
    with common.training_run("disciplined", out, options, record, figure, resume=resume) as run:
        on_file = run.phase("files of lessons", settings.files)
        course = module.Rounds(settings, solved, held_back, out / "lessons", workers, on_file)
        total = rounds * steps
        ends = range(steps, total, steps)
        on_progress = run.phase("training", total)
        try:
            weights = run.train(course, total, module.EVERY, on_progress, ends=ends)
        except OracleError as error:
            raise FailedError(f"lessons could not be made: {error}") from None
        except ArraysError as error:
            raise UnusableError(f"{error}; a run in a new folder makes its lessons again") from None
    print(f"the network is in {weights}")


def qtable(
    out: Out = Path("runs/train-qtable"),
    rounds: Annotated[int, typer.Option(min=1, help="rounds of 250,000 examples")] = 40,
    deals: SomeDeals = None,
    pairs: Annotated[
        int | None, typer.Option(min=400, help="random pairs to learn from, with estimated tricks")
    ] = None,
    tricks: Estimate = None,
    openings: Annotated[
        Path | None, typer.Option(metavar="FILE", help="the opening bids; default: those that ship")
    ] = None,
    rate: Annotated[float, typer.Option(min=0, max=1, help="learning rate at first")] = 0.3,
    exploration: Annotated[
        float, typer.Option(min=0, max=1, help="probability of a random call at first")
    ] = 0.3,
    seed: Seed = 1,
    resume: Resume = False,  # noqa: FBT002
) -> None:
    """Train the table that bids without opponents.

    It learns from solved deals, from random pairs of hands with estimated tricks, or from both;
    by default from 500,000 random pairs. One example in 20 is held back to measure it.

    Examples:
        arena train qtable --deals deals
        arena train qtable --pairs 100000 --rounds 10
    """
    from bridge_arena.bots.qtable.examples import CHUNK
    from bridge_arena.commands.train import common

    module = import_module("bridge_arena.bots.qtable.training")
    settings = import_module("bridge_arena.bots.qtable.tiles").TileSettings(
        rate=rate, exploration=exploration
    )
    number = pairs if pairs is not None else 0 if deals else _PAIRS
    table, opened = _openings(openings)
    net, estimate = common.estimate_for(number, tricks)
    files = common.to_learn_from(common.deal_files(*(deals or ())), ())
    solved = common.solved_deals(files) if deals else None
    data: dict[str, object] = {"deals": common.recorded(files), "pairs": number}
    data |= {"tricks": estimate, "openings": opened}
    record = asdict(settings) | {"seed": seed, "rounds": rounds, "data": data}
    options: dict[str, object] = {"rounds": rounds, "seed": seed, "rate": rate}
    options |= {"exploration": exploration, "pairs": pairs, "deals": deals}
    options |= {"tricks": tricks, "openings": openings}
    with common.training_run("qtable", out, options, record, "checked", resume=resume) as run:
        on_part = run.phase("estimated pairs", ceil(number / CHUNK))
        examples = _examples(solved, net, number, seed, out / "pairs", on_part)
        on_round = run.phase("rounds", rounds + 1)
        course = module.Rounds(module.Learner(settings, rounds, seed), table, examples)
        weights = run.train(course, rounds, 1, on_round, kept=module.KEPT_EVERY)
        on_round(rounds + 1)
    print(f"the table is in {weights}")


def _openings(path: Path | None) -> tuple[NDArray[np.int8], dict[str, str]]:
    """Return the opening bids, and their file for the run's record. Raises UnusableError."""
    from bridge_arena.bots.qtable.opening import (
        SHIPPED,
        OpeningTableError,
        read_openings,
        shipped_openings,
    )
    from bridge_arena.commands.train import common

    if path is None:
        return shipped_openings(), common.recorded_shipped(
            "bridge_arena.bots.qtable", "tables", SHIPPED
        )
    (entry,) = common.recorded([path])
    with unusable(OpeningTableError):
        return read_openings(path), entry


def _examples(
    solved: SolvedDeals | None,
    net: TricksNet | None,
    pairs: int,
    seed: int,
    folder: Path,
    on_part: Callable[[int], None],
) -> Iterator[Examples]:
    """Yield the examples of solved deals and of random pairs; `on_part` gets each part's number."""
    import numpy as np

    from bridge_arena.bots.qtable.examples import estimated, of_solved
    from bridge_arena.commands.train import common

    if solved is not None:
        yield of_solved([solved])
    if net is not None:
        parts = estimated(net, np.random.default_rng(seed), pairs, folder)
        yield from common.counted(parts, on_part)


def evaluate(
    bot: Annotated[Literal["deepq"], typer.Argument(help="the bidder: deepq")],
    pairs: Annotated[
        Path, typer.Option(metavar="FILE.npz", help="pairs of hands with the costs of contracts")
    ],
    weights: Annotated[
        Path | None, typer.Option(metavar="FILE.npz", help="its networks; default: those that ship")
    ] = None,
    worlds: Annotated[
        int,
        typer.Option(help=f"hands of South to search in, {FEWEST} or more; 0: no search"),
    ] = 0,
    seed: Annotated[int, typer.Option(min=0, help="seed of the search")] = 1,
) -> None:
    """Bid pairs of hands without opponents, and print the mean cost of the contracts in IMPs.

    North begins. docs/training.md describes the file; arena train deals --pairs makes one.

    Examples:
        arena train evaluate deepq --pairs check.npz
    """
    import numpy as np

    from bridge_arena.bots.deepq import net
    from bridge_arena.bots.deepq.search import Search
    from bridge_arena.bots.library.learning.hands import spades_first
    from bridge_arena.bots.library.learning.pairs import PairsError, read_pairs
    from bridge_arena.bots.library.tricks.net import shipped as shipped_tricks
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.commands.train.common import net_of

    with unusable(PairsError, reading=True):
        solved = read_pairs(pairs)
    nets = net_of(weights, net.QNets.read, f"networks of {bot}") if weights else net.shipped()
    if not len(solved):
        raise UnusableError(f"{pairs} holds no pairs")
    hands, partners = (spades_first(solved.hands[:, seat] == 1) for seat in (0, 1))
    if worlds:
        with unusable(ValueError):
            search = Search(nets, shipped_tricks(), worlds)
        with LongWork() as work:
            bidding = search.contracts(hands, partners, np.random.default_rng(seed))
            contracts = np.array(list(work.count(bidding, "bidding", len(solved), "pairs")))
    else:
        contracts = nets.bid(hands, partners).contracts
    costs = solved.costs[np.arange(len(solved)), contracts]
    standard_error = costs.std(ddof=1) / np.sqrt(len(costs)) if len(costs) > 1 else float("nan")
    print(
        f"{bot}: {costs.mean():.4f} ± {standard_error:.4f} IMPs (mean ± s.e., {len(costs)} pairs)"
    )
