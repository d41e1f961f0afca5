"""Tests of the table, the judge of one board."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import Call, Contract
from bridge_arena.bridge.cards import Card
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.play import Play, followers
from bridge_arena.bridge.record import FORFEITING, Fault, FaultKind, MadeCall
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import (
    AuctionEnd,
    BoardEnd,
    BoardEvent,
    CallMade,
    CardPlayed,
    Error,
    YourTurn,
)
from bridge_arena.protocol.visibility import Dealt, Event, Kibitzer, Viewer
from bridge_arena.server.faults import MOST_STALE
from bridge_arena.server.table import Table, Timing
from tests.server.tables import (
    DEAL,
    EAST,
    NORTH,
    SEEDS,
    SOUTH,
    WEST,
    WEST_PLAYS_FOUR_HEARTS,
    answer,
    faults,
    garbage,
    happenings,
    kinds,
    new_table,
    play_lowest,
    random_move,
    say,
    say_all,
    shown_to,
    silence,
    table_at_play,
    turn_of,
)

NAMES = ("Norma", "Ed", "Sue", "Will")


def errors(events: list[Event]) -> list[Error]:
    return [each for each in happenings(events) if isinstance(each, Error)]


def asked(events: list[Event]) -> tuple[Seat, float]:
    """Return who is asked at the end of the events, and the seconds that are left."""
    last = events[-1].happening
    assert isinstance(last, YourTurn)
    return last.player, last.seconds


# The game, as it should go.


def test_the_dealer_is_asked_first() -> None:
    table = new_table(number=2)
    dealt, turn = happenings(table.start(0.0))
    assert dealt == Dealt("A1", table.board, SEEDS)
    assert turn == table.turn
    assert (turn_of(table).player, turn_of(table).seat) == (EAST, EAST)
    assert turn_of(table).legal[:4] == ["Pass", "1C", "1D", "1H"]
    assert len(turn_of(table).legal) == 36


def test_the_auction_goes_round() -> None:
    table = new_table()
    table.start(0.0)
    players = []
    for text in WEST_PLAYS_FOUR_HEARTS.split():
        players.append(str(turn_of(table).player))
        say(table, text)
    assert "".join(players) == "NESWNESWNESWN"


def test_the_auction_ends_in_a_contract_and_left_of_declarer_leads() -> None:
    table = new_table()
    table.start(0.0)
    events = say_all(table, WEST_PLAYS_FOUR_HEARTS)
    assert kinds(events[-3:]) == "CallMade AuctionEnd YourTurn"
    end = events[-2].happening
    assert isinstance(end, AuctionEnd)
    assert (end.contract, end.declarer) == ("4H", WEST)
    assert (turn_of(table).player, turn_of(table).seat) == (NORTH, NORTH)
    assert turn_of(table).legal == [str(card) for card in DEAL[NORTH]]


def test_a_board_that_is_passed_out_scores_nothing() -> None:
    table = new_table()
    table.start(0.0)
    events = say_all(table, "Pass Pass Pass Pass")
    assert kinds(events[-3:]) == "CallMade AuctionEnd BoardEnd"
    assert happenings(events[-2:]) == [
        AuctionEnd(table="A1", board=1, seq=6, contract="Pass"),
        BoardEnd(table="A1", board=1, seq=7, score=0),
    ]
    record = table.record(NAMES)
    assert (record.contract, record.tricks, record.score) == (None, None, 0)
    assert record.is_finished
    assert table.turn is None


def test_declarer_is_asked_for_dummys_cards() -> None:
    table = table_at_play()
    assert kinds(say(table, "DK")) == "CardPlayed DummyShown YourTurn"
    assert (turn_of(table).player, turn_of(table).seat) == (WEST, EAST)
    assert turn_of(table).legal == ["DT"]
    assert kinds(say(table, "DT")) == "CardPlayed YourTurn"
    assert (turn_of(table).player, turn_of(table).seat) == (SOUTH, SOUTH)
    say(table, "D2")
    assert turn_of(table).legal == ["DA", "D5"]
    assert kinds(say(table, "DA")) == "CardPlayed TrickEnd YourTurn"
    assert (turn_of(table).player, turn_of(table).seat) == (WEST, WEST)


def test_the_last_card_ends_the_board() -> None:
    table = table_at_play()
    events = play_lowest(table)
    assert kinds(events[-3:]) == "CardPlayed TrickEnd BoardEnd"
    assert events[-1].happening == BoardEnd(table="A1", board=1, seq=82, tricks=7, score=150)
    assert table.turn is None
    assert table.score == 150


def test_alerts_and_explanations_are_kept() -> None:
    table = new_table()
    table.start(0.0)
    strong = MadeCall(Call("1C"), alert=True, explanation=Explanation("strong", hcp=(16, 37)))
    call = say(table, strong)[0].happening
    assert isinstance(call, CallMade)
    assert (call.alert, call.explanation) == (True, strong.explanation)
    say_all(table, "Pass Pass Pass")
    assert table.record(NAMES).calls == (strong, *[MadeCall(Call("Pass"))] * 3)


def test_each_viewer_counts_what_it_is_shown() -> None:
    table = new_table()
    events = [*table.start(0.0), *say_all(table, WEST_PLAYS_FOUR_HEARTS), *play_lowest(table)]
    lengths = {}
    viewers: list[Viewer | Kibitzer] = [*map(Viewer, SEATS), Kibitzer()]
    for viewer in viewers:
        shown = shown_to(viewer, events)
        numbers = [message.seq for message in shown if isinstance(message, BoardEvent)]
        assert numbers == list(range(1, len(shown) + 1))
        lengths[viewer] = len(shown)
    # North calls four times and plays 13 cards; West plays dummy's too.
    turns = [lengths[viewer] - lengths[Kibitzer()] for viewer in viewers]
    assert turns == [4 + 13, 3, 3 + 13, 3 + 26, 0]


def test_timings_are_each_actions_own() -> None:
    table = new_table()
    table.start(100.0)
    say(table, "Pass", 100.25)
    say(table, "XX", 101.25)
    say(table, "Pass", 102.25)
    silence(table, 162.25)
    assert table.timings == [
        Timing(NORTH, 250.0),
        Timing(EAST, 2000.0),
        Timing(SOUTH, 60000.0),
    ]


def test_the_time_for_dummys_card_is_declarers() -> None:
    table = table_at_play()
    say(table, "DK")
    say(table, "DT", 3.0)
    assert table.timings[-1] == Timing(WEST, 3000.0)


# A board at random, checked against the rules.


@given(st.integers(0, 2**32))
def test_any_board_keeps_the_rules(seed: int) -> None:
    rng = Random(seed)
    deal = random_deal(seed, 1)
    table = new_table(deal, number=1 + seed % 16)
    events = table.start(0.0)
    while table.turn is not None:
        events += say(table, random_move(rng, table))
    record = table.record(NAMES)
    calls = [made.call for made in record.calls]
    auction = Auction(table.board.dealer, calls)
    assert auction.is_over
    assert record.contract == auction.contract
    assert [each.call for each in happenings(events) if isinstance(each, CallMade)] == calls
    assert [each.card for each in happenings(events) if isinstance(each, CardPlayed)] == list(
        record.cards
    )
    tricks = None if record.contract is None else check_play(record.contract, table, events)
    assert record.tricks == tricks
    assert record.score == score_ns(record.contract, tricks, table.board.vulnerability)
    assert events[-1].happening == BoardEnd(
        table="A1",
        board=table.board.number,
        seq=len(shown_to(Kibitzer(), events)),
        tricks=tricks,
        score=record.score,
    )
    assert len(table.timings) == len(record.calls) + len(record.cards)
    assert record.faults == ()


def check_play(contract: Contract, table: Table, events: list[Event]) -> int:
    """Whether every card was held and followed suit; declarer's tricks."""
    play = Play(contract)
    hands = list(table.board.deal.hands)
    for event in happenings(events):
        if isinstance(event, CardPlayed):
            assert event.seat == play.turn
            assert event.card in followers(hands[event.seat], play.led)
            hands[event.seat] = hands[event.seat].without(event.card)
            play.push(event.card)
    assert play.is_over
    assert not any(hands)
    return play.declarer_tricks


