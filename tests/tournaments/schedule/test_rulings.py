"""What rulings make of results, worked out by hand, and what must hold of all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bridge_arena.bridge.record import BoardRecord, Room
from bridge_arena.bridge.scoring import imps, victory_points
from bridge_arena.bridge.seats import Side, Vulnerability
from bridge_arena.tournaments.events.boards import EXTRA, substitute
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.schedule.directing import Directing, RulingError
from bridge_arena.tournaments.schedule.plan import Results, draw_of, plan
from bridge_arena.tournaments.schedule.rulings import (
    Adjust,
    Annul,
    Artificial,
    ChangeClock,
    ChangeGrace,
    Decision,
    Forfeit,
    Penalty,
    Readmit,
    Replay,
    Ruling,
    RulingsOn,
    TakeBack,
    Waive,
    Withdraw,
    changes,
    in_force,
    parse_award,
    replaced,
    settings_by,
)
from bridge_arena.tournaments.schedule.standings import Standings, standings
from bridge_arena.tournaments.schedule.units import Unit
from tests.tournaments.ruled import ruling, rulings, taken_back
from tests.tournaments.scores import better_seed, event, lost, play_out, record, units_of

ROBIN = event(Format.ROUND_ROBIN, 3)
PLAYED = play_out(ROBIN, better_seed(ROBIN))
PAIRS = event(Format.PAIRS, 6, boards=1, scoring=Scoring.MATCHPOINTS)


def ranked(event: Event, records: Iterable[BoardRecord], made: Iterable[Ruling]) -> Standings:
    return standings(event, Results(event, records, made))


def scores(event: Event, records: dict[str, BoardRecord], *decisions: Decision) -> dict[int, float]:
    found = ranked(event, records.values(), rulings(decisions))
    return {each.entry: round(each.score, 6) for each in found.entries}


def match_of(first: int, second: int) -> str:
    """The id of the match of two entries of the round robin."""
    (unit, *_) = (
        unit for unit in units_of(plan(ROBIN, [])) if {*unit.match.entries} == {first, second}
    )
    return unit.match.id


def first_board(match: str) -> int:
    return min(
        record.board.number for unit, record in PLAYED.items() if unit.startswith(f"{match}/")
    )


class TestAwards:
    @pytest.mark.parametrize(
        ("text", "award"),
        [
            ("plus", Artificial.PLUS),
            ("Average", Artificial.AVERAGE),
            ("minus", Artificial.MINUS),
            ("4SE+1", ((Fraction(1), -650),)),
            ("3ntxn-2", ((Fraction(1), -300),)),
            ("PASS", ((Fraction(1), 0),)),
            ("-50", ((Fraction(1), -50),)),
            ("60% 4SE=, 2/5 +140", ((Fraction(3, 5), -620), (Fraction(2, 5), 140))),
            ("1/3 0, 1/3 50, 1/3 90", tuple((Fraction(1, 3), points) for points in (0, 50, 90))),
        ],
    )
    def test_a_score_is_read(self, text: str, award: object) -> None:
        assert parse_award(text, Vulnerability.EW) == award

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("4S", "is no score"),
            ("7NTN+1", "14 tricks"),
            ("-55", "multiples of 10"),
            ("60% 4SE=, 30% 140", "add up to 0.9"),
            ("4SE=, 40% 140", "has no weight"),
            ("; DROP TABLE", "is no score"),
            (", ".join(["10% 0"] * 10), "10 outcomes are too many"),
        ],
    )
    def test_what_is_no_score_is_refused(self, text: str, why: str) -> None:
        with pytest.raises(ValueError, match=why):
            parse_award(text)

    @pytest.mark.parametrize("reason", ["", "  ", "two\nlines", "\x1b[31m", "x" * 501])
    def test_a_reason_is_a_line_of_text(self, reason: str) -> None:
        with pytest.raises(ValidationError):
            ruling(1, Annul(match="1/1"), reason=reason)


class TestTeams:
    """Three entries, two boards a match: 0 beats 1 by 3 IMPs a board and 2 by 5, 1 beats 2 by 3."""

    MATCH = match_of(0, 1)
    BOARD = first_board(MATCH)
    AT_HOME = 0 if plan(ROBIN, [])[int(MATCH[0]) - 1].matches[0].entries[0] == 0 else 1

    def sides(self, of_0: str, of_1: str) -> dict[str, Any]:
        """The scores of the teams as those of home (NS) and visitors."""
        home, visitors = (of_0, of_1) if self.AT_HOME == 0 else (of_1, of_0)
        return {"ns": home, "ew": visitors}

    def test_without_rulings_all_is_as_it_was(self) -> None:
        assert scores(ROBIN, PLAYED) == {0: 16, 1: 0, 2: -16}

    def test_a_board_gets_an_artificial_score(self) -> None:
        adjust = Adjust(match=self.MATCH, board=self.BOARD, **self.sides("minus", "plus"))
        assert scores(ROBIN, PLAYED, adjust) == {0: 16 - 6, 1: 6, 2: -16}

    def test_the_sides_may_get_different_scores(self) -> None:
        adjust = Adjust(match=self.MATCH, board=self.BOARD, **self.sides("average", "plus"))
        assert scores(ROBIN, PLAYED, adjust) == {0: 16 - 3, 1: 6, 2: -16}

    def test_different_scores_go_into_the_victory_points_of_either_side(self) -> None:
        robin = event(Format.ROUND_ROBIN, 3, scoring=Scoring.VP)
        adjust = Adjust(match=self.MATCH, board=self.BOARD, **self.sides("average", "plus"))
        found = scores(robin, play_out(robin, better_seed(robin)), adjust)
        of_0 = victory_points(3, 2)[0] + victory_points(10, 2)[0]
        of_1 = victory_points(0, 2)[0] + victory_points(6, 2)[0]
        assert (found[0], found[1]) == (round(of_0, 6), round(of_1, 6))

    def test_an_assigned_score_is_compared_with_the_other_room(self) -> None:
        board = record_of(self.MATCH, self.BOARD, Room.CLOSED)
        adjust = Adjust(match=self.MATCH, board=self.BOARD, room=Room.OPEN, ns="0", ew="0")
        gain = imps(0 - (board.score or 0))
        own = gain if self.AT_HOME == 0 else -gain
        assert scores(ROBIN, PLAYED, adjust) == {0: 16 - 3 + own, 1: 3 - own, 2: -16}

    def test_a_weighted_score_is_worth_the_weighted_imps(self) -> None:
        closed = record_of(self.MATCH, self.BOARD, Room.CLOSED).score or 0
        text = "60% 420, 40% 1430"
        adjust = Adjust(match=self.MATCH, board=self.BOARD, room=Room.OPEN, ns=text, ew=text)
        gain = round(0.6 * imps(420 - closed) + 0.4 * imps(1430 - closed))
        own = gain if self.AT_HOME == 0 else -gain
        assert scores(ROBIN, PLAYED, adjust)[0] == 16 - 3 + own

    def test_the_scores_of_two_rooms_stand_together(self) -> None:
        both = [
            Adjust(match=self.MATCH, board=self.BOARD, room=room, ns=text, ew=text)
            for room, text in ((Room.OPEN, "620"), (Room.CLOSED, "-100"))
        ]
        gain = imps(720)
        own = gain if self.AT_HOME == 0 else -gain
        assert scores(ROBIN, PLAYED, *both)[0] == 16 - 3 + own

    def test_a_later_ruling_on_a_board_replaces_an_earlier_one(self) -> None:
        first = Adjust(match=self.MATCH, board=self.BOARD, **self.sides("minus", "plus"))
        second = Adjust(match=self.MATCH, board=self.BOARD, **self.sides("plus", "minus"))
        assert scores(ROBIN, PLAYED, first, second) == scores(ROBIN, PLAYED, second)

    @pytest.mark.parametrize("room", [None, Room.CLOSED])
    def test_a_board_that_a_room_has_not_begun_has_no_score(self, room: Room | None) -> None:
        begun = [one for one in PLAYED.values() if one.room is Room.OPEN]
        adjust = Adjust(match=self.MATCH, board=self.BOARD, room=room, ns="plus", ew="minus")
        results = Results(ROBIN, begun, rulings([adjust]))
        match = next(one.match for one in units_of(plan(ROBIN, [])) if one.match.id == self.MATCH)
        assert set(results.swings(match).values()) == {None}

    def test_an_annulled_board_counts_for_nobody(self) -> None:
        annul = Annul(match=self.MATCH, board=self.BOARD)
        assert scores(ROBIN, PLAYED, annul) == {0: 16 - 3, 1: 3, 2: -16}
        found = ranked(ROBIN, PLAYED.values(), rulings([annul])).entries
        assert {each.entry: (each.boards, each.won) for each in found} == {
            0: (3, 2),
            1: (3, 1),
            2: (4, 0),
        }

    def test_an_annulled_match_counts_for_nobody(self) -> None:
        annul = Annul(match=self.MATCH)
        assert scores(ROBIN, PLAYED, annul) == {0: 10, 1: 6, 2: -16}

    def test_a_penalty_is_taken_off(self) -> None:
        made = [Penalty(entry=0, amount=2), Penalty(entry=0, amount=0.5)]
        assert scores(ROBIN, PLAYED, *made) == {0: 13.5, 1: 0, 2: -16}

    def test_a_forfeited_match_is_scored_as_if_nothing_was_played(self) -> None:
        assert scores(ROBIN, PLAYED, Forfeit(match=self.MATCH, entry=0)) == {
            0: 10 - 6,
            1: 6 + 6,
            2: -16,
        }

    def test_a_withdrawn_entry_forfeits_what_it_has_not_played(self) -> None:
        begun = {unit: one for unit, one in PLAYED.items() if not unit.startswith("3/")}
        last = next(unit.match for unit in units_of(plan(ROBIN, [])) if unit.match.round == 3)
        entry, other = last.entries
        found = scores(ROBIN, begun, Withdraw(entry=entry, round=3))
        before = scores(ROBIN, begun)
        assert found[entry] == before[entry] - 6
        assert found[other] == before[other] + 6
        again = scores(ROBIN, begun, Withdraw(entry=entry, round=2), Readmit(entry=entry, round=3))
        assert again == before

    def test_a_loss_after_the_readmission_withdraws_again(self) -> None:
        robin = event(Format.ROUND_ROBIN, 4)
        played = play_out(robin, better_seed(robin))
        own = {unit.match.round: unit for unit in units_of(plan(robin, [])) if 3 in unit.lineup}
        for number in (1, 2):
            played[own[number].id] = lost(robin, own[number], 3)
        made = rulings([Readmit(entry=3, round=2)])
        once = {unit: one for unit, one in played.items() if unit != own[2].id}
        assert Results(robin, once.values(), made).withdrawn == {}
        assert Results(robin, played.values(), made).withdrawn == {3: 2}
        assert Results(robin, played.values()).withdrawn == {3: 1}
        assert Results(robin, played.values(), made).outcome(own[2].match).is_over

    def test_a_loss_that_is_waived_withdraws_nobody(self) -> None:
        unit = next(unit for unit in units_of(plan(ROBIN, [])) if 2 in unit.lineup)
        records = PLAYED | {unit.id: lost(ROBIN, unit, 2)}
        plain = Results(ROBIN, records.values())
        assert plain.withdrawn == {2: unit.match.round}
        number = records[unit.id].board.number
        made = rulings([Waive(match=unit.match.id, board=number, room=unit.room)])
        waived = Results(ROBIN, records.values(), made)
        assert waived.withdrawn == {}
        (swing,) = (
            swing for board, swing in waived.swings(unit.match).items() if board.number == number
        )
        assert swing is not None
        assert abs(swing.imps) == 3


def record_of(match: str, board: int, room: Room) -> BoardRecord:
    round_, number = map(int, match.split("/"))
    (found,) = (
        one
        for one in PLAYED.values()
        if (one.round, one.table, one.board.number, one.room) == (round_, number, board, room)
    )
    return found


class TestTables:
    """Three tables play a board: North-South's points are 420, 170 and 50."""

    RECORDS = tuple(
        record(PAIRS, unit, points)
        for unit, points in zip(
            (unit for unit in units_of(plan(PAIRS, [])) if unit.board == 1),
            (420, 170, 50),
            strict=True,
        )
    )

    def of(self, *decisions: Decision) -> list[tuple[float, float] | None]:
        results = Results(PAIRS, self.RECORDS, rulings(decisions))
        found = results.table_scores(self.RECORDS, 3)
        return [
            None if one is None else (round(one.north_south, 6), round(one.east_west, 6))
            for one in found
        ]

    @property
    def where(self) -> dict[str, Any]:
        last = self.RECORDS[-1]
        return {"match": f"{last.round}/{last.table}", "board": last.board.number}

    def test_an_artificial_score_is_a_share_of_the_board(self) -> None:
        (*_, ruled) = self.of(Adjust(**self.where, ns="plus", ew="average"))
        assert ruled == (60, 50)

    def test_other_tables_are_compared_with_each_outcome_by_its_weight(self) -> None:
        assert self.of() == [(100, 0), (50, 50), (0, 100)]
        text = "50% 430, 1/2 50"
        assert self.of(Adjust(**self.where, ns=text, ew=text)) == [(75, 25), (25, 75), (50, 50)]

    def test_each_side_is_compared_by_its_own_assigned_score(self) -> None:
        found = self.of(Adjust(**self.where, ns="430", ew="50"))
        assert found == [(50, 0), (0, 50), (100, 100)]

    def test_a_side_without_another_table_to_compare_with_has_no_imps(self) -> None:
        *two, last = self.RECORDS[1:]
        results = Results(
            PAIRS, (*two, last), rulings([Adjust(**self.where, ns="430", ew="average")])
        )
        (other, _) = results.table_scores((*two, last), 3)
        assert other is not None
        assert other.imps_of(Side.NS) == imps(170 - 430)
        assert other.imps_of(Side.EW) == 0

    def test_too_many_combinations_are_refused(self) -> None:
        text = ", ".join(["20% 0"] * 5)
        pairs = event(Format.PAIRS, 12, boards=1, scoring=Scoring.MATCHPOINTS)
        own = [unit for unit in units_of(plan(pairs, [])) if unit.board == 1]
        records = [record(pairs, unit) for unit in own]
        made = [
            Adjust(match=unit.match.id, board=records[0].board.number, ns=text, ew=text)
            for unit in own
        ]
        with pytest.raises(ValueError, match="too many tables of one board have weighted scores"):
            standings(pairs, Results(pairs, records, rulings(made)))

    def test_an_annulled_table_is_not_compared(self) -> None:
        annulled = self.of(Annul(**self.where))
        assert annulled[-1] is None
        assert annulled[0] is not None
        assert annulled[0][0] > 50


