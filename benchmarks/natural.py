"""Measure the bidding system `natural`: its honesty, information, safety, and distance from par.

    python -m benchmarks.natural audit [--deals 10000] [--seed 1] [--show 5]
    python -m benchmarks.natural par [GAMES.pbn] [--boards 2000] [--cache FILE] [--show 5]

`audit`: four players bid random deals, with dealer and vulnerability by board number. The report
has these figures for passes and for other calls, and for a player's first and later calls:

- kept: the share of calls whose explanation holds for the hand that made them;
- narrowed: the share by which an explanation lowers the variance of high-card points, and of a
  suit's length (mean of the four suits), from that of all hands to that of the hands it
  admits, each weighted by its probability. These variances are exact, not sampled;
- found: the share of the variance that an explanation really removes: one less the mean square
  of the hand's distance from the mean of the hands admitted, over the variance of all hands.
  Broken promises lower it, and it can be negative;
- accidents per deal: a forcing call passed (partner's last call was explained as forcing,
  the next player passed, and so did this one), a bid over partner's sign-off, a suit contract
  at the four level or higher with six trumps or fewer in the two hands. Passing a forcing
  double converts it, and passing an answer about key cards may be a stop in the trump suit (a
  suit with seven cards promised): these are counted separately.

`par`: four players bid the deals of recorded games. The double-dummy scores of their contract and
of the recorded one are compared with par, in IMPs without sign. Each table is kept in the cache
file as soon as it is solved, a deal and twenty hexadecimal digits on a line, and the same command
goes on after an interruption.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice, product
from math import comb, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bridge_arena.bots.natural.facts import facts
from bridge_arena.bots.natural.reading import Meaning, State, is_game
from bridge_arena.bots.natural.system import Menu
from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DOUBLE, PASS, Call, Contract
from bridge_arena.bridge.cards import SUIT_MASK, SUITS, Deal, Hand, Suit
from bridge_arena.bridge.evaluation import hcp, suit_hcp
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle import solver
from bridge_arena.oracle.double_dummy_table import DoubleDummyTable
from bridge_arena.oracle.par import par
from bridge_arena.pbn.model import PbnError
from bridge_arena.pbn.read.records import read_records

GAMES = Path(os.environ.get("ARENA_DATA") or "../shared/data") / "wbridge5/games-1-8000.pbn"
CACHE = Path("runs/double-dummy-tables.txt")
Array = NDArray[np.float64]


class Bid(NamedTuple):
    """A call at the table, with its player and its explanation."""

    seat: Seat
    call: Call
    meaning: Meaning
    told: Explanation
    first: bool
    """Whether it is this player's first call."""


def self_play(board: Board) -> tuple[Auction, list[Bid]]:
    """Return the auction of four players, and its calls with their explanations."""
    auction = Auction(board.dealer)
    side = board.dealer.side
    vulnerable = board.vulnerability.includes(side), board.vulnerability.includes(side.other)
    state = State(vulnerable)
    bids: list[Bid] = []
    while not auction.is_over:
        menu = Menu(state)
        call = menu.choose(facts(board.deal[auction.turn]))
        meaning = menu.meaning(call)
        bids.append(Bid(auction.turn, call, meaning, meaning.explanation(), len(bids) < 4))
        state = state.after(call, meaning)
        auction.push(call)
    return auction, bids


# How far explanations narrow a hand.


class Hands:
    """All hands by high-card points and suit lengths, with their probabilities."""

    def __init__(self) -> None:
        suits = np.zeros((14, 11))
        for holding in range(SUIT_MASK + 1):
            suits[holding.bit_count(), suit_hcp(Hand(holding), Suit.CLUBS)] += 1
        shapes = [each for each in product(range(14), repeat=4) if sum(each) == 13]
        self._lengths = np.array(shapes)
        self._weights = np.zeros((len(shapes), 38))
        for index, lengths in enumerate(shapes):
            points = np.ones(1)
            for length in lengths:
                points = np.convolve(points, suits[length])
            self._weights[index] = points[:38]
        total = self._weights.sum()
        if total != comb(52, 13):
            raise AssertionError(f"{total:.0f} hands counted")
        self._points = np.arange(38)
        everything = self.admitted((0, 37), ((0, 13),) * 4)
        assert everything is not None
        self.variance = everything.variance

    @cache  # noqa: B019 (one object, for the whole run)
    def admitted(
        self, points: tuple[int, int], lengths: tuple[tuple[int, int], ...]
    ) -> Admitted | None:
        """Return the hands within the ranges; None where there are none."""
        low, high = points
        fitting = np.ones(len(self._lengths), dtype=bool)
        for suit, (least, most) in enumerate(lengths):
            fitting &= (self._lengths[:, suit] >= least) & (self._lengths[:, suit] <= most)
        weights = self._weights[fitting, low : high + 1]
        total = weights.sum()
        if not total:
            return None
        by_points = weights.sum(axis=0) / total
        by_shape = weights.sum(axis=1) / total
        mean_points, variance_points = _moments(by_points, self._points[low : high + 1])
        measures = [_moments(by_shape, column) for column in self._lengths[fitting].T]
        return Admitted(
            np.array([mean_points, *(mean for mean, _ in measures)]),
            np.array([variance_points, *(variance for _, variance in measures)]),
        )

    def of(self, told: Explanation) -> Admitted | None:
        """Return the hands that an explanation admits."""
        lengths = tuple(told.lengths.get(suit, (0, 13)) for suit in SUITS)
        return self.admitted(told.hcp or (0, 37), lengths)