# Illegal and malformed answers.


def test_an_illegal_call_is_refused_and_asked_for_again_on_the_same_clock() -> None:
    table = new_table()
    table.start(0.0)
    say(table, "1NT", 5.0)
    deadline = table.deadline
    seq = turn_of(table).seq
    events = say(table, "1H", 25.0)
    assert kinds(events) == "Error YourTurn"
    (error,) = errors(events)
    assert (error.code, error.seat, error.seq) == (ErrorCode.ILLEGAL, EAST, seq)
    assert error.text == "1H by E is illegal: insufficient over 1NT (Law 18)"
    assert not error.fatal
    assert asked(events) == (EAST, 40.0)
    assert turn_of(table).seq == seq + 1
    assert table.deadline == deadline
    assert faults(table) == ["E illegal 1"]
    assert kinds(say(table, "2H", 26.0)) == "CallMade YourTurn"
    assert (turn_of(table).player, turn_of(table).seconds) == (SOUTH, 60.0)


def test_after_the_second_illegal_call_pass_is_substituted() -> None:
    table = new_table()
    table.start(0.0)
    say(table, "1NT")
    say(table, "1H")
    events = say(table, "XX")
    assert kinds(events) == "Error Error CallMade YourTurn"
    assert [error.code for error in errors(events)] == [ErrorCode.ILLEGAL, ErrorCode.SUBSTITUTED]
    assert table.calls[-1] == MadeCall(Call("Pass"))
    assert faults(table) == ["E illegal 1", "E illegal 1"]
    assert turn_of(table).player == SOUTH


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        ("DK", "DK is illegal: W does not hold it"),
        ("HA", "HA is illegal: W can follow suit to DK (Law 44C)"),
        ("Pass", "Pass is illegal: the auction is over"),
    ],
)
def test_an_illegal_card_is_refused(card: str, reason: str) -> None:
    table = table_at_play()
    say_all(table, "DK DT D2")
    events = say(table, card, 12.5)
    assert kinds(events) == "Error YourTurn"
    assert errors(events)[0].text == reason
    assert asked(events) == (WEST, 47.5)
    # Nothing has happened.
    assert table.play is not None
    assert len(table.play.cards) == 3
    assert kinds(say(table, "DA")) == "CardPlayed TrickEnd YourTurn"


