"""The decisions of recorded boards."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bridge_arena.bots.library.spaces import SLICES, chosen_by
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import MadeCall, Mode
from bridge_arena.envs.decisions import decisions
from bridge_arena.tournaments.play.in_process import play_match


def test_every_call_and_card_is_a_decision() -> None:
    for record in play_match("baseline", "random", 2, seed=2).records:
        made = list(decisions(record))
        told = [*(each.call for each in record.calls), *record.cards]
        assert [chosen_by(each.action) for each in made] == told
        assert all(each.action_mask[each.action] for each in made)
        first = made[0]
        assert first.seat == record.board.dealer
        hand = np.flatnonzero(first.observation[SLICES["hand"]])
        assert hand.tolist() == sorted(record.board.deal[first.seat])
        played = list(decisions(replace(record, mode=Mode.PLAY)))
        assert [each.action for each in played] == [
            each.action for each in made[len(record.calls) :]
        ]


def test_an_illegal_call_of_a_record_is_told() -> None:
    (record, _) = play_match("random", "random", 1, seed=2).records
    wrong = replace(record, calls=(MadeCall(Call("X")), *record.calls))
    with pytest.raises(ValueError, match="X by N is illegal"):
        list(decisions(wrong))
    with pytest.raises(ValueError, match="board 1: X is not legal"):
        list(decisions(replace(wrong, contract=None)))


@pytest.mark.parametrize("count", [0, 2])
def test_only_cards_are_decisions_without_an_auction_to_the_contract(count: int) -> None:
    (record, _) = play_match("baseline", "baseline", 1, seed=2).records
    made = list(decisions(replace(record, calls=record.calls[:count])))
    assert [chosen_by(each.action) for each in made] == list(record.cards)
    whole = list(decisions(record))[len(record.calls)]
    bids = [each.observation[SLICES["last_bid"]].tolist() for each in (made[0], whole)]
    assert bids[0] == bids[1]
