"""`arena ladder status` as it is printed and as JSON, and leaderboards of events beside it."""

from __future__ import annotations

import json
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from bridge_arena.commands.ladder.status import print_leaderboard
from bridge_arena.commands.main import DONE, UNUSABLE, run
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.ladder.store.alert_store import Alert, Kind
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from bridge_arena.tournaments.ladder.store.rows import now
from bridge_arena.tournaments.ladder.strength.scores import Scores
from bridge_arena.tournaments.ladder.strength.sums import SWINGS, PairSums
from bridge_arena.tournaments.ladder.strength.weeks import Performance
from bridge_arena.tournaments.store import Store
from tests.reports.leaderboard.events import event
from tests.tournaments.ladder.ladders import ladder_file, opened

SWING = 3


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """The folder of a ladder on which one player has beaten another, and a third has not come."""
    file = ladder_file("random", "baseline", "natural", anchors=["baseline"])
    with closing(opened(tmp_path / "results.sqlite", file)) as store:
        for number in (1, 2):
            store.add_version(number, f"v{number}")
            store.note_presence(number, number, is_there=number == 1)
        end_match(store)
        with store._session("write") as session:
            weeks = {1: Performance(10, 30, 90, 20.0), 2: Performance(10, -30, 90, -20.0)}
            store.weeks.count(session.connection(), "2026-W09", weeks)
    return tmp_path


def end_match(store: LadderStore) -> None:
    """Have the first version beat the second by the same swing on each of 200 boards."""
    counts = tuple(200 * (imps == SWING) for imps in SWINGS)
    sums = PairSums(counts, 1, 1, 2.0, (0, 20), split_boards=100)
    performance = Performance(200, 600, 1800, 600.0, (100.0, 0.0, 250.0, -50.0))
    match = store.draw(1, 2)
    home, visitors = (store.players()[number].entrant for number in match.versions)
    store.event_store(store.definition().event(match.number, home, visitors))
    performed = {1: performance, 2: performance.turned()}
    store.end(match, sums, Scores(2, {}).add((1, 2), sums), performed)


def test_the_status_tells_where_ratings_come_from_and_form(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ladder", "status", str(club)]) == DONE
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["1", "random", "v1", "+3.00", "±", "0.00", "200", "0.0%", "there"] in lines
    assert ["Player", "Auction", "Lead", "Declarer", "Defence"] in lines
    assert ["random", "+1.00", "+0.00", "+2.50", "-0.50"] in lines
    this_week, *_ = [line for line in lines if line[:2] == ["Player", "Form"]]
    assert this_week[2] == "W09"
    form = [line for line in lines if line[0:1] == ["random"]][-1]
    assert (form[-2], form[-1]) == ("+1.00", "+0.00")
    assert "natural has not come yet".split() in lines


def test_a_player_to_be_rated_without_a_board_is_told_why(club: Path) -> None:
    told = "natural has played no board against baseline: "
    with closing(LadderStore.open(club / "results.sqlite")) as store:
        store.note_presence(3, store.add_version(3, "v3").number, is_there=True)
        assert f"{told}none of their matches is over: " in printed(store, "natural")
        alert = Alert(Kind.PLAYER, "natural", "natural cannot play: no such file", now())
        store.alerts.put(Kind.PLAYER, "natural", alert)
        assert f"{told}{alert.text}\n" in printed(store, "natural")
        assert "random: +3.00 IMPs a board against baseline" in printed(store, "random")


def printed(store: LadderStore, subject: str) -> str:
    text = StringIO()
    print_leaderboard(store, Console(file=text), subject)
    return text.getvalue()


def test_the_status_as_json(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ladder", "status", str(club), "--json"]) == DONE
    values = json.loads(capsys.readouterr().out)
    first, second = values["players"]
    assert (values["name"], values["anchor"], values["matches"]) == ("Club", "baseline", 1)
    assert (first["name"], first["rank"], first["rating"], first["state"]) == (
        "random",
        [1, 1],
        3.0,
        "there",
    )
    assert (second["rank"], second["rating"], second["left"]) == ([2, 2], 0.0, 20)
    assert first["causes"] == {
        "auction": 1.0,
        "opening_lead": 0.0,
        "declarer_play": 2.5,
        "defence": -0.5,
    }
    assert first["weeks"]["2026-W09"]["gain"] == 1.0
    assert first["form"]["boards"] == 200
    assert [one["name"] for one in values["waiting"]] == ["natural"]
    assert not values["is_played"]


def test_the_matches_of_a_ladder_are_on_no_leaderboard_of_events(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "holds the ladder 'Club': arena ladder status shows its leaderboard"
    assert run(["leaderboard", str(club)]) == UNUSABLE
    assert capsys.readouterr().err == f"arena: {club} {said}\n"
    place = f"sqlite:///{club}/results.sqlite"
    Store.create(place, event(Format.MATCH, "a", "b", title="Cup")).close()
    assert run(["leaderboard", place]) == DONE
    told = capsys.readouterr()
    assert told.err == f"arena: {place} {said}, and its matches are left out\n"
    assert "Cup" in told.out
    assert "Club" not in told.out