def test_a_card_is_no_call() -> None:
    table = new_table()
    table.start(0.0)
    assert errors(say(table, "DK"))[0].text == "DK is illegal: the auction is not over"


def test_a_substitute_for_dummys_card_is_declarers_fault() -> None:
    table = table_at_play()
    say(table, "DK")
    events = [*say(table, "SA"), *say(table, "SA")]
    assert kinds(events) == "Error YourTurn Error Error CardPlayed YourTurn"
    assert faults(table) == ["W illegal 14", "W illegal 14"]
    assert table.record(NAMES).cards == (Card("DK"), Card("DT"))


@pytest.mark.parametrize(
    ("before", "substitute"),
    [
        ("", "S2"),  # North leads the only two it has
        ("DK DT", "D2"),  # South follows suit
        ("DK DT D2 DA H2 H6 HT HQ", "D3"),  # South leads, and has played the two
        ("CT C2", "C4"),
    ],
)
def test_the_substitute_is_the_lowest_legal_card(before: str, substitute: str) -> None:
    table = table_at_play()
    say_all(table, before)
    played = silence(table, 60.0)[1].happening
    assert isinstance(played, CardPlayed)
    assert str(played.card) == substitute


@pytest.mark.parametrize(("first", "second"), [("(m)", "(m)"), ("(m)", "XX"), ("XX", "(m)")])
def test_malformed_and_illegal_answers_are_counted_together(first: str, second: str) -> None:
    def do(what: str, now: float) -> list[Event]:
        return garbage(table, "no msgpack", now) if what == "(m)" else say(table, what, now)

    table = new_table()
    table.start(0.0)
    once = do(first, 10.0)
    assert kinds(once) == "Error YourTurn"
    assert asked(once) == (NORTH, 50.0)
    twice = do(second, 20.0)
    assert kinds(twice) == "Error Error CallMade YourTurn"
    assert asked(twice) == (EAST, 60.0)
    assert [str(made.call) for made in table.calls] == ["Pass"]
    kind_of = {"(m)": "malformed", "XX": "illegal"}
    assert faults(table) == [f"N {kind_of[what]} 0" for what in (first, second)]


