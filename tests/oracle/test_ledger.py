"""`oracle.ledger`: charges and splits, by hand and as properties of generated boards."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DENOMINATIONS, Contract, Risk
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import imps, score_ns
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.oracle import solver
from bridge_arena.oracle.errors import ImpossibleError
from bridge_arena.oracle.ledger import (
    Loss,
    Role,
    Swing,
    TableLedger,
    charge,
    split_against_par,
    split_swing,
)
from tests.oracle.vectors import KNOWN_DEAL

LEAD, DECLARER, DEFENCE = Role
BOARD = Board(1, Seat.NORTH, Vulnerability.NONE, KNOWN_DEAL)
PLAYERS = ("N", "E", "S", "W")
FOUR_SPADES = Contract.parse("4S", Seat.EAST)
# A trick that East wins with the king of spades: the lead is South's, West is dummy.
TRICK = tuple(Card(text) for text in ("S9", "S4", "S2", "SK"))


def record(
    contract: Contract | None,
    tricks: int | None = None,
    cards: tuple[Card, ...] = (),
    board: Board = BOARD,
) -> BoardRecord:
    score = None
    if contract is None or tricks is not None:
        score = score_ns(contract, tricks, board.vulnerability)
    return BoardRecord(board, PLAYERS, (), contract, cards, tricks, score)


def losing(dd_tricks: int, lead: int = 0, declarer: int = 0, defence: int = 0) -> TableLedger:
    lost = ((0, LEAD, lead), (1, DECLARER, declarer), (2, DEFENCE, defence))
    return TableLedger(
        dd_tricks, tuple(Loss(card, None, role, tricks) for card, role, tricks in lost if tricks)
    )


class TestCharge:
    def test_each_card_is_charged_to_who_chose_it(self) -> None:
        ledger = charge(record(FOUR_SPADES, 10, TRICK), (10, 11, 10, 12, 10))
        assert ledger == TableLedger(
            10,
            (
                Loss(0, Seat.SOUTH, LEAD, 1),
                Loss(1, Seat.EAST, DECLARER, 1),  # dummy's card
                Loss(2, Seat.NORTH, DEFENCE, 2),
                Loss(3, Seat.EAST, DECLARER, 2),
            ),
        )
        assert [ledger.lost(role) for role in Role] == [1, 3, 2]

    def test_play_that_loses_no_trick_is_not_charged(self) -> None:
        assert charge(record(FOUR_SPADES, 10, TRICK), (10,) * 5) == TableLedger(10, ())

    def test_a_claim_for_less_is_charged_to_declarer(self) -> None:
        ledger = charge(record(FOUR_SPADES, 9, TRICK), (10,) * 5)
        assert ledger.losses == (Loss(4, Seat.EAST, DECLARER, 1),)

    def test_a_claim_for_more_is_charged_to_both_defenders(self) -> None:
        ledger = charge(record(FOUR_SPADES, 12, TRICK), (10,) * 5)
        assert ledger.losses == (Loss(4, None, DEFENCE, 2),)

    def test_an_unfinished_board_has_no_last_step(self) -> None:
        assert charge(record(FOUR_SPADES, None, TRICK), (10,) * 5) == TableLedger(10, ())

    @pytest.mark.parametrize(
        ("board", "values", "message"),
        [
            (record(None), (0,), "board 1 has no contract"),
            (record(FOUR_SPADES, 10, TRICK), (10,) * 4, "4 cards cannot have 4 values"),
            (record(FOUR_SPADES, 10, TRICK), (10, 9, 9, 9, 9), "card 0 cannot win .* for S"),
            (record(FOUR_SPADES, 10, TRICK), (10, 10, 11, 11, 11), "card 1 cannot win .* for E"),
        ],
    )
    def test_values_that_the_play_cannot_have_are_refused(
        self, board: BoardRecord, values: tuple[int, ...], message: str
    ) -> None:
        with pytest.raises(ImpossibleError, match=message):
            charge(board, values)

    @pytest.mark.parametrize("seed", range(4))
    def test_charges_of_random_play_add_up_with_true_values(self, seed: int) -> None:
        played = random_record(random.Random(seed), FOUR_SPADES, 52)
        ledger = charge(played, solver.play_values(KNOWN_DEAL, FOUR_SPADES, played.cards))
        assert ledger.dd_tricks == 10
        assert taken(ledger) == played.tricks
        for loss in ledger.losses:
            assert loss.seat != Seat.WEST  # dummy loses nothing
            assert (loss.seat == Seat.EAST) == (loss.role is DECLARER)


class TestSplitSwing:
    def test_a_swing_of_bidding_alone_is_charged_to_the_auction(self) -> None:
        """Game against part-score, both played perfectly."""
        swing = split_swing(
            record(FOUR_SPADES, 10),
            record(Contract.parse("2S", Seat.EAST), 10),
            losing(10),
            losing(10),
        )
        assert swing.total == swing.auction == imps(-420 + 170) == -6
        assert set(swing.parts.values()) == {0.0}
        assert list(swing.parts) == [(room, role) for room in Room for role in Role]

    def test_one_bad_lead_has_its_share_of_the_swing(self) -> None:
        """The same contract; South's lead in the closed room gives it away."""
        game = Contract.parse("4H", Seat.EAST)
        swing = split_swing(record(game, 9), record(game, 10), losing(9), losing(9, lead=1))
        assert (swing.total, swing.auction) == (imps(50 + 420), 0)
        assert swing.parts[Room.CLOSED, LEAD] == 10
        assert sum(map(abs, swing.parts.values())) == 10

    def test_equal_errors_share_equally(self) -> None:
        """Two defenders' slips of which one alone would have made the game too: each
        order gives all of the ten IMPs but the overtrick's to the first."""
        game = Contract.parse("4H", Seat.EAST)
        swing = split_swing(
            record(game, 9), record(game, 11), losing(9), losing(9, lead=1, defence=1)
        )
        assert swing.total == imps(50 + 450) == 11
        assert swing.parts[Room.CLOSED, LEAD] == swing.parts[Room.CLOSED, DEFENCE] == 5.5

    def test_errors_that_cancel_have_opposite_parts(self) -> None:
        game = Contract.parse("4H", Seat.EAST)
        swing = split_swing(
            record(game, 10), record(game, 10), losing(10), losing(10, declarer=1, defence=1)
        )
        assert (swing.total, swing.auction) == (0, 0)
        assert swing.parts[Room.CLOSED, DECLARER] == -swing.parts[Room.CLOSED, DEFENCE]
        assert swing.parts[Room.CLOSED, DECLARER] < 0  # West-East there is the home team

    def test_a_board_that_one_room_passed_out_is_split(self) -> None:
        swing = split_swing(record(None), record(FOUR_SPADES, 10), None, losing(10))
        assert swing.total == swing.auction == imps(420)
        passed = split_swing(record(None), record(None), None, None)
        assert (passed.total, passed.auction, set(passed.parts.values())) == (0, 0, {0.0})

    def test_tricks_stay_within_the_pack(self) -> None:
        """Alone, the defence's gifts would come to more than thirteen tricks."""
        grand = Contract.parse("7S", Seat.EAST)
        swing = split_swing(
            record(grand, 12), record(None), losing(12, declarer=3, defence=3), None
        )
        assert swing.total == imps(50)
        assert swing.auction + sum(swing.parts.values()) == pytest.approx(swing.total, abs=1e-9)

    @pytest.mark.parametrize(
        ("open_record", "open_ledger", "message"),
        [
            (record(FOUR_SPADES), losing(10), "board 1 was not finished"),
            (record(FOUR_SPADES, 10), None, "needs a ledger exactly if it has a contract"),
            (record(None), losing(10), "needs a ledger exactly if it has a contract"),
            (record(FOUR_SPADES, 10), losing(9), "not played as its ledger says"),
            (replace(record(FOUR_SPADES, 10), score=-400), losing(10), "not scored by"),
            (
                record(FOUR_SPADES, 10, board=replace(BOARD, vulnerability=Vulnerability.ALL)),
                losing(10),
                "did not play the same board",
            ),
        ],
    )
    def test_rooms_that_cannot_be_compared_are_refused(
        self, open_record: BoardRecord, open_ledger: TableLedger | None, message: str
    ) -> None:
        with pytest.raises(ImpossibleError, match=message):
            split_swing(open_record, record(FOUR_SPADES, 10), open_ledger, losing(10))


