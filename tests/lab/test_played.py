"""What comes of card play in the laboratory."""

from __future__ import annotations

import pickle
from functools import partial
from math import fsum

import pytest

from bridge_arena.bots.registry import UnknownBotError
from bridge_arena.bridge.record import Room
from bridge_arena.lab.play import figures, in_both_rooms, played
from bridge_arena.oracle.ledger import Role, charge
from bridge_arena.oracle.solver import play_values
from tests.lab.given import KEY, given_boards


def test_card_play_can_be_sent_to_another_process_and_back() -> None:
    tables = list(in_both_rooms(given_boards(2)))
    work = pickle.loads(pickle.dumps(partial(played, "baseline", "random", tables, KEY)))
    found = work()
    assert found == played("baseline", "random", tables, KEY)
    assert [each.values for each in pickle.loads(pickle.dumps(found))] == [None] * 4
    with pytest.raises(UnknownBotError, match="did you mean baseline"):
        played("baselin", "random", tables, KEY)


def test_each_bot_has_a_ledger_by_role() -> None:
    number = 3
    tables = played(
        "baseline", "random", list(in_both_rooms(given_boards(number))), KEY, valued=True
    )
    lost = dict.fromkeys([(name, role) for name in ("baseline", "random") for role in Role], 0)
    for table in tables:
        record = table.record
        assert record.contract is not None
        values = play_values(record.board.deal, record.contract, record.cards)
        assert table.values == values
        for loss in charge(record, values).losses:
            assert loss.seat is not None
            # The first bot sits North-South in the open room, East-West in the closed one.
            is_first = (loss.seat.side == 0) == (record.room is Room.OPEN)
            lost["baseline" if is_first else "random", loss.role] += loss.tricks
    baseline, random = figures(tables)
    assert (baseline.name, random.name) == ("baseline", "random")
    for each in (baseline, random):
        assert each.ledger.boards == number
        for role in Role:
            mean = each.ledger.tricks_lost_per_board[role].mean
            assert mean == pytest.approx(lost[each.name, role] / number)
        imps = each.ledger.imps_per_board
        assert imps.auction.mean == 0
        parts = [*imps.own.values(), *imps.opponents.values()]
        assert imps.all.mean == pytest.approx(fsum(part.mean or 0 for part in parts))
        assert imps.all == each.imps_per_board
    assert (random.imps_per_board.mean or 0) < 0 < (baseline.imps_per_board.mean or 0)


def test_without_values_there_is_no_ledger() -> None:
    first, _ = figures(played("baseline", "random", list(in_both_rooms(given_boards(2))), KEY))
    assert (first.imps_per_board.n, first.ledger.boards) == (2, 0)