def test_a_malformed_frame_is_told_in_its_own_words() -> None:
    table = new_table()
    table.start(0.0)
    (error,) = errors(garbage(table, "the frame is not msgpack: incomplete", 0.0))
    assert (error.code, error.seat) == (ErrorCode.MALFORMED, NORTH)
    assert error.text == "the frame is not msgpack: incomplete"
    assert table.faults == [
        Fault(NORTH, FaultKind.MALFORMED, 0, "the frame is not msgpack: incomplete")
    ]


def test_each_turn_counts_its_faults_anew() -> None:
    table = new_table()
    table.start(0.0)
    for _ in range(3):
        assert kinds(say(table, "XX")) == "Error YourTurn"
        assert kinds(say(table, "Pass")) == "CallMade YourTurn"
    assert faults(table) == ["N illegal 0", "E illegal 1", "S illegal 2"]


# Time.


def test_a_pass_is_substituted_when_time_is_out() -> None:
    table = new_table()
    table.start(10.0)
    assert table.deadline == 70.0
    events = silence(table, 70.5)
    assert kinds(events) == "Error CallMade YourTurn"
    (error,) = errors(events)
    assert (error.code, error.seat, error.seq) == (ErrorCode.TIMEOUT, NORTH, 2)
    assert table.faults == [Fault(NORTH, FaultKind.TIMEOUT, 0, "no action within 60.5 s")]
    assert asked(events) == (EAST, 60.0)
    assert table.deadline == 130.5


def test_time_runs_out_for_a_player_who_was_asked_again() -> None:
    table = new_table()
    table.start(0.0)
    say(table, "XX", 59.0)
    assert kinds(silence(table, 60.0)) == "Error CallMade YourTurn"
    assert faults(table) == ["N illegal 0", "N timeout 0"]


def test_a_board_can_be_played_by_silence_alone() -> None:
    table = new_table()
    table.start(0.0)
    for number in range(4):
        events = silence(table, 60.0 * (number + 1))
    assert kinds(events) == "Error CallMade AuctionEnd BoardEnd"
    assert table.score == 0
    table = table_at_play()
    for number in range(52):
        events = silence(table, 60.0 * (number + 1))
    assert table.score == 150
    assert len(table.faults) == 52
    assert {fault.seat for fault in table.faults} == {NORTH, SOUTH, WEST}


# Answers to no open turn.


def stale_of(events: list[Event]) -> Error:
    assert kinds(events) == "Error"
    (error,) = errors(events)
    assert error.code == ErrorCode.STALE
    return error


def test_an_answer_that_comes_twice_has_no_effect() -> None:
    table = new_table()
    table.start(0.0)
    first = turn_of(table)
    say(table, "1C")
    turn = turn_of(table)
    error = stale_of(table.act(NORTH, answer(first, "1C"), 1.0))
    assert (error.seat, error.seq) == (NORTH, first.seq)
    assert error.text == "MakeCall 2 answers no open turn of N"
    assert table.turn == turn
    assert len(table.calls) == 1
    assert table.faults == []
    assert len(table.timings) == 1


def test_nobody_answers_for_another() -> None:
    table = new_table()
    table.start(0.0)
    turn = turn_of(table)
    error = stale_of(table.act(SOUTH, answer(turn, "1C"), 0.0))
    assert error.seat == SOUTH
    assert table.turn == turn
    assert table.calls == []


def test_dummy_does_not_play() -> None:
    table = table_at_play()
    say(table, "DK")
    stale_of(table.act(EAST, answer(turn_of(table), "DT"), 0.0))
    assert turn_of(table).player == WEST


@pytest.mark.parametrize(
    "change", [{"seq": 1}, {"seq": 3}, {"board": 2}, {"table": "A2"}, {"table": ""}]
)
def test_an_answer_names_its_turn_exactly(change: dict[str, object]) -> None:
    table = new_table()
    table.start(0.0)
    wrong = answer(turn_of(table), "1C").model_copy(update=change)
    stale_of(table.act(NORTH, wrong, 0.0))
    assert table.calls == []
    assert table.faults == []


