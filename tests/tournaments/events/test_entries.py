"""Bots as they are written on the command line."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from bridge_arena.protocol.bluechip.quirks import Quirks
from bridge_arena.tournaments.events.entries import (
    Access,
    Entry,
    EntryError,
    parse_entry,
    parse_pair,
)


def test_a_shipped_bot_is_started_as_a_program() -> None:
    assert parse_entry("baseline") == Entry(
        "baseline",
        "baseline",
        (sys.executable, "-P", "-m", "bridge_arena.bots", "baseline"),
        ships=True,
    )


def test_only_the_shipped_cheat_is_shown_every_hand() -> None:
    assert parse_entry("oracle").cheat
    assert not parse_entry("baseline").cheat
    assert not parse_entry("cmd:oracle").cheat


def test_a_program_with_arguments() -> None:
    entry = parse_entry("cmd: ./my bot 'two words' --x=1 ")
    assert entry.command == ("./my", "bot", "two words", "--x=1")
    assert entry.name == "my bot two words --x=1"
    assert entry.spec == "cmd: ./my bot 'two words' --x=1 "


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "unknown bot ''"),
        (
            "bseline",
            "unknown bot 'bseline', did you mean baseline. .shipped: random, baseline, ",
        ),
        ("nobody", "unknown bot 'nobody' .shipped: .*; any other program is cmd:PROGRAM ARGS"),
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
        ("cmd:", "names no program"),
        ("cmd:  ", "names no program"),
        ("cmd:'half", "No closing quotation"),
    ],
)
def test_what_names_no_bot(spec: str, words: str) -> None:
    with pytest.raises(EntryError, match=words):
        parse_entry(spec)


def test_folders_are_left_out_of_a_program_s_name() -> None:
    assert parse_entry("cmd:/usr/bin/python bots/mine.py /").name == "python mine.py /"


def test_a_title_is_the_name_of_any_bot() -> None:
    assert parse_entry("mine=baseline") == replace(
        parse_entry("baseline"), name="mine", spec="mine=baseline"
    )
    program = parse_entry("my bot=cmd:prog --x=1")
    assert (program.name, program.command) == ("my bot", ("prog", "--x=1"))


def test_a_program_that_speaks_blue_chip() -> None:
    entry = parse_entry("bluechip: The A  team ")
    assert (entry.name, entry.team, entry.access) == ("The A team", "The A team", Access.BLUECHIP)
    assert (entry.quirks, entry.command) == (Quirks(), ())


def test_a_program_with_quirks_of_its_own() -> None:
    entry = parse_entry("mine=bluechip:A:dummy_lead=none,timing=no")
    assert (entry.name, entry.team) == ("mine", "A")
    assert entry.quirks == Quirks(dummy_lead="none", timing=False)


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
