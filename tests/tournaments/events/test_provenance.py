"""Tests of what readers are told about the origin of the boards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge_arena.bridge.seeds import DealKey
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.events.sealed_deals import (
    Commitment,
    Provenance,
    Sealing,
    deals_in_short,
)
from bridge_arena.tournaments.formats.rules import Format
from tests.tournaments.scores import event

KEY = DealKey(bytes(32))
SEALED = event(Format.MATCH, 2, seed=None, public="tomorrow's index")
SEEDED = event(Format.MATCH, 2, seed=1)
OF_FILE = event(Format.MATCH, 2, seed=None, boards_from="boards.pbn")


def known(whole: Event) -> Commitment:
    sealing = Sealing.of(whole, KEY, "123" if whole.public else "")
    return Commitment(sealing.definition, sealing.digest, sealing.public_value)


def test_the_key_is_told_only_once_it_is_revealed() -> None:
    told = Provenance(SEALED, known(SEALED))
    assert known(SEALED).digest in told.text
    assert "the key is revealed when the event is over" in told.text
    assert str(KEY) not in f"{told.text} {told.values} {told!r}"
    after = Provenance(SEALED, replace(known(SEALED), key=KEY))
    assert str(KEY) in after.text
    assert after.values == {
        "origin": "sealed",
        "seed": None,
        "file": None,
        "commitment": known(SEALED).digest,
        "public": "tomorrow's index",
        "public_value": "123",
        "key": str(KEY),
    }


@pytest.mark.parametrize(
    ("whole", "commitment", "origin", "words"),
    [
        (SEEDED, known(SEEDED), "reproducible", "Reproducible, not sealed: whoever guesses seed 1"),
        (OF_FILE, known(OF_FILE), "file", "Not sealed: the boards are those of boards.pbn"),
        (SEEDED, None, "public seed", "Not sealed: the boards are a public hash of seed 1"),
        (OF_FILE, None, "file", "Not sealed"),
        (SEALED, None, "unknown", ""),
    ],
)
def test_boards_that_are_not_sealed_are_not_called_so(
    whole: Event, commitment: Commitment | None, origin: str, words: str
) -> None:
    told = Provenance(whole, commitment)
    assert told.values["origin"] == origin
    assert told.text.startswith(words)
    assert bool(told.text) == bool(words)


def test_the_origin_of_boards_is_told_in_short() -> None:
    assert deals_in_short(SEALED) == "sealed deals"
    assert deals_in_short(SEEDED) == "seed 1 (reproducible, not sealed)"
    assert deals_in_short(OF_FILE) == "boards of boards.pbn"
    both = OF_FILE.model_copy(update={"seed": 7})
    assert deals_in_short(both) == "seed 7, boards of boards.pbn"
