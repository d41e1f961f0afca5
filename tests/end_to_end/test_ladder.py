"""A ladder as its administrator has it: killed at any moment, while players come and go."""

from __future__ import annotations

import signal
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.events.tokens import Tokens
from bridge_arena.tournaments.ladder.ladder_file import Registration, read_ladder
from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
from tests.end_to_end.arena import (
    arena,
    end_of,
    log_of,
    order_stop,
    started,
    wait_until,
    write_bot,
)
from tests.tournaments.ladder.ladders import check_causes, check_sums

BOARDS = 2

FILE = f"""\
[ladder]
name = "Club [bold]"
boards = {BOARDS}
concurrency = 2
anchors = ["baseline"]

[[player]]
bot = "baseline"

[[player]]
bot = "random"
name = "[red]Ann <b>"
"""

LOW = """
    from bridge_arena import Bot, run

    class Low(Bot):
        version = "3"

        def call(self, view):
            return view.legal_calls()[0]

        def play(self, view):
            return min(view.legal_cards(), key=lambda card: card.rank)

    run(Low)
"""


def teams_of_matches(folder: Path) -> list[list[str]]:
    """The teams of the matches that are over, in the order in which they ended."""
    return [line["teams"] for line in log_of(folder) if line["event"] == "match_ended"]


def boards_since_a_match(folder: Path) -> int:
    names = [line["event"] for line in log_of(folder)]
    latest = max((place for place, name in enumerate(names) if name == "match_ended"), default=0)
    return names[latest:].count("board_ended")