class TestDraws:
    SWISS = event(Format.SWISS, 4, rounds=2)

    def rounds(self, *made: Ruling) -> list[list[tuple[int, ...]]]:
        records = [
            record
            for unit, record in play_out(self.SWISS, better_seed(self.SWISS)).items()
            if unit.startswith("1/")
        ]
        planned = plan(self.SWISS, Results(self.SWISS, records, made))
        return [sorted(tuple(sorted(match.entries)) for match in one.matches) for one in planned]

    def test_a_round_is_drawn_by_the_rulings_made_before(self) -> None:
        _, second = self.rounds()
        (winner, other), *_ = second
        loss = Penalty(entry=winner, amount=100)
        _, ruled = self.rounds(ruling(1, loss, after=1))
        assert ruled != second
        assert (winner, other) not in ruled
        # A ruling that comes later changes the standings, but not the draw.
        assert self.rounds(ruling(1, loss, after=2))[1] == second

    def test_what_was_taken_back_later_still_drew_the_round(self) -> None:
        _, second = self.rounds()
        made = [
            ruling(1, Penalty(entry=second[0][0], amount=100), after=1),
            ruling(2, TakeBack(ruling=1), after=2),
        ]
        assert self.rounds(*made)[1] != second
        assert in_force(made) == []

    def test_an_entry_is_ranked_as_withdrawn_once_its_round_is_drawn(self) -> None:
        swiss = event(Format.SWISS, 4, rounds=4)
        records = [
            record
            for unit, record in play_out(swiss, better_seed(swiss)).items()
            if unit.startswith("1/")
        ]
        for since, is_withdrawn in ((2, True), (3, False)):
            leader = ranked(swiss, records, [ruling(1, Withdraw(entry=0, round=since), after=1)])
            (own,) = (one for one in leader.entries if one.entry == 0)
            assert (own.withdrawn, own.rank == 4) == (is_withdrawn, is_withdrawn)

    def test_a_withdrawn_entry_is_not_drawn(self) -> None:
        _, second = self.rounds(ruling(1, Withdraw(entry=3, round=2), after=1))
        assert 3 not in {entry for pair in second for entry in pair}

    def test_who_went_on_in_a_knock_out_stays_so(self) -> None:
        cup = event(Format.KNOCK_OUT, 4)
        records = list(play_out(cup, better_seed(cup)).values())
        first = plan(cup, records)[0].matches[0]
        assert 0 in first.entries
        late = ruling(1, Forfeit(match=first.id, entry=0), after=2)
        directing = Directing(Results(cup, records))
        assert "match 1/1 (e0 – e3): e0 still goes on" in directing.consequences(late)
        final = ruling(1, Forfeit(match="2/1", entry=0), after=2)
        lines = "e0: rank 1, 2 rounds won -> rank 2, 1 round won"
        assert lines in directing.consequences(final)
        placed = {one.entry: one.rank for one in ranked(cup, records, [late]).entries}
        assert placed == {0: 1, 1: 2, 2: 3, 3: 3}
        # The final is decided by all rulings.
        late = ruling(1, Forfeit(match="2/1", entry=0), after=2)
        placed = {one.entry: one.rank for one in ranked(cup, records, [late]).entries}
        assert placed == {1: 1, 0: 2, 2: 3, 3: 3}

    @pytest.mark.parametrize(
        ("scoring", "text"),
        [
            (Scoring.IMPS, "+6 IMPs to e0"),
            (Scoring.TOTAL_POINTS, "+200 points to e0"),
            (Scoring.BOARD_A_MATCH, "2 boards to e0, 0 to e1"),
        ],
    )
    def test_what_stood_before_is_in_the_unit_of_the_scoring(
        self, scoring: Scoring, text: str
    ) -> None:
        cup = event(Format.KNOCK_OUT, 2, scoring=scoring)
        results = Results(cup, play_out(cup, better_seed(cup)).values())
        assert Directing(results).stood_before(Forfeit(match="1/1", entry=0)) == text
        board = Directing(results).boards("1/1")[0]
        before = Directing(results).stood_before(Annul(match="1/1", board=board))
        assert before == "open room NS +100, closed room NS 0"

    @pytest.mark.parametrize("scoring", [Scoring.IMPS, Scoring.TOTAL_POINTS])
    def test_a_penalty_comes_off_the_margin_in_full(self, scoring: Scoring) -> None:
        cup = event(Format.KNOCK_OUT, 2, scoring=scoring)
        (first,) = plan(cup, [])[0].matches
        records = list(play_out(cup, better_seed(cup)).values())
        margin = Results(cup, records).outcome(first).scores(scoring)[0]
        assert margin > 0
        for amount, winner in ((margin - 1, 0), (margin + 1, 1)):
            made = rulings([Penalty(match=first.id, entry=0, amount=amount)])
            fined = Results(cup, records, made).outcome(first)
            assert fined.scores(scoring) == (margin - amount, amount - margin)
            assert fined.winner(scoring) == winner

    def test_a_ruling_decides_who_goes_on_in_a_knock_out(self) -> None:
        cup = event(Format.KNOCK_OUT, 4)
        semi = [
            record
            for unit, record in play_out(cup, better_seed(cup)).items()
            if unit.startswith("1/")
        ]
        first = plan(cup, semi)[0].matches[0]
        loser = min(first.entries)
        for decision in (
            Forfeit(match=first.id, entry=loser),
            Penalty(match=first.id, entry=loser, amount=100),
        ):
            final = plan(cup, Results(cup, semi, [ruling(1, decision, after=1)]))[1].matches[0]
            assert loser not in final.entries
            assert max(first.entries) in final.entries


