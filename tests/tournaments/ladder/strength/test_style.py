"""Tests of the sums that make a version's style."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import CARDS, Deal
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, MadeCall, Mode, Room
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.tournaments.ladder.strength.style import MEASURES, SUMS, Style, styles_of

DEAL = Deal.parse("N:AKQJ.AKQJ.AKQJ.A T98.T98.T98.KQJT 765.765.765.9876 432.432.432.5432")
"""North has 37 points, South none."""


def record(calls: str, tricks: int | None = None, **facts: object) -> BoardRecord:
    """A board in the open room, where the home team sits North-South; North is dealer."""
    board = Board(1, Seat.NORTH, Vulnerability.NONE, DEAL)
    made = [Call(call) for call in calls.split()]
    contract = Auction(Seat.NORTH, made).contract
    whole = BoardRecord(
        board,
        ("a", "b", "a", "b"),
        tuple(MadeCall(call) for call in made),
        contract,
        CARDS if contract else (),
        tricks if contract else None,
        0,
        room=Room.OPEN,
    )
    return replace(whole, **facts)  # type: ignore[arg-type]


def home(*records: BoardRecord) -> Style:
    return styles_of(records)[0]


def visitors(*records: BoardRecord) -> Style:
    return styles_of(records)[1]


@pytest.mark.parametrize(
    ("calls", "seat"),
    [
        ("1S Pass Pass Pass", "first"),
        ("Pass 1S Pass Pass Pass", "second"),
        ("Pass Pass 1S Pass Pass Pass", "third"),
        ("Pass Pass Pass 1S Pass Pass Pass", "fourth"),
    ],
)
def test_who_opens_in_a_seat_had_the_chance_and_so_had_those_before(calls: str, seat: str) -> None:
    both = home(record(calls, 7)) + visitors(record(calls, 7))
    for other in ("first", "second", "third", "fourth"):
        assert getattr(both, f"{other}_openings") == (other == seat)
    chances = [getattr(both, f"{one}_chances") for one in ("first", "second", "third", "fourth")]
    before = ["first", "second", "third", "fourth"].index(seat)
    assert chances == [1] * (before + 1) + [0] * (3 - before)
    assert both.openings == 1


def test_all_four_may_open_a_board_that_is_passed_out() -> None:
    passed = record("Pass Pass Pass Pass")
    assert (home(passed).first_chances, home(passed).third_chances) == (1, 1)
    assert (visitors(passed).second_chances, visitors(passed).fourth_chances) == (1, 1)
    assert home(passed).openings == visitors(passed).openings == 0
    assert home(passed).results == home(passed).auctions == 1
    assert home(passed).contracts == home(passed).defences == 0


@pytest.mark.parametrize(
    ("opening", "sum_"),
    [
        ("1NT", "notrump_openings"),
        ("2S", "weak_twos"),
        ("2D", "weak_twos"),
        ("2C", ""),
        ("2NT", ""),
        ("3C", "preempts"),
        ("4S", "preempts"),
        ("3NT", ""),
        ("1C", ""),
    ],
)
def test_openings_have_kinds(opening: str, sum_: str) -> None:
    style = home(record(f"Pass Pass {opening} Pass Pass Pass", 7))
    for kind in ("notrump_openings", "weak_twos", "preempts"):
        assert getattr(style, kind) == (kind == sum_)


def test_a_two_on_a_strong_hand_is_not_weak() -> None:
    strong = home(record("2S Pass Pass Pass", 7))
    assert (strong.openings, strong.weak_twos) == (1, 0)


@pytest.mark.parametrize(
    ("calls", "chances", "overcalls", "doubles"),
    [
        ("1C 1S Pass Pass Pass", 1, 1, 0),
        ("1C X Pass Pass Pass", 1, 0, 1),
        ("1C Pass Pass Pass", 1, 0, 0),
        # Only who is next after the opening has the chance; 1NT and two-bids are another matter.
        ("1C Pass Pass 1S Pass Pass Pass", 1, 0, 0),
        ("1NT 2S Pass Pass Pass", 0, 0, 0),
        ("2C 2S Pass Pass Pass", 0, 0, 0),
    ],
)
def test_an_overcall_is_made_at_once(
    calls: str, chances: int, overcalls: int, doubles: int
) -> None:
    style = visitors(record(calls, 7))
    assert style.overcall_chances == chances
    assert (style.overcalls, style.takeout_doubles) == (overcalls, doubles)
    assert home(record(calls, 7)).overcall_chances == 0


@pytest.mark.parametrize(
    ("calls", "tricks", "sums"),
    [
        ("3NT Pass Pass Pass", 9, {"games": 1, "games_made": 1}),
        ("3NT Pass Pass Pass", 8, {"games": 1}),
        ("4C Pass Pass Pass", 12, {}),
        ("5C Pass Pass Pass", 11, {"games": 1, "games_made": 1}),
        ("3S Pass Pass Pass", 10, {}),
        ("6S Pass Pass Pass", 12, {"slams": 1, "slams_made": 1}),
        ("7NT X Pass Pass Pass", 12, {"slams": 1, "contracts_doubled": 1}),
    ],
)
def test_contracts_are_worth_games_and_slams(calls: str, tricks: int, sums: dict[str, int]) -> None:
    style = home(record(calls, tricks))
    kinds = "games", "games_made", "slams", "slams_made", "contracts_doubled"
    assert {kind: getattr(style, kind) for kind in kinds if getattr(style, kind)} == sums
    assert (style.contracts, style.levels) == (1, int(calls[0]))
    defence = visitors(record(calls, tricks))
    assert (defence.contracts, defence.defences) == (0, 1)
    is_doubled = "X" in calls
    assert (defence.doubles, defence.doubles_set) == (is_doubled, is_doubled)


def test_a_doubled_contract_that_is_made_is_not_set() -> None:
    assert visitors(record("1S X Pass Pass Pass", 7)).doubles_set == 0


def test_a_play_that_ends_before_the_last_card_was_claimed() -> None:
    short = record("1S Pass Pass Pass", 7, cards=CARDS[:20])
    assert home(short).claims == 1
    assert visitors(short).claims == 0
    assert home(replace(short, mode=Mode.BIDDING, cards=())).claims == 0


def test_times_are_split_into_calls_and_cards_and_dummys_cards_are_declarers() -> None:
    timed = record("1S Pass Pass Pass", 7, times=((1000.0, 500.0, 500.0), (2000.0,), (), (4.0,)))
    style = home(timed)
    assert (style.timed_calls, style.call_seconds) == (1, 1.0)
    assert (style.timed_cards, style.card_seconds) == (2, 1.0)
    assert visitors(timed).call_seconds == pytest.approx(2.004)
    given = home(replace(timed, mode=Mode.PLAY))
    assert (given.timed_calls, given.timed_cards) == (0, 3)


def test_an_auction_that_was_given_tells_nothing_of_the_players_style() -> None:
    given = home(record("1S Pass Pass Pass", 7, mode=Mode.PLAY))
    assert (given.auctions, given.openings, given.contracts) == (0, 0, 1)


def test_a_board_without_a_result_counts_its_faults_alone() -> None:
    lost = record(
        "1S",
        score=None,
        contract=None,
        faults=(Fault(Seat.NORTH, FaultKind.CRASH, 1), Fault(Seat.EAST, FaultKind.ILLEGAL, 1)),
    )
    assert home(lost) == Style(crash=1)
    assert visitors(lost).faults == {FaultKind.ILLEGAL: 1}


def test_in_the_closed_room_the_home_team_sits_east_west() -> None:
    assert home(record("1S Pass Pass Pass", 7, room=Room.CLOSED)).openings == 0
    assert visitors(record("1S Pass Pass Pass", 7, room=Room.CLOSED)).openings == 1


def test_measures_are_of_sums_and_say_nothing_of_nothing() -> None:
    for measures in MEASURES.values():
        for measure in measures:
            assert {measure.part, measure.whole} <= set(SUMS)
            assert measure.text(Style()) == "–"
    (opens, *_), *_ = MEASURES.values()
    assert opens.text(Style(first_chances=8, first_openings=3)) == "38 %"
