"""`leaderboard.csv`: a row for each entry, the best first.

The columns are documented in docs/leaderboards.md and stable. An empty cell is unknown, or does not
apply.
"""

from __future__ import annotations

import csv
from io import StringIO

from bridge_arena.base.wording import as_text
from bridge_arena.reports.common.explanations import SUIT_KEYS, Promises
from bridge_arena.reports.common.values import ROLE_KEYS, rounded
from bridge_arena.reports.leaderboard.figures import Leaderboard, RankedEntry
from bridge_arena.tournaments.statistics.means import Mean

Cell = str | int | float | None

KINDS = ("hcp", *SUIT_KEYS.values())

COLUMNS = (
    *("name", "rank", "score", "score_unit", "rating", "rating_se", "rating_low", "rating_high"),
    *("rating_group", "ahead_of_next", "ahead_of_next_se", "ahead_of_next_p"),
    *("imps_per_board", "imps_per_board_se", "boards", "adjusted_boards"),
    *("cross_imps", "cross_imps_se", "cross_tables", "vps_per_match", "vps"),
    *("won", "drawn", "lost", "byes", "declarer_vs_dd", "declarer_vs_dd_se", "declarer_tables"),
    *("defence_vs_dd", "defence_vs_dd_se", "defence_tables", "ledger_boards", "imps_auction"),
    *(f"imps_own_{key}" for key in ROLE_KEYS.values()),
    *(f"imps_opponents_{key}" for key in ROLE_KEYS.values()),
    *(f"tricks_lost_{key}" for key in ROLE_KEYS.values()),
    *("ms_per_action", "ms_per_action_p99", "ms_per_table", "timeouts", "illegal_actions"),
    *("malformed", "lost_players", "lost_boards", "withdrawn"),
    *("calls", "calls_explained", "calls_alerted", "calls_with_ranges"),
    *("calls_kept", "calls_kept_se"),
    *(
        f"{kind}_{figure}"
        for kind in KINDS
        for figure in ("promises", "kept", "kept_se", "width", "missed_by", "missed_by_se")
    ),
)


def csv_text(board: Leaderboard) -> str:
    """Return the content of the file."""
    file = StringIO()
    rows = [_row(entry) for entry in board.entries]
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def _mean(name: str, mean: Mean, count: str = "") -> dict[str, Cell]:
    cells: dict[str, Cell] = {
        name: rounded(mean.mean),
        f"{name}_se": rounded(mean.standard_error),
    }
    return cells | ({count: mean.n} if count else {})


def _promises(kind: str, promises: Promises) -> dict[str, Cell]:
    return {
        **_mean(f"{kind}_kept", promises.kept, f"{kind}_promises"),
        f"{kind}_width": rounded(promises.width),
        **_mean(f"{kind}_missed_by", promises.missed_by),
    }


def _row(entry: RankedEntry) -> dict[str, Cell]:
    # The standings of several events cannot be one number.
    place = entry.standings[0] if len(entry.standings) == 1 else None
    rating = entry.rating.estimate if entry.rating else None
    low, high = (rating and rating.interval) or (None, None)
    ahead = entry.rating.ahead if entry.rating else None
    imps, conduct, times = entry.ledger.imps_per_board, entry.conduct, entry.timing
    row: dict[str, Cell] = {
        "name": as_text(entry.name),
        "rank": place.standing.rank if place else None,
        "score": rounded(place.standing.score) if place else None,
        "score_unit": place.unit if place else None,
        "rating": rounded(rating.value) if rating else None,
        "rating_se": rounded(rating.standard_error) if rating else None,
        "rating_low": rounded(low),
        "rating_high": rounded(high),
        "rating_group": entry.rating.group if entry.rating else None,
        "ahead_of_next": rounded(ahead.value) if ahead else None,
        "ahead_of_next_se": rounded(ahead.standard_error) if ahead else None,
        "ahead_of_next_p": rounded(ahead.p_value) if ahead else None,
        **_mean("imps_per_board", entry.imps_per_board, "boards"),
        "adjusted_boards": entry.adjusted_boards,
        **_mean("cross_imps", entry.cross_imps, "cross_tables"),
        "vps_per_match": rounded(entry.victory_points.mean),
        "vps": rounded(entry.victory_points.total),
        "won": entry.matches.won,
        "drawn": entry.matches.drawn,
        "lost": entry.matches.lost,
        "byes": sum(place.standing.byes for place in entry.standings),
        **_mean("declarer_vs_dd", entry.tricks_vs_dd.declarer, "declarer_tables"),
        **_mean("defence_vs_dd", entry.tricks_vs_dd.defence, "defence_tables"),
        "ledger_boards": entry.ledger.boards,
        "imps_auction": rounded(imps.auction.mean),
    }
    for head, means in (
        ("imps_own", imps.own),
        ("imps_opponents", imps.opponents),
        ("tricks_lost", entry.ledger.tricks_lost_per_board),
    ):
        row |= {f"{head}_{ROLE_KEYS[role]}": rounded(mean.mean) for role, mean in means.items()}
    told = entry.explanations
    row |= {
        "calls": told.calls,
        "calls_explained": told.explained,
        "calls_alerted": told.alerted,
        **_mean("calls_kept", told.kept, "calls_with_ranges"),
    }
    for kind in KINDS:
        row |= _promises(kind, getattr(told, kind))
    return row | {
        "ms_per_action": rounded(times.mean_ms),
        "ms_per_action_p99": rounded(times.p99_ms),
        "ms_per_table": rounded(times.table_ms),
        "timeouts": conduct.timeouts,
        "illegal_actions": conduct.illegal_actions,
        "malformed": conduct.malformed,
        "lost_players": conduct.lost_players,
        "lost_boards": conduct.lost_boards,
        "withdrawn": int(entry.withdrawn),
    }