class TestReplays:
    """Board 2 of the only match is played again: home won each board by 100."""

    DUEL = event(Format.KNOCK_OUT, 2)
    BOARD = substitute(1, 2)
    REPLAY = ruling(1, Replay(match="1/1", board=2))
    BACK = (REPLAY, ruling(2, TakeBack(ruling=1)))

    def units(self, records: Iterable[BoardRecord], made: Iterable[Ruling]) -> dict[str, Unit]:
        """All units that are known."""
        known = units_of(plan(self.DUEL, Results(self.DUEL, records, made)))
        return {unit.id: unit for unit in known}

    def due(
        self, played: Mapping[str, BoardRecord], made: Iterable[Ruling], event: Event = DUEL
    ) -> list[str]:
        results = Results(event, played.values(), made)
        units = [unit for unit in units_of(plan(event, results)) if unit.id not in played]
        due = [unit.id for unit in units if results.is_due(unit)]
        matches = {unit.match.id: unit.match for unit in units}
        assert len(due) == sum(map(results.left, matches.values()))
        return due

    def played(self, *ids: str, made: Iterable[Ruling] = ()) -> dict[str, BoardRecord]:
        units = self.units((), made)
        return {unit: better_seed(self.DUEL)(units[unit]) for unit in ids}

    def test_it_counts_for_nobody_and_a_substitute_is_played(self) -> None:
        played = self.played("1/1/1/open", "1/1/1/closed", "1/1/2/open", "1/1/2/closed")
        assert self.due(played, []) == []
        replayed = [f"1/1/{self.BOARD}/open", f"1/1/{self.BOARD}/closed"]
        assert self.due(played, [self.REPLAY]) == replayed
        assert scores(self.DUEL, played, self.REPLAY.decision) == {0: 0, 1: 0}
        units = self.units((), [self.REPLAY])
        played |= {unit: record(self.DUEL, units[unit], 500) for unit in replayed[:1]}
        played |= {unit: record(self.DUEL, units[unit], -500) for unit in replayed[1:]}
        results = Results(self.DUEL, played.values(), [self.REPLAY])
        outcome = results.outcome(units["1/1/1/open"].match)
        assert (outcome.boards, outcome.imps, outcome.left) == (2, 3 + imps(1000), 0)
        # What was played stays the same.
        plain = Results(self.DUEL, played.values(), [self.REPLAY], counted=False)
        assert plain.outcome(units["1/1/1/open"].match).imps == 6

    def test_no_other_room_begins_it_any_more(self) -> None:
        begun = self.played("1/1/1/open", "1/1/1/closed", "1/1/2/open")
        assert self.due(begun, []) == ["1/1/2/closed"]
        replayed = [f"1/1/{self.BOARD}/open", f"1/1/{self.BOARD}/closed"]
        assert self.due(begun, [self.REPLAY]) == replayed
        assert self.due(begun, self.BACK) == ["1/1/2/closed"]

    def test_a_substitute_that_was_begun_counts_for_nobody_once_that_is_taken_back(self) -> None:
        units = self.units((), [self.REPLAY])
        played = self.played("1/1/1/open", "1/1/1/closed", "1/1/2/open", "1/1/2/closed")
        begun = f"1/1/{self.BOARD}/open"
        played[begun] = record(self.DUEL, units[begun], 5000)
        assert self.due(played, self.BACK) == []
        outcome = Results(self.DUEL, played.values(), self.BACK).outcome(units[begun].match)
        assert (outcome.boards, outcome.imps, outcome.left) == (2, 6, 0)
        directing = Directing(Results(self.DUEL, played.values(), self.BACK))
        adjust = Adjust(match="1/1", board=self.BOARD, room=Room.OPEN, ns="50", ew="50")
        with pytest.raises(RulingError, match="counts for nobody: its ruling is taken back"):
            directing.check(ruling(3, adjust), played)
        earlier = [self.REPLAY, ruling(2, adjust), ruling(3, TakeBack(ruling=1))]
        assert replaced(self.DUEL, earlier) == {2: 3}
        for made, number in ((self.BACK, 2), (earlier, 3)):
            (told,) = RulingsOn(self.DUEL, made).table("1/1", self.BOARD, Room.OPEN)
            assert told.number == number

    def test_a_substitute_can_be_replaced_itself(self) -> None:
        played = self.played("1/1/1/open", "1/1/1/closed", "1/1/2/open", "1/1/2/closed")
        again = ruling(2, Replay(match="1/1", board=self.BOARD))
        second = substitute(2, self.BOARD)
        assert second % 16 == self.BOARD % 16 == 2
        made = [self.REPLAY, again]
        due = [f"1/1/{second}/open", f"1/1/{second}/closed"]
        assert self.due(played, made) == due
        # Board 2 would count beside it.
        directing = Directing(Results(self.DUEL, played.values(), made))
        with pytest.raises(RulingError, match="is replaced by ruling 2: take that back first"):
            directing.check(ruling(3, TakeBack(ruling=1)), played)

    def test_extra_boards_and_substitutes_keep_their_units(self) -> None:
        first = ["1/1/1/open", "1/1/1/closed", "1/1/2/open", "1/1/2/closed"]
        level = {unit: record(self.DUEL, self.units((), [])[unit], 0) for unit in first}
        extra = {unit.id: unit for unit in units_of(plan(self.DUEL, level.values()))}
        assert extra["1/1/3/open"].board == EXTRA + 1
        begun = level | {"1/1/3/open": record(self.DUEL, extra["1/1/3/open"], 0)}
        for played in (level, begun):
            known = self.units(played.values(), [self.REPLAY])
            assert f"1/1/{self.BOARD}/open" in known
            assert ("1/1/3/open" in known) == (played is begun)
            assert known.get("1/1/3/open", extra["1/1/3/open"]).board == EXTRA + 1
        replayed = [f"1/1/{self.BOARD}/open", f"1/1/{self.BOARD}/closed"]
        units = self.units(level.values(), [self.REPLAY])
        level |= {unit: record(self.DUEL, units[unit], 0) for unit in replayed}
        assert self.due(level, [self.REPLAY])[0] == "1/1/3/open"
        of_final = {
            unit.board: draw_of(self.DUEL, unit)
            for unit in self.units(level.values(), [self.REPLAY]).values()
        }
        assert of_final == {1: (1, 0), 2: (1, 0), self.BOARD: (1, 0)} | {
            EXTRA + number: (1, 1) for number in range(1, 5)
        }

    def test_all_tables_of_a_pairs_event_play_the_substitute(self) -> None:
        everything = {unit.id: unit for unit in units_of(plan(PAIRS, []))}
        own = [unit for unit in everything.values() if unit.board == 1]
        assert len(own) == 3
        (first, *_) = own
        played = {first.id: record(PAIRS, first, 420)}
        made = rulings([Replay(match=first.match.id, board=1)])
        board = substitute(1, 1)
        due = self.due(played, made, PAIRS)
        assert [unit for unit in due if unit.endswith(f"/{board}/table")] == [
            f"{unit.match.id}/{board}/table" for unit in own
        ]
        assert not {unit.id for unit in own} & set(due)
        units = {
            unit.id: unit for unit in units_of(plan(PAIRS, Results(PAIRS, played.values(), made)))
        }
        replayed = [f"{unit.match.id}/{board}/table" for unit in own]
        played |= {
            unit: record(PAIRS, units[unit], points)
            for unit, points in zip(replayed, (420, 170, 50), strict=True)
        }
        found = ranked(PAIRS, played.values(), made)
        assert {one.boards for one in found.entries} == {1}
        assert sorted(one.score for one in found.entries) == [0, 0, 50, 50, 100, 100]
        # A ruling on the board at another table has no effect.
        directing = Directing(Results(PAIRS, played.values(), made))
        other = Adjust(match=own[1].match.id, board=1, ns="plus", ew="minus")
        late = {own[1].id: record(PAIRS, own[1], 90)}
        directing = Directing(Results(PAIRS, (*played.values(), *late.values()), made))
        with pytest.raises(RulingError, match="is annulled by ruling 1"):
            directing.check(ruling(2, other), played)
        assert [one.number for one in RulingsOn(PAIRS, made).table(own[1].match.id, 1, None)] == [1]

    def test_boards_of_a_file_are_replaced_once_all_tables_have_begun_them(self) -> None:
        duel = event(Format.ROUND_ROBIN, 2, boards_from="boards.pbn")
        units = units_of(plan(duel, []))
        begun = {unit.id: record(duel, unit) for unit in units[:3]}
        made = ruling(1, Replay(match="1/1", board=2))
        with pytest.raises(RulingError, match=r"closed room of match 1/1 .* was not begun yet"):
            Directing(Results(duel, begun.values())).check(made, begun)
        first = ruling(1, Replay(match="1/1", board=1))
        Directing(Results(duel, begun.values())).check(first, begun)

    @pytest.mark.parametrize(
        ("made", "why"),
        [
            ([Withdraw(entry=0, round=1)], "nothing more of match 1/1 .* is played: annul"),
            ([Annul(match="1/1", board=1)], "is annulled by ruling 1: take that back first"),
            ([Replay(match="1/1", board=1)], "is annulled by ruling 1: take that back first"),
        ],
    )
    def test_what_cannot_be_replayed_is_refused(self, made: list[Decision], why: str) -> None:
        robin = event(Format.ROUND_ROBIN, 4)
        units = units_of(plan(robin, []))
        played = {unit.id: better_seed(robin)(unit) for unit in units[:4]}
        results = Results(robin, played.values(), rulings(made))
        with pytest.raises(RulingError, match=why):
            Directing(results).check(ruling(2, Replay(match="1/1", board=1)), played)

    def test_no_board_of_a_round_that_drew_the_next_is_replayed(self) -> None:
        swiss = event(Format.SWISS, 4, rounds=3)
        played = {
            unit: one
            for unit, one in play_out(swiss, better_seed(swiss)).items()
            if not unit.startswith("3/")
        }
        directing = Directing(Results(swiss, played.values()))
        replay = Replay(match="1/1", board=1)
        directing.check(ruling(1, replay, after=1), played)
        with pytest.raises(RulingError, match="but round 2 is drawn by its result"):
            directing.check(ruling(1, replay, after=2), played)

    def test_none_is_replayed_of_a_round_of_a_knock_out_whose_winner_was_lost_later(self) -> None:
        """With a board left to play, entry 0 would forfeit the match that it has won."""
        cup = event(Format.KNOCK_OUT, 4, policies={"restarts": 0})
        first = {
            unit.id: better_seed(cup)(unit) for unit in units_of(plan(cup, [])) if unit.id[0] == "1"
        }
        (final, *_) = units_of(plan(cup, first.values())[1:])
        played = first | {final.id: lost(cup, final, 0)}
        made = [ruling(1, Forfeit(match="2/1", entry=0), after=2)]
        directing = Directing(Results(cup, played.values(), made))
        with pytest.raises(RulingError, match="but round 2 is drawn by its result"):
            directing.check(ruling(2, Replay(match="1/1", board=1), after=2), played)

    def test_none_is_replayed_once_the_deals_are_public_or_in_a_sequential_test(self) -> None:
        played = self.played("1/1/1/open", "1/1/1/closed", "1/1/2/open", "1/1/2/closed")
        with pytest.raises(RulingError, match="the event is over and its deals are public"):
            Directing(Results(self.DUEL, played.values())).check(self.REPLAY, played)
        tested = event(Format.MATCH, 2, boards=8, sprt="imp0=0 imp1=0.5 alpha=0.05 beta=0.05")
        (unit, *_) = units_of(plan(tested, []))
        begun = {unit.id: record(tested, unit)}
        with pytest.raises(RulingError, match="a sequential test counts the boards in order"):
            Directing(Results(tested, begun.values())).check(
                ruling(1, Replay(match="1/1", board=1)), begun
            )


