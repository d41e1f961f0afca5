"""The figures as the plain values of `summary.json`.

The keys are documented in docs/reports.md and stable. Numbers are rounded to
six decimals, so that the same records always give the same text.
"""

from __future__ import annotations

from collections.abc import Mapping

from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common.explanations import ExplanationFigures
from bridge_arena.reports.common.values import (
    ROLE_KEYS,
    Json,
    broken_values,
    explanation_values,
    mean_values,
    rounded,
)
from bridge_arena.reports.match.figures import (
    BoardRow,
    BotFigures,
    LedgerFigures,
    MatchFigures,
    Parts,
    TableResult,
    TricksVsDd,
)
from bridge_arena.tournaments.statistics.means import Mean
from bridge_arena.tournaments.statistics.sequential import Verdict


def summary(figures: MatchFigures) -> Json:
    """All figures of a match, ready for `json.dumps`."""
    winner = figures.winner
    points = figures.victory_points
    return {
        "names": list(figures.names),
        "event": figures.event,
        "dates": list(figures.dates),
        "mode": figures.mode.value,
        "boards": figures.boards,
        "single_table_boards": figures.single_tables,
        "imps": figures.imps,
        "imps_per_board": rounded(figures.per_board.mean),
        "standard_error": rounded(figures.per_board.standard_error),
        "p_value": rounded(figures.p_value),
        "victory_points": list(points) if points else None,
        "winner": None if winner is None else figures.names[winner],
        "forfeit": _forfeit(figures),
        "adjusted_boards": len(figures.adjusted),
        "adjusted_imps": sum(figures.adjusted),
        "sprt": _sprt(figures),
        "deals": figures.provenance.values,
        "terms": dict(figures.terms),
        "bots": [_bot(bot, figures) for bot in figures.bots],
        "board_results": [_row(row, figures) for row in figures.rows],
    }


def _forfeit(figures: MatchFigures) -> Json | None:
    forfeit = figures.forfeit
    if forfeit is None:
        return None
    return {
        "by": figures.names[forfeit.team],
        "board": forfeit.board,
        "room": forfeit.room.value if forfeit.room else None,
        "seat": str(forfeit.fault.seat),
        "fault": forfeit.fault.kind.value,
        "detail": forfeit.fault.detail,
    }


def _sprt(figures: MatchFigures) -> Json | None:
    sprt = figures.sprt
    if sprt is None:
        return None
    decided = sprt.verdict is not Verdict.GO_ON
    return {
        **{name: rounded(getattr(sprt.test, name)) for name in ("imp0", "imp1", "alpha", "beta")},
        "verdict": sprt.verdict.value if decided else None,
        "boards": sprt.boards,
        "llr": rounded(sprt.llr),
        "bounds": [rounded(bound) for bound in sprt.test.bounds],
    }


def _bot(bot: BotFigures, figures: MatchFigures) -> Json:
    tricks_vs_dd = {
        "declarer": _tricks_vs_dd(bot.declarer),
        "defence": _tricks_vs_dd(bot.defence),
    }
    return {
        "name": bot.name,
        "tricks_vs_dd": tricks_vs_dd if figures.has_play else None,
        "ledger": _ledger(bot.ledger, figures) if figures.has_play else None,
        "explanations": _explanations(bot.explanations) if figures.has_auction else None,
        "timing": {
            "n": bot.timing.n,
            "mean_ms": rounded(bot.timing.mean_ms),
            "p99_ms": rounded(bot.timing.p99_ms),
        },
        "illegal_actions": bot.illegal_actions,
        "malformed": bot.malformed,
        "timeouts": bot.timeouts,
        "forfeits": bot.forfeits,
        "faults": {kind.value: count for kind, count in bot.faults.items()},
    }


def _tricks_vs_dd(tricks: TricksVsDd) -> Json:
    return {
        **mean_values(tricks.all),
        "tables": tricks.tables,
        "by_level": {str(level): mean_values(mean) for level, mean in tricks.by_level.items()},
    }


def _ledger(ledger: LedgerFigures, figures: MatchFigures) -> Json:
    return {
        "boards": ledger.boards,
        "tricks_lost": {key: ledger.tricks[role] for role, key in ROLE_KEYS.items()},
        "tricks_lost_per_board": _by_role(ledger.per_board),
        "imps": {
            "auction": rounded(ledger.auction) if figures.has_auction else None,
            "play": rounded(ledger.play),
            **_parts(ledger.own_parts),
        },
    }


def _by_role(means: Mapping[Role, Mean]) -> Json:
    return {key: mean_values(means[role]) for role, key in ROLE_KEYS.items()}


def _parts(parts: Parts) -> Json:
    return {
        "opening_lead": rounded(parts.opening_lead),
        "declarer_play": rounded(parts.declarer_play),
        "defence": rounded(parts.defence),
    }


def _explanations(figures: ExplanationFigures) -> Json:
    return {
        **explanation_values(figures),
        "worst": [broken_values(broken) for broken in figures.broken],
    }


def _row(row: BoardRow, figures: MatchFigures) -> Json:
    split = row.split if figures.has_play else None
    return {
        "board": row.number,
        "dealer": str(row.dealer),
        "vulnerability": str(row.vulnerability),
        "open": _table(row.open),
        "closed": _table(row.closed),
        "imps": row.imps,
        "cumulative": row.cumulative,
        "split": split
        and {
            "auction": rounded(split.auction) if figures.has_auction else None,
            "first": _parts(split.first),
            "second": _parts(split.second),
        },
    }


def _table(table: TableResult) -> Json:
    contract = table.contract
    return {
        "contract": "Pass" if contract is None else str(contract),
        "declarer": None if contract is None else str(contract.declarer),
        "tricks": table.tricks,
        "dd_tricks": table.dd_tricks,
        "score": table.score,
    }