@dataclass(frozen=True, slots=True)
class Admitted:
    """The figures of a set of hands: high-card points, then the length of each suit."""

    mean: Array
    variance: Array


def _moments(weights: Array, values: NDArray[np.int_]) -> tuple[float, float]:
    mean = float(weights @ values)
    return mean, float(weights @ (values - mean) ** 2)


@dataclass
class Told:
    """The sums over the calls of one kind; arrays hold points, then the four suits."""

    calls: int = 0
    kept: int = 0
    impossible: int = 0
    """Explanations that no hand can keep; they narrow nothing."""
    narrowed: Array = field(default_factory=lambda: np.zeros(5))
    missed: Array = field(default_factory=lambda: np.zeros(5))
    """Squares by which the hand misses what was to be expected, over all hands' variance."""

    def add(self, told: Explanation, hand: Hand, hands: Hands) -> None:
        self.calls += 1
        self.kept += told.holds_for(hand)
        admitted = hands.of(told)
        if admitted is None:
            self.impossible += 1
            self.missed += 1
            return
        held = np.array([hcp(hand), *hand.lengths])
        self.narrowed += 1 - admitted.variance / hands.variance
        self.missed += (held - admitted.mean) ** 2 / hands.variance

    def __add__(self, other: Told) -> Told:
        return Told(
            self.calls + other.calls,
            self.kept + other.kept,
            self.impossible + other.impossible,
            self.narrowed + other.narrowed,
            self.missed + other.missed,
        )

    def line(self, kind: str) -> str:
        calls = max(1, self.calls)
        narrowed, found = self.narrowed / calls, 1 - self.missed / calls
        return (
            f"| {kind} | {self.calls:,} | {self.kept / calls:.2%} | {self.impossible} | "
            f"{narrowed[0]:.3f} | {narrowed[1:].mean():.3f} | "
            f"{found[0]:.3f} | {found[1:].mean():.3f} |"
        )


# Accidents.

FORCING_PASSED = "forcing call passed"
OVER_SIGNOFF = "bid over partner's sign-off"
SHORT_FIT = "four-level suit contract, six trumps or fewer"
CONVERTED = "takeout double converted"
STOPPED = "answer about key cards passed"
ACCIDENTS = (FORCING_PASSED, OVER_SIGNOFF, SHORT_FIT)


def accidents(board: Board, auction: Auction, bids: Sequence[Bid]) -> Iterator[str]:
    """Yield the accidents on a board that the explanations show, and the passes that are none."""
    for index in range(2, len(bids)):
        partner, between, own = bids[index - 2 : index + 1]
        if between.call != PASS:
            continue
        if own.call == PASS and partner.told.forcing:
            yield _passed(bids[: index + 1])
        if own.call.is_bid and partner.call.is_bid and partner.meaning.signoff:
            yield OVER_SIGNOFF
    contract = auction.contract
    if contract is not None and contract.level >= 4 and contract.denomination.trump is not None:
        pair = (contract.declarer, contract.declarer.partner)
        trump = contract.denomination.trump
        if sum(board.deal[seat].length(trump) for seat in pair) <= 6:
            yield SHORT_FIT


def _passed(bids: Sequence[Bid]) -> str:
    """Return what kind of pass it was of partner's forcing call, the last of the bids."""
    partner = bids[-3]
    if partner.call == DOUBLE:
        return CONVERTED
    trump = partner.call.denomination.trump if partner.call.is_bid else None
    if partner.meaning.keys and trump is not None:
        # Partner's and this player's least, by the last calls of both.
        shown = [bid.told.lengths.get(trump, (0, 13))[0] for bid in (*bids[-5:-4], partner)]
        if sum(shown) >= 7:
            return STOPPED
    return FORCING_PASSED


