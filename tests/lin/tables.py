"""Tables of LIN text, for tests."""

from __future__ import annotations

from io import BytesIO

from bridge_arena.bridge.deviations import Kind, Meaning
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.lin.model import Table
from bridge_arena.lin.reader import TableReader
from bridge_arena.lin.records import meaning_of

HANDS = "SQ982HQ82DKQ763CT,SJ643HKJ7653DCAQ4,SK5HADAJT52CJ9762,SAT7HT94D984CK853"
"""South, West, North, East of the deal that tests play."""

START = f"pn|Sue,Will,Nora,Ed|st||md|1{HANDS}|rh||ah|Board 15|sv|n|"
AUCTION = "mb|p|mb|1H|mb|2N|an|minors|mb|p|mb|3N|mb|p|mb|p|mb|p|pg||"
"""Ends 3NT by North, East to lead."""


def tables(text: str | bytes) -> list[Table]:
    data = text.encode() if isinstance(text, str) else text
    return list(TableReader(BytesIO(data), "x.lin"))


def meaning(text: str | bytes) -> Meaning:
    (table,) = tables(text)
    return meaning_of(table)


def record(text: str | bytes) -> BoardRecord:
    found = meaning(text)
    assert found.record is not None, found.error
    return found.record


def kinds(text: str | bytes) -> list[Kind]:
    return [deviation.kind for deviation in meaning(text).deviations]
