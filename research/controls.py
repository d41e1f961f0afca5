"""Measure what controls gain in matches of bots that ship, and what they cost.

    python -m research.controls [--pair NAME ...] [--only gains|repeated] [--out runs/controls]

`gains`: each pair plays boards in the laboratory, where a board ends as at a table. Beside its
swings stand the values of the same deals by which they could be controlled:

- contracts, solved: the bots' own contracts, scored double dummy;
- contracts, one play: the same, played by four hands of `fastplay`'s network, which know nothing of
  the auction and err a little;
- contracts, plays: the mean of sixteen such plays;
- other stand-ins: those that these bots would have if they were slow;
- first card, first trick, three tricks: the bots' own play so far, and then double dummy;
- stand-ins: what the arena uses (`tournaments.events.deal_control`); these with one play, and with
  sixteen, as for bots that are several times slower;
- fewer worlds: the same bots with two worlds, where they have more;
- the same again: the bots themselves with other seeds;
- all that deals tell: the mean of many such matches, which no control by deals can exceed; its r^2
  is the correlation of two of them.

A gain is that with three other deals for each of the match, 1 / (1 - r^2 3/4), with the squared
correlation r^2 of the swings with the value (over all values together where there are several). For
stand-ins that play a deal of the match n times it is that with 3n other deals, which they play
once: 1 / (1 - r^2 / (1 + v / 3n)), where v is the variance of one play, divided by that of the mean
of n. Its error is a jackknife error over deals. The cost is the processor time of a deal, the other
deals counted, in that of a board of the match in the laboratory; a match at tables costs more.

`repeated`: matches are drawn from a pool of boards, as often as `--matches` says, and the mean of
their plain and controlled estimates is compared with that of the pool, once with the stand-ins of a
slow pair and once with the bots themselves.

All takes an hour of one processor, most of it for the slow bots.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import table, timed
from benchmarks.running import progress
from bridge_arena.bots.fastplay.net import NOTRUMP, PlayNet, Positions, shipped
from bridge_arena.bots.fastplay.playing import play_out
from bridge_arena.bots.library.learning.layers import Array
from bridge_arena.bots.registry import parse
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import SEATS
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.lab.bidding import bid
from bridge_arena.lab.boards import LabBoards
from bridge_arena.lab.deal_values import PART, Part, deal_values
from bridge_arena.lab.play import in_both_rooms, play
from bridge_arena.oracle.solver import limit_threads, play_values
from bridge_arena.reports.common.meetings import EXPECTED
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.deal_control import MOST_PLAYS, OTHERS, DealControl, Pair
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.in_process import named_pair
from bridge_arena.tournaments.statistics.control_variate import control
from bridge_arena.tournaments.statistics.significance import two_sided_t

KEY = DealKey.of_seed(77)
AGAIN = DealKey.of_seed(78)
"""The key of the seeds of bots that play the same boards again."""

Floats = NDArray[np.float64]

Rooms = Sequence[tuple[BoardRecord, BoardRecord]]
"""The open and the closed room of some boards."""


@dataclass(frozen=True)
class Measured:
    """A pair of bots."""

    name: str  # what they have in common
    first: str  # one bot
    second: str  # the other
    boards: int  # the boards that they play
    again: int = 0  # how many of them they play again, with other seeds


SLOW = "montecarlo:worlds=10"

PAIRS = (
    Measured("equals", "natural", "qtable", 1024),
    Measured("systems", "fastplay", "fastplay:bidding=neural", 2048),
    Measured("play", "fastplay", "natural", 1024),
    Measured("both", "fastplay:bidding=simple", "natural", 1024),
    Measured("slow and quick", SLOW, "natural", 256, 128),
    Measured("slow, systems", SLOW, f"{SLOW},bidding=neural", 64),
)

OTHER_STAND_INS = "other stand-ins"
STAND_INS = "stand-ins"
OFTEN = "stand-ins, sixteen plays"
ONE_PLAY = "stand-ins, one play"

LIKE_SLOW = Pair(
    "fastplay:bidding=natural,errors=0.05",
    "fastplay:bidding=neural,errors=0.05",
    are_themselves=False,
    plays=4,
)
"""The stand-ins of quick bots as if these were slow."""

FEW = "worlds=2"
"""The worlds of the same bots in a cheaper match."""

STAGES = {"first card": 1, "first trick": 4, "three tricks": 12}
"""The cards that the bots play themselves."""

PLAYS = 16
ERROR = 0.05
"""How often the network plays contracts, and how much it errs."""


class Erring(PlayNet):
    """The network that ships, with random errors."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._net = shipped()
        self._rng = rng

    def costs(self, positions: Positions) -> Array:
        found = self._net.costs(positions)
        return found + ERROR * self._rng.gumbel(size=found.shape).astype(np.float32)


