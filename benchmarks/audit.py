"""Measure what the audit finds in bots that cheat and in honest bots.

    python -m benchmarks.audit cheats [--boards 32] [--out runs/audit]
    python -m benchmarks.audit honest [--rounds 10] [--out runs/audit] [--allow]

`cheats` tests whether the audit accuses the two cheats, and none of three honest bots. `honest`
measures the mean luck of honest bots by kind of decision, and how often the audit accuses one of
them. The audit's allowances follow from the luck; `--allow` writes them to the package. The
matches and judgements are kept under `--out`, and a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.figures import figure, table
from benchmarks.running import interrupted
from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.library.learning.hands import hands_array
from bridge_arena.bots.library.tricks.net import shipped as shipped_tricks
from bridge_arena.bots.registry import parse
from bridge_arena.bots.sdk.client import Bot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DENOMINATIONS, PASS, Call, Contract, Risk
from bridge_arena.bridge.cards import SUITS, Card, Deal, Hand
from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.bridge.scoring import contract_score
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.bridge.seeds import seat_seed
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import write_games
from bridge_arena.protocol.messages import BoardStart
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Viewer
from bridge_arena.recorded.audit import LAYOUTS, Kind
from bridge_arena.recorded.audit.engine import judge_all, judged, questions_at
from bridge_arena.recorded.audit.figures import (
    Allowance,
    AuditFigures,
    Judged,
    audit_figures,
    shipped,
)
from bridge_arena.recorded.audit.judge import LEAST_STAKE
from bridge_arena.recorded.checkpoint import Checkpoint
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.reports.common.wording import mean_text, p_text
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.driver import play_board
from bridge_arena.server.players import LocalPlayer
from bridge_arena.server.table import Table
from bridge_arena.tournaments import Played
from bridge_arena.tournaments.statistics.means import Mean


class PeekingBot(BaselineBot):
    """The bot `baseline` with the sight of partner's hand.

    It bids at once the contract with the most points on average for the two hands, and leads the
    suit in which they have most cards and strength.
    """

    name = "peeking"

    def call(self, view: View) -> MadeCall:
        """Bid the wanted contract first, if it can be bid; then pass."""
        if view.calls_of(view.seat) or view.calls_of(view.seat.partner):
            return MadeCall(PASS)
        wanted = self._best_contract(view)
        return MadeCall(wanted if wanted is not None and view.auction.is_legal(wanted) else PASS)

    def play(self, view: View) -> Card:
        if view.playing.cards:
            return super().play(view)
        partner = self._partner(view)
        legal = view.legal_cards()
        suits = [suit for suit in SUITS if legal.length(suit) and suit != view.playing.trump]
        if not suits:
            return super().play(view)
        strength = {
            suit: 2 * sum(max(0, card.rank - 10) for card in partner.suit(suit))
            + sum(max(0, card.rank - 10) for card in view.hand.suit(suit))
            + partner.length(suit)
            + view.hand.length(suit)
            for suit in suits
        }
        return min(view.hand.suit(max(suits, key=lambda suit: strength[suit])))

    def _best_contract(self, view: View) -> Call | None:
        own, partner = hands_array([view.hand]), hands_array([self._partner(view)])
        chances = shipped_tricks().estimate(own, partner).distribution()[0]
        vulnerable = view.vulnerability.includes(view.seat.side)
        best, most = None, 0.0
        for denomination in DENOMINATIONS:
            for level in range(1, 8):
                contract = Contract(level, denomination, Risk.UNDOUBLED, view.seat)
                points = [contract_score(contract, t, vulnerable=vulnerable) for t in range(14)]
                worth = float(np.array(points) @ chances[denomination, 0])
                if worth > most:
                    best, most = Call(f"{level}{denomination}"), worth
        return best

    @staticmethod
    def _partner(view: View) -> Hand:
        if view.deal is None:
            raise ValueError("it is not shown the deal: seat it as a cheat")
        return view.deal[view.seat.partner]


_PATIENT = TimeControl(3600.0)


@dataclass(frozen=True, slots=True)
class Match:
    """A match of two bots on boards dealt from a seed, in both rooms.

    Bots are written as `arena match` takes them; `peeking` is the cheat of `benchmarks.audit`.
    """

    first: str
    second: str
    boards: int
    seed: int

    @property
    def names(self) -> tuple[str, str]:
        return self.first, self.second

    def __str__(self) -> str:
        bots = "-".join(self.names).translate({ord(sign): "_" for sign in ":,="})
        return f"{bots}-{self.boards}-{self.seed}"


def audited(
    match: Match,
    layouts: int,
    folder: Path,
    oracle: Oracle,
    kinds: Sequence[Kind] = tuple(Kind),
) -> tuple[list[SeatedTable], list[Judged]]:
    """Return the tables of a match, and what the audit finds in them.

    Boards and judgements that are in the folder are not done again. Raises OSError,
    CheckpointError, OracleError.
    """
    own = folder / str(match)
    own.mkdir(parents=True, exist_ok=True)
    path = own / "match.pbn"
    if not path.exists():
        new = path.with_suffix(".new")
        with new.open("wb") as stream:
            write_games(stream, map(game_of, _play(match)))
        new.replace(path)
    tables = [SeatedTable(Played(record), record.players) for record in read_records(path)]
    decisions = questions_at(tables, kinds)
    with Checkpoint(own / "audit.jsonl", {"layouts": str(layouts)}) as checkpoint:
        judge_all(decisions, layouts, oracle, checkpoint, lambda: None)
        return tables, list(judged(decisions, checkpoint))


class _Seat(LocalPlayer):
    """A bot that gets the seed of its board, as from a server."""

    def __init__(self, spec: str, seat: Seat) -> None:
        make, cheat = _made(spec)
        self._bot = make()
        super().__init__(Viewer(seat, cheat), self._bot)

    def tell(self, outgoing: Outgoing) -> None:
        super().tell(outgoing)
        if isinstance(outgoing.message, BoardStart):
            self._bot.rng = Random(outgoing.message.seed)


def _made(spec: str) -> tuple[Callable[[], Bot], bool]:
    if spec == PeekingBot.name:
        return PeekingBot, True
    shipped, make = parse(spec)
    return make, shipped.cheat


def _play(match: Match) -> list[BoardRecord]:
    return [
        asyncio.run(_play_board(match, number, room))
        for number in range(1, match.boards + 1)
        for room in Room
    ]


async def _play_board(match: Match, number: int, room: Room) -> BoardRecord:
    pairs = match.names if room is Room.OPEN else match.names[::-1]
    north, east, south, west = (pairs[seat.side is Side.EW] for seat in SEATS)
    players = (north, east, south, west)
    one, two, three, four = (seat_seed(match.seed, number, seat) for seat in SEATS)
    board = Board.dealt(match.seed, number)
    table = Table("audit", board, (one, two, three, four), _PATIENT)
    await play_board(table, {seat: _Seat(players[seat], seat) for seat in SEATS})
    home, visitors = match.names
    return replace(table.record(players), room=room, home=home, visitors=visitors)


CHEATS = (("oracle", "baseline"), ("peeking", "baseline"))
HONEST = (("natural", "fastplay"), ("montecarlo", "natural"))

ROUND = (
    ("natural", "fastplay"),
    ("baseline", "neural"),
    ("minimax", "deepq"),
    ("montecarlo:worlds=10", "natural"),
    ("fastplay:bidding=neural", "qtable"),
    ("baseline", "fastplay:bidding=simple"),
)
"""The matches of honest bots in a round, each of few boards."""

BOARDS_OF_A_ROUND = 8

Audited = tuple[list[SeatedTable], list[Judged]]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "what", choices=("cheats", "honest"), help="bots that cheat, or honest bots"
    )
    parser.add_argument(
        "--boards", type=int, default=32, help="boards of a match; default: %(default)s"
    )
    parser.add_argument(
        "--rounds",
        type=int,
        default=10,
        help="rounds of matches between honest bots; default: %(default)s",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("runs/audit"),
        help="folder for the matches; default: %(default)s",
    )
    parser.add_argument(
        "--workers", type=int, help="solver processes; default: one for each processor"
    )
    parser.add_argument(
        "--allow",
        action="store_true",
        help="write the luck of honest bots, which the audit allows for",
    )
    options = parser.parse_args()
    try:
        with Oracle(options.workers, 600.0) as oracle:
            if options.what == "cheats":
                cheats(options.boards, options.out, oracle)
            else:
                honest(options.rounds, options.out, oracle, allow=options.allow)
    except KeyboardInterrupt:
        return interrupted()
    return 0


def cheats(boards: int, out: Path, oracle: Oracle) -> None:
    """Audit a match of each of the cheats and of honest bots, each with deals of its own."""
    rows: list[list[str]] = []
    for seed, (first, second) in enumerate((*CHEATS, *HONEST), 501):
        audit = audited(Match(first, second, boards, seed), LAYOUTS, out, oracle)
        for entry in figures_of(audit, shipped()).entries:
            cells = [mean_text(of_kind.evidence.beyond) for of_kind in entry.kinds]
            rows.append(
                [f"`{entry.name}`", *cells, "-" if entry.p_value is None else p_text(entry.p_value)]
            )
    print(table(["entry", *(f"{kind} ({kind.unit})" for kind in Kind), "p, corrected"], rows))


def figures_of(audit: Audited, allowances: Mapping[Kind, Allowance]) -> AuditFigures:
    tables, judged = audit
    return audit_figures(tables, judged, tuple(Kind), allowances, LAYOUTS, 0)


def honest(rounds: int, out: Path, oracle: Oracle, *, allow: bool) -> None:
    """Audit matches of honest bots, each with deals of its own."""
    matches = [
        Match(first, second, BOARDS_OF_A_ROUND, 1000 * number + place)
        for number in range(rounds)
        for place, (first, second) in enumerate(ROUND, 1)
    ]
    audits: list[Audited] = []
    for match in matches:
        audits.append(audited(match, LAYOUTS, out, oracle))
        print(f"\r{len(audits)} of {len(matches)} matches", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{len(matches)} matches of {BOARDS_OF_A_ROUND} boards")
    for kind in Kind:
        print_lucks(kind, audits)
    print_alarms(audits)
    if allow:
        write_allowances(allowances(audits), rounds)


def lucks(kind: Kind, audits: Iterable[Audited]) -> dict[str, list[float]]:
    """Return each bot's luck in one kind of decision on each deal, the mean of its tables."""
    sat: Counter[tuple[str, Deal]] = Counter()
    lucky: defaultdict[tuple[str, Deal], float] = defaultdict(float)
    for tables, verdicts in audits:
        sat.update(
            (name, seated.record.board.deal) for seated in tables for name in {*seated.names}
        )
        for one in verdicts:
            if one.decision.kind is kind:
                lucky[one.entry, one.record.board.deal] += one.finding.luck
    by_bot: dict[str, list[float]] = {}
    for (bot, deal), tables_sat in sorted(sat.items(), key=lambda item: item[0][0]):
        by_bot.setdefault(bot, []).append(lucky[bot, deal] / tables_sat)
    return by_bot


