"""The plan: each format's rounds, from the event and its records alone."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.tournaments.events.boards import EXTRA
from bridge_arena.tournaments.events.event import Event, event_size
from bridge_arena.tournaments.formats.rules import Deals, Format, Movement, Scoring
from bridge_arena.tournaments.schedule.plan import (
    EXTRA_BOARDS,
    EXTRA_SETS,
    draw_of,
    plan,
    withdrawn,
)
from bridge_arena.tournaments.schedule.units import Match, Round, Unit
from tests.tournaments.scores import (
    Result,
    better_seed,
    event,
    lost,
    play_out,
    record,
    swings,
    units_of,
)

SMALL = {
    Format.MATCH: 2,
    Format.ROUND_ROBIN: 5,
    Format.GAUNTLET: 4,
    Format.SWISS: 7,
    Format.KNOCK_OUT: 6,
    Format.PAIRS: 6,
    Format.INDIVIDUAL: 8,
}


def small(format_: Format) -> Event:
    rounds = 3 if format_ is Format.SWISS else None
    deals = Deals.BAROMETER if format_ in (Format.SWISS, Format.KNOCK_OUT) else Deals.SAME
    return event(format_, SMALL[format_], rounds=rounds, deals=deals)


def pairings(rounds: list[Round]) -> list[list[tuple[int, ...]]]:
    return [[match.entries for match in each.matches] for each in rounds]


def boards_of(rounds: list[Round]) -> list[tuple[int, ...]]:
    return [match.boards for each in rounds for match in each.matches]


@pytest.mark.parametrize("format_", Format)
def test_a_whole_event_is_as_large_as_was_said_before(format_: Format) -> None:
    whole = small(format_)
    records = play_out(whole, better_seed(whole) if whole.format.is_teams else flat(whole))
    rounds = plan(whole, records.values())
    size = event_size(whole)
    assert len(rounds) == size.rounds
    assert sum(len(each.matches) for each in rounds) == size.matches
    assert len({board for boards in boards_of(rounds) for board in boards}) == size.boards
    units = units_of(rounds)
    assert len({unit.id for unit in units}) == len(units) == len(records) == size.tables


@pytest.mark.parametrize("format_", Format)
def test_the_order_of_the_records_changes_nothing(format_: Format) -> None:
    whole = small(format_)
    records = list(
        play_out(whole, better_seed(whole) if whole.format.is_teams else flat(whole)).values()
    )
    rounds = plan(whole, records)
    Random(4).shuffle(records)
    assert plan(whole, records) == rounds


def flat(event: Event) -> Result:
    return lambda unit: record(event, unit)


def test_a_match_is_one_round_of_one_match() -> None:
    assert plan(event(Format.MATCH, 2), []) == [Round(1, (Match(1, 1, (0, 1), (1, 2)),))]


def test_an_odd_round_robin_gives_each_entry_a_bye() -> None:
    rounds = plan(event(Format.ROUND_ROBIN, 3), [])
    assert sorted(each.byes for each in rounds) == [(0,), (1,), (2,)]


class TestDeals:
    def test_the_same_deals_are_played_in_every_match(self) -> None:
        rounds = plan(event(Format.ROUND_ROBIN, 4, deals=Deals.SAME), [])
        assert set(boards_of(rounds)) == {(1, 2)}

    def test_a_barometer_has_the_same_deals_in_every_match_of_a_round(self) -> None:
        rounds = plan(event(Format.ROUND_ROBIN, 4, deals=Deals.BAROMETER), [])
        assert [[match.boards for match in each.matches] for each in rounds] == [
            [(1, 2)] * 2,
            [(3, 4)] * 2,
            [(5, 6)] * 2,
        ]

    @pytest.mark.parametrize("format_", [Format.ROUND_ROBIN, Format.SWISS, Format.KNOCK_OUT])
    @pytest.mark.parametrize("entries", [5, 6])
    def test_no_deal_is_played_in_two_matches(self, format_: Format, entries: int) -> None:
        rounds = 3 if format_ is Format.SWISS else None
        whole = event(format_, entries, deals=Deals.FRESH, rounds=rounds)
        planned = plan(whole, play_out(whole, better_seed(whole)).values())
        boards = [board for match in boards_of(planned) for board in match]
        assert len(boards) == len(set(boards)) == event_size(whole).boards

    @pytest.mark.parametrize("deals", Deals)
    def test_the_second_leg_is_on_other_boards_with_the_sides_changed(self, deals: Deals) -> None:
        rounds = plan(event(Format.ROUND_ROBIN, 4, deals=deals, legs=2), [])
        assert [each.number for each in rounds] == [1, 2, 3, 4, 5, 6]
        first, second = rounds[:3], rounds[3:]
        assert pairings(second) == [[pair[::-1] for pair in each] for each in pairings(first)]
        earlier = {board for boards in boards_of(first) for board in boards}
        assert earlier.isdisjoint(board for boards in boards_of(second) for board in boards)
        if deals is Deals.SAME:
            assert set(boards_of(second)) == {(3, 4)}


class TestMovements:
    @pytest.mark.parametrize("movement", Movement)
    def test_pairs_play_each_set_of_boards_at_one_table(self, movement: Movement) -> None:
        rounds = plan(event(Format.PAIRS, 6, movement=movement, boards=3), [])
        for each in rounds:
            for match in each.matches:
                assert match.rooms == (None,)
                assert match.boards[0] % 3 == 1
                assert match.boards == tuple(range(match.boards[0], match.boards[0] + 3))
                (unit, *_) = match.units()
                north, east, south, west = unit.lineup
                assert (north, east) == (south, west) == match.entries
                assert unit.id == f"{each.number}/{match.number}/1/table"

    def test_a_pair_sits_out_where_pairs_are_odd(self) -> None:
        for format_, entries in ((Format.PAIRS, 5), (Format.INDIVIDUAL, 9)):
            for each in plan(event(format_, entries), []):
                seated = [entry for match in each.matches for entry in match.entries]
                assert sorted([*seated, *each.byes]) == list(range(entries))
                assert len(each.byes) == 1


class TestSwiss:
    def test_the_next_round_waits_for_every_table_of_this_one(self) -> None:
        swiss = event(Format.SWISS, 4, rounds=3, deals=Deals.BAROMETER)
        known: list[int] = []
        play_out(swiss, better_seed(swiss), lambda rounds: known.append(len(rounds)))
        assert known == [1, 2, 3, 3]
        first = units_of(plan(swiss, []))
        for missing in first:
            records = [better_seed(swiss)(unit) for unit in first if unit is not missing]
            assert len(plan(swiss, records)) == 1

    def test_a_board_that_is_adjusted_in_one_room_waits_for_the_other(self) -> None:
        swiss = event(Format.SWISS, 4, rounds=2, boards=1)
        units = units_of(plan(swiss, []))
        records = [flat(swiss)(unit) for unit in units[2:]]
        first = lost(swiss, units[0], 0, adjusted=True)
        assert len(plan(swiss, [*records, first])) == 1
        assert len(plan(swiss, [*records, first, flat(swiss)(units[1])])) == 2

    def test_winners_meet_winners(self) -> None:
        swiss = event(Format.SWISS, 4, rounds=2)
        rounds = plan(swiss, play_out(swiss, better_seed(swiss)).values())
        assert pairings(rounds) == [[(0, 2), (1, 3)], [(0, 1), (2, 3)]]

    def test_ties_are_broken_by_imps_then_by_the_seed(self) -> None:
        """All have won or lost once; entries 1 and 3 by more."""
        swiss = event(Format.SWISS, 4, rounds=2, scoring=Scoring.BOARD_A_MATCH)
        result = swings(swiss, lambda unit: 100 if unit.match.entries[0] == 0 else 1000)
        rounds = plan(swiss, play_out(swiss, result).values())
        assert pairings(rounds)[1] == [(1, 0), (2, 3)]

    def test_nobody_sits_out_twice_or_meets_again(self) -> None:
        swiss = event(Format.SWISS, 7, rounds=6)
        rounds = plan(swiss, play_out(swiss, better_seed(swiss)).values())
        byes = [each.byes for each in rounds]
        assert all(len(each) == 1 for each in byes)
        assert len(set(byes)) == 6
        met = [frozenset(pair) for each in pairings(rounds) for pair in each]
        assert len(met) == len(set(met)) == 18

    def test_an_entry_that_is_withdrawn_is_paired_no_more(self) -> None:
        """Boards that were played before stay as they were."""
        swiss = event(Format.SWISS, 6, rounds=4)

        def result(unit: Unit) -> BoardRecord:
            if unit.match.round == 2 and 0 in unit.lineup:
                return lost(swiss, unit, 0)
            return better_seed(swiss)(unit)

        told: list[list[Round]] = []
        records = play_out(swiss, result, told.append)
        assert withdrawn(swiss, records.values()) == {0: 2}
        rounds = plan(swiss, records.values())
        assert [any(0 in pair for pair in each) for each in pairings(rounds)] == [
            *(True, True, False, False)
        ]
        assert [len(each.byes) for each in rounds] == [0, 0, 1, 1]
        for earlier in told:
            assert rounds[: len(earlier)] == earlier

    def test_the_last_entry_that_is_left_has_won(self) -> None:
        swiss = event(Format.SWISS, 2, rounds=1)
        records = play_out(swiss, lambda unit: lost(swiss, unit, 1))
        assert len(plan(swiss.model_copy(update={"rounds": 3}), records.values())) == 1


class TestKnockOut:
    def test_the_next_round_waits_for_every_match_of_this_one(self) -> None:
        cup = event(Format.KNOCK_OUT, 4, deals=Deals.BAROMETER)
        known: list[int] = []
        records = play_out(cup, better_seed(cup), lambda rounds: known.append(len(rounds)))
        assert known == [1, 2, 2]
        rounds = plan(cup, records.values())
        assert pairings(rounds) == [[(0, 3), (1, 2)], [(0, 1)]]

    def test_the_best_seeds_have_byes(self) -> None:
        cup = event(Format.KNOCK_OUT, 6)
        rounds = plan(cup, play_out(cup, better_seed(cup)).values())
        assert rounds[0].byes == (0, 1)
        assert pairings(rounds) == [[(3, 4), (2, 5)], [(0, 3), (1, 2)], [(0, 1)]]

    def test_the_worse_seed_may_win(self) -> None:
        cup = event(Format.KNOCK_OUT, 4)
        rounds = plan(cup, play_out(cup, better_seed(cup, -100)).values())
        assert pairings(rounds)[1] == [(2, 3)]

    @pytest.mark.parametrize("sets", range(1, EXTRA_SETS + 1))
    def test_extra_boards_break_a_tie(self, sets: int) -> None:
        """The worse seed gains on the last of them."""
        cup = event(Format.KNOCK_OUT, 2, boards=3)
        last = 3 + sets * EXTRA_BOARDS
        result = swings(cup, lambda unit: -50 * (unit.position == last))
        records = play_out(cup, result)
        ((match,),) = [each.matches for each in plan(cup, records.values())]
        first = EXTRA + 1
        assert match.boards == (1, 2, 3, *range(first, first + sets * EXTRA_BOARDS))
        assert len(records) == 2 * last

    def test_after_all_extra_boards_the_better_seed_goes_on(self) -> None:
        cup = event(Format.KNOCK_OUT, 4, boards=1)
        rounds = plan(cup, play_out(cup, flat(cup)).values())
        assert pairings(rounds) == [[(0, 3), (1, 2)], [(0, 1)]]
        for each in rounds:
            for match in each.matches:
                assert len(match.boards) == 1 + EXTRA_SETS * EXTRA_BOARDS
        extra = [set(boards[1:]) for boards in boards_of(rounds)]
        assert extra[0] == extra[1]
        assert extra[0].isdisjoint(extra[2]), "every round has extra boards of its own"
        assert min(extra[2]) > EXTRA, "no match begins with them"
        final = [unit for unit in units_of(rounds[1:]) if unit.room is Room.OPEN]
        assert [draw_of(cup, unit) for unit in final] == [
            (2, 0),
            *((2, number) for number in range(1, EXTRA_SETS + 1) for _ in range(EXTRA_BOARDS)),
        ]

    def test_half_played_extra_boards_are_gone_on_with(self) -> None:
        cup = event(Format.KNOCK_OUT, 2, boards=1)
        units = units_of(plan(cup, play_out(cup, flat(cup)).values()))
        for count in range(2, len(units)):
            ((match,),) = [
                each.matches for each in plan(cup, [flat(cup)(unit) for unit in units[:count]])
            ]
            assert len(match.boards) == 1 + EXTRA_BOARDS * (1 + (count - 2) // (2 * EXTRA_BOARDS))

    def test_an_entry_that_is_withdrawn_is_out(self) -> None:
        cup = event(Format.KNOCK_OUT, 4)

        def result(unit: Unit) -> BoardRecord:
            return lost(cup, unit, 0) if 0 in unit.lineup else better_seed(cup)(unit)

        records = play_out(cup, result)
        assert pairings(plan(cup, records.values())) == [[(0, 3), (1, 2)], [(1, 3)]]

    def test_an_entry_that_is_withdrawn_in_extra_boards_is_out(self) -> None:
        cup = event(Format.KNOCK_OUT, 4, boards=1)

        def result(unit: Unit) -> BoardRecord:
            if unit.board > EXTRA + 2 and 0 in unit.lineup:
                return lost(cup, unit, 0)
            return flat(cup)(unit)

        records = play_out(cup, result)
        assert pairings(plan(cup, records.values()))[1] == [(1, 3)]


def test_records_of_strangers_are_refused() -> None:
    match = event(Format.MATCH, 2)
    gone = lost(match, units_of(plan(match, []))[0], 0)
    other = match.model_copy(update={"entries": match.entries[1:] * 2, "name": "Other"})
    with pytest.raises(ValueError, match="'e0' does not take part in Other"):
        plan(other, [gone])


@given(
    st.sampled_from([Format.SWISS, Format.KNOCK_OUT, Format.ROUND_ROBIN]),
    st.integers(2, 9),
    st.sampled_from([Scoring.IMPS, Scoring.VP, Scoring.BOARD_A_MATCH]),
    st.integers(0, 2**32),
)
def test_a_plan_only_grows(format_: Format, entries: int, scoring: Scoring, seed: int) -> None:
    """Whatever happens, adjusted boards, withdrawals and ties included, what was planned once
    stays, so that what was played of it counts; nor does an interruption change it."""
    rounds = min(3, entries - 1 + entries % 2) if format_ is Format.SWISS else None
    whole = event(format_, entries, rounds=rounds, scoring=scoring, boards=1)
    rng = Random(seed)

    def result(unit: Unit) -> BoardRecord:
        kind = rng.randrange(12)
        if kind < 2:
            return lost(whole, unit, rng.choice(unit.match.entries), adjusted=kind == 0)
        return record(whole, unit, rng.choice((-100, 0, 0, 100)) if unit.room is Room.OPEN else 0)

    told: list[list[Round]] = []
    records = play_out(whole, result, told.append)
    final = plan(whole, records.values())
    for earlier in told:
        for then, now in zip(earlier, final, strict=False):
            assert (then.number, then.byes) == (now.number, now.byes)
            for match, same in zip(then.matches, now.matches, strict=True):
                assert match.entries == same.entries
                assert match.boards == same.boards[: len(match.boards)]
    before = {unit.id for unit in units_of(told[max(0, len(told) - 2)])}
    some = [kept for unit, kept in records.items() if unit in before or rng.random() < 0.5]
    for then, now in zip(plan(whole, some), final, strict=False):
        assert [each.entries for each in then.matches] == [each.entries for each in now.matches]


@pytest.mark.parametrize("format_", Format)
def test_a_draw_rests_on_the_draws_before_alone(format_: Format) -> None:
    """A plan made without the results of a draw has none of the draws after it."""
    whole = small(format_)
    records = play_out(whole, flat(whole))
    known = units_of(plan(whole, records.values()))
    for draw in sorted({draw_of(whole, unit) for unit in known}):
        before = [records[unit.id] for unit in known if draw_of(whole, unit) < draw]
        planned = units_of(plan(whole, before))
        assert {unit.id for unit in planned} == {
            unit.id for unit in known if draw_of(whole, unit) <= draw
        }
