"""`arena direct`: rulings on an event in its folder, and what is refused."""

from __future__ import annotations

import shutil
import socket
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.bridge.record import Room
from bridge_arena.commands.main import DONE, UNUSABLE, run
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.tournaments.schedule.event_results import Played
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import Adjust, Ruling
from bridge_arena.tournaments.schedule.units import Unit
from bridge_arena.tournaments.store import Store
from tests.tournaments.ruled import play_round
from tests.tournaments.scores import better_seed, event, lost, units_of

SWISS = event(Format.SWISS, 4, rounds=3)
WHY = ("--reason", "as it was", "--author", "Dirk")


def began(folder: Path, event: Event = SWISS, rounds: int = 1) -> str:
    """Return the folder of an event of which some rounds are played."""
    with closing(Store.create(folder / STORE, event)) as store:
        for number in range(1, rounds + 1):
            play_round(store, number)
    return str(folder)


@pytest.fixture(scope="module")
def begun_cup(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Only to be copied."""
    return began(tmp_path_factory.mktemp("cup"))


@pytest.fixture
def cup(begun_cup: str, tmp_path: Path) -> str:
    return str(shutil.copytree(begun_cup, tmp_path, dirs_exist_ok=True))


def rulings(folder: str) -> list[Ruling]:
    with closing(Store.open(Path(folder) / STORE)) as store:
        return store.rulings()


def played(folder: str) -> list[Played]:
    with closing(Store.open(Path(folder) / STORE)) as store:
        return store.played()


def test_a_ruling_is_made_and_what_follows_is_said(
    cup: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["direct", cup, "adjust", "1/1", "1", "--home", "minus", *WHY]) == DONE
    told = capsys.readouterr().out
    assert "ruling 1: board 1 of match 1/1 (e0 – e2): home minus; visitors plus" in told
    assert "e0: rank 1, 10 IMPs -> rank 2, 2 IMPs" in told
    assert "rounds up to 1 are drawn, and are not drawn again" in told
    assert "round 2 is drawn otherwise:" in told
    (made,) = rulings(cup)
    assert (made.author, made.reason, made.after) == ("Dirk", "as it was", 1)
    assert made.decision == Adjust(match="1/1", board=1, ns="minus", ew="plus")


def test_check_rules_nothing(cup: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["direct", cup, "penalty", "e3", "50", "--check", *WHY]) == DONE
    told = capsys.readouterr().out
    assert told.startswith("would be ruling 1: e3 loses 50\n")
    assert "e3: rank" in told
    assert rulings(cup) == []


def test_rulings_are_listed_with_what_became_of_them(
    cup: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert run(["direct", cup, "list"]) == DONE
    assert "has not ruled anything" in capsys.readouterr().out
    for words in (
        "adjust 1/1 1 --room open --ns 4SE-1",
        "appeal 1 --state dismissed",
        "pause --entry e2",
        "take-back 3",
        "pause",
        "go-on",
    ):
        assert run(["direct", cup, *words.split(), *WHY]) == DONE
    capsys.readouterr()
    assert run(["direct", cup, "list"]) == DONE
    told = capsys.readouterr().out
    assert "board 1 in the open room of match 1/1 (e0 – e2): NS and EW 4SE-1" in told
    assert "in force, appeal dismissed" in told
    assert "open room NS +200" in told
    assert "taken back by ruling 4" in told
    assert "ended by ruling 6" in told


def test_all_decisions_are_made_by_their_commands(cup: str) -> None:
    for words in (
        "annul 1/2 1",
        "replay 1/2 2",
        "forfeit 1/1 e2",
        "withdraw e3 --round 2",
        "readmit e3 --round 3",
        "pause --match 1/2 --room open",
        "go-on --match 1/2 --room open",
        "clock 30",
        "grace 5 --entry e1",
    ):
        assert run(["direct", cup, *words.split(), *WHY]) == DONE
    kinds = [ruling.decision.kind for ruling in rulings(cup)]
    assert kinds == [
        "annul",
        "replay",
        "forfeit",
        "withdraw",
        "readmit",
        "pause",
        "go-on",
        "clock",
        "grace",
    ]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("adjust 9/1 1 --home plus", "has no match 9/1 (the last are 1/1, 1/2, 2/1, 2/2)"),
        ("adjust one 1 --home plus", "match: 'one' is no match: ROUND/NUMBER, as 2/1"),
        ("withdraw e0 --round 10000000000000000000000", "round: "),
        ("penalty e0 -2", "amount: "),
        ("adjust 1/1 7 --home plus", "no board 7 of match 1/1 (e0 – e2) was begun (boards 1, 2"),
        ("adjust 2/1 1 --home plus", "was begun (none was)"),
        ("adjust 1/1 1", "give --ns and --ew of a table, or --home and --visitors"),
        ("adjust 1/1 1 --ns plus", "give --room"),
        ("adjust 1/1 1 --room attic --ns plus", "--room attic: open or closed"),
        ("adjust 1/1 1 --home 4SE=", "--home 4SE=: plus, average or minus; a result is for a room"),
        ("adjust 1/1 1 --visitors fine", "--visitors fine: plus, average or minus"),
        ("adjust 1/1 1 --room open --ns 8S", "ns: '8S' is no score"),
        ("annul 1/1 9", "no board 9"),
        ("forfeit 1/1 e1", "e1 does not play match 1/1 (e0 – e2)"),
        ("forfeit 1/1 nobody", "has no entry 'nobody': e0, e1, e2, e3"),
        ("waive 1/1 1 --room open", "was not lost for good"),
        ("waive 1/1 1", "two rooms: say which"),
        ("penalty e0 0", "amount: "),
        ("penalty e0 nan", "amount: "),
        ("penalty e0 1 --match 1/1", "only in a knock-out"),
        ("withdraw e0 --round 4", "has no round 4: the last is 3"),
        ("readmit e0 --round 4", "has no round 4: the last is 3"),
        ("readmit e0 --round 2", "e0 is not withdrawn"),
        ("clock soon", "clock: 'soon' is not a time limit"),
        ("clock 30 --entry nobody", "has no entry 'nobody'"),
        ("grace -1", "seconds: "),
        ("grace inf", "seconds: "),
        ("go-on", "the event is not paused"),
        ("pause --match 1/1 --entry e0", "not both"),
        ("pause --room open", "a room is that of a match: say of which"),
        ("go-on --match 1/1 --room open", "the open room of match 1/1 (e0 – e2) is not paused"),
        ("replay 1/1 7", "no board 7 of match 1/1"),
        ("take-back 1", "there is no ruling 1"),
        ("appeal 1", "there is no ruling 1"),
        ("appeal 1 --state lost", "'lost' is no state"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    cup: str, words: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["direct", cup, *words.split(), *WHY]) == UNUSABLE
    told = capsys.readouterr().err
    assert complaint in told
    assert told.count("\n") == 1
    assert rulings(cup) == []


@pytest.mark.parametrize("reason", ["", "one\ntwo", "\x1b[2J"])
def test_a_reason_is_a_line(cup: str, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["direct", cup, "pause", "--reason", reason]) == UNUSABLE
    assert "reason: it must be one line of text" in capsys.readouterr().err


def test_twice_is_refused(cup: str, capsys: pytest.CaptureFixture[str]) -> None:
    twice = (
        ("annul 1/1", "annul 1/1"),
        ("pause", "pause"),
        ("take-back 2", "take-back 2"),
        ("pause --match 1/2 --room open", "go-on --match 1/2"),
    )
    for first, second in twice:
        assert run(["direct", cup, *first.split(), *WHY]) == DONE
        assert run(["direct", cup, *second.split(), *WHY]) == UNUSABLE
    told = capsys.readouterr().err.splitlines()
    assert [line.split(" ", 1)[1] for line in told] == [
        "match 1/1 (e0 – e2) is annulled by ruling 1: take that back first",
        "the event is paused already",
        "ruling 2 is taken back already",
        "match 1/2 (e1 – e3) is not paused: the open room of match 1/2 (e1 – e3) is",
    ]


def test_in_a_knock_out_somebody_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cup = began(tmp_path, event(Format.KNOCK_OUT, 4))
    assert run(["direct", cup, "annul", "1/1", *WHY]) == UNUSABLE
    assert "cannot be annulled, as one goes on: forfeit it" in capsys.readouterr().err
    assert run(["direct", cup, "penalty", "e0", "9", *WHY]) == UNUSABLE
    assert run(["direct", cup, "penalty", "e0", "100", "--match", "1/1", *WHY]) == DONE
    assert "round 2 is drawn otherwise" in capsys.readouterr().out


def test_where_no_event_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["direct", str(tmp_path), "pause", *WHY]) == UNUSABLE
    (tmp_path / "event.pbn").touch()
    assert run(["direct", str(tmp_path), "pause", *WHY]) == UNUSABLE
    told = capsys.readouterr().err.splitlines()
    assert "holds no event" in told[0]
    assert "is elsewhere: give its database's URL" in told[1]


def test_pages_at_a_port_that_is_taken(cup: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert run(["direct", cup, "web", "--port", port]) == UNUSABLE
    assert f"127.0.0.1 port {port}" in capsys.readouterr().err


def test_pages_without_their_extra(
    cup: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "bridge_arena.web.director.application", raising=False)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    assert run(["direct", cup, "web"]) == UNUSABLE
    assert "arena direct web needs the extra web" in capsys.readouterr().err


def test_a_board_is_ruled_on_once_both_rooms_have_begun_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    robin = event(Format.ROUND_ROBIN, 2)
    with closing(Store.create(tmp_path / STORE, robin)) as store:
        (first,) = plan(robin, [])[0].matches
        unit = next(unit for unit in first.units() if unit.room is Room.OPEN)
        played = better_seed(robin)(unit)
        assert store.schedule([first], {unit.board: GivenBoard(played.board, ())})
        store.save(unit, played)
    board = str(played.board.number)
    where = first.id, board
    for command, *score in (
        ["adjust", "--home", "plus"],
        ["adjust", "--room", "closed", "--ns", "50"],
        ["annul"],
    ):
        assert run(["direct", str(tmp_path), command, *where, *score, *WHY]) == UNUSABLE
        assert "in the closed room of match 1/1 (e0 – e1) was not begun" in capsys.readouterr().err
    words = ["adjust", first.id, board, "--room", "open", "--ns", "50", *WHY]
    assert run(["direct", str(tmp_path), *words]) == DONE


def test_an_author_is_needed_where_the_user_has_no_name(
    cup: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def getuser() -> str:
        raise KeyError("getpwuid(): uid not found: 12345")

    monkeypatch.setattr("bridge_arena.commands.direct.getuser", getuser)
    assert run(["direct", cup, "pause", "--reason", "Lunch"]) == UNUSABLE
    assert "say who rules with --author" in capsys.readouterr().err


def saved(store: Store, unit: Unit, *, loser: int | None = None) -> None:
    """Save a unit of a known round, which an entry lost for good."""
    robin = store.event()
    one = better_seed(robin)(unit) if loser is None else lost(robin, unit, loser)
    assert store.schedule([unit.match], {unit.board: GivenBoard(one.board, ())})
    store.save(unit, one)


@pytest.mark.parametrize("before", ["", "withdraw e0 --round 1", "forfeit 1/1 e0"])
def test_no_match_of_a_drawn_round_is_played_on(
    tmp_path: Path, before: str, capsys: pytest.CaptureFixture[str]
) -> None:
    cup = str(tmp_path)
    with closing(Store.create(tmp_path / STORE, SWISS)) as store:
        first, second = plan(SWISS, [])[0].matches
        saved(store, next(first.units()), loser=None if before else 0)
        if before:
            assert run(["direct", cup, *before.split(), *WHY]) == DONE
        for unit in second.units():
            saved(store, unit)
        drawn = plan(SWISS, store.event_results().so_far)[1]
        assert store.schedule(drawn.matches, {}, store.count_rulings())
        known = store.rulings()
    capsys.readouterr()
    back = "take-back 1" if before else "waive 1/1 1 --room open"
    assert run(["direct", cup, *back.split(), *WHY]) == UNUSABLE
    assert "would be played on, but round 2 is drawn by its result" in capsys.readouterr().err
    assert rulings(cup) == known


def test_nobody_is_readmitted_to_a_round_that_is_drawn(cup: str) -> None:
    assert run(["direct", cup, "withdraw", "e3", "--round", "2", *WHY]) == DONE
    with closing(Store.open(Path(cup) / STORE)) as store:
        drawn = plan(SWISS, store.event_results().so_far)[1]
        assert store.schedule(drawn.matches, {}, 1)
    assert run(["direct", cup, "readmit", "e3", "--round", "2", *WHY]) == UNUSABLE
    assert run(["direct", cup, "readmit", "e3", "--round", "3", *WHY]) == DONE


@pytest.mark.parametrize(
    ("first", "second", "complaint"),
    [
        ("annul 1/1 1", "adjust 1/1 1 --home plus", "board 1 of match 1/1 (e0 – e2) is annulled"),
        ("annul 1/1", "adjust 1/1 1 --home plus", "match 1/1 (e0 – e2) is annulled"),
        ("annul 1/1", "forfeit 1/1 e0", "match 1/1 (e0 – e2) is annulled"),
        ("forfeit 1/1 e0", "adjust 1/1 1 --home plus", "match 1/1 (e0 – e2) is forfeited"),
        ("forfeit 1/1 e0", "forfeit 1/1 e2", "match 1/1 (e0 – e2) is forfeited"),
    ],
)
def test_a_ruling_without_effect_is_refused(
    cup: str, first: str, second: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["direct", cup, *first.split(), *WHY]) == DONE
    assert run(["direct", cup, *second.split(), *WHY]) == UNUSABLE
    assert f"{complaint} by ruling 1: take that back first" in capsys.readouterr().err


@pytest.mark.parametrize("deals", ["same", "fresh"])
def test_nobody_plays_boards_that_may_have_been_shown(
    tmp_path: Path, deals: str, capsys: pytest.CaptureFixture[str]
) -> None:
    robin = event(Format.ROUND_ROBIN, 4, deals=deals)
    with closing(Store.create(tmp_path / STORE, robin)) as store:
        everything = units_of(plan(robin, []))
        own = [unit for unit in everything if 3 in unit.lineup]
        saved(store, own[0], loser=3)
        for unit in everything:
            if unit not in own and (unit.match.round, unit.position) != (3, 2):
                saved(store, unit)
    result = run(["direct", str(tmp_path), "readmit", "e3", "--round", "3", *WHY])
    complaint = "would be played on, but the hands of its board 1 may have been shown already"
    assert (complaint in capsys.readouterr().err) == (deals == "same")
    assert result == (UNUSABLE if deals == "same" else DONE)


@pytest.mark.parametrize(
    ("format_", "line"),
    [
        (Format.ROUND_ROBIN, "tables left to play: 16 -> 18"),
        (Format.SWISS, "round 2 is drawn once more boards are played"),
    ],
)
def test_what_a_replay_leaves_to_play_is_said(
    tmp_path: Path, format_: Format, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = 3 if format_ is Format.SWISS else None
    cup = began(tmp_path, event(format_, 4, rounds=rounds))
    assert run(["direct", cup, "replay", "1/1", "1", "--check", *WHY]) == DONE
    assert f"  {line}\n" in capsys.readouterr().out


def test_clocks_are_those_that_the_event_can_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    policies = {"at_zero": "forfeit", "grace": 0}
    timed = {"boards": 1, "clock": "60 board=300", "policies": policies}
    cup = began(tmp_path, event(Format.INDIVIDUAL, 8, **timed))
    for words, complaint in (
        (["clock", "60"], '"forfeit" needs a clock with a limit'),
        (["clock", "60 board=200", "--entry", "e1"], "who share one limit for the board"),
        (["grace", "9"], "the event began without grace: no bot has a way back"),
    ):
        assert run(["direct", cup, *words, *WHY]) == UNUSABLE
        assert complaint in capsys.readouterr().err
    assert run(["direct", cup, "clock", "60 board=200", *WHY]) == DONE
    assert run(["event", "show", cup]) == DONE
    assert "every entry's clock is 60 board=200 by ruling 1" in capsys.readouterr().out


def test_no_clock_changes_and_nothing_pauses_once_nothing_is_left_to_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cup = began(tmp_path, event(Format.KNOCK_OUT, 4), rounds=2)
    for words, complaint in (
        (("clock", "9"), "nothing is left to play: every entry's clock cannot change"),
        (("pause",), "nothing is left to play: the event cannot pause"),
    ):
        assert run(["direct", cup, *words, *WHY]) == UNUSABLE
        assert complaint in capsys.readouterr().err


def test_after_the_end_nothing_is_ruled_that_would_have_to_be_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cup = began(tmp_path, event(Format.KNOCK_OUT, 4), rounds=2)
    level = ("--ns", "0", "--room", "open", *WHY)
    boards = sorted({board.board.number for board in played(cup) if board.match == (2, 1)})
    first, second = map(str, boards)
    assert run(["direct", cup, "adjust", "2/1", first, *level]) == DONE
    told = capsys.readouterr().out
    assert "are drawn" not in told
    assert run(["direct", cup, "adjust", "2/1", second, *level]) == UNUSABLE
    told = capsys.readouterr().err
    assert "is over and its deals are public, but 8 tables would have to be played" in told


def test_reports_show_what_was_played_without_rulings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    folder = began(tmp_path, rounds=3)
    before: dict[str, str] = {}
    for command in ("report", "leaderboard"):
        assert run([command, folder]) == DONE
        before[command] = capsys.readouterr().out
    assert run(["direct", folder, "penalty", "e0", "99", *WHY]) == DONE
    capsys.readouterr()
    written = (Path(folder) / "leaderboard.html").read_bytes()
    for command in ("report", "leaderboard"):
        assert run([command, folder, "--without-rulings"]) == DONE
        plain = capsys.readouterr().out
        assert plain.splitlines()[:8] == before[command].splitlines()[:8]
        assert "Rulings of the director" not in plain
    assert (Path(folder) / "leaderboard.html").read_bytes() == written
    assert run(["report", folder]) == DONE
    told = capsys.readouterr().out
    assert "Rulings of the director" in told
    assert "e0 loses 99" in told
    assert (Path(folder) / "leaderboard.html").read_bytes() != written
    # The PBN file that was written with it tells the same.
    assert run(["leaderboard", str(Path(folder) / "event.pbn")]) == DONE
    assert "e0 loses 99" in capsys.readouterr().out