def whole(pair: Measured, start: int, seeds: DealKey = KEY) -> Rooms:
    """Return a part of a pair's boards as the bots play them."""
    boards = [KEY.board(number) for number in range(start, start + PART)]
    tables = in_both_rooms(GivenBoard(board, ()) for board in boards)
    records = list(play(named_pair(pair.first, pair.second), tables, seeds))
    return list(zip(records[::2], records[1::2], strict=True))


def swings(rooms: Rooms) -> list[float]:
    return [_swing(both, [record.tricks for record in both]) for both in rooms]


def solved(rooms: Rooms, cards: int) -> list[float]:
    """Return the swings if the play is double dummy from a card on."""
    found = []
    for both in rooms:
        if _is_same(both) and not cards:
            found.append(0.0)
            continue
        tricks = [
            None
            if record.contract is None
            else play_values(record.board.deal, record.contract, record.cards[:cards])[-1]
            for record in both
        ]
        found.append(_swing(both, tricks))
    return found


def played_out(rooms: Rooms, plays: int) -> list[float]:
    """Return the mean swings if the network plays the contracts."""
    tables = [
        (row, room)
        for row, both in enumerate(rooms)
        if not _is_same(both)
        for room, record in enumerate(both)
        if record.contract is not None
    ]
    if not tables:
        return [0.0] * len(rooms)
    positions = _positions([rooms[row][room] for row, room in tables])
    net = Erring(np.random.default_rng(rooms[0][0].board.number))
    total = np.zeros(len(rooms))
    for _ in range(plays):
        tricks: list[list[int | None]] = [[None, None] for _ in rooms]
        for (row, room), taken in zip(tables, play_out(net, positions).tolist(), strict=True):
            tricks[row][room] = taken
        total += [
            0.0 if _is_same(both) else _swing(both, taken)
            for both, taken in zip(rooms, tricks, strict=True)
        ]
    found: list[float] = (total / plays).tolist()
    return found


def stand_ins(pair: Measured) -> Pair | None:
    """Return the stand-ins that the arena would use."""
    entries = (Entrant(bot=pair.first, name="1"), Entrant(bot=pair.second, name="2"))
    known = DealControl.of(Event(name="Pair", format=Format.MATCH, entries=entries))
    return None if known is None else known.pair(0, 1)


def _deal_values(pair: Pair, start: int, plays: int) -> list[float]:
    return list(deal_values(Part(pair, KEY, start, start + PART, plays)).values())


def _used(pair: Measured) -> dict[str, Pair]:
    """Return the stand-ins that are measured, and are not the bots themselves."""
    used = {OTHER_STAND_INS: LIKE_SLOW} if pair.name == "systems" else {}
    if (known := stand_ins(pair)) is not None and not known.are_themselves:
        used |= {STAND_INS: known, OFTEN: replace(known, plays=MOST_PLAYS)}
    return used


def measure(pair: Measured, start: int) -> dict[str, tuple[list[float], float]]:
    """Return the values of a part of the boards, each with the seconds that it took."""
    rooms, spent = timed(lambda: whole(pair, start))
    found = {"match": (swings(rooms), spent)}
    works: dict[str, Callable[[], list[float]]] = {
        "contracts, solved": lambda: solved(rooms, 0),
        "contracts, one play": lambda: played_out(rooms, 1),
        "contracts, plays": lambda: played_out(rooms, PLAYS),
        **{name: partial(solved, rooms, cards) for name, cards in STAGES.items()},
    }
    for name, known in _used(pair).items():
        works[name] = partial(_deal_values, known, start, known.plays)
        works[ONE_PLAY] = partial(_deal_values, known, start, 1)
    if start <= pair.again:
        first, second = (bot.replace("worlds=10", FEW) for bot in (pair.first, pair.second))
        fewer = replace(pair, first=first, second=second)
        works["fewer worlds"] = lambda: swings(whole(fewer, start))
        works["the same again"] = lambda: swings(whole(pair, start, AGAIN))
    if start == 1:
        boards = LabBoards.dealt(KEY, 1, PART + 1)
        home, visitors = (parse(bot)[1] for bot in (pair.first, pair.second))
        works["bidding"] = lambda: [0.0] * len(bid(boards, home, visitors, KEY))
    return found | {name: timed(work) for name, work in works.items()}


