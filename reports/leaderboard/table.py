"""`leaderboard.csv`: a row for each entry, the best first.

The columns are documented in docs/leaderboards.md and stable. An empty cell is not known,
or does not apply.
"""

from __future__ import annotations

import csv
from io import StringIO

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.explanations import Promises
from bridge_arena.reports.leaderboard.figures import EntryFigures, Leaderboard
from bridge_arena.reports.leaderboard.wording import total_points
from bridge_arena.reports.match.summary import ROLE_KEYS, SUIT_KEYS, rounded
from bridge_arena.tournaments.statistics.means import Mean

Cell = str | int | float | None

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
        for kind in ("hcp", *SUIT_KEYS.values())
        for figure in ("promises", "kept", "kept_se", "width", "missed_by", "missed_by_se")
    ),
)


def csv_text(board: Leaderboard) -> str:
    """The whole file."""
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


def _row(entry: EntryFigures) -> dict[str, Cell]:
    # The standings of several events are no one number.
    place = entry.places[0] if len(entry.places) == 1 else None
    rating = entry.rating.estimate if entry.rating else None
    low, high = (rating and rating.interval) or (None, None)
    ahead = entry.rating.ahead if entry.rating else None
    ledger, conduct, times = entry.ledger, entry.conduct, entry.timing
    row: dict[str, Cell] = {
        "name": entry.name,
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
        **_mean("imps_per_board", entry.imps, "boards"),
        "adjusted_boards": entry.adjusted,
        **_mean("cross_imps", entry.cross_imps, "cross_tables"),
        "vps_per_match": rounded(entry.victory_points.mean),
        "vps": rounded(total_points(entry.victory_points)),
        "won": entry.won,
        "drawn": entry.drawn,
        "lost": entry.lost,
        "byes": sum(place.standing.byes for place in entry.places),
        **_mean("declarer_vs_dd", entry.tricks.declarer, "declarer_tables"),
        **_mean("defence_vs_dd", entry.tricks.defence, "defence_tables"),
        "ledger_boards": ledger.boards,
        "imps_auction": rounded(ledger.auction.mean),
    }
    for role in Role:
        row[f"imps_own_{ROLE_KEYS[role]}"] = rounded(ledger.own[role].mean)
    for role in Role:
        row[f"imps_opponents_{ROLE_KEYS[role]}"] = rounded(ledger.opponents[role].mean)
    for role in Role:
        row[f"tricks_lost_{ROLE_KEYS[role]}"] = rounded(ledger.tricks[role].mean)
    told = entry.explanations
    row |= {
        "calls": told.calls,
        "calls_explained": told.explained,
        "calls_alerted": told.alerted,
        **_mean("calls_kept", told.kept, "calls_with_ranges"),
        **_promises("hcp", told.hcp),
    }
    for suit, key in SUIT_KEYS.items():
        row |= _promises(key, told.suits[suit])
    return row | {
        "ms_per_action": rounded(times.mean_ms),
        "ms_per_action_p99": rounded(times.p99_ms),
        "ms_per_table": rounded(times.board_ms),
        "timeouts": conduct.timeouts,
        "illegal_actions": conduct.illegal,
        "malformed": conduct.malformed,
        "lost_players": conduct.lost_players,
        "lost_boards": conduct.lost_boards,
        "withdrawn": int(entry.withdrawn),
    }
