"""The rows of `analysis`, one for each game, and of `players`, one for each sum.

The columns are documented in docs/analysing.md and stable. An empty cell is not known or does not
apply. Of a game that has no record the tags tell what they can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.ledger import Role
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.meaning import number_of
from bridge_arena.pbn.values import (
    is_passed_out,
    parse_contract,
    parse_declarer,
    parse_tricks,
    parse_vulnerability,
    text_of,
)
from bridge_arena.pbn.write import export_values
from bridge_arena.recorded.analysis.findings import Finding
from bridge_arena.recorded.analysis.overview import Totals
from bridge_arena.recorded.field.rows import OWN, WORTH, par_text
from bridge_arena.recorded.frames import Cell, Columns
from bridge_arena.reports.common.costs import CallCost, costliest
from bridge_arena.reports.common.values import rounded

ROLES = {role: role.replace(" ", "_") for role in Role}
"""Each role's name in the keys."""

COLUMNS: Columns = {
    **{"file": str, "line": int, "game": int, "event": str, "stage": str, "round": str},
    **{"section": str, "table": str, "room": str, "home": str, "visitors": str, "board": int},
    **dict.fromkeys("dealer vulnerable north east south west contract declarer".split(), str),
    **dict.fromkeys("tricks score cards dd_tricks difference par_score".split(), int),
    **{"par_contracts": str, "imps": int, "auction_imps": int},
    **{f"{key}_imps": float for key in ROLES.values()},
    **{f"{key}_lost": int for key in ROLES.values()},
    "losses": str,
    **{"call_costs": str, "costliest_call": str, "costliest_call_imps": float},
    **{"swing": int, "swing_auction": int},
    **{f"swing_{room.lower()}_{key}": float for room in Room for key in ROLES.values()},
    **WORTH,
    **OWN,
    "file_rubber": str,
    "note": str,
}

SUM_COLUMNS: Columns = {
    **dict.fromkeys("group name role measure".split(), str),
    **{"n": int, "mean": float, "standard_error": float},
}


def row_of(finding: Finding) -> dict[str, Cell]:
    game = finding.entry.game
    row: dict[str, Cell] = {"file": game.file, "line": game.line, "game": game.number}
    for name in ("Event", "Stage", "Round", "Section", "Table"):
        row[name.lower()] = game.get(name).strip("?")
    row["note"] = finding.note
    record = finding.entry.record
    if record is None:
        return row | cells_of_tags(game)
    return row | _record_cells(record) | _finding_cells(finding)


def sum_rows(totals: Totals) -> Iterator[dict[str, Cell]]:
    for key, mean in totals:
        yield {
            "group": key.group,
            "name": key.name,
            "role": key.role.replace(" ", "_"),
            "measure": key.measure,
            "n": mean.n,
            "mean": rounded(mean.mean),
            "standard_error": rounded(mean.standard_error),
        }


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
        "call_costs": "; ".join(call_cost_texts(finding, record)),
    }
    costly = costliest(finding.calls)
    if costly is not None:
        place, cost = costly
        row["costliest_call"] = _call_text(record, place, cost)
        row["costliest_call_imps"] = cost.cost
    if best is not None:
        row["par_score"] = best.score
        row["par_contracts"] = par_text(best)
    for role, key in ROLES.items():
        if finding.ledger is not None:
            row[f"{key}_lost"] = finding.ledger.lost(role)
        if split is not None:
            row[f"{key}_imps"] = rounded(split.parts[Room.OPEN, role])
    rooms = finding.rooms
    if rooms is not None:
        row["swing"] = rooms.swing
        row["swing_auction"] = rooms.auction
        for (room, role), imps in (rooms.parts or {}).items():
            row[f"swing_{room.lower()}_{ROLES[role]}"] = rounded(imps)
    return row


def cells_of_tags(game: Game) -> dict[str, Cell]:
    """Return the cells of `analysis.csv` that need no record, each from its own tag."""
    value = game.get("Contract")
    dealer = _parsed(Seat.parse, game.meant("Dealer").strip())
    vulnerability = _parsed(parse_vulnerability, game.meant("Vulnerable"))
    declarer = _parsed(parse_declarer, game.get("Declarer"))
    contract = _parsed(lambda text: parse_contract(text, declarer), value)
    level = contract.level if contract else None
    tricks = _parsed(lambda text: parse_tricks(text, declarer, level), game.get("Result"))
    passed_out = is_passed_out(value)
    score = None
    if vulnerability is not None and (passed_out or (contract is not None and tricks is not None)):
        score = score_ns(contract, tricks, vulnerability)
    return {
        "room": text_of(game.get("Room")),
        "home": text_of(game.get("HomeTeam")),
        "visitors": text_of(game.get("VisitTeam")),
        "board": number_of(game),
        "dealer": None if dealer is None else str(dealer),
        "vulnerable": None if vulnerability is None else str(vulnerability),
        **{seat.name.lower(): text_of(game.get(seat.name.capitalize())) for seat in SEATS},
        # The contract is told even if its declarer is not.
        "contract": (_parsed(export_values.contract, value) or "").strip("?"),
        "declarer": None if declarer is None else str(declarer),
        "tricks": tricks,
        "score": score,
    }


def loss_texts(finding: Finding, record: BoardRecord) -> Iterator[str]:
    """Yield a text for every lost trick.

    In `3:SQ W defence 1`, SQ is the third card of the play. `end` stands for the claim, and a
    missing seat for both defenders.
    """
    if finding.ledger is None:
        return
    for loss in finding.ledger.losses:
        where = "end"
        if loss.card < len(record.cards):
            where = f"{loss.card + 1}:{record.cards[loss.card]}"
        seat = "" if loss.seat is None else f" {loss.seat}"
        yield f"{where}{seat} {loss.role} {loss.tricks}"


def call_cost_texts(finding: Finding, record: BoardRecord) -> Iterator[str]:
    """Yield a text for every call that cost something.

    `5:2NT E 3.34 ± 0.66 (1NT, 6)` is the fifth call of the auction, by East; 1NT would have been
    better, by 6 IMPs in the real layout.
    """
    for place, cost in enumerate(finding.calls):
        if cost is not None and cost.cost:
            error = f"{cost.cost:.2f} ± {cost.standard_error:.2f}"
            yield f"{_call_text(record, place, cost)} {error} ({cost.best}, {cost.real})"


def _call_text(record: BoardRecord, place: int, cost: CallCost) -> str:
    return f"{place + 1}:{cost.call} {record.caller(place)}"


_T = TypeVar("_T")


def _parsed(parse: Callable[[str], _T], value: str) -> _T | None:
    try:
        return parse(value)
    except ValueError:
        return None