class TestSplitAgainstPar:
    def test_par_takes_the_place_of_the_other_room(self) -> None:
        swing = split_against_par(
            replace(record(FOUR_SPADES, 9), room=Room.CLOSED), losing(10, declarer=1), -450
        )
        assert swing == Swing(
            imps(50 + 450),
            imps(-420 + 450),
            {(Room.OPEN, LEAD): 0.0, (Room.OPEN, DECLARER): 10.0, (Room.OPEN, DEFENCE): 0.0},
        )

    def test_a_board_that_was_passed_out_is_split_against_par(self) -> None:
        swing = split_against_par(record(None), None, 90)
        assert swing.total == swing.auction == imps(-90)


def taken(ledger: TableLedger) -> int:
    return ledger.dd_tricks + ledger.lost(LEAD) + ledger.lost(DEFENCE) - ledger.lost(DECLARER)


def random_record(choice: random.Random, contract: Contract, length: int) -> BoardRecord:
    """A legal play of some cards of the known deal; a claim of the rest at random."""
    play = Play(contract)
    hands = list(KNOWN_DEAL.hands)
    for _ in range(length):
        turn = play.turn
        card = choice.choice(list(play.legal_cards(hands[turn])))
        hands[turn] = hands[turn].without(card)
        play.push(card)
    tricks = play.declarer_tricks + choice.randint(0, 13 - len(play.tricks))
    board = replace(BOARD, vulnerability=choice.choice(list(Vulnerability)))
    return record(contract, tricks, tuple(play.cards), board)


