"""Tests of ladders' files: what they define, and how each mistake is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bridge_arena.bridge.record import Mode
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.events.event_file import EventFileError
from bridge_arena.tournaments.formats.rules import Format, Scoring
from bridge_arena.tournaments.ladder.ladder_file import (
    LADDER_KEYS,
    LadderFile,
    checked_registration,
    parse_ladder,
    read_ladder,
)

GOOD = """\
[ladder]
name = "Club"
boards = 8
mode = "bidding"
clock = 10
concurrency = 3
anchors = ["random"]

[policies]
restarts = 1

[[player]]
bot = "random"

[[player]]
bot = "natural"
options = { seed = 1 }
name = "Mine"
author = "Ann <b>Other</b>"
clock = "5"
"""

PERSON = "natural & human:Ann & natural & natural"


def ladder(text: str) -> LadderFile:
    return parse_ladder(text, Path("club.toml"))


def mistakes(text: str) -> tuple[str, ...]:
    with pytest.raises(EventFileError) as caught:
        ladder(text)
    return caught.value.mistakes


def test_a_file_defines_the_matches_and_the_players() -> None:
    file = ladder(GOOD.replace("options = { seed = 1 }\n", ""))
    definition = file.definition
    assert (definition.name, definition.concurrency, definition.anchors) == ("Club", 3, ("random",))
    assert [one.author for one in file.registrations] == ["", "Ann <b>Other</b>"]
    one, other = (registration.entrant for registration in file.registrations)
    event = definition.event(17, one, other)
    assert (event.name, event.format, event.boards) == ("Club 17", Format.MATCH, 8)
    assert (event.mode, event.clock, event.scoring) == (Mode.BIDDING, "10", Scoring.IMPS)
    assert event.is_sealed
    assert event.policies.restarts == 1
    assert event.settings(other).clock.action == 5


def test_a_definition_is_the_same_after_it_was_kept() -> None:
    definition = ladder(GOOD.replace("options = { seed = 1 }\n", "")).definition
    assert type(definition).model_validate_json(definition.model_dump_json()) == definition


@pytest.mark.parametrize(
    ("old", "new", "mistake"),
    [
        ('name = "Club"', "name = 3", "club.toml:2: ladder.name: expected text in quotes, not 3"),
        (
            "boards = 8",
            "boards = 65",
            "club.toml:3: ladder.boards: 65 is too large: 64 is the most",
        ),
        ("boards = 8", "seed = 8", "club.toml:3: ladder.seed: unknown key"),
        ('"bidding"', '"biding"', 'club.toml:4: ladder.mode: "biding" is none of'),
        ("concurrency = 3", "concurrency = 0", "club.toml:6: ladder.concurrency: expected"),
        ("concurrency = 3", "concurrency = true", "club.toml:6: ladder.concurrency: expected"),
        ("concurrency = 3", "players_of_author = 0", "club.toml:6: ladder.players_of_author: exp"),
        ("concurrency = 3", "keep_days = 0", "club.toml:6: ladder.keep_days: expected a number"),
        ("concurrency = 3", "webhook = 'ftp://a'", "club.toml:6: ladder.webhook: expected an add"),
        ('["random"]', '["Bo"]', "club.toml:7: ladder.anchors: 'Bo' is the name of no player"),
        ('["random"]', '"random"', "club.toml:7: ladder.anchors: expected an array"),
        ("restarts = 1", "restarts = -1", "club.toml:10: policies.restarts: -1 is too small"),
        ('bot = "natural"', f'bot = "{PERSON}"', "club.toml:16: player 2, bot: people cannot play"),
        ('bot = "natural"', 'bot = "natural:x=1"', "club.toml:16: player 2, bot: "),
        ('bot = "random"\n', 'name = "Mine"\n', "club.toml:12: player 1, bot: missing"),
        ('author = "Ann', 'author = "\\u0007', "club.toml:19: player 2, author: expected text"),
        ("[[player]]", "[[entry]]", "club.toml:12: entry: unknown key"),
        ("[policies]", "[people]\n[policies]", "club.toml:9: people.tables: give the most tables"),
        ("[policies]", "[people]\ntables = 0\n[policies]", "club.toml:10: people.tables: expected"),
        (
            "[policies]",
            "[people]\ntables = 1\nbots = 'x'\n[policies]",
            "club.toml:11: people.bots: ",
        ),
        (
            "[policies]",
            "[people]\ntable = 1\n[policies]",
            "club.toml:10: people.table: unknown key",
        ),
    ],
)
def test_a_mistake_is_told_with_its_line(old: str, new: str, mistake: str) -> None:
    text = GOOD.replace("options = { seed = 1 }\n", "#\n").replace(old, new, 1)
    assert any(line.startswith(mistake) for line in mistakes(text)), mistakes(text)


def test_an_anchor_must_ship() -> None:
    text = GOOD.replace("options = { seed = 1 }\n", "#\n").replace('["random"]', '["Mine"]')
    text = text.replace('bot = "natural"', 'bot = "remote:Mine"')
    assert mistakes(text) == (
        "club.toml:7: ladder.anchors: 'Mine' is no bot that ships: its play may change",
    )


def test_all_keys_are_known(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text("[ladder]\nfoo = 1\n")
    with pytest.raises(EventFileError, match=re.escape(f"known: {', '.join(LADDER_KEYS)}")):
        read_ladder(path)


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        (PERSON, "people cannot play"),
        ("bluechip:Ann:tea=5", "there is no quirk"),
        ("no such bot", "bot: "),
    ],
)
def test_who_cannot_come_later_is_refused(bot: str, why: str) -> None:
    definition = ladder(GOOD.replace("options = { seed = 1 }\n", "")).definition
    with pytest.raises(ValueError, match=why):
        checked_registration(definition, Entrant(bot=bot, name="Ann"))