@dataclass
class Audit:
    """The figures of a number of auctions, and the accidents in them."""

    hands: Hands = field(default_factory=Hands)
    deals: int = 0
    told: dict[tuple[bool, bool], Told] = field(default_factory=lambda: defaultdict(Told))
    """By whether the call is a pass, and the player's first."""
    happened: Counter[str] = field(default_factory=Counter)
    broken: Counter[str] = field(default_factory=Counter)
    """Broken promises, by call and text."""
    examples: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, board: Board) -> None:
        auction, bids = self_play(board)
        self.deals += 1
        for index, bid in enumerate(bids):
            hand = board.deal[bid.seat]
            self.told[bid.call == PASS, bid.first].add(bid.told, hand, self.hands)
            if not bid.told.holds_for(hand):
                self.broken[f"{bid.call} {bid.told.text}"] += 1
                self.examples["promise broken"].append(
                    f"{bid.seat} {hand}: {words(bids[:index])}, then {bid.call} {bid.told}"
                )
        for accident in accidents(board, auction, bids):
            self.happened[accident] += 1
            self.examples[accident].append(f"{board.deal} {board.dealer}: {words(bids)}")

    @property
    def accidents(self) -> int:
        return sum(self.happened[kind] for kind in ACCIDENTS)

    def report(self, show: int) -> Iterator[str]:
        yield (
            "| calls | number | kept | impossible | narrowed: points | lengths "
            "| found: points | lengths |"
        )
        yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
        for is_pass, name in ((True, "Pass"), (False, "other")):
            first, later = self.told[is_pass, True], self.told[is_pass, False]
            yield first.line(f"{name}, first")
            yield later.line(f"{name}, later")
            yield (first + later).line(name)
        yield sum(self.told.values(), Told()).line("all")
        yield ""
        yield f"accidents per 1,000 deals: {1000 * self.accidents / self.deals:.2f}"
        for kind in (*ACCIDENTS, CONVERTED, STOPPED):
            apart = "" if kind in ACCIDENTS else " (no accident)"
            yield f"  {1000 * self.happened[kind] / self.deals:.2f} {kind}{apart}"
        yield ""
        yield "promises most often broken:"
        for text, count in self.broken.most_common(10):
            yield f"  {count} {text}"
        for kind in ("promise broken", *ACCIDENTS):
            for example in self.examples[kind][:show]:
                yield f"{kind}: {example}"


def words(bids: Iterable[Bid]) -> str:
    return " ".join(f"{bid.call}({bid.told.text})" if bid.call != PASS else "Pass" for bid in bids)


def audit(deals: int, seed: int, show: int) -> None:
    started = time.monotonic()
    found = Audit()
    for number in range(1, deals + 1):
        found.add(Board.dealt(seed, number))
        if number % 500 == 0:
            _progress(f"{number} of {deals} deals, {time.monotonic() - started:.0f} s")
    print(*found.report(show), sep="\n")


# Near par.


class Outcome(NamedTuple):
    """A contract against par; `kind` says what was reached, what par is, and whose."""

    missed: int
    """IMPs, either way."""
    kind: tuple[str, str, str]


def outcome(contract: Contract | None, board: Board, table: DoubleDummyTable) -> Outcome:
    tricks = None if contract is None else table.tricks(contract.denomination, contract.declarer)
    score = score_ns(contract, tricks, board.vulnerability)
    best = par(table, board.dealer, board.vulnerability)
    target = best.contracts[0].contract if best.contracts else None
    if contract is None or target is None:
        side = ""
    else:
        side = "same side" if contract.declarer.side == target.declarer.side else "other side"
    aim = "sacrifice" if target is not None and target.risk else _kind(target)
    return Outcome(abs(imps(score - best.score)), (_kind(contract), aim, side))


def _kind(contract: Contract | None) -> str:
    if contract is None:
        return "passed out"
    if contract.level >= 6:
        return "slam"
    return "game" if is_game(Call.bid(contract.level, contract.denomination)) else "part"