def kept(pair: Measured, out: Path) -> dict[str, tuple[Floats, float]]:
    """Return the values of all boards, from files or measured now, with seconds a board."""
    values: dict[str, list[float]] = {}
    seconds: dict[str, float] = {}
    for start in range(1, pair.boards + 1, PART):
        path = out / f"{pair.name.replace(', ', '-').replace(' ', '-')}-{start:05d}.npz"
        if not path.exists():
            found = measure(pair, start)
            out.mkdir(parents=True, exist_ok=True)
            arrays = {name: np.array([*each, spent]) for name, (each, spent) in found.items()}
            np.savez(path, **arrays)  # type: ignore[arg-type]
            progress(f"{pair.name}: {start + PART - 1} of {pair.boards} boards")
        with np.load(path) as file:
            for name in file.files:
                *each, spent = file[name].tolist()
                values.setdefault(name, []).extend(each)
                seconds[name] = seconds.get(name, 0.0) + spent
    return {name: (np.array(each), seconds[name] / len(each)) for name, each in values.items()}


def gains(pairs: Sequence[Measured], out: Path) -> str:
    rows = []
    for pair in pairs:
        found = kept(pair, out)
        target, spent = found.pop("match")
        bidding = found.pop("bidding")[1]
        known = stand_ins(pair)
        if known is not None and known.are_themselves:
            found["the bots themselves"] = target, spent
        values = {name: (each[:, None], seconds) for name, (each, seconds) in found.items()}
        both = ["contracts, solved", STAND_INS if STAND_INS in found else "contracts, plays"]
        values[" + ".join(both)] = (
            np.column_stack([found[name][0] for name in both]),
            sum(found[name][1] for name in both),
        )
        for name, (value, seconds) in values.items():
            swings_of = target[: len(value)]
            each = seconds + (bidding if "contracts" in name else 0.0)
            cost = (1 + OTHERS) * each
            if (known := _used(pair).get(name)) is None:
                gain = _gain(swings_of, value, _explained)
            else:
                once, seconds_once = values[ONE_PLAY]
                explained = partial(_explained_with_single_plays, others=known.others)
                gain = _gain(swings_of, np.column_stack([value, once]), explained)
                cost = seconds + known.others * seconds_once
            squared = f"{_squared(swings_of, value):.2f}"
            told = "" if name in STAGES else f"{cost / spent:.2g}"
            rows.append([_names(pair), name, str(len(value)), squared, gain, told])
        if "the same again" in values:
            again = values["the same again"][0]
            swings_of = target[: len(again)]
            gain = _gain(swings_of, again, _explained_by_deals)
            squared = f"{_of_deals(swings_of, again):.2f}"
            rows.append([_names(pair), "all that deals tell", str(len(again)), squared, gain, ""])
    return table(["pair", "value", "boards", "r²", "gain in boards", "cost"], rows)


def repeated(out: Path, matches: int) -> str:
    pool = kept(PAIRS[1], out)
    target = pool["match"][0]
    rng = np.random.default_rng(3)
    rows = []
    own, once = pool[OTHER_STAND_INS][0], pool[ONE_PLAY][0]
    # One play and several have the same mean, but not quite so in a pool.
    once = once + own.mean() - once.mean()
    for name, draw in (
        (OTHER_STAND_INS, partial(_drawn, target, own, once, LIKE_SLOW.others, EXPECTED)),
        ("the bots themselves", partial(_drawn, target, target, target, OTHERS, 1.0)),
    ):
        for boards in (16, 32, 64, 200):
            found = np.array([draw(boards, rng) for _ in range(matches)])
            plain, errors, controlled, less = found.T
            quantile = two_sided_t(0.95, boards - 1)
            bias = controlled - target.mean()
            rows.append(
                [
                    name,
                    str(boards),
                    f"{bias.mean():+.3f} ± {bias.std() / np.sqrt(matches):.3f}",
                    f"{100 * np.mean(abs(bias) <= quantile * less):.1f} %",
                    f"{100 * np.mean(abs(plain - target.mean()) <= quantile * errors):.1f} %",
                    f"{plain.var() / controlled.var():.2f}",
                ]
            )
    heads = ["stand-ins", "boards", "bias, IMPs/board", "95 % covered", "without control"]
    return table([*heads, "gain in boards"], rows)


def _names(pair: Measured) -> str:
    return f"`{pair.first}` - `{pair.second}`"


