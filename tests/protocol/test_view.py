"""Tests of a seat's view, which is built from its messages."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import PACK, SUITS, Card, Deal, Hand
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import FaultKind, MadeCall
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.messages import BoardEvent, BoardStart, YourTurn
from bridge_arena.protocol.view import View
from bridge_arena.protocol.visibility import Event
from bridge_arena.server.claims import Claims
from bridge_arena.server.table import Table
from tests.server.tables import (
    DEAL,
    EAST,
    NORTH,
    SOUTH,
    WEST,
    WEST_PLAYS_FOUR_HEARTS,
    new_table,
    play_lowest,
    random_move,
    reply,
    say,
    say_all,
    seen_by,
    table_at_play,
)


class Watcher:
    """A seat's view, kept up with what it may see."""

    def __init__(self, seat: Seat, events: list[Event], *, cheat: bool = False) -> None:
        self.seat = seat
        self.cheat = cheat
        start, *rest = seen_by(seat, events, cheat=cheat)
        assert isinstance(start, BoardStart)
        self.view = View(seat, start)
        for message in rest:
            self.view.apply(message)

    def see(self, events: list[Event]) -> None:
        for message in seen_by(self.seat, events, cheat=self.cheat):
            if isinstance(message, BoardEvent):
                self.view.apply(message)


def watch(seat: Seat, said: str, *, deal: Deal = DEAL, cheat: bool = False) -> View:
    """Return what `seat` knows after the calls and cards of `said`."""
    table = new_table(deal)
    watcher = Watcher(seat, table.start(0.0), cheat=cheat)
    watcher.see(say_all(table, said))
    return watcher.view


LED = f"{WEST_PLAYS_FOUR_HEARTS} DK"


def test_a_player_sees_the_own_hand_and_no_other() -> None:
    view = watch(SOUTH, "")
    assert view.held(SOUTH) == DEAL[SOUTH]
    assert [view.held(seat) for seat in (NORTH, EAST, WEST)] == [None] * 3
    assert view.unseen == PACK - DEAL[SOUTH]
    assert view.deal is None


def test_dummy_is_seen_after_the_opening_lead() -> None:
    before = watch(SOUTH, WEST_PLAYS_FOUR_HEARTS)
    assert before.held(EAST) is None
    after = watch(SOUTH, f"{LED} DT")
    assert after.held(EAST) == DEAL[EAST].without(Card("DT"))
    assert after.unseen == (DEAL[NORTH] | DEAL[WEST]).without(Card("DK"))


def test_dummy_does_not_see_declarers_hand() -> None:
    view = watch(EAST, f"{LED} DT")
    assert view.held(WEST) is None
    assert view.held(EAST) == DEAL[EAST].without(Card("DT"))


def test_a_cheat_sees_everything() -> None:
    view = watch(SOUTH, f"{LED} DT", cheat=True)
    assert [view.held(seat) for seat in SEATS] == [
        DEAL[NORTH].without(Card("DK")),
        DEAL[EAST].without(Card("DT")),
        DEAL[SOUTH],
        DEAL[WEST],
    ]
    assert view.unseen == Hand()


def test_a_void_shows_when_a_player_does_not_follow() -> None:
    view = watch(SOUTH, f"{LED} DT D2 DA H2 H6 HT HQ D4")
    assert view.voids(EAST) == set()
    # East's diamond was single: on the next, it ruffs.
    later = watch(SOUTH, f"{LED} DT D2 DA D5 DQ HT D9")
    assert later.voids(EAST) == {Card("DK").suit}
    assert [later.voids(seat) for seat in (NORTH, SOUTH, WEST)] == [set()] * 3


def test_the_legal_cards_are_those_of_the_hand_in_turn() -> None:
    assert watch(WEST, LED).legal_cards() == Hand.of([Card("DT")])
    assert watch(WEST, f"{LED} DT D2").legal_cards() == Hand.of([Card("DA"), Card("D5")])
    with pytest.raises(ValueError, match="N does not see the hand of W"):
        watch(NORTH, f"{LED} DT D2").legal_cards()


def test_there_is_no_play_before_the_auction_is_over() -> None:
    view = watch(WEST, "Pass Pass")
    assert view.play is None
    for ask in (view.legal_cards, lambda: view.voids(EAST)):
        with pytest.raises(ValueError, match="the play has not begun"):
            ask()


def test_the_auction_is_known_and_the_contract_as_it_stands() -> None:
    view = watch(SOUTH, "Pass 1H X XX")
    assert [str(made.call) for made in view.calls] == ["Pass", "1H", "X", "XX"]
    assert str(view.contract) == "1HXX"
    assert view.auction.turn == NORTH


def test_a_turn_is_open_until_it_is_answered() -> None:
    table = new_table()
    watcher = Watcher(NORTH, table.start(0.0))
    turns = [watcher.view.turn]
    for said in ("X", "Pass"):
        watcher.see(say(table, said))
        turns.append(watcher.view.turn)
    assert [turn.seq if turn else None for turn in turns] == [2, 3, None]


def test_the_result_is_told_at_the_end() -> None:
    table = new_table()
    watcher = Watcher(NORTH, table.start(0.0))
    (*_, end) = say_all(table, "Pass Pass Pass Pass")
    watcher.see([end])
    assert watcher.view.result == seen_by(NORTH, [end])[0]
    assert watcher.view.turn is None


