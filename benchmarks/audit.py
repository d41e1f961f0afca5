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
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path

import numpy as np

from benchmarks.audit_matches import Match, audited
from benchmarks.figures import figure, table
from benchmarks.running import interrupted
from bridge_arena.bridge.cards import Deal
from bridge_arena.oracle.pool import Oracle
from bridge_arena.recorded.audit import LAYOUTS, Kind
from bridge_arena.recorded.audit.evidence import Allowance, shipped
from bridge_arena.recorded.audit.figures import AuditFigures, Judged, audit_figures
from bridge_arena.recorded.audit.judge import LEAST_STAKE
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.reports.common.wording import mean_text, p_text
from bridge_arena.tournaments.statistics.means import Mean

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
        found = audited(Match(first, second, boards, seed), LAYOUTS, out, oracle)
        for entry in figures_of(found, shipped()).entries:
            cells = [mean_text(each.evidence.beyond) for each in entry.kinds]
            rows.append(
                [f"`{entry.name}`", *cells, "-" if entry.p_value is None else p_text(entry.p_value)]
            )
    print(table(["entry", *(f"{kind} ({kind.unit})" for kind in Kind), "p, corrected"], rows))


def figures_of(found: Audited, allowances: Mapping[Kind, Allowance]) -> AuditFigures:
    tables, judged = found
    return audit_figures(tables, judged, tuple(Kind), allowances, LAYOUTS, 0)


def honest(rounds: int, out: Path, oracle: Oracle, *, allow: bool) -> None:
    """Audit matches of honest bots, each with deals of its own."""
    matches = [
        Match(first, second, BOARDS_OF_A_ROUND, 1000 * number + place)
        for number in range(rounds)
        for place, (first, second) in enumerate(ROUND, 1)
    ]
    found: list[Audited] = []
    for match in matches:
        found.append(audited(match, LAYOUTS, out, oracle))
        print(f"\r{len(found)} of {len(matches)} matches", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(f"{len(matches)} matches of {BOARDS_OF_A_ROUND} boards")
    for kind in Kind:
        print_lucks(kind, found)
    print_alarms(found)
    if allow:
        write_allowances(allowances(found), rounds)


def lucks(kind: Kind, found: Iterable[Audited]) -> dict[str, list[float]]:
    """Return each bot's luck in one kind of decision on each deal, the mean of its tables."""
    sat: Counter[tuple[str, Deal]] = Counter()
    lucky: defaultdict[tuple[str, Deal], float] = defaultdict(float)
    for tables, judged in found:
        sat.update((name, each.record.board.deal) for each in tables for name in {*each.names})
        for one in judged:
            if one.decision.kind is kind:
                lucky[one.entry, one.record.board.deal] += one.finding.luck
    by_bot: dict[str, list[float]] = {}
    for (bot, deal), tables_sat in sorted(sat.items(), key=lambda item: item[0][0]):
        by_bot.setdefault(bot, []).append(lucky[bot, deal] / tables_sat)
    return by_bot


def allowances(found: Sequence[Audited]) -> dict[Kind, Allowance]:
    """Return what to expect of the luck of a further honest bot, by kind of decision."""
    return {kind: pooled([Mean.of(each) for each in lucks(kind, found).values()]) for kind in Kind}


def pooled(of_bots: Sequence[Mean]) -> Allowance:
    """Return the mean luck of bots, and the deviation to expect of a further bot.

    The deviation joins the variance between bots that the errors of their means do not explain
    (DerSimonian and Laird), and the error of the mean itself.
    """
    means = np.array([each.mean for each in of_bots])
    weights = 1 / np.array([each.standard_error for each in of_bots]) ** 2
    total = weights.sum()
    excess = (weights * (means - (weights * means).sum() / total) ** 2).sum() - len(means) + 1
    between = max(0.0, excess / (total - (weights**2).sum() / total))
    weights = 1 / (1 / weights + between)
    mean = (weights * means).sum() / weights.sum()
    deviation = np.sqrt(between + 1 / weights.sum())
    return Allowance(round(float(mean), 4), round(float(deviation), 4))


def print_lucks(kind: Kind, found: Sequence[Audited]) -> None:
    rows = [
        [f"`{bot}`", str(len(each)), figure(np.array(each), 3, "+")]
        for bot, each in lucks(kind, found).items()
    ]
    allowed = allowances(found)[kind]
    rows.append(["allowed for", "", f"{allowed.mean:+.3f} ± {allowed.deviation:.3f}"])
    print(f"\n{kind}, {kind.unit} a board at one table\n")
    print(table(["bot", "deals", "luck"], rows))


def print_alarms(found: Sequence[Audited]) -> None:
    """Print how often honest bots look suspicious, by single tests and by match.

    Single tests are not corrected for their number. Long matches join the matches of the same
    bots. The allowances for one half of the rounds come from the other half.
    """
    middle = len(found) // len(ROUND) // 2 * len(ROUND)
    halves = found[:middle], found[middle:]
    short: list[list[float]] = [[], []]
    long: list[list[float]] = [[], []]
    for half, other in (halves, halves[::-1]):
        allowed = allowances(other)
        joined = [_joined(half[place :: len(ROUND)]) for place in range(len(ROUND))]
        for p_values, matches in ((short, half), (long, joined)):
            for each in matches:
                entries = figures_of(each, allowed).entries
                p_values[0] += [
                    kind.evidence.p_value or 0.0 for entry in entries for kind in entry.kinds
                ]
                p_values[1].append(min(entry.p_value or 0.0 for entry in entries))
    rows = [
        [f"p < {share}", *(share_of(p_values, share) for p_values in (*short, *long))]
        for share in (0.5, 0.2, 0.1, 0.05, 0.01, 0.001)
    ]
    boards = BOARDS_OF_A_ROUND, middle // len(ROUND) * BOARDS_OF_A_ROUND
    heads = [f"{what}, {each} boards" for each in boards for what in ("single tests", "matches")]
    print("\nhow often honest bots look suspicious\n")
    print(table(["", *heads], rows))


def _joined(matches: Sequence[Audited]) -> Audited:
    """Join matches of the same bots to one."""
    return (
        [each for tables, _ in matches for each in tables],
        [each for _, judged in matches for each in judged],
    )


def share_of(p_values: Sequence[float], share: float) -> str:
    below = sum(p_value < share for p_value in p_values)
    return f"{below} of {len(p_values)} ({below / len(p_values):.1%})"


def write_allowances(allowed: Mapping[Kind, Allowance], rounds: int) -> None:
    record = {
        "kinds": {
            kind.value: {"mean": each.mean, "deviation": each.deviation}
            for kind, each in allowed.items()
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
