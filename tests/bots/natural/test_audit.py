"""Four players of `natural` at the table: promises are kept, and little goes wrong.

The bounds leave room for tuning; `research.natural` has the figures.
"""

from __future__ import annotations

import pytest

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import Suit
from bridge_arena.bridge.explanation import Explanation
from research.natural import ACCIDENTS, Audit, Hands, self_play

DEALS = 300


@pytest.fixture(scope="module")
def audit() -> Audit:
    found = Audit()
    for number in range(1, DEALS + 1):
        found.add(Board.dealt(7, number))
    return found


@pytest.mark.slow
def test_hands_keep_what_their_calls_promise(audit: Audit) -> None:
    for is_pass in (True, False):
        first, later = audit.told[is_pass, True], audit.told[is_pass, False]
        both = first + later
        assert both.calls > 2 * DEALS
        assert both.kept / both.calls >= 0.97, audit.broken.most_common(5)


@pytest.mark.slow
def test_calls_tell_something(audit: Audit) -> None:
    """An explanation removes more than half of the uncertainty about points, and more with each
    round.
    """
    first, later = audit.told[False, True], audit.told[False, False]
    assert first.narrowed[0] / first.calls > 0.5
    assert later.narrowed[0] / later.calls > first.narrowed[0] / first.calls
    assert first.narrowed[1:].mean() / first.calls > 0.2


@pytest.mark.slow
def test_accidents_are_rare(audit: Audit) -> None:
    found = {kind: audit.examples[kind] for kind in ACCIDENTS}
    assert audit.accidents <= DEALS / 200, found


@pytest.mark.slow
def test_slams_and_games_are_reached() -> None:
    """Slams and games are bid sometimes, and not all the time."""
    levels = [
        contract.level
        for number in range(1, 201)
        if (contract := self_play(Board.dealt(8, number))[0].contract) is not None
    ]
    assert 0.02 <= sum(level >= 6 for level in levels) / len(levels) <= 0.12
    assert 0.25 <= sum(level >= 4 for level in levels) / len(levels) <= 0.6


def test_a_board_is_bid_alike_again() -> None:
    board = Board.dealt(7, 3)
    auctions: list[Auction] = [self_play(board)[0] for _ in range(2)]
    assert auctions[0] == auctions[1]


class TestHands:
    hands = Hands()

    def test_all_hands_have_their_known_means(self) -> None:
        """Known figures: 10 points on average, deviation 4.13; lengths 3.25 and 1.365."""
        admitted = self.hands.of(Explanation())
        assert admitted is not None
        assert admitted.mean == pytest.approx([10, 3.25, 3.25, 3.25, 3.25])
        assert admitted.variance == pytest.approx([17.06, *[1.864] * 4], rel=0.01)

    def test_a_promise_narrows_the_hands_it_holds_for(self) -> None:
        notrump = self.hands.of(Explanation(hcp=(15, 17)))
        assert notrump is not None
        assert notrump.mean[0] == pytest.approx(15.8, abs=0.1)
        assert notrump.variance[0] < 1

    def test_a_promise_that_no_hand_keeps_holds_for_none(self) -> None:
        promised = {Suit.SPADES: (8, 13), Suit.HEARTS: (8, 13)}
        assert self.hands.of(Explanation(lengths=promised)) is None
