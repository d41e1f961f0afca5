"""The search, against the solver and against plain minimax."""

from __future__ import annotations

from random import Random

import pytest

import bridge_arena.bots.minimax.search
from bridge_arena.bots.library.portable_random import pick, shuffled
from bridge_arena.bots.minimax.search import Search, best_cards
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.cards import CARDS, SUITS, Card, Hand, Suit
from bridge_arena.bridge.play import followers, winning_index
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.position import Position
from bridge_arena.oracle.solver import card_values


def ending(seed: int, cards: int) -> Position:
    """Some cards each, none to three of a trick in progress legally played."""
    rng = Random(seed)
    pack = shuffled(rng, CARDS)
    hands = [Hand.of(pack[cards * seat : cards * (seat + 1)]) for seat in SEATS]
    leader = pick(rng, SEATS)
    trump = pick(rng, [None, *SUITS])
    return played(Position((hands[0], hands[1], hands[2], hands[3]), trump, leader), seed % 4, rng)


def played(position: Position, cards: int, rng: Random) -> Position:
    """The position after some legal cards, at random, of a trick that they do not end."""
    hands, trick = list(position.hands), list(position.trick)
    for _ in range(cards):
        seat = SEATS[(position.leader + len(trick)) % 4]
        card = pick(rng, list(followers(hands[seat], trick[0].suit if trick else None)))
        hands[seat] = hands[seat].without(card)
        trick.append(card)
    return Position(
        (hands[0], hands[1], hands[2], hands[3]), position.trump, position.leader, tuple(trick)
    )


def plain_minimax(
    hands: list[Hand], trump: Suit | None, leader: Seat, trick: tuple[Card, ...], side: int
) -> int:
    """Return the tricks that a side takes, by plain minimax over every card."""
    if len(trick) == 4:
        winner = SEATS[(leader + winning_index(trick, trump)) % 4]
        won = int(winner.side == side)
        return won + plain_minimax(hands, trump, winner, (), side)
    turn = SEATS[(leader + len(trick)) % 4]
    if not trick and not hands[turn]:
        return 0
    values = []
    for card in followers(hands[turn], trick[0].suit if trick else None):
        after = [hand.without(card) for hand in hands]
        values.append(plain_minimax(after, trump, leader, (*trick, card), side))
    return max(values) if turn.side == side else min(values)


def check_values(position: Position, depth: int, values: dict[Card, int]) -> None:
    """Check that the search finds these values, and treats only equal cards as equal."""
    search = Search(position, depth)
    actions = search.actions()
    for card in actions:
        assert search.takes(card, values[card])
        assert not search.takes(card, values[card] + 1)
        fresh = Search(position, depth)
        assert not fresh.takes(card, values[card] + 1)
        assert fresh.takes(card, values[card])
    for card in position.legal_cards:
        lower = max(action for action in actions if action <= card)
        assert lower.suit == card.suit
        assert values[lower] == values[card]
    most = max(values.values())
    best = Hand.of(card for card in actions if values[card] == most)
    assert best_cards(position, depth) == best


@pytest.mark.parametrize("depth", [1, 2, 3, 13])
@pytest.mark.parametrize("seed", range(12))
def test_the_search_finds_what_plain_minimax_finds(seed: int, depth: int) -> None:
    position = ending(seed, 3)
    side = position.turn.side
    values = {}
    for card in position.legal_cards:
        hands = [hand.without(card) for hand in position.hands]
        trick = (*position.trick, card)
        values[card] = plain_minimax(hands, position.trump, position.leader, trick, side)
    check_values(position, depth, values)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("cards", [1, 2, 5, 8])
@pytest.mark.parametrize("seed", range(8))
def test_the_search_finds_what_the_solver_finds(seed: int, cards: int, depth: int) -> None:
    position = ending(seed, cards)
    check_values(position, depth, card_values(position))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(1, 5))
def test_the_search_finds_what_the_solver_finds_in_the_first_trick(number: int) -> None:
    trump = (None, *SUITS)[number % 5]
    start = Position(Board.dealt(3, number).deal.hands, trump, SEATS[number % 4])
    for cards in range(4):
        position = played(start, cards, Random(number))
        check_values(position, 1, card_values(position))


def position_of(hands: str, leader: Seat = Seat.NORTH, trick: str = "") -> Position:
    """Return a position at notrump; the hands are N E S W, spades first."""
    north, east, south, west = map(Hand.parse, hands.split())
    return Position((north, east, south, west), None, leader, tuple(map(Card, trick.split())))


def test_equal_cards_are_one_action() -> None:
    """South's ten divides North's spades, East's eight too."""
    position = position_of("KQJ97... A8652... T43.32.. .AKQJT..")
    assert list(map(str, Search(position, 1).actions())) == ["S7", "S9", "SJ"]


def test_a_beaten_card_divides_equal_cards_no_longer() -> None:
    position = position_of("43... QJ9... 87... K6...", Seat.SOUTH, "ST SA S5")
    assert list(map(str, Search(position, 1).actions())) == ["S9"]


def test_the_winning_card_still_divides_equal_cards() -> None:
    position = position_of("43... QJ9... 87... K6...", Seat.SOUTH, "S2 ST S5")
    assert list(map(str, Search(position, 1).actions())) == ["S9", "SJ"]


def test_a_forced_card_costs_no_solving(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(position: Position) -> int:
        raise AssertionError(f"asked about {position}")

    monkeypatch.setattr(bridge_arena.bots.minimax.search, "best_tricks", refuse)
    equal = position_of("KQJ... A65... T43... .AKQ..")
    assert best_cards(equal, 1) == Hand.of([Card("SJ")])