def allowances(audits: Sequence[Audited]) -> dict[Kind, Allowance]:
    """Return what to expect of the luck of a further honest bot, by kind of decision."""
    return {kind: pooled([Mean.of(luck) for luck in lucks(kind, audits).values()]) for kind in Kind}


def pooled(of_bots: Sequence[Mean]) -> Allowance:
    """Return the mean luck of bots, and the deviation to expect of a further bot.

    The deviation joins the variance between bots that the errors of their means do not explain
    (DerSimonian and Laird), and the error of the mean itself.
    """
    means = np.array([mean_of_bot.mean for mean_of_bot in of_bots])
    weights = 1 / np.array([mean_of_bot.standard_error for mean_of_bot in of_bots]) ** 2
    total = weights.sum()
    excess = (weights * (means - (weights * means).sum() / total) ** 2).sum() - len(means) + 1
    between = max(0.0, excess / (total - (weights**2).sum() / total))
    weights = 1 / (1 / weights + between)
    mean = (weights * means).sum() / weights.sum()
    deviation = np.sqrt(between + 1 / weights.sum())
    return Allowance(round(float(mean), 4), round(float(deviation), 4))


def print_lucks(kind: Kind, audits: Sequence[Audited]) -> None:
    rows = [
        [f"`{bot}`", str(len(luck)), figure(np.array(luck), 3, "+")]
        for bot, luck in lucks(kind, audits).items()
    ]
    allowed = allowances(audits)[kind]
    rows.append(["allowed for", "", f"{allowed.mean:+.3f} ± {allowed.deviation:.3f}"])
    print(f"\n{kind}, {kind.unit} a board at one table\n")
    print(table(["bot", "deals", "luck"], rows))


