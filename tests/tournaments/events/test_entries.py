"""Bots as they are written on the command line."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.tournaments.events.entries import (
    Access,
    Entry,
    EntryError,
    check_class,
    definition_of,
    names_by_folder,
    parse_entry,
    parse_pair,
    parse_party,
    version_of,
)
from tests.data import ROOT


def test_a_shipped_bot_is_started_as_a_program() -> None:
    assert parse_entry("baseline") == Entry(
        "baseline",
        "baseline",
        (sys.executable, "-P", "-m", "bridge_arena.bots", "baseline"),
        ships=True,
        fork="bridge_arena.bots.baseline.bot",
    )


def test_weights_are_found_wherever_the_bot_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "bots/qtable")
    entry = parse_entry("Mine=qtable:weights=weights.npz")
    assert entry.spec == "Mine=qtable:weights=weights.npz"
    assert entry.command[-1] == f"qtable:weights={Path.cwd() / 'weights.npz'}"


def test_files_are_found_in_the_folder_that_is_given(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine: pass", encoding="utf-8")
    weights = (ROOT / "bots/qtable/weights.npz").read_bytes()
    (tmp_path / "own.npz").write_bytes(weights)
    mine, table = parse_party("mine.py:Mine & qtable:weights=own.npz", tmp_path).own
    assert mine.command[-1] == f"{tmp_path}/mine.py:Mine"
    assert table.command[-1] == f"qtable:weights={tmp_path}/own.npz"
    assert parse_entry("cmd:./bot", tmp_path).command == ("./bot",)
    assert mine.folder == table.folder == tmp_path


def test_only_the_shipped_cheat_is_shown_every_hand() -> None:
    assert parse_entry("oracle").cheat
    assert not parse_entry("baseline").cheat
    assert not parse_entry("cmd:oracle").cheat


def test_a_program_may_have_arguments() -> None:
    entry = parse_entry("cmd: ./my bot 'two words' --x=1 ")
    assert entry.command == ("./my", "bot", "two words", "--x=1")
    assert entry.name == "my bot two words --x=1"
    assert entry.spec == "cmd: ./my bot 'two words' --x=1 "


def test_a_class_of_a_file_is_not_executed_here(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("raise SystemExit('executed')")
    spec = f"Better={path}:Mine"
    command = (sys.executable, "-P", "-m", "bridge_arena.bots", f"{path}:Mine")
    assert parse_entry(spec) == Entry("Better", spec, command, fork="bridge_arena.bots")
    assert parse_entry(f"{path}:Mine").name == "Mine"


@pytest.mark.parametrize(
    ("source", "is_told"),
    [
        ("class Other: pass", True),
        ("class Mine2: pass", True),
        ("raise SystemExit('executed')", True),
        ("class Mine: pass", False),
        ("from there import Other as Mine", False),
        ("from there import *", False),
        ("globals()['Mi' + 'ne'] = 1", False),
    ],
)
def test_a_class_that_cannot_be_there_is_told_without_executing_the_file(
    source: str, *, is_told: bool, tmp_path: Path
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(source)
    entry = parse_entry(f"{path}:Mine")
    if is_told:
        with pytest.raises(EntryError, match=r"mine\.py has no class Mine$"):
            check_class(entry)
    else:
        check_class(entry)


def test_only_files_are_looked_at_for_a_class(tmp_path: Path) -> None:
    for spec in ("baseline", "human:Me", f"cmd:program {tmp_path}/mine.py:Mine"):
        check_class(parse_entry(spec))


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "unknown bot ''"),
        (
            "bseline",
            "unknown bot 'bseline', did you mean baseline. .shipped: random, baseline, ",
        ),
        (
            "nobody",
            "unknown bot 'nobody' .shipped: .*; any other bot is cmd:PROGRAM ARGS or FILE.py:CLASS",
        ),
        ("=random", "gives an empty name"),
        ("mine=bseline", "unknown bot 'bseline'"),
        ("random:depth=1", "bot 'random' takes no options, not 'depth=1'"),
        ("remote: ", "gives no name"),
        ("bluechip:", "gives no team"),
        ("bluechip: :timing=no", "gives no team"),
        ("bluechip:A:", "there is no quirk ''"),
        ("bluechip:A:tea=5", "there is no quirk 'tea=5'"),
        ("bluechip:A:card=suit-rank,card=rank-suit", "quirk card is given twice"),
        ("bluechip:A:timing=off", "quirk timing is 'off', expected one of yes, no"),
        ("bluechip:A:explain=yes", "quirk explain is for a bot under another manager"),
        ("A=bluechip:A:board=fixed", "quirk board is for a bot under another manager"),
        ("http:", "^http: '' is no address of a robot"),
        ("http:127.0.0.1:8085", "is no address of a robot"),
        ("ben=http:http://a,speed=1", "a robot takes timeout=SECONDS"),
        ("cmd:", "names no program"),
        ("cmd:  ", "names no program"),
        ("cmd:'half", "No closing quotation"),
        ("nowhere/mine.py:Mine", "there is no file nowhere/mine.py"),
        (f"{__file__}:", "gives no class"),
        (f"{__file__}:a b", "gives no class"),
    ],
)
def test_text_that_names_no_bot_is_refused(spec: str, words: str) -> None:
    with pytest.raises(EntryError, match=words):
        parse_entry(spec)


def test_a_version_is_the_release_and_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class Mine: pass")
    first = version_of(parse_entry(f"Better={path}:Mine"))
    assert re.fullmatch("[0-9a-f]{12}", first)
    path.write_text("class Mine: better = True")
    assert version_of(parse_entry(f"{path}:Mine")) not in (first, "")
    assert version_of(parse_entry("natural")) == version("bridge-arena")
    assert version_of(parse_entry("cmd:./bot")) == version_of(parse_entry("remote:bot")) == ""


@pytest.mark.parametrize(
    ("spec", "definition"),
    [
        ("x=random", "random"),
        ("minimax:depth=1", "minimax:depth=1"),
        ("cmd:bot a=b & random", "cmd:bot a=b & random"),
        ("Team=random & natural:seed=1", "random & natural:seed=1"),
        ("=random", "random"),  # no entry, and no error
    ],
)
def test_a_definition_has_no_title(spec: str, definition: str) -> None:
    assert definition_of(spec) == definition


def test_folders_are_left_out_of_a_program_s_name() -> None:
    assert parse_entry("cmd:/usr/bin/python bots/mine.py /").name == "python mine.py /"


def test_a_title_is_the_name_of_any_bot() -> None:
    assert parse_entry("mine=baseline") == replace(
        parse_entry("baseline"), name="mine", spec="mine=baseline"
    )
    program = parse_entry("my bot=cmd:prog --x=1")
    assert (program.name, program.command) == ("my bot", ("prog", "--x=1"))


def test_an_entry_may_be_a_program_that_speaks_blue_chip() -> None:
    entry = parse_entry("bluechip: The A  team ")
    assert (entry.name, entry.team, entry.access) == ("The A team", "The A team", Access.BLUECHIP)
    assert (entry.quirks, entry.command) == (Quirks(), ())


def test_a_program_may_have_quirks_of_its_own() -> None:
    entry = parse_entry("mine=bluechip:A:dummy_lead=none,timing=no")
    assert (entry.name, entry.team) == ("mine", "A")
    assert entry.quirks == Quirks(dummy_lead="none", timing=False)


def test_an_entry_may_be_a_robot_that_is_asked_over_http() -> None:
    spec = "http:http://127.0.0.1:8085/api,add.tournament=imps"
    entry = parse_entry(spec)
    assert (entry.name, entry.access) == ("127.0.0.1:8085/api", Access.STARTED)
    assert entry.command[1:] == (
        *("-P", "-m", "bridge_arena.bots.http_robot"),
        "http://127.0.0.1:8085/api,add.tournament=imps",
    )
    assert entry.asks
    assert entry.is_elsewhere
    assert not entry.ships
    assert not parse_entry("cmd:curl http://127.0.0.1:8085").is_elsewhere
    assert parse_entry(f"ben={spec}") == replace(entry, name="ben", spec=f"ben={spec}")


def test_the_key_of_a_robot_is_for_no_other_bot() -> None:
    assert parse_entry("ben=http:http://a,key=ROBOT_KEY").secrets == ("ROBOT_KEY",)
    assert parse_entry("http:http://a").secrets == ()


def test_a_password_of_a_robot_is_not_repeated() -> None:
    with pytest.raises(EntryError) as caught:
        parse_party("ben=http:http://me:s3cret@host & natural")
    assert "s3cret" not in str(caught.value)


def test_equal_names_are_made_distinct() -> None:
    one, two = parse_pair("random", "random")
    assert (one.name, two.name) == ("random", "random-2")
    assert one.players[0].command == two.players[0].command
    assert [party.players[0].name for party in (one, two)] == ["random", "random-2"]


def test_names_that_are_equal_in_pbn_are_made_distinct() -> None:
    one, two = parse_pair("Łuk=random", "Ľuk=random")
    assert (one.name, two.name) == ("Łuk", "Ľuk-2")


def test_names_that_differ_stay() -> None:
    one, two = parse_pair("random", "baseline")
    assert (one.name, two.name) == ("random", "baseline")


def test_a_pair_of_which_one_is_unknown_is_refused() -> None:
    with pytest.raises(EntryError, match="nobody"):
        parse_pair("random", "nobody")


# Entries of several players.


def seated(spec: str) -> list[str]:
    """The specs of who sits North, East, South, West."""
    party = parse_party(spec)
    return [party.at(seat).spec for seat in SEATS]


def test_one_player_sits_everywhere() -> None:
    party = parse_party("minimax:depth=1")
    assert (party.name, party.spec) == ("minimax:depth=1", "minimax:depth=1")
    assert {party.at(seat).name for seat in SEATS} == {"minimax:depth=1"}


def test_two_players_are_partners_wherever_they_sit() -> None:
    bots = ["natural", "montecarlo:budget=1"]
    assert seated(" & ".join(bots)) == [bots[0], bots[0], bots[1], bots[1]]
    party = parse_party(" & ".join(bots))
    assert party.name == "natural & montecarlo:budget=1"
    assert [player.name for player in party.players] == [
        "natural & montecarlo:budget=1 / natural",
        "natural & montecarlo:budget=1 / montecarlo:budget=1",
    ]


def test_four_players_are_two_pairs() -> None:
    assert seated("natural & random & baseline & neural") == [
        *("natural", "baseline", "random", "neural")
    ]


def test_a_title_is_that_of_all_or_of_one() -> None:
    team = parse_party("dream=natural & mine=cmd:./bot --depth=1 & random & remote:far")
    assert team.name == "dream"
    assert [player.name for player in team.players] == [
        f"dream / {name}" for name in ("natural", "mine", "random", "far")
    ]
    assert team.named("other").at(Seat.NORTH).name == "other / natural"
    assert parse_party("natural & mine=random").name == "natural & mine"


@pytest.mark.parametrize("quote", ["'", '"'])
def test_a_program_s_own_arguments_divide_nothing(quote: str) -> None:
    shell = f"cmd:sh -c {quote}sleep 1 & ./bot{quote}"
    assert len(parse_party(shell).players) == 1
    assert seated(f"{shell} & natural")[0] == shell
    assert parse_party("cmd:make && ./bot").players[0].command == ("make", "&&", "./bot")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("natural & random & baseline", "has 3 players, expected 1, 2 or 4"),
        ("natural & ", "unknown bot ''"),
        ("natural & nobody", "unknown bot 'nobody'"),
        ("=natural & random", "gives an empty name"),
        (" & ".join(["random"] * 5), "has 5 players"),
    ],
)
def test_text_that_is_no_party_is_refused(spec: str, words: str) -> None:
    with pytest.raises(EntryError, match=words):
        parse_party(spec)


def test_the_time_of_a_party_is_known_where_all_are() -> None:
    natural, minimax = (parse_party(bot).seconds for bot in ("natural", "minimax"))
    assert natural is not None
    assert minimax is not None
    assert parse_party("natural & minimax").seconds == pytest.approx((natural + minimax) / 2)
    assert parse_party("natural & cmd:./mine").seconds is None


def test_a_language_model_has_a_secret_and_needs_the_network() -> None:
    entry = parse_entry("llm:model=toy,key_env=TOY_KEY")
    assert (entry.secrets, entry.network) == (("TOY_KEY",), True)
    assert (parse_entry("natural").secrets, parse_entry("natural").network) == ((), False)


@pytest.mark.parametrize(
    ("entries", "names"),
    [
        (["random", "random"], ["random", "random"]),
        (["v1: cmd:python bot.py", "v2: cmd:python bot.py"], ["python bot.py (v1)", "… (v2)"]),
        (["cmd:python bot.py", "new: cmd:python bot.py"], ["python bot.py", "… (new)"]),
        (["cmd:v1/bot", "cmd:v2/bot", "cmd:v2/bot"], ["bot (v1)", "bot (v2)", "bot (v2)"]),
        (["cmd:/a/v1/x/bot", "cmd:/a/v2/x/bot"], ["bot (v1/x)", "… (v2/x)"]),
        (["mine: cmd:py a.py", "mine: cmd:py v2/a.py"], ["py a.py", "… (v2)"]),
        (["v1: cmd:bot & random", "v2: cmd:bot & random"], ["bot & random (v1)", "… (v2)"]),
        (["cmd:v1/bot", "cmd:v1/other"], ["bot", "other"]),
    ],
)
def test_entries_of_one_name_are_told_apart_by_their_folders(
    entries: list[str], names: list[str]
) -> None:
    dirs, bots = zip(*(entry.rpartition(": ")[::2] for entry in entries), strict=True)
    found = names_by_folder([parse_party(bot) for bot in bots], dirs)
    assert found == [name.replace("…", found[0].partition(" (")[0]) for name in names]


def test_two_versions_in_a_match_are_told_apart() -> None:
    one, two = parse_pair("cmd:python v1/bot.py", "cmd:python v2/bot.py")
    assert (one.name, two.name) == ("python bot.py (v1)", "python bot.py (v2)")
