"""What the tags tell of a game that has no record: its board, contract and result."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.model import Game
from bridge_arena.pbn.read.boards import number_of
from bridge_arena.pbn.values import (
    is_passed_out,
    parse_contract,
    parse_declarer,
    parse_tricks,
    parse_vulnerability,
    text_of,
)
from bridge_arena.pbn.write import export_values

Cell = str | int | None

_T = TypeVar("_T")


def told_by_tags(game: Game) -> dict[str, Cell]:
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


def _parsed(parse: Callable[[str], _T], value: str) -> _T | None:
    """Return a parsed value, or None if it has no meaning."""
    try:
        return parse(value)
    except ValueError:
        return None
