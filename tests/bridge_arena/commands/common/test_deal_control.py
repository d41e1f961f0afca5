"""The work of stand-ins after an event."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.commands.common.deal_control import _left, value_deals
from bridge_arena.commands.common.progress import LongWork
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.deal_control import FEWEST_BOARDS, OTHERS, DealControl
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.play.event_log import EventLog
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.store import Store
from tests.tournaments.scores import record, units_of

BOTS = ("random", "montecarlo:worlds=3,bidding=simple", "montecarlo:worlds=4,bidding=simple")
"""The last two have the same stand-in."""

SERIES = range(OTHERS + 1)


def played(folder: Path, boards: int, bots: tuple[str, ...] = BOTS) -> Store:
    """The store of a round robin that is over, and whose boards were passed out."""
    event = Event(
        name="Test",
        format=Format.ROUND_ROBIN,
        seed=5,
        entries=tuple(Entrant(bot=bot, name=bot) for bot in bots),
        boards=boards,
    )
    store = Store.create(
        folder / "results.sqlite", event, control=DealControl.of(event, with_files=True)
    )
    rounds = plan(event, [])
    sealing = store.sealing()
    assert sealing is not None
    dealt = {number: GivenBoard(sealing.key.board(number), ()) for number in range(1, boards + 1)}
    store.schedule([match for each in rounds for match in each.matches], dealt)
    for unit in units_of(rounds):
        store.save(unit, record(event, unit))
    return store


@pytest.mark.slow
def test_each_two_entries_with_stand_ins_have_deals_to_play(tmp_path: Path) -> None:
    with closing(played(tmp_path, FEWEST_BOARDS)) as store:
        with EventLog(tmp_path / "log.jsonl") as log:
            value_deals(store, log, LongWork())
            found = store.deal_values()
            value_deals(store, log, LongWork())
        assert store.deal_values() == found
        numbers = set(range(1, FEWEST_BOARDS + 1))
        assert {(0, 1), (0, 2)} == found.keys()
        for values in found.values():
            assert {series: {*each} for series, each in values.items()} == dict.fromkeys(
                SERIES, numbers
            )
            assert len({tuple(each.values()) for each in values.values()}) == len(SERIES)
        assert found[0, 1] == found[0, 2], "the same stand-ins played the same boards"
    logged = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["boards"] for line in logged] == [len(SERIES) * FEWEST_BOARDS], "once"


def test_stand_ins_of_slow_bots_play_the_deals_often_and_others_once(tmp_path: Path) -> None:
    with closing(played(tmp_path, FEWEST_BOARDS, ("natural", "montecarlo"))) as store:
        assert [part.plays for part in _left(store)] == [12, *[1] * 36]


@pytest.mark.parametrize(
    ("boards", "bots"),
    [(FEWEST_BOARDS - 1, ("random", "baseline")), (FEWEST_BOARDS, ("random", "cmd:true"))],
)
def test_an_event_without_two_stand_ins_or_enough_boards_has_no_values(
    tmp_path: Path, boards: int, bots: tuple[str, ...]
) -> None:
    with closing(played(tmp_path, boards, bots)) as store:
        with EventLog(tmp_path / "log.jsonl") as log:
            value_deals(store, log, LongWork())
        assert store.deal_values() == {}


@pytest.mark.slow
def test_a_stand_in_that_fails_leaves_the_match_without_values(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "from bridge_arena import Bot\n\nclass Mine(Bot):\n    pass\n"
    (tmp_path / "mine.py").write_text(text)
    bots = "baseline", f"{tmp_path}/mine.py:Mine"
    with closing(played(tmp_path, FEWEST_BOARDS, bots)) as store, EventLog(None) as log:
        value_deals(store, log, LongWork())
        assert store.deal_values() == {}
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("arena: no controlled estimate: ")
    assert "NotImplementedError" in said