def _drawn(
    target: Floats,
    value: Floats,
    once: Floats,
    others: int,
    expected: float,
    boards: int,
    rng: np.random.Generator,
) -> tuple[float, ...]:
    """Return the plain and the controlled mean of a match that is drawn, each with its error."""
    own = rng.integers(0, len(target), boards)
    same = value[own][:, None].tolist()
    elsewhere = once[rng.integers(0, len(target), others * boards)][:, None].tolist()
    found = control(target[own].tolist(), same, elsewhere, expected=[expected])
    means = found.raw, found.controlled
    return tuple(each or 0.0 for mean in means for each in (mean.mean, mean.standard_error))


def _gain(target: Floats, values: Floats, explained: Callable[[Floats, Floats], float]) -> str:
    """Return the gain with its jackknife error, from the share of the variance explained."""
    count = len(target)
    left_out = 1.0 / np.array(
        [
            1.0 - explained(np.delete(target, deal), np.delete(values, deal, axis=0))
            for deal in range(count)
        ]
    )
    error = np.sqrt((count - 1) / count * np.sum((left_out - left_out.mean()) ** 2))
    return f"{1.0 / (1.0 - explained(target, values)):.2f} ± {error:.2f}"


def _explained(target: Floats, values: Floats) -> float:
    return _squared(target, values) * OTHERS / (1 + OTHERS)


def _explained_by_deals(target: Floats, again: Floats) -> float:
    return _of_deals(target, again) * OTHERS / (1 + OTHERS)


def _explained_with_single_plays(target: Floats, values: Floats, others: int) -> float:
    """Return the share for the mean of several plays, where others are played once."""
    often, once = values.T
    return _squared(target, often[:, None]) / (1.0 + float(once.var() / often.var()) / others)


def _squared(target: Floats, values: Floats) -> float:
    """Return the share of the variance that the values explain, allowing for their number."""
    if not values.any():
        return 0.0
    design = np.column_stack([values, np.ones(len(target))])
    left: Floats = target - design @ np.linalg.lstsq(design, target, rcond=None)[0]
    degrees = len(target) - 1
    share: float = float(left.var()) / float(target.var()) * degrees / (degrees - values.shape[1])
    return max(0.0, 1.0 - share)


def _of_deals(target: Floats, again: Floats) -> float:
    """Return the share of the variance that the deals explain.

    Two matches of the same bots on the same deals have no more in common: what differs is the bots'
    own random choices.
    """
    return max(0.0, float(np.corrcoef(target, again[:, 0])[0, 1]))


def _is_same(both: tuple[BoardRecord, BoardRecord]) -> bool:
    return both[0].contract == both[1].contract


def _swing(both: tuple[BoardRecord, BoardRecord], tricks: Sequence[int | None]) -> float:
    """Return the IMPs of the first bot if declarers take so many tricks."""
    one, other = (
        score_ns(record.contract, taken, record.board.vulnerability)
        for record, taken in zip(both, tricks, strict=True)
    )
    return float(imps(one - other))


def _positions(records: Sequence[BoardRecord]) -> Positions:
    """Return contracts before the opening lead; the auction has told the players nothing."""
    contracts = [record.contract for record in records if record.contract is not None]
    owner = np.empty((len(records), 52), np.int64)
    for row, record, contract in zip(owner, records, contracts, strict=True):
        for seat in SEATS:
            row[list(record.board.deal[seat])] = (seat - contract.declarer) % 4
    trumps = (contract.denomination.trump for contract in contracts)
    nothing = np.array([(0, 37), *[(0, 13)] * 4])
    return Positions(
        owner,
        np.array([NOTRUMP if trump is None else int(trump) for trump in trumps]),
        np.tile(nothing, (len(records), 4, 1, 1)),
        np.zeros((len(records), 52), np.int64),
        np.zeros(len(records), np.int64),
        np.ones(len(records), np.int64),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    names = [pair.name for pair in PAIRS]
    parser.add_argument(
        "--pair", nargs="+", choices=names, default=names, help="pairs to measure; default: all"
    )
    parser.add_argument(
        "--only", choices=("gains", "repeated"), help="the part to measure; default: both"
    )
    parser.add_argument(
        "--matches", type=int, default=10000, help="matches that are drawn; default: %(default)s"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("runs/controls"), help="folder; default: %(default)s"
    )
    options = parser.parse_args()
    limit_threads(1)
    if options.only != "repeated":
        print(gains([pair for pair in PAIRS if pair.name in options.pair], options.out))
    if options.only != "gains":
        print(f"\n{repeated(options.out, options.matches)}")


if __name__ == "__main__":
    main()
