"""Bridge Arena: a tournament server and bot protocol framework for contract bridge.

What the author of a bot and a researcher need, by one import. A name loads its room when it is
first used; everything else is in the rooms themselves, `bridge_arena.bridge` and so on.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridge_arena.board_files.records import read_boards, read_records
    from bridge_arena.bots.sdk.client import Bot, run
    from bridge_arena.bridge.board import Board
    from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE, Call, Contract, Denomination
    from bridge_arena.bridge.cards import Card, Deal, Hand, Rank, Suit
    from bridge_arena.bridge.evaluation import hcp, longest_suit
    from bridge_arena.bridge.explanation import Explanation
    from bridge_arena.bridge.play import winning_index
    from bridge_arena.bridge.record import BoardRecord, MadeCall
    from bridge_arena.bridge.seats import Seat, Side, Vulnerability
    from bridge_arena.oracle.par import par
    from bridge_arena.oracle.solver import double_dummy_table
    from bridge_arena.pbn.write.writer import write_records
    from bridge_arena.protocol.decision import Ask, LeavingError, NoActionError
    from bridge_arena.protocol.view import View
    from bridge_arena.recorded.ladder_client import Ladder
    from bridge_arena.tournaments.play.in_process import play_match

    __version__: str

__all__ = [
    "DOUBLE",
    "PASS",
    "REDOUBLE",
    "Ask",
    "Board",
    "BoardRecord",
    "Bot",
    "Call",
    "Card",
    "Contract",
    "Deal",
    "Denomination",
    "Explanation",
    "Hand",
    "Ladder",
    "LeavingError",
    "MadeCall",
    "NoActionError",
    "Rank",
    "Seat",
    "Side",
    "Suit",
    "View",
    "Vulnerability",
    "__version__",
    "double_dummy_table",
    "hcp",
    "longest_suit",
    "par",
    "play_match",
    "read_boards",
    "read_records",
    "run",
    "winning_index",
    "write_records",
]

_NAMES = {
    "board_files.records": ["read_boards", "read_records"],
    "bots.sdk.client": ["Bot", "run"],
    "bridge.board": ["Board"],
    "bridge.calls": ["DOUBLE", "PASS", "REDOUBLE", "Call", "Contract", "Denomination"],
    "bridge.cards": ["Card", "Deal", "Hand", "Rank", "Suit"],
    "bridge.evaluation": ["hcp", "longest_suit"],
    "bridge.explanation": ["Explanation"],
    "bridge.play": ["winning_index"],
    "bridge.record": ["BoardRecord", "MadeCall"],
    "bridge.seats": ["Seat", "Side", "Vulnerability"],
    "oracle.par": ["par"],
    "oracle.solver": ["double_dummy_table"],
    "pbn.write.writer": ["write_records"],
    "protocol.decision": ["Ask", "LeavingError", "NoActionError"],
    "protocol.view": ["View"],
    "recorded.ladder_client": ["Ladder"],
    "tournaments.play.in_process": ["play_match"],
}

_HOMES = {name: f"{__name__}.{module}" for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    # Not at the top: whoever imports any room runs this file first (PEP 562).
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 (rarely asked for)

        value: object = version("bridge-arena")
    elif name in _HOMES:
        value = getattr(import_module(_HOMES[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
