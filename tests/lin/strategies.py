"""The parts of the records of tables that LIN keeps."""

from __future__ import annotations

from dataclasses import replace

from bridge_arena.bridge.explanation import Explanation, with_symbols
from bridge_arena.bridge.record import BoardRecord, MadeCall, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.lin.notation import portable, portable_name
from bridge_arena.lin.play import tricks_of


def kept(record: BoardRecord) -> BoardRecord:
    """What LIN keeps of a record that stands under its match's heading: cards tell the tricks
    where all are played, and where there are teams there are rooms."""
    north, east, south, west = map(portable_name, record.players)
    title, _, segment = portable(record.event).partition(", ")
    home, visitors = portable_name(record.home), portable_name(record.visitors)
    tricks = record.tricks
    if record.contract is not None and len(record.cards) >= 48:
        tricks = tricks_of(record.play(), record.board.deal)
    is_finished = tricks is not None or record.is_finished
    return BoardRecord(
        board=record.board,
        players=(north, east, south, west),
        calls=tuple(map(_kept_call, record.calls)),
        contract=record.contract,
        cards=record.cards,
        tricks=tricks,
        score=(
            score_ns(record.contract, tricks, record.board.vulnerability) if is_finished else None
        ),
        event=", ".join(filter(None, map(portable_name, (title, segment)))),
        room=record.room or (Room.OPEN if home or visitors else None),
        home=home,
        visitors=visitors,
        scoring=record.scoring,
    )


def _kept_call(made: MadeCall) -> MadeCall:
    if made.explanation is None:
        return made
    text = with_symbols(portable(str(made.explanation)).strip())
    return replace(made, explanation=Explanation.parse(text) if text else None)
