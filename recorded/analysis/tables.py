"""`analysis.csv`, a row for each game, and `players.csv`, a row for each sum.

The columns are documented in docs/analysing.md and stable. An empty cell is not known,
or does not apply.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import IO

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.seats import SEATS
from bridge_arena.oracle.ledger import Role
from bridge_arena.recorded.analysis.findings import Finding
from bridge_arena.recorded.analysis.told import told_by_tags
from bridge_arena.recorded.analysis.totals import Totals

Cell = str | int | float | None

ROLES = {role: role.replace(" ", "_") for role in Role}
"""Each role's name in the keys."""

COLUMNS = (
    *("file", "line", "game", "event", "stage", "round", "section", "table", "room", "home"),
    *("visitors", "board", "dealer", "vulnerable", "north", "east", "south", "west"),
    *("contract", "declarer", "tricks", "score", "cards"),
    *("dd_tricks", "difference", "par_score", "par_contracts", "imps", "auction_imps"),
    *(f"{key}_imps" for key in ROLES.values()),
    *(f"{key}_lost" for key in ROLES.values()),
    "losses",
    *("swing", "swing_auction"),
    *(f"swing_{room.lower()}_{key}" for room in Room for key in ROLES.values()),
    "note",
)

SUM_COLUMNS = ("group", "name", "role", "measure", "n", "mean", "standard_error")


def row_of(finding: Finding) -> dict[str, Cell]:
    """The cells that are known."""
    game = finding.entry.game
    row: dict[str, Cell] = {
        "file": game.file,
        "line": game.line,
        "game": game.number,
        "note": finding.note,
    }
    for name in ("Event", "Stage", "Round", "Section", "Table"):
        row[name.lower()] = game.get(name).strip("?")
    record = finding.entry.record
    if record is None:
        return row | told_by_tags(game)
    return row | _record_cells(record) | _finding_cells(finding)


def write_sums(file: IO[str], totals: Totals) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(SUM_COLUMNS)
    for key, mean in totals:
        cells = (key.group, key.name, key.role.replace(" ", "_"), key.measure, mean.n)
        writer.writerow([*cells, _rounded(mean.mean), _rounded(mean.standard_error)])


def loss_texts(finding: Finding, record: BoardRecord) -> Iterator[str]:
    """Every lost trick: `3:SQ W defence 1` is the third card of the play; `end` stands
    for the claim, and no seat for both defenders."""
    if finding.ledger is None:
        return
    for loss in finding.ledger.losses:
        where = "end"
        if loss.card < len(record.cards):
            where = f"{loss.card + 1}:{record.cards[loss.card]}"
        seat = "" if loss.seat is None else f" {loss.seat}"
        yield f"{where}{seat} {loss.role} {loss.tricks}"


def _record_cells(record: BoardRecord) -> dict[str, Cell]:
    board, contract = record.board, record.contract
    passed_out = contract is None and record.is_finished
    return {
        "room": record.room.value if record.room else None,
        "home": record.home,
        "visitors": record.visitors,
        "board": board.number,
        "dealer": str(board.dealer),
        "vulnerable": str(board.vulnerability),
        **{seat.name.lower(): record.players[seat] for seat in SEATS},
        "contract": str(contract) if contract else "Pass" if passed_out else None,
        "declarer": str(contract.declarer) if contract else None,
        "tricks": record.tricks,
        "cards": len(record.cards),
    }


def _finding_cells(finding: Finding) -> dict[str, Cell]:
    record, best, split = finding.entry.record, finding.par, finding.against_par
    assert record is not None
    row: dict[str, Cell] = {
        "score": finding.score,
        "dd_tricks": finding.dd_tricks,
        "difference": finding.difference,
        "imps": finding.imps,
        "auction_imps": finding.auction_imps,
        "losses": "; ".join(loss_texts(finding, record)),
    }
    if best is not None:
        row["par_score"] = best.score
        texts = (f"{par.contract} {par.contract.declarer}" for par in best.contracts)
        row["par_contracts"] = "; ".join(texts) or "Pass"
    for role, key in ROLES.items():
        if finding.ledger is not None:
            row[f"{key}_lost"] = finding.ledger.lost(role)
        if split is not None:
            row[f"{key}_imps"] = _rounded(split.parts[Room.OPEN, role])
    rooms = finding.rooms
    if rooms is not None:
        row["swing"] = rooms.swing
        row["swing_auction"] = rooms.auction
        for (room, role), imps in (rooms.parts or {}).items():
            row[f"swing_{room.lower()}_{ROLES[role]}"] = _rounded(imps)
    return row


def _rounded(value: float | None) -> float | None:
    # The sum turns the negative zero into zero.
    return None if value is None else round(value, 6) + 0.0