def test_rulings_without_effect_are_those_that_another_replaces() -> None:
    def adjust(room: Room | None, board: int = 1) -> Adjust:
        return Adjust(match="1/1", board=board, room=room, ns="plus", ew="minus")

    made = rulings([adjust(Room.OPEN), adjust(Room.CLOSED), adjust(None, 2)])
    assert replaced(ROBIN, made) == {}
    whole = [*made, ruling(4, adjust(None))]
    assert replaced(ROBIN, whole) == {1: 4, 2: 4}
    assert replaced(ROBIN, [*whole, ruling(5, TakeBack(ruling=4))]) == {}
    annulled = [*made, ruling(4, Annul(match="1/1", board=2)), ruling(5, Annul(match="1/1"))]
    assert replaced(ROBIN, annulled) == {1: 5, 2: 5, 3: 4, 4: 5}
    (only,) = RulingsOn(ROBIN, annulled).table("1/1", 2, Room.OPEN)
    assert only.number == 5


def test_a_later_clock_replaces_those_of_the_same_entries() -> None:
    timed = event(Format.ROUND_ROBIN, 3, clock="60")
    own = timed.entries[2].model_copy(update={"clock": "90 board=900"})
    timed = timed.model_copy(update={"entries": (*timed.entries[:2], own)})
    made = rulings(
        [
            ChangeClock(clock="action=40", entry=1),
            ChangeGrace(seconds=9),
            ChangeClock(clock="30"),
            ChangeClock(clock="20 match=600", entry=0),
        ]
    )

    def clocks(rulings: list[Ruling]) -> list[str]:
        return [str(own.clock) for own in settings_by(timed, rulings)]

    assert clocks([]) == ["60", "60", "90 board=900"]
    assert clocks(made[:1]) == ["60", "40", "90 board=900"]
    assert clocks(made) == ["20 match=600", "30", "30"]
    assert {own.grace for own in settings_by(timed, made)} == {9}
    assert replaced(timed, made) == {1: 3}
    back = [*made, ruling(5, TakeBack(ruling=3))]
    assert clocks(back) == ["20 match=600", "40", "90 board=900"]
    assert [one.number for one in changes(timed, back)] == [1, 2, 4]
    assert ranked(ROBIN, PLAYED.values(), made) == ranked(ROBIN, PLAYED.values(), [])


