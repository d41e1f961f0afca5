"""Measure whether αµ makes as many contracts as Monte Carlo, which counts on guessing right.

    python -m research.alphamu [--deals 400] [--seed 1] [--bots alphamu montecarlo:advice=0]
        [--out FILE.jsonl]

Two bots declare the same 3NT contracts as South, against two defenders who see all cards and
lose no trick double dummy; of equally good cards they play the lowest. As long as both bots play
alike, they draw the same worlds, as far as they draw the same number of them.

Deals are dealt at random until 3NT by South is in doubt. It can be made after the best lead, as
otherwise no bot ever makes it against this defence; and it can be made in 20 to 80 per cent of 20
worlds that South cannot tell apart when dummy is down.

The report has the contracts made, the differences in contracts and tricks per deal with their
standard errors, and the number of deals with which a difference would be two standard errors.

Two processes play, each with one thread of the solver. A deal is kept in the file when both bots
have played it, and the same command goes on after an interruption. The file identifies bots by
their names: use a new file when a bot has changed.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass
from itertools import count
from math import ceil
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean

from benchmarks.running import PROCESSES, interrupted, lost, prepare
from bridge_arena.bots.library.hand_ranges import ANY
from bridge_arena.bots.library.sampling.sampler import Sampler
from bridge_arena.bots.registry import UnknownBotError, parse
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Call, Contract, Denomination, Risk
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.evaluation import hcp
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.bridge.seeds import seat_seed
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import best_tricks, card_values
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
    Message,
    TrickEnd,
)
from bridge_arena.protocol.view import View
from bridge_arena.recorded.checkpoint import Checkpoint, CheckpointError
from bridge_arena.reports.common.wording import mean_text
from bridge_arena.tournaments.statistics.means import Mean

CONTRACT = Contract(3, Denomination.NOTRUMP, Risk.UNDOUBLED, Seat.SOUTH)
POINTS = (22, 28)
"""North and South together; few others come near 20 to 80 per cent."""
WORLDS = 20
DOUBT = (0.2, 0.8)

AHEAD = 8
"""Deals given to the processes before their turn to be counted."""


@dataclass(frozen=True)
class Result:
    """The result of one deal.

    It has the share of worlds in which 3NT can be made after the lead, and for each bot the tricks
    taken and the mean seconds for a card where there was a choice.
    """

    chance: float
    tricks: Sequence[int]
    seconds: Sequence[float]

    def made(self, bot: int) -> bool:
        return self.tricks[bot] >= CONTRACT.tricks_needed


class Table:
    """One play of 3NT by South, as it is and as South sees it."""

    def __init__(self, seed: int, number: int) -> None:
        self.deal = random_deal(seed, number)
        self.seed = seat_seed(seed, number, Seat.SOUTH)
        self.play = Play(CONTRACT)
        start = BoardStart(
            table="",
            board=number,
            seq=0,
            dealer=Seat.SOUTH,
            vulnerability=Vulnerability.NONE,
            hand=self.deal[Seat.SOUTH],
            seed=self.seed,
        )
        self.view = View(Seat.SOUTH, start)
        self._number = number
        for offset, call in enumerate("3NT Pass Pass Pass".split()):
            seat = SEATS[(Seat.SOUTH + offset) % 4]
            self._tell(CallMade(table="", board=number, seq=0, seat=seat, call=Call(call)))
        end = AuctionEnd(table="", board=number, seq=0, contract="3NT", declarer=Seat.SOUTH)
        self._tell(end)

    def push(self, card: Card) -> None:
        number = self._number
        seat = self.play.turn
        trick = self.play.push(card)
        self._tell(CardPlayed(table="", board=number, seq=0, seat=seat, card=card))
        if len(self.play.cards) == 1:
            dummy = self.deal[Seat.NORTH]
            self._tell(DummyShown(table="", board=number, seq=0, seat=Seat.NORTH, hand=dummy))
        if trick is not None:
            self._tell(TrickEnd(table="", board=number, seq=0, winner=trick.winner))

    def defend(self) -> None:
        """Play the lowest of the cards that are best double dummy."""
        values = card_values(Position.of(self.play, self.deal.hands))
        most = max(values.values())
        best = [card for card, tricks in values.items() if tricks == most]
        self.push(min(best, key=lambda card: (card.rank, card.suit)))

    def _tell(self, event: Message) -> None:
        self.view.apply(event)


def candidates(seed: int) -> Iterator[int]:
    """Yield the numbers of the seed's deals in which 3NT may be in doubt."""
    for number in count(1):
        deal = random_deal(seed, number)
        if POINTS[0] <= hcp(deal[Seat.NORTH]) + hcp(deal[Seat.SOUTH]) <= POINTS[1]:
            yield number


def chance_of(seed: int, number: int) -> float | None:
    """Return the share of worlds in which 3NT can be made after the lead.

    None stands for a deal that does not take part.
    """
    table = Table(seed, number)
    if 13 - best_tricks(Position.of(table.play, table.deal.hands)) < CONTRACT.tricks_needed:
        return None
    table.defend()
    worlds = Sampler(table.view, (ANY,) * 4).draw(WORLDS, Random(table.seed))
    play = table.play
    chance = fmean(
        best_tricks(Position(hands, play.trump, play.leader, tuple(play.trick)))
        >= CONTRACT.tricks_needed
        for hands in worlds
    )
    return chance if DOUBT[0] <= chance <= DOUBT[1] else None


