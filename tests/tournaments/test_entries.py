"""Bots as they are written on the command line."""

from __future__ import annotations

import sys

import pytest

from tournaments.entries import Entry, EntryError, parse_entry, parse_pair


def test_a_shipped_bot_is_started_as_a_program() -> None:
    assert parse_entry("baseline") == Entry(
        "baseline", "baseline", (sys.executable, "-m", "bots", "baseline")
    )


def test_only_the_shipped_cheat_is_shown_every_hand() -> None:
    assert parse_entry("oracle").cheat
    assert not parse_entry("baseline").cheat
    assert not parse_entry("cmd:oracle").cheat


def test_a_program_with_arguments() -> None:
    entry = parse_entry("cmd: ./my bot 'two words' --x=1 ")
    assert entry.command == ("./my", "bot", "two words", "--x=1")
    assert entry.name == "./my bot 'two words' --x=1"
    assert entry.spec == "cmd: ./my bot 'two words' --x=1 "


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "unknown bot ''"),
        ("bseline", "unknown bot 'bseline' .shipped: random, baseline, oracle.; or cmd:PROGRAM"),
        ("baseline:depth=1", "bot 'baseline' takes no options, not 'depth=1'"),
        ("cmd:", "names no program"),
        ("cmd:  ", "names no program"),
        ("cmd:'half", "No closing quotation"),
    ],
)
def test_what_names_no_bot(spec: str, words: str) -> None:
    with pytest.raises(EntryError, match=words):
        parse_entry(spec)


def test_equal_names_are_made_distinct() -> None:
    one, two = parse_pair("random", "random")
    assert (one.name, two.name) == ("random", "random-2")
    assert one.command == two.command


def test_different_names_stay() -> None:
    one, two = parse_pair("random", "baseline")
    assert (one.name, two.name) == ("random", "baseline")


def test_a_pair_of_which_one_is_unknown() -> None:
    with pytest.raises(EntryError, match="nobody"):
        parse_pair("random", "nobody")
