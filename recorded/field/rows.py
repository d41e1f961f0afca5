"""The rows of `field`, `boards` and `pairs`: one for each table of a field, board and pair.

The columns are documented in docs/analysing.md and stable.
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.oracle.par import Par
from bridge_arena.recorded.field.findings import BoardFinding, TableFinding, result_text
from bridge_arena.recorded.field.pairs import Figure, Ranked
from bridge_arena.recorded.field.tables import FieldBoard, Worth
from bridge_arena.recorded.frames import Cell, Columns
from bridge_arena.reports.common.values import rounded

WORTH: Columns = {
    **{"field_tables": int, "matchpoints": int, "matchpoints_top": int},
    **{"matchpoint_percentage": float, "butler": int, "cross_imps": float},
}
"""What a score is worth, for North-South."""

OWN: Columns = {
    **{f"file_{name}": float for name in ("mp_ns", "mp_ew", "percentage_ns", "percentage_ew")},
    **{f"file_{name}": float for name in ("imp_ns", "imp_ew")},
}
"""What it is worth as the file says."""

FIELD_COLUMNS: Columns = {
    **{"file": str, "line": int, "game": int, "source": str, "event": str, "board": int},
    **{"dealer": str, "vulnerable": str, "section": str},
    **{"pair_ns": str, "names_ns": str, "pair_ew": str, "names_ew": str},
    **{"contract": str, "declarer": str, "lead": str, "tricks": int, "multiplicity": int},
    **{"score": int, "file_score": int},
    **{"dd_tricks": int, "difference": int, "dd_score": int, "par_score": int, "imps": int},
    **WORTH,
    **OWN,
    "note": str,
}

BOARD_COLUMNS: Columns = {
    **{"file": str, "event": str, "board": int, "dealer": str, "vulnerable": str, "deal": str},
    **{"source": str, "tables": int, "par_score": int, "par_contracts": str, "datum": int},
    **{"swing": float, "swing_contracts": float, "swing_play": float},
    **{"highest": str, "highest_score": int, "lowest": str, "lowest_score": int, "leads": str},
}

PAIR_COLUMNS: Columns = {
    **{"file": str, "event": str, "rank": int, "ranked_by": str, "section": str, "pair": str},
    **{"names": str, "direction": str, "boards": int},
    **{"matchpoint_percentage": float, "matchpoint_percentage_error": float},
    **{"cross_imps": float, "cross_imps_error": float, "butler": float, "butler_error": float},
    **{"file_rank": str, "file_score": float, "file_figure": str},
}


def worth_cells(worth: Worth) -> dict[str, Cell]:
    return {
        "field_tables": worth.tables,
        "matchpoints": worth.matchpoints,
        "matchpoints_top": worth.top,
        "matchpoint_percentage": rounded(worth.percentage),
        "butler": worth.butler,
        "cross_imps": rounded(float(worth.cross_imps)),
    }


def field_rows(board: BoardFinding) -> Iterator[dict[str, Cell]]:
    """Yield a row for each table, or for several with the same result in one row of the file."""
    for finding in board.tables:
        yield _field_row(board, finding)


def _field_row(board: BoardFinding, finding: TableFinding) -> dict[str, Cell]:
    result = finding.result
    table, contract = result.table, result.table.contract
    return {
        **_board_cells(board.field),
        "line": table.line,
        "game": result.game,
        "section": table.section,
        "pair_ns": table.pair_ns,
        "names_ns": table.names_ns,
        "pair_ew": table.pair_ew,
        "names_ew": table.names_ew,
        "contract": "Pass" if table.is_passed_out else str(contract) if contract else None,
        "declarer": str(contract.declarer) if contract else None,
        "lead": table.lead or None,
        "tricks": table.tricks,
        "multiplicity": table.multiplicity,
        "score": result.score,
        "file_score": table.score,
        "dd_tricks": finding.dd_tricks,
        "difference": finding.difference,
        "dd_score": finding.dd_score,
        "par_score": board.par.score if board.par else None,
        "imps": finding.imps,
        "note": finding.note,
        **worth_cells(finding.worth),
        **{f"file_{name.lower()}": float(figure) for name, figure in table.own.items()},
    }


def board_row(board: BoardFinding) -> dict[str, Cell]:
    field, best, swing = board.field, board.par, board.swing
    return {
        **_board_cells(field),
        "deal": str(field.board.deal),
        "tables": len(field.scores),
        "par_score": best.score if best else None,
        "par_contracts": par_text(best) if best else None,
        "datum": board.datum,
        "swing": rounded(swing.total),
        "swing_contracts": rounded(swing.contracts),
        "swing_play": rounded(swing.play),
        "highest": result_text(board.highest),
        "highest_score": board.highest.score,
        "lowest": result_text(board.lowest),
        "lowest_score": board.lowest.score,
        "leads": board.leads or None,
    }


def pair_row(pair: Ranked) -> dict[str, Cell]:
    key, own = pair.key, pair.own
    percentage, cross, butler = (pair.means[figure] for figure in Figure)
    return {
        "file": key.file,
        "event": key.event,
        "rank": pair.rank,
        "ranked_by": pair.ranked_by.value,
        "section": key.section,
        "pair": key.pair,
        "names": key.names or (own.names if own else ""),
        "direction": key.direction,
        "boards": percentage.n,
        "matchpoint_percentage": rounded(percentage.mean),
        "matchpoint_percentage_error": rounded(percentage.standard_error),
        "cross_imps": rounded(cross.mean),
        "cross_imps_error": rounded(cross.standard_error),
        "butler": rounded(butler.mean),
        "butler_error": rounded(butler.standard_error),
        "file_rank": own.rank or None if own else None,
        "file_score": float(own.score) if own and own.score is not None else None,
        "file_figure": own.figure or None if own else None,
    }


def par_text(best: Par) -> str:
    """Return the contracts of par, or Pass."""
    texts = (f"{reached.contract} {reached.contract.declarer}" for reached in best.contracts)
    return "; ".join(texts) or "Pass"


def _board_cells(field: FieldBoard) -> dict[str, Cell]:
    board = field.board
    return {
        "file": field.file,
        "event": field.event,
        "board": board.number,
        "dealer": str(board.dealer),
        "vulnerable": str(board.vulnerability),
        "source": field.source,
    }