def tables(deals: Sequence[Deal], file: Path) -> Iterator[DoubleDummyTable]:
    """Yield the table of every deal, from the file, or solved and added to the file."""
    known = dict(_read(file))
    missing = [deal for deal in dict.fromkeys(deals) if deal not in known]
    file.parent.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with file.open("a", encoding="ascii") as kept:
        for start in range(0, len(missing), solver.BATCH):
            batch = missing[start : start + solver.BATCH]
            for deal, table in zip(batch, solver.tables(batch), strict=True):
                known[deal] = table
                kept.write(f"{deal}\t{''.join(f'{tricks:x}' for tricks in table.results)}\n")
            kept.flush()
            solved = start + len(batch)
            seconds = time.monotonic() - started
            _progress(f"{solved} of {len(missing)} tables solved, {seconds:.0f} s")
    return (known[deal] for deal in deals)


def _read(file: Path) -> Iterator[tuple[Deal, DoubleDummyTable]]:
    if not file.exists():
        return
    for line in file.read_text(encoding="ascii").splitlines(keepends=True):
        deal, _, results = line.partition("\t")
        if results.endswith("\n"):  # else the last writer was interrupted
            yield (
                Deal.parse(deal),
                DoubleDummyTable(tuple(int(each, 16) for each in results.strip())),
            )


def near_par(games: Path, boards: int, file: Path, show: int) -> None:
    records = list(islice(read_records(games), boards))
    own: list[Outcome] = []
    recorded: list[Outcome] = []
    worst: list[tuple[int, str]] = []
    solved = tables([record.board.deal for record in records], file)
    for number, (record, table) in enumerate(zip(records, solved, strict=True), 1):
        auction, bids = self_play(record.board)
        own.append(outcome(auction.contract, record.board, table))
        recorded.append(outcome(record.contract, record.board, table))
        said = f"{record.board.deal} {record.board.dealer}: {words(bids)}"
        worst.append((own[-1].missed - recorded[-1].missed, said))
        if number % 500 == 0:
            _progress(f"{number} of {len(records)} boards bid")
    print(*compare(own, recorded), sep="\n")
    for missed, said in sorted(worst, reverse=True)[:show]:
        print(f"{missed} IMPs worse than recorded: {said}")


def compare(own: Sequence[Outcome], recorded: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the report on two sets of contracts for the same deals."""
    yield "| contracts | boards | IMPs from par | s.e. |"
    yield "| --- | --- | --- | --- |"
    mine, theirs = [each.missed for each in own], [each.missed for each in recorded]
    differences = [one - other for one, other in zip(mine, theirs, strict=True)]
    for name, figures in (("natural", mine), ("recorded", theirs), ("difference", differences)):
        error = stdev(figures) / sqrt(len(figures))
        yield f"| {name} | {len(figures)} | {fmean(figures):.3f} | {error:.3f} |"
    yield ""
    yield "| reached | par | | natural: boards | IMPs | recorded: boards | IMPs |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    by_kind = [defaultdict[tuple[str, str, str], list[int]](list) for _ in range(2)]
    for kinds, outcomes in zip(by_kind, (own, recorded), strict=True):
        for each in outcomes:
            kinds[each.kind].append(each.missed)
    total = len(own)
    for kind in sorted({*by_kind[0], *by_kind[1]}, key=lambda k: -sum(by_kind[0][k])):
        columns = [f"{len(kinds[kind])} | {sum(kinds[kind]) / total:.3f}" for kinds in by_kind]
        yield f"| {' | '.join((*kind, *columns))} |"


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    auditing = commands.add_parser("audit", help="self-play on random deals")
    auditing.add_argument(
        "--deals", type=int, default=10_000, help="number of random deals; default: %(default)s"
    )
    auditing.add_argument(
        "--seed", type=int, default=1, help="seed of the deals; default: %(default)s"
    )
    against = commands.add_parser("par", help="recorded deals against double-dummy par")
    against.add_argument(
        "games",
        nargs="?",
        type=Path,
        default=GAMES,
        metavar="GAMES.pbn",
        help="recorded games, PBN; default: %(default)s",
    )
    against.add_argument(
        "--boards", type=int, default=2000, help="boards to use; default: %(default)s"
    )
    against.add_argument(
        "--cache",
        type=Path,
        default=CACHE,
        help="file that keeps the double-dummy tables; default: %(default)s",
    )
    for command in (auditing, against):
        command.add_argument(
            "--show",
            type=int,
            default=0,
            help="examples to print of each kind; default: %(default)s",
        )
    options = parser.parse_args()
    if options.command == "audit":
        if options.deals < 1:
            parser.error(f"{options.deals} deals are nothing to audit")
        audit(options.deals, options.seed, options.show)
        return
    if options.boards < 2:
        parser.error("a standard error needs 2 boards")
    try:
        near_par(options.games, options.boards, options.cache, options.show)
    except (PbnError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
