"""Tests of event files, and of the messages about unusable ones."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge_arena.bots.registry import parse
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.record import Mode
from bridge_arena.lin.writer import write_records
from bridge_arena.pbn.read.records import read_records
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import HEADER, format_game
from bridge_arena.server import faults
from bridge_arena.server.claims import Claims
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.faults import LENIENT, Remedy
from bridge_arena.server.feed import AFTER_BOARD, LIVE, Broadcast
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.events.event import Event, EventPolicies, broadcast_of, event_size
from bridge_arena.tournaments.events.event_file import KEYS, EventFileError, read_event
from bridge_arena.tournaments.formats.rules import Deals, Format, Movement, Scoring
from tests.data import DOCS
from tests.tournaments.matches import table

EXAMPLES = DOCS / "examples" / "events"

NO_FORMATS = {"every-key", "one-seat-a-machine", "two-versions"}
"""The examples of something else than a format."""

Write = Callable[[str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(text: str) -> Path:
        path = tmp_path / "event.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def entries(*bots: str) -> str:
    return "".join(f'[[entry]]\nbot = "{bot}"\n' for bot in bots)


def least(format_: str, count: int, *lines: str) -> str:
    """An event file of so many entries, with more lines for [event]."""
    head = ["[event]", 'name = "An event"', f'format = "{format_}"', *lines]
    return "\n".join(head) + "\n" + entries(*["random"] * count)


def mistakes(path: Path) -> list[str]:
    """Return the mistakes in a file, without its name."""
    with pytest.raises(EventFileError) as caught:
        read_event(path)
    assert str(caught.value).split("\n") == list(caught.value.mistakes)
    return [each.removeprefix(f"{path}:") for each in caught.value.mistakes]


# What a file says.


def test_the_smallest_event_file_has_all_defaults(write: Write) -> None:
    event = read_event(write(least("round-robin", 3, "boards = 4", "seed = 7"))).event
    assert (event.name, event.format, event.boards, event.seed) == (
        "An event",
        Format.ROUND_ROBIN,
        4,
        7,
    )
    assert (event.mode, event.clock, event.policies) == (Mode.FULL, "60", EventPolicies(restarts=3))
    assert [(each.bot, each.name) for each in event.entries] == [
        ("random", "random"),
        ("random", "random-2"),
        ("random", "random-3"),
    ]


def test_without_a_seed_the_deals_are_sealed(write: Write) -> None:
    assert read_event(write(least("match", 2))).event.is_sealed
    assert not read_event(write(least("match", 2, "seed = 7"))).event.is_sealed


@pytest.mark.parametrize(
    ("format_", "count", "deals", "scoring", "rounds"),
    [
        ("match", 2, Deals.SAME, Scoring.IMPS, None),
        ("round-robin", 3, Deals.SAME, Scoring.VP, None),
        ("gauntlet", 3, Deals.SAME, Scoring.IMPS, None),
        ("swiss", 2, Deals.BAROMETER, Scoring.VP, 1),
        ("swiss", 3, Deals.BAROMETER, Scoring.VP, 3),
        ("swiss", 4, Deals.BAROMETER, Scoring.VP, 3),
        ("swiss", 8, Deals.BAROMETER, Scoring.VP, 4),
        ("swiss", 9, Deals.BAROMETER, Scoring.VP, 5),
        ("knock-out", 5, Deals.BAROMETER, Scoring.IMPS, None),
        ("pairs", 4, Deals.SAME, Scoring.MATCHPOINTS, None),
        ("individual", 8, Deals.SAME, Scoring.MATCHPOINTS, None),
    ],
)
def test_each_format_has_its_defaults(
    write: Write, format_: str, count: int, deals: Deals, scoring: Scoring, rounds: int | None
) -> None:
    event = read_event(write(least(format_, count))).event
    assert (event.deals, event.scoring, event.rounds) == (deals, scoring, rounds)


def test_keys_that_are_given_are_kept(write: Write) -> None:
    swiss = least("swiss", 6, "rounds = 2", 'deals = "same"', 'scoring = "imps"', "clock = 2.5")
    event = read_event(write(swiss + "[policies]\nrestarts = 0\n")).event
    assert (event.rounds, event.deals, event.scoring) == (2, Deals.SAME, Scoring.IMPS)
    assert (event.clock, event.policies.restarts) == ("2.5", 0)
    event = read_event(
        write(least("pairs", 6, 'movement = "mitchell"', 'scoring = "butler"', "trim = 0.25"))
    ).event
    assert (event.movement, event.scoring, event.trim) == (Movement.MITCHELL, Scoring.BUTLER, 0.25)
    event = read_event(write(least("round-robin", 2, "legs = 2", 'mode = "bidding"'))).event
    assert (event.legs, event.mode) == (2, Mode.BIDDING)
    assert read_event(write(least("match", 2, 'sprt = "imp1=2"'))).event.sprt == "imp1=2"


def test_entries_are_called_as_their_bots_but_for_names_that_are_taken(write: Write) -> None:
    named = '[[entry]]\nbot = "baseline"\nname = "random-2"\n'
    bots = entries("random", "low=cmd:low.py", "random", "cmd:/bin/python a/bot.py")
    event = read_event(write(least("round-robin", 0) + bots + named)).event
    assert [each.name for each in event.entries] == [
        "random",
        "low",
        "random-3",
        "python bot.py",
        "random-2",
    ]
    assert [each.party().name for each in event.entries] == [each.name for each in event.entries]


def test_two_versions_are_called_by_their_folders(write: Write, tmp_path: Path) -> None:
    for folder in ("v1", "v2"):
        (tmp_path / folder).mkdir()
    bot = '[[entry]]\nbot = "cmd:python bot.py"\n'
    versions = f'{bot}dir = "v1"\n{bot}dir = "v2"\n{bot}dir = "v2"\n'
    event = read_event(write(least("round-robin", 0) + versions)).event
    assert [each.name for each in event.entries] == [
        "python bot.py (v1)",
        "python bot.py (v2)",
        "python bot.py (v2)-2",
    ]
    assert [player.folder for player in event.players] == [
        tmp_path / each for each in ("v1", "v2", "v2")
    ]


def test_files_of_bots_are_found_beside_the_event(write: Write, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine: pass", encoding="utf-8")
    event = read_event(write(least("match", 0) + entries("mine.py:Mine", "cmd:./bot"))).event
    mine, program = event.players
    assert mine.command[-1] == f"{tmp_path}/mine.py:Mine"
    assert mine.folder == program.folder == tmp_path


def test_entries_have_settings_of_their_own(write: Write) -> None:
    own = """[[entry]]