def test_events_that_break_the_rules_are_refused() -> None:
    view = watch(SOUTH, "Pass 1H")
    table = new_table()
    table.start(0.0)
    (insufficient, *_) = seen_by(SOUTH, say(table, "1C"))
    assert isinstance(insufficient, BoardEvent)
    with pytest.raises(BridgeError):
        view.apply(insufficient)


# A view agrees with the table, all the way through any board.


def voids_so_far(table: Table, seat: Seat) -> set[int]:
    """The suits that a seat once did not follow to, from the cards alone."""
    shown: set[int] = set()
    if table.play is None:
        return shown
    cards = table.play.cards
    leaders = [trick.leader for trick in table.play.tricks] + [table.play.leader]
    for index, card in enumerate(cards):
        led = cards[index - index % 4]
        if (leaders[index // 4] + index % 4) % 4 == seat and card.suit != led.suit:
            shown.add(int(led.suit))
    return shown


def check_agreement(table: Table, watcher: Watcher) -> None:
    view, seat, deal = watcher.view, watcher.seat, table.board.deal
    played = (
        [Hand.of(c for c in table.play.cards if c in hand) for hand in deal.hands]
        if (table.play)
        else [Hand()] * 4
    )
    entitled = {seat} | ({table.play.dummy} if table.play and table.play.cards else set())
    entitled = set(SEATS) if watcher.cheat else entitled
    for other in SEATS:
        held = deal[other] - played[other]
        assert view.held(other) == (held if other in entitled else None)
        assert view.played[other] == played[other]
        if table.play is not None:
            assert {int(suit) for suit in view.voids(other)} == voids_so_far(table, other)
            assert not any((held & _suit(suit)) for suit in voids_so_far(table, other))
    hidden = [deal[other] - played[other] for other in SEATS if other not in entitled]
    assert view.unseen == Hand(sum(hand.mask for hand in hidden))
    assert view.auction == table.auction
    turn: YourTurn | None = table.turn
    if turn is None or turn.player != seat:
        assert view.turn is None
    else:
        assert view.turn == turn
        legal = view.legal_calls() if table.play is None else list(view.legal_cards())
        assert [str(action) for action in legal] == turn.legal


def _suit(suit: int) -> Hand:
    return PACK.suit(SUITS[suit])


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.booleans())
def test_a_view_agrees_with_the_table_at_each_step(seed: int, cheat: bool) -> None:  # noqa: FBT001
    rng = Random(seed)
    table = new_table(random_deal(int(rng.random() * 1e9), 1), number=1 + int(rng.random() * 16))
    events = table.start(0.0)
    watchers = [Watcher(seat, events, cheat=cheat) for seat in SEATS]
    while True:
        for watcher in watchers:
            check_agreement(table, watcher)
        if table.turn is None:
            break
        events = say(table, random_move(rng, table))
        for watcher in watchers:
            watcher.see(events)
    ends = [seen_by(seat, events)[-1] for seat in SEATS]
    assert [watcher.view.result for watcher in watchers] == ends


def test_a_whole_board_leaves_nothing_unseen() -> None:
    table = new_table()
    watcher = Watcher(SOUTH, table.start(0.0))
    watcher.see([*say_all(table, WEST_PLAYS_FOUR_HEARTS), *play_lowest(table)])
    assert watcher.view.unseen == Hand()
    assert [watcher.view.played[seat] for seat in SEATS] == list(DEAL.hands)


# Claims.


@pytest.mark.parametrize("seat", SEATS)
def test_a_claim_shows_declarers_hand(seat: Seat) -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    say_all(table, "DK DT D2 DA")  # West is on lead
    watcher = Watcher(seat, table.events)
    view = watcher.view
    assert (view.declarer_hand, view.claim) == (None, None)
    before = len(table.events)
    say(table, "claim=5")
    watcher.see(table.events[before:])
    claim = view.claim
    assert claim is not None
    assert claim.tricks == 5
    assert view.declarer_hand == DEAL[WEST]
    assert view.held(WEST) == DEAL[WEST] - view.played[WEST]
    if seat in (NORTH, SOUTH):
        assert view.deal == DEAL
        assert view.unseen == Hand()
        assert view.turn == table.turn_of(seat)
    else:
        assert view.deal is None
        assert view.turn is None
    before = len(table.events)
    reply(table, NORTH, "accept")
    reply(table, SOUTH, "refuse")
    watcher.see(table.events[before:])
    assert view.claim is None
    assert view.turn == table.turn_of(seat)
    assert (view.turn is None) == (seat != WEST)


def test_what_was_explained_is_kept_by_the_calls_place() -> None:
    table = new_table()
    watcher = Watcher(EAST, table.start(0.0))
    watcher.see(say(table, MadeCall(Call("1C"), explanation=Explanation("strong"))))
    watcher.see(say(table, "explain=0"))
    assert watcher.view.explained == {0: Explanation("strong")}
    assert watcher.view.turn == table.turn
    say_all(table, "Pass Pass")
    watcher = Watcher(WEST, table.events)
    watcher.see(say(table, "explain=2"))
    assert watcher.view.explained == {2: None}


def test_a_board_that_is_given_up_leaves_no_claim_open() -> None:
    table = table_at_play(claims=Claims.PLAYERS)
    say_all(table, "DK DT D2")
    say(table, "claim=9")
    before = len(table.events)
    watcher = Watcher(NORTH, table.events)
    assert (watcher.view.claim is None, watcher.view.turn is None) == (False, False)
    table.forfeit(SOUTH, FaultKind.CRASH, "")
    watcher.see(table.events[before:])
    assert (watcher.view.claim, watcher.view.turn) == (None, None)