@pytest.mark.slow
def test_a_ladder_goes_on_whatever_happens(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    run = tmp_path / "run"
    command = ["ladder", "club.toml", "--out", "run"]
    # The end of this context kills the ladder while a match is at play.
    with started(tmp_path, *command):
        wait_until(lambda: bool(teams_of_matches(run)), "a match")
        low = write_bot(tmp_path, "low", LOW)
        added = arena(tmp_path, "ladder", "add", "run", low, "--name", "Low", "--author", "Bo [b]")
        assert added.output == "Low joins the ladder\n", added
        wait_until(
            lambda: (
                any("Low" in teams for teams in teams_of_matches(run))
                and boards_since_a_match(run) > 0
            ),
            "a match of the new player",
        )
    with started(tmp_path, *command) as process:
        retired = arena(tmp_path, "ladder", "retire", "run", "[red]Ann <b>")
        assert retired.output == "[red]Ann <b> is retired\n", retired
        in_play = arena(tmp_path, "ladder", "status", "run")
        assert in_play.status == 0, in_play
        # The one at play, as there are three players, is finished: then Ann plays no more.
        wait_until(
            lambda: (
                [set(teams) for teams in teams_of_matches(run)[-2:]] == 2 * [{"baseline", "Low"}]
            ),
            "two matches of those who stay",
        )
        order_stop(process)
        assert end_of(process).status == 3
    check_sums(run / "results.sqlite", BOARDS)
    check_causes(run / "results.sqlite")
    status = arena(tmp_path, "ladder", "status", "run")
    lines = status.output.splitlines()
    assert lines[0] == "nobody plays the ladder"
    assert lines[1].startswith("Club [bold] after "), status
    ann = next(line for line in lines if "[red]Ann <b>" in line)
    assert ann.split()[0] == "-"
    assert ann.split()[-1] == "retired"


@pytest.mark.slow
def test_a_ladder_that_is_played_keeps_its_file(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(FILE)
    url = f"sqlite:///{tmp_path}/results.sqlite"
    played = read_ladder(tmp_path / "club.toml")
    other = FILE.replace(f"boards = {BOARDS}", "boards = 9") + "[[player]]\nbot = 'natural'\n"
    (tmp_path / "other.toml").write_text(other)
    with closing(LadderStore.open(url, played.definition)) as store, store.locked():
        ended = arena(tmp_path, "ladder", "other.toml", "--store", url)
        assert ended.status == 1, ended
        assert "results.sqlite is in use by another run" in ended.errors
        assert (store.definition(), store.players()) == (played.definition, {})
        store.enter(Registration(Entrant(bot="remote:Ann", name="Ann"), "Bo"))
        added = arena(tmp_path, "ladder", "add", url, "remote:Ann", "--clock", "5")
        assert added.output == "Ann is on the ladder already (active), now as remote:Ann\n", added
        (ann,) = store.players().values()
        assert (ann.author, ann.entrant.clock) == ("Bo", "5")
    token = arena(tmp_path, "ladder", "token", url, "Ann", "--out", ".")
    tokens = Tokens(tmp_path / "tokens.json")
    assert tokens.owner(token.output.strip()) == "Ann", token


@pytest.mark.slow
def test_the_demo_ranks_bots_that_ship(tmp_path: Path) -> None:
    with started(tmp_path, "ladder", "--demo") as process:
        assert process.stdout is not None
        assert any(line.endswith(" is surely stronger than random\n") for line in process.stdout)
        process.send_signal(signal.SIGTERM)
        ended = end_of(process)
    assert ended.status == 3, ended
    assert "stopped; go on with: arena ladder --demo" in ended.errors
    (week,) = (tmp_path / "runs" / "ladder-demo" / "pbn").iterdir()
    verified = arena(tmp_path, "deal", "--verify", str(week))
    assert verified.status == 0, verified
    reported = arena(tmp_path, "report", str(week))
    assert reported.status == 0, reported


@pytest.mark.slow
def test_an_author_is_told_whether_a_new_version_is_better(tmp_path: Path) -> None:
    (tmp_path / "club.toml").write_text(FILE + "[[player]]\nbot = 'fastplay'\nname = 'New'\n")
    run, old = tmp_path / "run", "[red]Ann <b>"
    with started(tmp_path, "ladder", "club.toml", "--out", "run"):
        wait_until(lambda: bool(teams_of_matches(run)), "a match")
        test = ["ladder", "test", "run"]
        asked = arena(tmp_path, *test, "New", old, "--sprt", "imp0=0", "imp1=5")
        assert asked.output == (
            f"test 1 begins: is New better than {old}? (imp0=0 imp1=5 alpha=0.05 beta=0.05)\n"
        ), asked
        assert "Not decided yet whether New's gain" in arena(tmp_path, *test).output
        wait_until(
            lambda: any(line.get("kind") == "test" for line in log_of(run)), "the end of the test"
        )
    listed = arena(tmp_path, *test)
    assert f"accepted H1: New's gain against {old} is nearer +5 than +0" in listed.output, listed
    assert listed.output in arena(tmp_path, "ladder", "status", "run").output
    again = arena(tmp_path, *test, "--withdraw", "1")
    assert again.complaint(2) == "no open test has the number 1"


@pytest.mark.slow
def test_a_bot_is_rated_for_so_long(tmp_path: Path) -> None:
    # The time is over long before the error is that small.
    ended = arena(tmp_path, "rate", "random", "--for", "1s", "--error", "0.5", "--name", "../mine")
    assert ended.status == 0, ended
    assert ended.output.startswith(
        "Rating: matches of 8 boards on sealed deals, in runs/rate-..-mine"
    )
    assert ended.output.endswith(
        "with: arena rate random --name ../mine --error 0.5 --out runs/rate-..-mine\n"
    ), ended


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["ladder", "run"], "give the file of a ladder, or --demo"),
        (["ladder", "none.toml"], "none.toml: No such file or directory"),
        (["ladder", "status", "nowhere"], "nowhere holds no ladder"),
        (["ladder", "pause", "nowhere", "Ann"], "nowhere holds no ladder"),
        (
            ["ladder", "test", "nowhere", "Ann"],
            "name two players: the one that may be better, and another",
        ),
        (
            ["ladder", "test", "nowhere", "--sprt", "imp0=0", "imp1=1"],
            "name two players to test, or give --withdraw alone",
        ),
        (
            ["ladder", "token", "sqlite:///club", "Ann"],
            "tokens are in the ladder's folder: give it by --out",
        ),
        (["ladder", "--demo", "--store", "here"], "--store here: expected the URL of a database"),
        (
            ["rate", "random", "--error", "0"],
            "--error 0: expected IMPs a board above 0, as 0.5",
        ),
        (
            ["rate", "random", "--name", "木"],
            "name: '木' cannot be written in PBN (Latin-1), only '?'",
        ),
        (["rate", "random", "--for", "1d"], "--for 1d: expected a time as 90s, 30m or 2h"),
        (
            ["rate", "remote:Ann"],
            "remote:Ann: arena rate starts the bot itself; others join a ladder",
        ),
    ],
)
def test_what_cannot_be_used_is_told_in_a_line(
    tmp_path: Path, arguments: list[str], complaint: str
) -> None:
    assert arena(tmp_path, *arguments).complaint(2) == complaint
    assert not list(tmp_path.glob("nowhere*"))
