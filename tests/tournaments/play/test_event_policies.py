"""The claims and policies of an event, from its definition to the figures of its report."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from threading import Condition
from typing import Any

import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bots.random.bot import RandomBot
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import BoardRecord, FaultKind, MadeCall, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.view import View
from bridge_arena.server.claims import Claims
from bridge_arena.server.faults import Remedy
from bridge_arena.tournaments.events.event import EventPolicies
from tests.patience import PATIENCE
from tests.tournaments.house import MakeBot, house_of
from tests.tournaments.played_events import (
    PlayedEvent,
    StoppedError,
    play_event,
    remote_match,
    stop_after,
)


class Greedy(BaselineBot):
    """Claims all tricks that are left at every chance, and accepts what others claim."""

    def claim(self, view: View) -> int:
        assert view.playing is not None
        return 13 - len(view.playing.tricks)

    def answer_claim(self, view: View) -> bool:
        del view
        return True


class Illegal(RandomBot):
    """Makes calls that are none."""

    def call(self, view: View) -> Call:
        return Call("1C") if view.auction.calls else Call("XX")


ILLEGAL_AND_LEGAL: dict[str, MakeBot] = {"illegal": Illegal, "legal": BaselineBot}


def faults(record: BoardRecord, name: str) -> list[FaultKind]:
    return [fault.kind for fault in record.faults if record.players[fault.seat] == name]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """A match in which the solver decides on claims that can seldom be made."""
    match = remote_match("a", "b", boards=3, claims=Claims.CHECKED)
    folder = tmp_path_factory.mktemp("checked")
    return play_event(folder, match, house_of({"a": Greedy, "b": Greedy}, 2))


@pytest.fixture(scope="module")
def by_players(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """A match in which the defenders accept every claim."""
    match = remote_match("a", "b", claims=Claims.PLAYERS)
    folder = tmp_path_factory.mktemp("players")
    return play_event(folder, match, house_of({"a": Greedy, "b": Greedy}, 2))


class TestClaims:
    @pytest.mark.parametrize("policy", ["checked", "by_players"])
    def test_every_claim_is_logged_and_ends_its_board_where_it_is_accepted(
        self, request: pytest.FixtureRequest, policy: str
    ) -> None:
        played: PlayedEvent = request.getfixturevalue(policy)
        by_board: dict[tuple[int, str], BoardRecord] = {
            (record.board.number, str(record.room).lower()): record for record in played.records
        }
        ended_by_claim = set()
        for claim in played.log("claim"):
            key = claim["board"], claim["unit"].rpartition("/")[2]
            record = by_board[key]
            assert record.contract is not None
            assert claim["seat"] == record.contract.declarer.letter
            assert claim["entry"] == record.players[record.contract.declarer]
            if claim["accepted"]:
                ended_by_claim.add(key)
                assert len(record.cards) == claim["cards_played"] < 52
                assert record.tricks == record.play().declarer_tricks + claim["tricks"]
        for key, record in by_board.items():
            assert record.is_finished
            assert record.faults == ()
            passed_out = record.contract is None
            assert (len(record.cards) == 52) == (key not in ended_by_claim and not passed_out)
            vulnerability = record.board.vulnerability
            assert record.score == score_ns(record.contract, record.tricks, vulnerability)

    def test_the_solver_refuses_what_cannot_be_made(self, checked: PlayedEvent) -> None:
        claims = Counter(claim["accepted"] for claim in checked.log("claim"))
        assert claims[False] > 10
        assert claims[True]
        ledgers = [bot["ledger"] for bot in checked.summary["bots"]]
        assert [ledger["boards"] for ledger in ledgers] == [3, 3]

    def test_the_defenders_accept_what_they_want(self, by_players: PlayedEvent) -> None:
        claims = by_players.log("claim")
        assert all(claim["accepted"] for claim in claims)
        assert len(claims) == sum(record.contract is not None for record in by_players.records)

    @pytest.mark.parametrize("policy", ["checked", "by_players"])
    def test_log_and_files_tell_it(self, request: pytest.FixtureRequest, policy: str) -> None:
        played: PlayedEvent = request.getfixturevalue(policy)
        (began,) = played.log("event_began")
        claims = policy.removeprefix("by_")
        assert (began["clock"], began["claims"], began["policies"]["retries"]) == ("60", claims, 1)
        assert played.summary["terms"] == {"claims": claims}
        played.check_files()


class TestTime:
    @pytest.mark.parametrize(
        ("settings", "kinds", "why"),
        [
            (
                {"clock": "0.5", "policies": EventPolicies(timeouts=1)},
                [FaultKind.TIMEOUT, FaultKind.REFUSED],
                "1 time-outs in one match",
            ),
            (
                {"clock": "9 board=0.5", "policies": EventPolicies(at_zero=Remedy.FORFEIT)},
                [FaultKind.TIMEOUT, FaultKind.REFUSED],
                "its time is used up",
            ),
        ],
        ids=["timeouts", "at zero"],
    )
    def test_a_player_without_time_is_lost_in_both_rooms(
        self, tmp_path: Path, settings: dict[str, Any], kinds: list[FaultKind], why: str
    ) -> None:
        """The board is adjusted, and the bot comes again."""
        ended = Condition()

        class Slow(BaselineBot):
            """Thinks until its board is over."""

            def call(self, view: View) -> MadeCall:
                with ended:
                    ended.wait(PATIENCE)
                return super().call(view)

        def on_board(record: BoardRecord) -> None:
            del record
            with ended:
                ended.notify_all()

        match = remote_match("slow", "quick", boards=1, **settings)
        bots: dict[str, MakeBot] = {"slow": Slow, "quick": BaselineBot}
        played = play_event(tmp_path, match, house_of(bots), on_board=on_board)
        assert len(played.records) == 2
        for record in played.records:
            assert not record.is_finished
            assert faults(record, "quick") == []
            last = record.faults[-1]
            assert record.adjusted == last.seat.side
            assert [fault.kind for fault in record.faults if fault.seat == last.seat] == kinds
            assert last.detail == why
        summary = played.summary
        assert summary["adjusted_boards"] == 1
        slow_faults, quick_faults = (bot["conduct"]["faults"] for bot in summary["bots"])
        counted = Counter(kind for record in played.records for kind in faults(record, "slow"))
        assert slow_faults == {kind.value: counted[kind] for kind in FaultKind}
        assert set(quick_faults.values()) == {0}
        (policy,) = settings["policies"].model_fields_set
        assert summary["terms"].keys() == {"clock", policy}
        logged = [fault for line in played.log("board_ended") for fault in line["faults"]]
        assert {fault["entry"] for fault in logged} == {"slow"}
        assert {fault["seat"] for fault in logged} <= {seat.letter for seat in SEATS}
        assert Counter(fault["kind"] for fault in logged) == +Counter(slow_faults)
        assert [line["why"] for line in played.log("bot_lost")] == [f"refused: {why}"] * 2
        played.check_files()


class TestRetries:
    @pytest.mark.parametrize("retries", [0, 3])
    def test_a_bot_is_asked_again_so_often(self, tmp_path: Path, retries: int) -> None:
        match = remote_match("illegal", "legal", policies=EventPolicies(retries=retries))
        played = play_event(tmp_path, match, house_of(ILLEGAL_AND_LEGAL, 2))
        some = 0
        for record in played.records:
            assert record.is_finished
            at_turn = Counter((fault.seat, fault.action) for fault in record.faults)
            assert set(at_turn.values()) <= {retries + 1}
            assert set(faults(record, "illegal")) <= {FaultKind.ILLEGAL}
            assert faults(record, "legal") == []
            some += len(at_turn)
        assert some > 4
        conduct = played.summary["bots"][0]["conduct"]
        assert conduct["illegal_actions"] == some * (retries + 1)
        assert played.summary["terms"] == {"retries": retries}
        played.check_files()

    @pytest.mark.slow
    def test_who_makes_too_many_illegal_calls_is_lost(self, tmp_path: Path) -> None:
        """However many boards they are spread over: 3 are the end of a player, and of the one that
        comes in its place."""
        policies = EventPolicies(retries=0, illegal=3, restarts=1000)
        match = remote_match("illegal", "legal", boards=8, policies=policies)
        # What a lost player did at another table would be played again.
        played = play_event(tmp_path, match, house_of(ILLEGAL_AND_LEGAL))
        counts = Counter(
            (record.room, fault.seat)
            for record in played.records
            for fault in record.faults
            if fault.kind is FaultKind.ILLEGAL
        )
        losses = [record for record in played.records if not record.is_finished]
        assert losses
        assert any(record.is_finished and record.faults for record in played.records), (
            "not on one board"
        )
        assert Counter((record.room, record.faults[-1].seat) for record in losses) == Counter(
            {player: count // 3 for player, count in counts.items() if count >= 3}
        )
        for record in losses:
            *_, illegal, last = record.faults
            assert (illegal.kind, last.kind) == (FaultKind.ILLEGAL, FaultKind.REFUSED)
            assert illegal.seat == last.seat
            assert record.adjusted == last.seat.side
            assert faults(record, "legal") == []
            assert last.detail == "3 illegal answers in one match"
        assert {line["why"] for line in played.log("bot_lost")} == {
            "refused: 3 illegal answers in one match"
        }
        assert played.summary["terms"] == {"retries": 0, "illegal": 3, "restarts": 1000}
        played.check_files()


@pytest.mark.slow
def test_a_match_goes_on_with_the_time_that_it_had(tmp_path: Path) -> None:
    notes: list[tuple[int, Seat, float]] = []

    class Noting(BaselineBot):
        """Takes a while over every call, and notes what it has left for the match."""

        def call(self, view: View) -> MadeCall:
            assert view.turn is not None
            assert view.turn.match_seconds is not None
            notes.append((view.number, view.seat, view.turn.match_seconds))
            time.sleep(0.01)
            return super().call(view)

    match = remote_match("a", "b", boards=3, clock="9 match=900")
    hall = house_of({"a": Noting, "b": Noting})
    with pytest.raises(StoppedError):
        play_event(tmp_path, match, hall, on_board=stop_after(3))
    before = PlayedEvent(tmp_path).stored
    assert [*before] == ["1/1/1/open", "1/1/1/closed", "1/1/2/open"]
    notes.clear()
    after = play_event(tmp_path, match, hall).stored
    assert max(left for *_, left in notes) < 900 - 0.01, "no clock begins anew"
    # Who opens the first board that is played has what is left to its team there.
    number, seat, left = notes[0]
    assert number == 2
    took = sum(
        sum(record.match_seconds[seat % 2 :: 2])
        for record in before.values()
        if record.room is Room.CLOSED
    )
    assert left == pytest.approx(900 - took, abs=0.001)
    assert all(seconds > 0 for seconds in after["1/1/3/closed"].match_seconds)