def declare(bot: Bot, seed: int, number: int) -> tuple[int, float]:
    """Return the bot's tricks on a deal, and its mean seconds for a free choice."""
    table = Table(seed, number)
    play = table.play
    spent: list[float] = []
    while not play.is_over:
        if play.player != play.declarer:
            table.defend()
            continue
        # The same worlds for every bot that comes to the same trick.
        bot.rng = Random(table.seed + len(play.cards))
        started = time.perf_counter()
        card = bot.play(table.view)
        assert isinstance(card, Card)
        if len(table.view.legal_cards()) > 1:
            spent.append(time.perf_counter() - started)
        table.push(card)
    return play.declarer_tricks, fmean(spent)


def compare(seed: int, number: int, specs: Sequence[str]) -> Result | None:
    """Have both bots declare a deal; return None for one that does not take part."""
    chance = chance_of(seed, number)
    if chance is None:
        return None
    played = [declare(parse(spec)[1](), seed, number) for spec in specs]
    return Result(chance, [tricks for tricks, _ in played], [seconds for _, seconds in played])


def results(
    seed: int, specs: Sequence[str], checkpoint: Checkpoint
) -> Generator[Result, None, None]:
    """Yield the results of the deals that take part, in order and without end.

    They come from the file, or are played now. Raises BrokenProcessPool where a process is lost,
    and CheckpointError.
    """
    numbers = candidates(seed)
    coming: deque[tuple[int, Future[Result | None] | None]] = deque()
    with ProcessPoolExecutor(
        PROCESSES, mp_context=get_context("spawn"), initializer=prepare, initargs=(specs,)
    ) as pool:
        try:
            while True:
                while len(coming) < AHEAD:
                    number = next(numbers)
                    known = checkpoint.get(str(number)) is not None
                    future = None if known else pool.submit(compare, seed, number, specs)
                    coming.append((number, future))
                number, future = coming.popleft()
                if future is not None:
                    result = future.result()
                    checkpoint.save(str(number), result=result and asdict(result))
                kept = (checkpoint.get(str(number)) or {})["result"]
                if kept is not None:
                    yield Result(**kept)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def summary(specs: Sequence[str], played: Sequence[Result]) -> str:
    lines: list[str] = []
    for bot, spec in enumerate(specs):
        made = sum(each.made(bot) for each in played)
        mean = fmean(each.tricks[bot] for each in played)
        seconds = fmean(each.seconds[bot] for each in played)
        lines.append(
            f"{spec:34} {made:5} of {len(played)} made ({made / len(played):.1%}), "
            f"{mean:.2f} tricks, {seconds:.2f} s a choice"
        )
    contracts = [each.made(0) - each.made(1) for each in played]
    percent = Mean.of([100 * difference for difference in contracts])
    tricks = Mean.of([each.tricks[0] - each.tricks[1] for each in played])
    lines += [
        f"made by one alone: {contracts.count(1)} and {contracts.count(-1)}",
        f"first less second, a deal ± s.e.: {mean_text(percent)} % of contracts, "
        f"{mean_text(tricks, 3)} tricks",
    ]
    if percent.standard_error:
        variance = percent.standard_error**2 * percent.n
        needed = ", ".join(f"{wide} %: {ceil(4 * variance / wide**2)}" for wide in (1, 2, 5))
        lines.append(f"deals for a difference in contracts to be 2 s.e. wide: {needed}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--deals",
        type=int,
        default=400,
        help="number of deals that take part; default: %(default)s",
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the deals; default: %(default)s"
    )
    default = ("alphamu", "montecarlo:advice=0")
    parser.add_argument(
        "--bots",
        nargs=2,
        default=default,
        metavar=("FIRST", "SECOND"),
        help="the two bots to compare; default: alphamu montecarlo:advice=0",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/alphamu.jsonl"),
        help="file of the results, which a second run continues; default: %(default)s",
    )
    options = parser.parse_args()
    if options.deals < 1:
        parser.error("at least one deal is needed")
    # A background job is ended by SIGTERM, a foreground one by Ctrl-C: both may go on.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    setup = {"benchmark": "alphamu", "seed": str(options.seed), "bots": " ".join(options.bots)}
    try:
        for spec in options.bots:
            parse(spec)
        options.out.parent.mkdir(parents=True, exist_ok=True)
        checkpoint = Checkpoint(options.out, setup)
    except (UnknownBotError, CheckpointError, OSError) as error:
        parser.error(str(error))
    with checkpoint:
        return run(options.seed, options.bots, options.deals, checkpoint)


def run(seed: int, specs: Sequence[str], deals: int, checkpoint: Checkpoint) -> int:
    """Play what is left, report, and return the exit status."""
    played: list[Result] = []
    coming = results(seed, specs, checkpoint)
    status = 0
    try:
        while len(played) < deals:
            played.append(next(coming))
            made = [sum(each.made(bot) for each in played) for bot in (0, 1)]
            text = f"\r{len(played)} of {deals} deals, made {made[0]} and {made[1]} "
            print(text, end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        status = interrupted()
    except BrokenProcessPool:
        status = lost()
    finally:
        coming.close()
    print(file=sys.stderr)
    if played:
        print(summary(specs, played))
    return status


if __name__ == "__main__":
    sys.exit(main())