def random_values(choice: random.Random, played: BoardRecord, end: int) -> list[int]:
    """Values that such a play could have, the last of them `end`."""
    assert played.contract is not None
    play = Play(played.contract)
    declares = []
    for card in played.cards:
        declares.append(play.player == play.declarer)
        play.push(card)
    values = [end]
    for declarer in reversed(declares):
        lost = choice.choice((0, 0, 0, 0, 0, 0, 1, 2))
        before = values[-1] + lost if declarer else values[-1] - lost
        values.append(min(13, max(0, before)))
    return values[::-1]


@st.composite
def played_boards(draw: st.DrawFn) -> tuple[BoardRecord, list[int]]:
    choice = random.Random(draw(st.integers(0, 2**32)))
    contract = Contract(
        draw(st.integers(1, 7)),
        draw(st.sampled_from(DENOMINATIONS)),
        draw(st.sampled_from(Risk)),
        draw(st.sampled_from(SEATS)),
    )
    played = random_record(choice, contract, draw(st.sampled_from((0, 1, 5, 20, 33, 52))))
    assert played.tricks is not None
    end = played.tricks if len(played.cards) == 52 else draw(st.integers(0, 13))
    return played, random_values(choice, played, end)


class TestProperties:
    @given(played_boards())
    def test_losses_explain_the_result(self, board: tuple[BoardRecord, list[int]]) -> None:
        played, values = board
        ledger = charge(played, values)
        assert taken(ledger) == played.tricks
        assert all(loss.tricks > 0 for loss in ledger.losses)
        assert [loss.card for loss in ledger.losses] == sorted({x.card for x in ledger.losses})
        assert all((loss.card == 0) >= (loss.role is LEAD) for loss in ledger.losses)

    @given(played_boards(), played_boards())
    def test_parts_of_a_swing_sum_to_the_total(
        self,
        opened: tuple[BoardRecord, list[int]],
        closed: tuple[BoardRecord, list[int]],
    ) -> None:
        records = opened[0], self.same_board(closed[0], opened[0])
        ledgers = charge(records[0], opened[1]), charge(records[1], closed[1])
        swing = split_swing(*records, *ledgers)
        assert records[0].score is not None
        assert records[1].score is not None
        assert swing.total == imps(records[0].score - records[1].score)
        assert abs(swing.auction + sum(swing.parts.values()) - swing.total) < 1e-9
        # Nobody pays for losing nothing, and no loss is a gain.
        for (room, role), part in swing.parts.items():
            index = 0 if room is Room.OPEN else 1
            declarer = records[index].contract.declarer  # type: ignore[union-attr]
            gains = (declarer.side == 0) == (role is not DECLARER)
            if room is Room.CLOSED:
                gains = not gains
            assert part >= 0 if gains else part <= 0
            assert ledgers[index].lost(role) or part == 0
        # Seen from the other team, with the rooms exchanged, it is the opposite.
        mirror = split_swing(records[1], records[0], ledgers[1], ledgers[0])
        assert (mirror.total, mirror.auction) == (-swing.total, -swing.auction)
        for (room, role), part in swing.parts.items():
            other = Room.CLOSED if room is Room.OPEN else Room.OPEN
            assert mirror.parts[other, role] == -part

    @given(played_boards(), st.integers(-800, 800).map(lambda tens: 10 * tens))
    @settings(deadline=None, max_examples=40)
    def test_parts_against_par_sum_to_the_total(
        self, board: tuple[BoardRecord, list[int]], par_score: int
    ) -> None:
        played, values = board
        swing = split_against_par(played, charge(played, values), par_score)
        assert abs(swing.auction + sum(swing.parts.values()) - swing.total) < 1e-9

    @given(st.tuples(*[st.integers(0, 2)] * 6))
    @settings(deadline=None, max_examples=5)
    def test_parts_are_the_means_over_all_orders_of_the_errors(
        self, losses: tuple[int, ...]
    ) -> None:
        game = Contract.parse("4H", Seat.EAST)
        effects = [(1, -1, 1)[index % 3] * lost for index, lost in enumerate(losses)]

        def swing_with(chosen: set[int]) -> int:
            rooms = [8 + sum(effects[index] for index in chosen if index // 3 == r) for r in (0, 1)]
            scores = [score_ns(game, tricks, Vulnerability.NONE) for tricks in rooms]
            return imps(scores[0] - scores[1])

        sums = [0] * 6
        for order in permutations(range(6)):
            present: set[int] = set()
            for index in order:
                before = swing_with(present)
                present.add(index)
                sums[index] += swing_with(present) - before
        swing = split_swing(
            record(game, 8 + sum(effects[:3])),
            record(game, 8 + sum(effects[3:])),
            losing(8, *losses[:3]),
            losing(8, *losses[3:]),
        )
        assert list(swing.parts.values()) == pytest.approx([part / 720 for part in sums])

    @staticmethod
    def same_board(played: BoardRecord, other: BoardRecord) -> BoardRecord:
        score = score_ns(played.contract, played.tricks, other.board.vulnerability)
        return replace(played, board=other.board, score=score)
