"""The stand-ins of an event's entries."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge_arena.bridge.record import Mode
from bridge_arena.tournaments.events.deal_control import (
    MOST_PLAYS,
    DealControl,
    Pair,
    stand_in,
)
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format

LIKE_NATURAL = "fastplay:bidding=natural,errors=0.05"


def event(*bots: str, **keys: object) -> Event:
    entries = tuple(Entrant(bot=bot, name=f"{place}") for place, bot in enumerate(bots))
    return Event.model_validate(
        {"name": "Test", "format": Format.MATCH, "entries": entries, "seed": 1, **keys}
    )


@pytest.mark.parametrize(
    ("bot", "found"),
    [
        ("natural", "natural"),
        ("low=natural", "natural"),
        ("baseline:bidding=neural", "baseline:bidding=neural"),
        ("fastplay", "fastplay"),
        ("montecarlo", LIKE_NATURAL),
        ("montecarlo:worlds=20,bidding=simple", "fastplay:bidding=simple,errors=0.05"),
        ("alphamu", LIKE_NATURAL),
        ("minimax:depth=2", LIKE_NATURAL),
        ("fastplay:worlds=5", LIKE_NATURAL),
        ("deepq", "deepq"),
        ("deepq:worlds=50", None),
        ("oracle", None),
        ("llm:model=x", None),
        ("cmd:python bot.py", None),
        ("cmd:natural", None),
        ("remote:natural", None),
        ("human:Ann", None),
        ("natural & baseline", None),
    ],
)
def test_quick_bots_stand_in_for_slow_ones_and_none_for_strangers(
    bot: str, found: str | None
) -> None:
    control = DealControl.of(event(bot, "random", "natural"))
    assert control is not None
    assert control.stand_ins == (found, "random", "natural")
    assert found is None or stand_in(found) == found, "a stand-in is quick"


def test_a_class_of_a_file_stands_in_for_itself_where_asked(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("raise ValueError('only its own process executes it')")
    given = event(f"Mine={tmp_path}/mine.py:Mine", "montecarlo:worlds=3")
    assert DealControl.of(given) is None
    control = DealControl.of(given, with_files=True)
    assert control is not None
    mine = f"{tmp_path.resolve()}/mine.py:Mine"
    assert control.pair(0, 1) == Pair(mine, LIKE_NATURAL, are_themselves=False, plays=1)


def test_quick_bots_play_once_and_stand_ins_more_often_for_slower_bots() -> None:
    control = DealControl.of(event("natural", "fastplay", "montecarlo", "minimax", "cmd:x"))
    assert control is not None
    assert control.pair(0, 1) == Pair("natural", "fastplay", are_themselves=True, plays=1)
    assert control.pair(0, 2) == Pair("natural", LIKE_NATURAL, are_themselves=False, plays=12)
    assert [pair and pair.others for pair in (control.pair(0, 1), control.pair(0, 2))] == [3, 36]
    assert control.pair(2, 0) == Pair(LIKE_NATURAL, "natural", are_themselves=False, plays=12)
    assert control.pair(0, 3) == Pair("natural", LIKE_NATURAL, are_themselves=False, plays=1)
    assert control.pair(2, 3) is None, "their stand-ins are the same"
    assert control.pair(0, 4) is None
    slow = DealControl.of(event("montecarlo:worlds=500", "fastplay"))
    assert slow is not None
    assert slow.pair(0, 1) == Pair(LIKE_NATURAL, "fastplay", are_themselves=False, plays=MOST_PLAYS)


@pytest.mark.parametrize(
    "given",
    [
        event("natural", "cmd:x"),
        event("montecarlo", "alphamu"),
        event("natural", "baseline", mode=Mode.BIDDING),
        event("natural", "baseline", mode=Mode.PLAY),
        event("natural", "baseline", format=Format.PAIRS),
        event("natural", "baseline", pbn="boards.pbn"),
    ],
)
def test_events_that_cannot_be_controlled_have_no_stand_ins(given: Event) -> None:
    assert DealControl.of(given) is None


def test_the_control_of_deals_is_read_as_it_was_written() -> None:
    control = DealControl.of(event("montecarlo", "natural", "cmd:x"))
    assert control is not None
    assert DealControl.parse(str(control)) == control
    changed = DealControl(control.release, control.bots, (None, *control.stand_ins[1:]))
    assert changed.digest != control.digest


@pytest.mark.parametrize(
    "text", ["", "[]", "3", '{"release": "1"}', '{"release": "1", "bots": 3, "stand_ins": []}']
)
def test_text_that_tells_no_stand_ins_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"tells no stand-ins"):
        DealControl.parse(text)