bot = "random"
clock = 5
env = ["KEY", "THREADS=1"]
start = 9
restarts = 0
isolation = "sandbox"
"""
    event = read_event(write(least("match", 1) + own)).event
    assert event.entries[0].own == {}
    assert event.entries[1].own == {
        "clock": "5",
        "start": 9.0,
        "restarts": 0,
        "isolation": Isolation.SANDBOX,
    }
    assert event.players[1].env == ("KEY", "THREADS=1")


def test_options_of_a_bot_may_be_keys(write: Write) -> None:
    keys = """[[entry]]
bot = "montecarlo"
options = { worlds = 20, bidding = "natural" }
"""
    text = "montecarlo:worlds=20,bidding=natural"
    one = read_event(write(least("match", 1) + keys)).event
    assert one == read_event(write(least("match", 1) + entries(text))).event
    assert one.entries[1].name == text


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('bot = "natural & random"\noptions = { a = 1 }', "options: only for one bot that ships"),
        ('bot = "cmd:x"\noptions = { a = 1 }', "options: only for one bot that ships"),
        ('bot = "random"\noptions = 5', "options: expected a table, not 5"),
        ('bot = "montecarlo"\noptions = { worlds = true }', "options, worlds: expected a number"),
        ('bot = "montecarlo"\noptions = { bidding = "a,b" }', "options, bidding: expected"),
        ('bot = "montecarlo"\noptions = { world = 5 }', "bot: .*takes worlds=…"),
        ('bot = "random"\nclock = true', "clock: expected a number of seconds, or text"),
        ('bot = "random"\nenv = "A"', 'env: expected an array of texts, not "A"'),
        ('bot = "random"\nenv = [5]', "env, 0: expected text in quotes, not 5"),
        ('bot = "random"\nisolation = "jail"', "isolation: .jail. is none of none, sandbox"),
        ('bot = "random"\nstart = 0', "start: 0 is too small"),
        ('bot = "random"\ndir = "away"', "dir: there is no folder .*/away"),
        ('bot = "random"\ndir = "no\\u0000pe"', "dir: .*: no folder has such a name"),
        (f'bot = "random"\ndir = "{"x" * 300}"', "dir: there is no folder"),
        (f'bot = "{"x" * 300}.py:Mine"', "bot: .*: there is no file"),
        ('bot = "random"\nenv = ["A=1", "B", "A"]', "env: A is given 2 times"),
    ],
)
def test_wrong_settings_of_an_entry_are_named_with_their_line(
    write: Write, lines: str, words: str
) -> None:
    (mistake,) = mistakes(write(least("match", 1) + f"[[entry]]\n{lines}\n"))
    assert re.match(rf"[78]: entry 2, {words}", mistake)


def test_a_byte_order_mark_and_the_lines_of_other_systems_are_read(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(b"\xef\xbb\xbf" + least("match", 2).replace("\n", "\r\n").encode())
    assert read_event(path).event.name == "An event"


def test_the_event_is_kept_as_json_without_loss(write: Write) -> None:
    event = read_event(write(least("swiss", 5))).event
    assert Event.model_validate_json(event.model_dump_json()) == event


# The boards.


def boards_file(folder: Path, numbers: range) -> None:
    """Boards that were played, and an earlier record of the first that was passed out."""
    records = [table(numbers[0], None), *(table(each, None, "1NT", "N", 7) for each in numbers)]
    games = "".join(format_game(game_of(record)) for record in records)
    (folder / "boards.pbn").write_text(HEADER + games, encoding="latin-1")


def test_boards_may_come_from_a_file_beside_the_event(write: Write, tmp_path: Path) -> None:
    boards_file(tmp_path, range(5, 9))
    event_file = read_event(write(least("match", 2, "boards = 3", 'boards_from = "boards.pbn"')))
    given = event_file.given
    assert [each.board for each in given] == [Board.dealt(1, number) for number in (5, 6, 7)]
    assert all(not each.auction for each in given)


def test_in_play_mode_the_boards_come_with_their_auctions(write: Write, tmp_path: Path) -> None:
    boards_file(tmp_path, range(1, 3))
    text = least("match", 2, "boards = 2", 'boards_from = "boards.pbn"', 'mode = "play"')
    given = read_event(write(text)).given
    assert [str(each.auction[-4].call) for each in given] == ["1NT", "1NT"]


@pytest.mark.parametrize(
    ("format_", "count", "lines", "wanted"),
    [
        ("round-robin", 4, [], 2),
        ("round-robin", 4, ["legs = 2"], 4),
        ("round-robin", 4, ['deals = "barometer"'], 6),
        ("round-robin", 4, ['deals = "fresh"'], 12),
        ("swiss", 6, ["rounds = 3"], 6),
        ("knock-out", 5, [], 6),
        ("pairs", 8, [], 14),
        ("individual", 8, [], 14),
    ],
)
def test_a_file_with_too_few_boards_is_refused(
    write: Write, tmp_path: Path, format_: str, count: int, lines: list[str], wanted: int
) -> None:
    """By deals, rounds and movement."""
    text = least(format_, count, "boards = 2", 'boards_from = "boards.pbn"', *lines)
    boards_file(tmp_path, range(1, wanted + 1))
    assert len(read_event(write(text)).given) == wanted
    boards_file(tmp_path, range(1, wanted))
    (mistake,) = mistakes(write(text))
    assert re.fullmatch(
        rf"5: event.boards_from: .*boards.pbn: {wanted - 1} different boards, but the event needs "
        rf"{wanted}",
        mistake,
    )


def test_boards_from_may_have_its_old_name(write: Write, tmp_path: Path) -> None:
    boards_file(tmp_path, range(1, 3))
    new, old = (
        read_event(write(least("match", 2, "boards = 2", f'{key} = "boards.pbn"')))
        for key in ("boards_from", "pbn")
    )
    assert new == old
    assert len(new.given) == 2
    (mistake,) = mistakes(write(least("match", 2, 'pbn = "none.pbn"')))
    assert mistake.startswith("4: event.pbn: ")
    both = least("match", 2, "boards = 2", 'boards_from = "boards.pbn"', 'pbn = "b.pbn"')
    (mistake,) = mistakes(write(both))
    assert mistake == "6: event.pbn: the old name of boards_from, which is given too"


def test_boards_may_come_from_a_lin_file(write: Write, tmp_path: Path) -> None:
    boards_file(tmp_path, range(1, 3))
    write_records(tmp_path / "boards.lin", read_records(tmp_path / "boards.pbn"))
    event = least("match", 2, "boards = 2", 'boards_from = "boards.{}"')
    pbn, lin = (read_event(write(event.format(suffix))).given for suffix in ("pbn", "lin"))
    assert pbn == lin


def test_standard_input_is_no_part_of_an_event_file(write: Write) -> None:
    (mistake,) = mistakes(write(least("match", 2, 'boards_from = "-"')))
    assert mistake == "4: event.boards_from: standard input has no place in an event file"


@pytest.mark.parametrize("name", ["none.pbn", "", "event.toml"])
def test_a_board_file_that_cannot_be_used_is_told(write: Write, name: str) -> None:
    (mistake,) = mistakes(write(least("match", 2, f'boards_from = "{name}"')))
    assert mistake.startswith("4: event.boards_from: ")


@pytest.mark.parametrize(
    "clock",
    [
        "30",
        "30.5",
        '"30"',
        '"action=10"',
        '"board=300"',
        '"match=1800"',
        '"match=1800+5"',
        '"60 lag=0.5"',
        '"10 board=300 match=1800+5 lag=0.5"',
    ],
)
def test_every_form_of_a_clock_is_read(write: Write, clock: str) -> None:
    event = read_event(write(least("match", 2, f"clock = {clock}"))).event
    assert event.clock == clock.strip('"')
    assert TimeControl.parse(event.clock) == TimeControl.parse(clock.strip('"'))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ('"live"', LIVE),
        ('"board"', AFTER_BOARD),
        ("30", Broadcast(30.0)),
        ("2.5", Broadcast(2.5)),
        ('"2.5"', Broadcast(2.5)),
    ],
)
def test_every_form_of_a_broadcast_is_read(write: Write, text: str, meaning: Broadcast) -> None:
    event = read_event(write(least("match", 2, f"broadcast = {text}"))).event
    assert broadcast_of(event) == meaning


@pytest.mark.parametrize(
    ("clock", "why"),
    [
        ("0", "0 is not above 0 and at most 31536000; as good as no limit is a day, 86400"),
        (
            '"match=1800+-5"',
            "-5 is not above 0 and at most 31536000; as good as no limit is a day, 86400",
        ),
        (
            '"action=inf"',
            "inf is not above 0 and at most 31536000; as good as no limit is a day, 86400",
        ),
        ('"none"', "'none' is not a number of seconds"),
        ('""', "nothing is limited"),
        ('"lag=0.5"', "nothing is limited"),
        ('"10 10"', "action is given twice"),
        ('"10 bord=300"', "'bord' is not a limit"),
        ('"board=300+5"', "'300+5' is not a number of seconds"),
        ('"match=1800+"', "'' is not a number of seconds"),
    ],
)
def test_text_that_is_no_clock_is_told(write: Write, clock: str, why: str) -> None:
    (mistake,) = mistakes(write(least("match", 2, "boards = 2", f"clock = {clock}")))
    assert mistake.startswith("5: event.clock: ")
    assert f"is not a time limit: {why} (expected 60, " in mistake


def test_claims_and_policies_are_read(write: Write) -> None:
    plain = read_event(write(least("match", 2))).event
    assert (plain.claims, plain.policies) == (Claims.OFF, EventPolicies())
    assert plain.policies.at_table() == LENIENT
    assert (plain.policies.grace, plain.policies.no_show) == (30.0, 60.0)
    text = least("match", 2, 'claims = "checked"', 'clock = "60 board=300"') + (
        '[policies]\nretries = 0\nat_zero = "forfeit"\nillegal = 9\ntimeouts = 2\n'
        "grace = 0\nno_show = 5\n"
    )
    event = read_event(write(text)).event
    assert event.claims is Claims.CHECKED
    assert event.policies.at_table() == faults.Policies(0, Remedy.FORFEIT, 9, 2)
    assert (event.policies.grace, event.policies.no_show) == (0.0, 5.0)


# What is wrong.


def test_every_mistake_is_named_at_once(write: Write) -> None:
    text = """\
