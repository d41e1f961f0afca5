"""`oracle.solver` and `oracle.position` against known answers and plain search."""

from __future__ import annotations

import csv
import random
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import DENOMINATIONS, Contract
from bridge_arena.bridge.cards import SUITS, Card, Deal, Hand, Suit
from bridge_arena.bridge.play import Play, winning_index
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.oracle import solver
from bridge_arena.oracle.double_dummy_table import Cell, DoubleDummyTable, PartialTable
from bridge_arena.oracle.errors import ImpossibleError
from bridge_arena.oracle.position import Position
from tests.data import data_path
from tests.oracle.vectors import KNOWN_DEAL, KNOWN_TABLE, table_of, vectors

SPADES = Contract.parse("4S", Seat.EAST)


def random_play(deal: Deal, contract: Contract, choice: random.Random, length: int) -> Play:
    play = Play(contract)
    hands = list(deal.hands)
    for _ in range(length):
        turn = play.turn
        card = choice.choice(list(play.legal_cards(hands[turn])))
        hands[turn] = hands[turn].without(card)
        play.push(card)
    return play


class TestTables:
    def test_the_known_deal_has_its_known_table(self) -> None:
        table = solver.tables([KNOWN_DEAL])[0]
        assert table == KNOWN_TABLE
        assert table.tricks(DENOMINATIONS[3], Seat.EAST) == 10

    def test_no_deals_have_no_tables(self) -> None:
        assert solver.tables([]) == []

    @pytest.mark.slow
    def test_tables_come_in_order_over_several_calls_of_the_library(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(solver, "BATCH", 4)
        sample = list(vectors())[::10]
        assert solver.tables([v.deal for v in sample]) == [v.table for v in sample]

    @given(st.sets(st.sampled_from([(each, seat) for each in DENOMINATIONS for seat in SEATS])))
    @settings(max_examples=6, deadline=None)
    def test_a_part_of_a_table_may_be_solved(self, cells: set[Cell]) -> None:
        expected = [
            KNOWN_TABLE.tricks(each, seat) if (each, seat) in cells else None
            for each in DENOMINATIONS
            for seat in SEATS
        ]
        assert solver.partial_table(KNOWN_DEAL, cells) == PartialTable.of(expected)

    def test_all_cells_of_a_table_may_be_solved(self) -> None:
        every = [(each, seat) for each in DENOMINATIONS for seat in SEATS]
        assert solver.partial_table(KNOWN_DEAL, every).whole() == KNOWN_TABLE

    @pytest.mark.slow
    def test_solved_deals_of_files_agree_with_the_solver(self) -> None:
        lines = data_path("dd", "deals-0003.txt").read_text().splitlines()[::500]
        deals = [Deal.parse(line.rpartition(" ")[0]) for line in lines]
        expected = [table_of([int(digit, 16) for digit in line.split()[-1]]) for line in lines]
        assert solver.tables(deals) == expected

    def test_table_refuses_other_sizes_and_tricks(self) -> None:
        with pytest.raises(ImpossibleError, match="20 results, not 19"):
            DoubleDummyTable((6,) * 19)
        with pytest.raises(ImpossibleError, match="14 tricks"):
            DoubleDummyTable((6,) * 19 + (14,))


class TestCardValues:
    def test_card_values_agree_with_known_answers(self) -> None:
        for v in list(vectors())[::5]:
            position = Position(v.deal.hands, v.trump, v.leader)
            assert solver.card_values(position) == v.card_values
            assert solver.best_tricks(position) == max(v.card_values.values())

    def test_the_best_card_comes_first(self) -> None:
        values = list(solver.card_values(Position.of(Play(SPADES), KNOWN_DEAL.hands)).values())
        assert values == sorted(values, reverse=True)

    @pytest.mark.parametrize("number", range(40))
    def test_endings_agree_with_plain_search(self, number: int) -> None:
        choice = random.Random(number)
        denomination = DENOMINATIONS[number % 5]
        contract = Contract(1, denomination, SPADES.risk, choice.choice(SEATS))
        deal = random_deal(11, number)
        play = random_play(deal, contract, choice, 36 + number % 16)
        position = Position.of(play, deal.hands)
        values = solver.card_values(position)
        assert Hand.of(values) == play.legal_cards(position.hands[position.turn])
        for card, tricks in values.items():
            assert tricks == plain_value(position, card), (position, card)

    def test_lone_cards_have_values(self) -> None:
        ace, king, queen, jack = (Hand.of([Card(text)]) for text in ("SA", "SK", "SQ", "SJ"))
        hands = (ace, king, queen, jack)
        assert solver.card_values(Position(hands, None, Seat.NORTH)) == {Card("SA"): 1}
        assert solver.card_values(Position(hands, None, Seat.EAST)) == {Card("SK"): 0}


class TestCardsTaking:
    """They are those to which `card_values` gives as many tricks."""

    @pytest.mark.parametrize("played", [20, 29, 38, 47, 51])
    @pytest.mark.parametrize("contract", ["3NT", "4S"])
    def test_cards_that_take_any_number_of_tricks_are_found(
        self, played: int, contract: str
    ) -> None:
        choice = random.Random(played)
        deal = random_deal(11, played)
        play = random_play(deal, Contract.parse(contract, Seat.EAST), choice, played)
        position = Position.of(play, deal.hands)
        values = solver.card_values(position)
        for tricks in range(-1, 15):
            taking = Hand.of(card for card, most in values.items() if most >= tricks)
            assert solver.cards_taking(position, tricks) == taking


def plain_value(position: Position, card: Card) -> int:
    """Tricks still to come for the side to move after it plays `card`: plain minimax."""

    @cache
    def best_for_ns(hands: tuple[Hand, ...], leader: Seat, trick: tuple[Card, ...]) -> int:
        if not any(hands) and not trick:
            return 0
        turn = SEATS[(leader + len(trick)) & 3]
        led = trick[0].suit if trick else None
        legal = hands[turn].suit(led) if led is not None else Hand()
        results = [after(hands, leader, trick, each) for each in legal or hands[turn]]
        return max(results) if turn.side == Side.NS else min(results)

    def after(hands: tuple[Hand, ...], leader: Seat, trick: tuple[Card, ...], each: Card) -> int:
        turn = SEATS[(leader + len(trick)) & 3]
        left = tuple(hand.without(each) for hand in hands)
        trick = (*trick, each)
        assert each in hands[turn]
        if len(trick) < 4:
            return best_for_ns(left, leader, trick)
        winner = SEATS[(leader + winning_index(trick, position.trump)) & 3]
        return (winner.side == Side.NS) + best_for_ns(left, winner, ())

    tricks = after(position.hands, position.leader, position.trick, card)
    to_come = len(position.hands[position.turn])
    return tricks if position.turn.side == Side.NS else to_come - tricks


class TestPlayValues:
    def test_play_values_agree_with_known_answers(self) -> None:
        for v in list(vectors())[::4]:
            values = solver.play_values(v.deal, v.contract, v.cards)
            assert len(values) == len(v.cards) + 1
            assert values[: len(v.trace)] == v.trace
            assert set(values[len(v.trace) :]) <= {v.trace[-1]}

    @pytest.mark.parametrize("length", [0, 1, 3, 4, 47, 48, 49, 50, 51, 52])
    def test_a_play_has_one_value_more_than_cards(self, length: int) -> None:
        play = random_play(KNOWN_DEAL, SPADES, random.Random(5), 52)
        values = solver.play_values(KNOWN_DEAL, SPADES, play.cards[:length])
        assert len(values) == length + 1
        assert values[0] == 10
        if length >= 48:
            assert values[-1] == play.declarer_tricks

    def test_play_values_agree_with_card_values(self) -> None:
        choice = random.Random(8)
        for number in range(3):
            deal = random_deal(12, number)
            play = random_play(deal, SPADES, choice, 52)
            values = solver.play_values(deal, SPADES, play.cards)
            shorter = Play(SPADES)
            for index, card in enumerate(play.cards):
                if index >= 16:
                    position = Position.of(shorter, deal.hands)
                    here = solver.card_values(position)
                    mine = position.turn.side == SPADES.declarer.side
                    to_come = len(position.hands[position.turn])
                    won = shorter.declarer_tricks
                    for value, tricks in (
                        (values[index], max(here.values())),
                        (values[index + 1], here[card]),
                    ):
                        assert value == won + (tricks if mine else to_come - tricks)
                shorter.push(card)

    def test_play_values_agree_with_published_championship_games(self) -> None:
        with data_path("liao", "liao_113_games.csv").open() as file:
            rows = list(csv.DictReader(file))[::6]
        for row in rows:
            contract = Contract.parse(row["contract"], Seat.parse(row["declarer"]))
            tricks = solver.play_values(Deal.parse(row["deal"]), contract, ())[0]
            ns_tricks = tricks if contract.declarer.side == Side.NS else 13 - tricks
            assert ns_tricks == int(row["dd_ns_tricks"]), row

    @pytest.mark.parametrize(
        ("cards", "message"),
        [
            ("SA", r"card 0 \(from 0\).*SA is illegal: S does not hold it"),
            ("S6 SJ S5 HT", r"card 3 .*HT is illegal: E can follow suit to S6"),
            ("S6 SJ S5 S6", r"card 3 .*S6 is illegal: E does not hold it"),
        ],
    )
    def test_an_impossible_play_is_refused(self, cards: str, message: str) -> None:
        with pytest.raises(ImpossibleError, match=message):
            solver.play_values(KNOWN_DEAL, SPADES, [Card(text) for text in cards.split()])

    def test_a_play_of_too_many_cards_is_refused(self) -> None:
        play = random_play(KNOWN_DEAL, SPADES, random.Random(5), 52)
        with pytest.raises(ImpossibleError, match=r"card 52 .*the play is over"):
            solver.play_values(KNOWN_DEAL, SPADES, [*play.cards, play.cards[0]])


class TestPosition:
    def position(self, *hands: str, leader: Seat = Seat.NORTH, trick: str = "") -> Position:
        north, east, south, west = (Hand.parse(hand) for hand in hands)
        cards = tuple(Card(text) for text in trick.split())
        return Position((north, east, south, west), Suit.SPADES, leader, cards)

    def test_a_position_of_a_play_has_its_cards_taken_out(self) -> None:
        play = random_play(KNOWN_DEAL, SPADES, random.Random(3), 6)
        position = Position.of(play, KNOWN_DEAL.hands)
        assert position == Position.of(play, position.hands)
        assert position.turn == play.turn
        assert sum(map(len, position.hands)) == 46
        assert position.trick == tuple(play.trick)

    def test_legal_cards_follow_suit(self) -> None:
        position = self.position("A.9..", "J.8..", "32.K..", ".QJT..", trick="SK SQ")
        assert position.turn == Seat.SOUTH
        assert position.legal_cards == Hand.parse("32...")
        lead = self.position("A.A..", "J.2..", "3.K..", ".QJ..", leader=Seat.SOUTH)
        assert lead.legal_cards == Hand.parse("3.K..")

    @pytest.mark.parametrize(
        ("hands", "trick", "message"),
        [
            (("...", "...", "...", "..."), "", "holds 0 cards, not 1 to 13"),
            (("A...", "...", "...", "..."), "", "E holds 0 cards where 1 are left"),
            (("A...", "K...", "Q...", "A..."), "", "SA is in two hands, the second W's"),
            (("A...", "KQ...", "JT...", "98..."), "SA", "SA was played to the trick"),
            (("A...", "K...", "J9...", "87..."), "S2 H2", "E played H2 but can follow suit in S"),
            (("A...", "K...", "J...", "8..."), "S2 S3 S4 S5", "at most 3 cards, not 4"),
        ],
    )
    def test_an_impossible_position_is_refused(
        self, hands: tuple[str, ...], trick: str, message: str
    ) -> None:
        with pytest.raises(ImpossibleError, match=message):
            self.position(*hands, trick=trick)

    def test_a_hand_of_too_many_cards_is_refused(self) -> None:
        north, east, south, west = (Hand(0x1FFF << 13 * suit) for suit in SUITS)
        assert Position((north, east, south, west), None, Seat.WEST).turn == Seat.WEST
        fourteen = Hand(north.mask | 1 << 13)
        with pytest.raises(ImpossibleError, match="N, whose turn it is, holds 14 cards"):
            Position((fourteen, east, south, west), None, Seat.NORTH)

    def test_a_card_that_does_not_exist_is_refused(self) -> None:
        hands = tuple(Hand(1 << 50 + each) for each in range(4))
        with pytest.raises(ImpossibleError, match="no card"):
            Position((hands[0], hands[1], hands[2], hands[3]), None, Seat.NORTH)


def test_several_threads_solve_at_once() -> None:
    """Concurrent questions of every kind get the answers they get alone."""
    play = random_play(KNOWN_DEAL, SPADES, random.Random(5), 52)
    alone = solver.play_values(KNOWN_DEAL, SPADES, play.cards)
    position = Position.of(random_play(KNOWN_DEAL, SPADES, random.Random(5), 17), KNOWN_DEAL.hands)
    cards_alone = solver.card_values(position)
    with ThreadPoolExecutor(6) as threads:
        plays = [
            threads.submit(solver.play_values, KNOWN_DEAL, SPADES, play.cards) for _ in range(12)
        ]
        tables = [threads.submit(solver.tables, [KNOWN_DEAL]) for _ in range(4)]
        cards = [threads.submit(solver.card_values, position) for _ in range(200)]
        assert all(future.result() == alone for future in plays)
        assert all(future.result() == [KNOWN_TABLE] for future in tables)
        assert all(future.result() == cards_alone for future in cards)


def test_threads_cannot_change_in_use() -> None:
    solver.tables([KNOWN_DEAL])
    with pytest.raises(ValueError, match="once it is in use"):
        solver.limit_threads(1)
    with pytest.raises(ValueError, match="0 threads"):
        solver.limit_threads(0)


def test_the_solver_leaves_no_dump_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    solver.tables([KNOWN_DEAL])
    for suit in SUITS:
        hands = tuple(Hand.of([Card.of(suit, Card(f"S{rank}").rank)]) for rank in "2345")
        solver.card_values(Position((hands[0], hands[1], hands[2], hands[3]), None, Seat.NORTH))
    assert not list(tmp_path.iterdir())