SCORES = st.sampled_from(["plus", "average", "minus", "420", "4SN=", "60% 140, 40% -50"])


@st.composite
def decisions(draw: st.DrawFn, event: Event, records: list[BoardRecord]) -> list[Decision]:
    """Decisions that do not depend on each other: of boards of their own."""
    chosen = draw(st.lists(st.sampled_from(records), max_size=6, unique_by=lambda one: one.board))
    made: list[Decision] = []
    for one in chosen:
        where: dict[str, Any] = {"match": f"{one.round}/{one.table}", "board": one.board.number}
        kind = draw(st.sampled_from([Annul, Adjust, Replay]))
        if kind is Adjust:
            made.append(Adjust(**where, room=one.room, ns=draw(SCORES), ew=draw(SCORES)))
        elif kind is Annul or event.format.is_drawn:  # no board of a drawn round is replayed
            made.append(Annul(**where))
        else:
            made.append(Replay(**where))
    entries = st.integers(0, len(event.entries) - 1)
    fined = draw(st.lists(entries, max_size=2, unique=True))
    return [*made, *(Penalty(entry=entry, amount=draw(st.integers(1, 20))) for entry in fined)]


EVENTS = [ROBIN, event(Format.SWISS, 4, rounds=2), PAIRS]
PLAYED_OUT = {one.format: list(play_out(one, better_seed(one)).values()) for one in EVENTS}