def print_alarms(audits: Sequence[Audited]) -> None:
    """Print how often honest bots look suspicious, by single tests and by match.

    Single tests are not corrected for their number. Long matches join the matches of the same
    bots. The allowances for one half of the rounds come from the other half.
    """
    middle = len(audits) // len(ROUND) // 2 * len(ROUND)
    halves = audits[:middle], audits[middle:]
    short: list[list[float]] = [[], []]
    long: list[list[float]] = [[], []]
    for half, other in (halves, halves[::-1]):
        allowed = allowances(other)
        joined = [_joined(half[place :: len(ROUND)]) for place in range(len(ROUND))]
        for p_values, matches in ((short, half), (long, joined)):
            for audit in matches:
                entries = figures_of(audit, allowed).entries
                p_values[0] += [
                    kind.evidence.p_value or 0.0 for entry in entries for kind in entry.kinds
                ]
                p_values[1].append(min(entry.p_value or 0.0 for entry in entries))
    rows = [
        [f"p < {share}", *(share_of(p_values, share) for p_values in (*short, *long))]
        for share in (0.5, 0.2, 0.1, 0.05, 0.01, 0.001)
    ]
    boards = BOARDS_OF_A_ROUND, middle // len(ROUND) * BOARDS_OF_A_ROUND
    heads = [
        f"{what}, {number} boards" for number in boards for what in ("single tests", "matches")
    ]
    print("\nhow often honest bots look suspicious\n")
    print(table(["", *heads], rows))


def _joined(matches: Sequence[Audited]) -> Audited:
    """Join matches of the same bots to one."""
    return (
        [seated for tables, _ in matches for seated in tables],
        [one for _, verdicts in matches for one in verdicts],
    )


def share_of(p_values: Sequence[float], share: float) -> str:
    below = sum(p_value < share for p_value in p_values)
    return f"{below} of {len(p_values)} ({below / len(p_values):.1%})"


def write_allowances(allowed: Mapping[Kind, Allowance], rounds: int) -> None:
    record = {
        "kinds": {
            kind.value: {"mean": allowance.mean, "deviation": allowance.deviation}
            for kind, allowance in allowed.items()
        },
        "layouts": LAYOUTS,
        "least_stake": LEAST_STAKE,
        "matches": [f"{first} - {second}" for first, second in ROUND],
        "boards_of_each": rounds * BOARDS_OF_A_ROUND,
        "command": f"python -m benchmarks.audit honest --rounds {rounds} --allow",
    }
    with resources.as_file(
        resources.files("bridge_arena.recorded.audit") / "allowance.json"
    ) as path:
        path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