def test_an_answer_to_the_turn_before_the_retry_is_stale() -> None:
    table = new_table()
    table.start(0.0)
    first = turn_of(table)
    say(table, "XX")
    stale_of(table.act(NORTH, answer(first, "1C"), 0.0))
    assert kinds(say(table, "1C")) == "CallMade YourTurn"
    assert faults(table) == ["N illegal 0"]


def test_stale_answers_are_no_strikes() -> None:
    table = new_table()
    table.start(0.0)
    for _ in range(5):
        stale_of(table.act(WEST, answer(turn_of(table), "1C"), 0.0))
    assert kinds(say(table, "XX")) == "Error YourTurn"


def test_after_the_end_of_a_board_every_answer_is_stale() -> None:
    table = new_table()
    table.start(0.0)
    last = turn_of(table)
    say_all(table, "Pass Pass Pass Pass")
    stale_of(table.act(NORTH, answer(last, "1C"), 0.0))
    with pytest.raises(ValueError, match="no turn of N is open"):
        table.time_out(NORTH, 0.0)
    with pytest.raises(ValueError, match="no turn of N is open"):
        table.malformed(NORTH, "gibberish", 0.0)


# Players who are gone.


@pytest.mark.parametrize("kind", sorted(FORFEITING))
def test_a_board_is_given_up_when_a_player_is_gone(kind: FaultKind) -> None:
    table = table_at_play()
    say_all(table, "DK DT D2")
    events = table.forfeit(WEST, kind, "why")
    assert kinds(events) == "BoardEnd"
    assert happenings(events) == [BoardEnd(table="A1", board=1, seq=20)]
    assert table.turn is None
    assert table.score is None
    record = table.record(NAMES)
    assert record.faults == (Fault(WEST, kind, 16, "why"),)
    assert not record.is_finished
    assert (str(record.contract), record.tricks, record.score) == ("4H", None, None)
    assert [str(card) for card in record.cards] == ["DK", "DT", "D2"]
    assert record.play().turn == WEST


def test_a_board_given_up_in_the_auction_has_no_contract() -> None:
    table = new_table()
    table.start(0.0)
    say_all(table, "1C Pass")
    table.forfeit(NORTH, FaultKind.CRASH, "exit status 1")
    record = table.record(NAMES)
    assert [str(made.call) for made in record.calls] == ["1C", "Pass"]
    assert (record.contract, record.cards, record.is_finished) == (None, (), False)


@pytest.mark.parametrize("kind", sorted(set(FaultKind) - FORFEITING))
def test_lesser_faults_give_up_no_board(kind: FaultKind) -> None:
    table = new_table()
    table.start(0.0)
    with pytest.raises(ValueError, match="no reason to give up a board"):
        table.forfeit(NORTH, kind, "")
    assert table.turn is not None


def test_the_record_is_what_was_played() -> None:
    table = table_at_play()
    play_lowest(table)
    record = table.record(NAMES)
    assert record.board == table.board
    assert record.players == NAMES
    assert " ".join(str(made.call) for made in record.calls) == WEST_PLAYS_FOUR_HEARTS
    assert (str(record.contract), record.tricks, record.score) == ("4H", 7, 150)
    assert record.contract is not None
    assert record.contract.declarer == WEST
    assert len(record.cards) == 52
    assert record.play().declarer_tricks == 7
    assert set(SEATS) == {card_owner(card) for card in record.cards}


def card_owner(card: Card) -> Seat:
    return next(seat for seat in SEATS if card in DEAL[seat])


def test_a_flood_of_stale_answers_is_malformed() -> None:
    table = new_table()
    table.start(0.0)
    late = answer(turn_of(table), "1C").model_copy(update={"seq": 1})
    for _ in range(MOST_STALE):
        stale_of(table.act(NORTH, late, 0.0))
    assert faults(table) == []
    table.act(NORTH, late, 0.0)
    assert faults(table) == ["N malformed 0"]