@pytest.mark.parametrize("event", EVENTS, ids=lambda one: str(one.format))
class TestAllRulings:
    @given(data=st.data())
    def test_taken_back_they_leave_no_trace(self, event: Event, data: st.DataObject) -> None:
        records = PLAYED_OUT[event.format]
        made = rulings(data.draw(decisions(event, records)), after=2)
        assert ranked(event, records, taken_back(made)) == ranked(event, records, [])

    @given(data=st.data())
    def test_the_order_of_independent_ones_does_not_matter(
        self, event: Event, data: st.DataObject
    ) -> None:
        records = PLAYED_OUT[event.format]
        made = data.draw(decisions(event, records))
        other = data.draw(st.permutations(made))
        first, second = (ranked(event, records, rulings(one, after=2)) for one in (made, other))
        assert first == second


@given(
    outcomes=st.lists(st.integers(-200, 200).map(lambda ten: 10 * ten), min_size=1, max_size=5),
    other=st.integers(-200, 200).map(lambda ten: 10 * ten),
)
def test_a_weighted_score_lies_between_its_outcomes(outcomes: list[int], other: int) -> None:
    match = plan(ROBIN, [])[0].matches[0]
    units = [
        unit for unit in units_of(plan(ROBIN, [])) if unit.match == match and unit.position == 1
    ]
    records = [record(ROBIN, unit, other) for unit in units]

    def worth(text: str) -> tuple[int, Fraction]:
        adjust = Adjust(
            match=match.id, board=records[0].board.number, room=Room.OPEN, ns=text, ew=text
        )
        (swing,) = Results(ROBIN, records, rulings([adjust])).swings(match).values()
        assert swing is not None
        return swing.imps, swing.won

    weighted = worth(", ".join(f"1/{len(outcomes)} {points}" for points in outcomes))
    alone = [worth(str(points)) for points in outcomes]
    for value, (lowest, highest) in zip(
        weighted, ((min(each), max(each)) for each in zip(*alone, strict=True)), strict=True
    ):
        assert lowest <= value <= highest
