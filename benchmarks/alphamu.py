"""Whether αµ makes more contracts than Monte Carlo, which knows it will guess right.

    python -m benchmarks.alphamu --deals 1000 --seed 1 [--out FILE.jsonl]
        [--bots alphamu:depth=2,bidding=simple alphamu:depth=1,bidding=simple]

Two bots declare the same notrump games, South always, against two defenders who see all
cards and lose no trick double dummy (of equal cards they play the lowest). The default
is αµ at depth 2 against depth 1, which is Monte Carlo for the contract; every card of
both is chosen from the same worlds as long as they play alike.

Deals are dealt at random until 3NT by South is in doubt: with the best lead it can be
made, else neither bot ever makes it against this defence; and of 20 worlds that South
cannot tell apart once dummy is down, it can be made in 20 to 80 per cent.

Reported are the contracts made, the difference per deal with its standard error, and the
deals that a difference takes to be two standard errors wide. Every deal is a line of the
file once it is played; the same command goes on where it was interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import ceil, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, variance

from bots.bidding import system
from bots.client import Bot
from bots.registry import UnknownBotError, parse
from bots.sampling.beliefs import beliefs
from bots.sampling.sampler import Sampler
from bridge.board import Board, random_deal, seat_seed
from bridge.calls import Call, Contract, Denomination, Risk
from bridge.cards import Card, Deal
from bridge.evaluation import hcp
from bridge.play import Play
from bridge.seats import Seat, Vulnerability
from oracle.position import Position
from oracle.solver import best_tricks, card_values
from protocol.messages import (
    AuctionEnd,
    BoardStart,
    CallMade,
    CardPlayed,
    DummyShown,
    TrickEnd,
)
from protocol.view import View

CONTRACT = Contract(3, Denomination.NOTRUMP, Risk.UNDOUBLED, Seat.SOUTH)
POINTS = (22, 28)
"""North and South together; few others come near 20 to 80 per cent."""
WORLDS = 20
DOUBT = (0.2, 0.8)


@dataclass(frozen=True)
class Setup:
    """What the lines of a file have in common: its first line."""

    seed: int
    bots: tuple[str, str]


@dataclass(frozen=True)
class Result:
    """One deal: its number in the stream of the seed, the share of worlds in which it can
    be made after the lead, whether each bot made it, and the seconds that each took for
    a card that was not the only one."""

    deal: int
    chance: float
    made: tuple[int, int]
    seconds: tuple[float, float]


class Table:
    """One play of 3NT by South, as it is and as South sees it."""

    def __init__(self, seed: int, number: int) -> None:
        self.deal = random_deal(seed, number)
        self.seed = seat_seed(seed, number, Seat.SOUTH)
        self.play = Play(CONTRACT)
        board = Board(number, Seat.SOUTH, Vulnerability.NONE, self.deal)
        self.view = View(Seat.SOUTH, _start(board, self.seed))
        for offset, call in enumerate("3NT Pass Pass Pass".split()):
            self.view.apply(
                CallMade(
                    table="", board=number, seq=0, seat=Seat((2 + offset) % 4), call=Call(call)
                )
            )
        self.view.apply(
            AuctionEnd(table="", board=number, seq=0, contract="3NT", declarer=Seat.SOUTH)
        )
        self._number = number

    def push(self, card: Card) -> None:
        seat = self.play.turn
        number = self._number
        trick = self.play.push(card)
        self.view.apply(CardPlayed(table="", board=number, seq=0, seat=seat, card=card))
        if len(self.play.cards) == 1:
            hand = self.deal[Seat.NORTH]
            self.view.apply(DummyShown(table="", board=number, seq=0, seat=Seat.NORTH, hand=hand))
        if trick is not None:
            self.view.apply(TrickEnd(table="", board=number, seq=0, winner=trick.winner))

    def defend(self) -> None:
        """The lowest of the cards that are best double dummy."""
        values = card_values(Position.of(self.play, self.deal.hands))
        most = max(values.values())
        best = [card for card, tricks in values.items() if tricks == most]
        self.push(min(best, key=lambda card: (card.rank, card.suit)))

    @property
    def is_made(self) -> bool | None:
        """Whether the contract is made, or cannot be any more; None while it can."""
        play = self.play
        if play.declarer_tricks >= CONTRACT.tricks_needed:
            return True
        if play.is_over:
            return False
        position = Position.of(play, self.deal.hands)
        best = best_tricks(position)
        ours = position.turn.side == Seat.SOUTH.side
        rest = best if ours else len(position.hands[position.turn]) - best
        return None if play.declarer_tricks + rest >= CONTRACT.tricks_needed else False


def _start(board: Board, seed: int) -> BoardStart:
    return BoardStart(
        table="",
        board=board.number,
        seq=0,
        dealer=board.dealer,
        vulnerability=board.vulnerability,
        hand=board.deal[Seat.SOUTH],
        seed=seed,
    )


def chance_of(seed: int, number: int) -> float | None:
    """The share of worlds in which a deal can be made after the lead; None for a deal that
    does not take part."""
    deal = random_deal(seed, number)
    if not POINTS[0] <= _points(deal) <= POINTS[1]:
        return None
    table = Table(seed, number)
    if table.is_made is False:
        return None
    table.defend()
    sampler = Sampler(table.view, beliefs(table.view, system("simple")))
    worlds = sampler.draw(WORLDS, Random(table.seed))
    play = table.play
    makable = [
        best_tricks(Position(hands, play.trump, play.leader, tuple(play.trick)))
        >= CONTRACT.tricks_needed
        for hands in worlds
    ]
    chance = fmean(makable)
    return chance if DOUBT[0] <= chance <= DOUBT[1] else None


def _points(deal: Deal) -> int:
    return hcp(deal[Seat.NORTH]) + hcp(deal[Seat.SOUTH])


def declare(bot: Bot, seed: int, number: int) -> tuple[int, float]:
    """Whether the bot makes 3NT on a deal, and its mean seconds for a free choice."""
    table = Table(seed, number)
    spent: list[float] = []
    while (made := table.is_made) is None:
        play = table.play
        if play.player != play.declarer:
            table.defend()
            continue
        # The same worlds for every bot that comes to the same trick.
        bot.rng = Random(table.seed + len(play.cards))
        started = time.perf_counter()
        card = bot.play(table.view)
        if len(table.view.legal_cards()) > 1:
            spent.append(time.perf_counter() - started)
        table.push(card)
    return int(made), fmean(spent) if spent else 0.0


def results(setup: Setup, after: int) -> Iterator[Result]:
    """The deals that take part, from the one after `after` on, without end."""
    bots = [parse(spec)[1]() for spec in setup.bots]
    number = after
    while True:
        number += 1
        chance = chance_of(setup.seed, number)
        if chance is None:
            continue
        (first, quick), (second, slow) = (declare(bot, setup.seed, number) for bot in bots)
        yield Result(number, chance, (first, second), (quick, slow))


def load(path: Path, setup: Setup) -> list[Result]:
    """The deals played already. Raises ValueError where the file is of another setup.

    A last line that was not written whole is cut off.
    """
    if not path.exists() or not path.stat().st_size:
        path.write_text(json.dumps(asdict(setup)) + "\n")
        return []
    whole, _, _ = path.read_text().rpartition("\n")
    path.write_text(whole + "\n")
    first, *lines = whole.split("\n")
    if json.loads(first) != json.loads(json.dumps(asdict(setup))):
        raise ValueError(f"{path} holds another experiment: {first}")
    return [
        Result(each["deal"], each["chance"], tuple(each["made"]), tuple(each["seconds"]))
        for each in map(json.loads, lines)
    ]


def summary(setup: Setup, played: list[Result]) -> str:
    lines: list[str] = []
    for index, spec in enumerate(setup.bots):
        made = sum(each.made[index] for each in played)
        seconds = fmean(each.seconds[index] for each in played)
        lines.append(
            f"{spec:34} {made:5} of {len(played)} made ({made / len(played):.1%}), "
            f"{seconds:.2f} s a choice"
        )
    differences = [first - second for first, second in (each.made for each in played)]
    won, lost = differences.count(1), differences.count(-1)
    lines.append(f"made by one alone: {won} and {lost}")
    if len(played) > 1:
        mean, spread = fmean(differences), variance(differences)
        lines.append(f"difference {mean:+.2%} ± {sqrt(spread / len(played)):.2%} a deal (s.e.)")
        if spread:
            needed = ceil(4 * spread / 0.01**2)
            lines.append(f"deals for a difference of 1 % to be 2 s.e. wide: {needed}")
        if spread and mean:
            lines.append(f"deals for the one seen to be 2 s.e. wide: {ceil(4 * spread / mean**2)}")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--deals", type=int, default=100, help="that take part, in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("alphamu.jsonl"))
    default = ("alphamu:depth=2,bidding=simple", "alphamu:depth=1,bidding=simple")
    parser.add_argument("--bots", nargs=2, default=default, metavar=("FIRST", "SECOND"))
    arguments = parser.parse_args()
    setup = Setup(arguments.seed, tuple(arguments.bots))
    try:
        for spec in setup.bots:
            parse(spec)
        played = load(arguments.out, setup)
    except (UnknownBotError, ValueError, OSError) as error:
        parser.error(str(error))
    try:
        with arguments.out.open("a") as file:
            coming = results(setup, played[-1].deal if played else 0)
            while len(played) < arguments.deals:
                played.append(next(coming))
                file.write(json.dumps(asdict(played[-1])) + "\n")
                file.flush()
                made = [sum(each.made[index] for each in played) for index in (0, 1)]
                print(
                    f"\r{len(played)} of {arguments.deals} deals, made {made[0]} and {made[1]} ",
                    end="",
                    file=sys.stderr,
                    flush=True,
                )
    except KeyboardInterrupt:
        print("\ninterrupted: the same command goes on from here", file=sys.stderr)
        status = 3
    else:
        print(file=sys.stderr)
        status = 0
    if played:
        print(summary(setup, played))
    sys.exit(status)


if __name__ == "__main__":
    main()