name = "outside"
[event]
format = "swis"
bords = 4
boards = "16"
seed = 1.5
clock = -1
claims = "checkd"
legs = 3
deals = 2024-01-01
rounds = nan
rounds = 2
[policy]
[policies]
restarts = 2000
restart = 1
retries = -1
at_zero = "loss"
illegal = "no"
timeouts = 0
grace = "long"
no_show = 0
boards = 2
[[entry]]
bot = "baselin"
[[entry]]
bot = \"\"\"minimax:\\
  depth=x\"\"\"
name = 3
[[entry]]
name = "a"
x.y = 2
[[entry]]
bot = "random"
name = "a"
"""
    found = mistakes(write(text))
    expected = [
        "1: name: belongs under [event]",
        "2: event.name: missing",
        '3: event.format: "swis" is none of match, .*, did you mean swiss?',
        "4: event.bords: unknown key, did you mean boards?",
        '5: event.boards: expected a whole number, not "16"',
        "6: event.seed: expected a whole number, not 1.5",
        "7: event.clock: '-1' is not a time limit",
        '8: event.claims: "checkd" is none of off, players, checked, did you mean checked?',
        "9: event.legs: 3 is too large: 2 is the most",
        "10: event.deals: expected text in quotes, not 2024-01-01",
        "11: event.rounds: expected a whole number, not nan",
        "12: event.rounds: given in line 11 already",
        "13: policy: unknown key, did you mean policies?",
        "15: policies.restarts: 2000 is too large: 1000 is the most",
        "16: policies.restart: unknown key, did you mean restarts?",
        "17: policies.retries: -1 is too small: 0 is the least",
        '18: policies.at_zero: "loss" is none of substitute, forfeit',
        '19: policies.illegal: expected a whole number, not "no"',
        "20: policies.timeouts: 0 is too small: 1 is the least",
        '21: policies.grace: expected a number, not "long"',
        "22: policies.no_show: 0 is too small: it must be above 0",
        "23: policies.boards: belongs under [event]",
        "25: entry 1, bot: unknown bot 'baselin', did you mean baseline?",
        "27: entry 2, bot: bot 'minimax': depth is 'x', expected a whole number",
        "29: entry 2, name: expected text in quotes, not 3",
        "30: entry 3, bot: missing",
        "32: entry 3, x: unknown key (known: bot, name, ",
        "35: entry 4, name: 'a' is the name of entry 3 too",
    ]
    assert len(found) == len(expected)
    for line, start in zip(found, expected, strict=True):
        pattern = re.escape(start).replace(r"\.\*", ".*")
        assert re.match(pattern, line), f"{line!r} is not {start!r}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["1: event.name: missing", "1: event.format: missing"]),
        ("[event]\nname = 'x", ["2: not TOML: "]),
        ("event = 3", ["1: event: expected a table, [event], not 3"]),
        (
            least("match", 0) + '[entry]\nbot = "random"',
            ["4: entry: every bot that takes part is headed [[entry]], in two brackets"],
        ),
        (
            "entry = [1, { bot = 'random' }]\n" + least("match", 0),
            ["1: entry 1: expected a table with the key bot, not 1"],
        ),
        (
            "policies = 3\n" + least("match", 2),
            ["1: policies: expected a table, [policies], not 3"],
        ),
        (
            least("match", 2, "boards = true"),
            ["4: event.boards: expected a whole number, not true"],
        ),
        (least("match", 2, "boards = 0"), ["4: event.boards: 0 is too small: 1 is the least"]),
        (least("match", 2, "boards = [1]"), ["4: event.boards: expected a whole number, not an a"]),
        (
            least("match", 2, "boards_from = 3"),
            ["4: event.boards_from: expected text in quotes, not 3"],
        ),
        (least("match", 2, "pbn = 3"), ["4: event.pbn: expected text in quotes, not 3"]),
        (
            least("match", 2, "clock = true"),
            ["4: event.clock: expected a number of seconds, or text in quotes, not true"],
        ),
        (least("match", 2, "clock = inf"), ["4: event.clock: 'inf' is not a time limit"]),
        (
            least("match", 2, "broadcast = []"),
            ["4: event.broadcast: expected a number of seconds, or text in quotes, not an array"],
        ),
        (
            least("match", 2, 'broadcast = "later"'),
            ["4: event.broadcast: 'later' is neither live, board nor seconds up to 86400"],
        ),
        (
            least("match", 2, "broadcast = -1"),
            ["4: event.broadcast: '-1' is neither live, board nor seconds up to 86400"],
        ),
        (
            least("match", 1) + entries("natural & random & baseline"),
            ["7: entry 2, bot: 'natural & random & baseline' has 3 players, expected 1, 2 or 4"],
        ),
        (
            least("pairs", 3) + entries("natural & random & natural & random"),
            ["11: entry 4, bot: 4 players: format pairs takes 2 at most"],
        ),
        (
            least("individual", 7) + entries("natural & random"),
            ["19: entry 8, bot: 2 players: format individual takes 1 at most"],
        ),
        (
            least("match", 0)
            + '[[entry]]\nbot = "natural & random"\nname = "a"\n'
            + '[[entry]]\nbot = "natural"\nname = "a / random"\n',
            ["9: entry 2, name: 'a / random' is the name of a player of entry 1 too"],
        ),
        (
            least("match", 0) + entries("bluechip:A & natural", "b=random & bluechip:A"),
            ["7: entry 2, bot: 'A' is the team of entry 1 too"],
        ),
        (least("match", 2, "retries = 2"), ["4: event.retries: belongs under [policies]"]),
        (
            least("match", 2, 'clock = "fast"') + '[policies]\nat_zero = "forfeit"\n',
            ["4: event.clock: 'fast' is not a time limit"],
        ),
        (
            least("match", 2, "clock = []") + '[policies]\nat_zero = "forfeit"\n',
            ["4: event.clock: expected a number"],
        ),
        (
            least("match", 2, "clock = 30") + '[policies]\nat_zero = "forfeit"\n',
            ['10: policies.at_zero: "forfeit" needs a clock with a limit for the board or the'],
        ),
        (
            least("match", 2, 'claims = "players"', 'mode = "bidding"'),
            ["4: event.claims: only where cards are played, not in mode bidding"],
        ),
        (least("match", 2, "policies = 3"), ["4: event.policies: unknown key"]),
        (
            least("pairs", 4, "trim = 0.5", 'scoring = "butler"'),
            ["4: event.trim: 0.5 is too large: it must be below 0.5"],
        ),
        (
            least("match", 0, '"a b" = 1') + entries("a", "random"),
            ["4: event.a b: unk", "6: entry"],
        ),
        (least("match", 1) + entries("=x"), ["7: entry 2, bot: '=x' gives an empty name"]),
        (least("match", 1) + entries("aΩ=random"), ["6: entry 2, name: 'aΩ' cannot be written"]),
        (least("match", 1) + entries("Ω=random"), ["6: entry 2, name: 'Ω' cannot be written"]),
        (
            least("match", 1) + entries("random & Ω=random") + "name = 'B'",
            ["7: entry 2, bot: 'B / Ω' cannot be written"],
        ),
        (least("match", 1) + entries("random") + "name = ''", ["8: entry 2, name: '' is no name"]),
    ],
)
def test_one_mistake_makes_no_others(write: Write, text: str, expected: list[str]) -> None:
    found = mistakes(write(text))
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True)), found


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    with pytest.raises(EventFileError, match=f"^{re.escape(str(path))}: No such file"):
        read_event(path)
    with pytest.raises(EventFileError, match=r"directory$"):
        read_event(tmp_path)
    path.write_bytes(b"[event]\nname = '\xe9'\n")
    assert mistakes(path) == ["2: the text is not UTF-8"]


# The examples.


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_the_examples_are_events(path: Path) -> None:
    event = read_event(path).event
    assert event_size(event).tables
    assert path.stem in {event.format, *NO_FORMATS}


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda path: path.stem)
def test_an_example_has_as_many_entries_as_it_says(path: Path) -> None:
    numbers = ("Six", "Seven", "Eight")
    comment = path.read_text(encoding="utf-8").partition("\n\n")[0]
    says = [6 + place for place, word in enumerate(numbers) if comment.startswith(f"# {word} ")]
    counted = path.stem not in {*NO_FORMATS, "gauntlet"}
    assert says == ([len(read_event(path).event.entries)] if counted else [])


def test_the_round_robin_is_of_bots_that_ship() -> None:
    event = read_event(EXAMPLES / "round-robin.toml").event
    bots = [parse(entrant.bot)[0] for entrant in event.entries]
    assert len({bot.name for bot in bots}) == len(bots)
    assert not any(bot.cheat for bot in bots)


def test_there_is_an_example_of_every_format() -> None:
    names = {path.stem for path in EXAMPLES.glob("*.toml")}
    assert {*Format} - {Format.MATCH} | NO_FORMATS == names


def test_the_example_of_every_key_has_every_key() -> None:
    text = (EXAMPLES / "every-key.toml").read_text(encoding="utf-8")
    # What is commented out is `# key = value`, and could stand there.
    whole = tomllib.loads(re.sub(r"^# (?=\w+ = )", "", text, flags=re.M))
    assert whole["event"].keys() == Event.model_fields.keys() - {
        "entries",
        "policies",
        "boards_digest",
    }
    assert whole["policies"].keys() == EventPolicies.model_fields.keys()
    assert {key for entry in whole["entry"] for key in entry} == set(KEYS["entry"])
