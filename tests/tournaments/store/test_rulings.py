"""Rulings in the store and in the PBN file, from which alone the standings can be computed."""

from __future__ import annotations

import json
import re
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.bridge.record import Room
from bridge_arena.commands.common.loading import Extent, load
from bridge_arena.pbn.strict.verdict import verdict_of
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import header_of, headers_in
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.rulings import Adjust, Annul, Penalty, TakeBack
from bridge_arena.tournaments.schedule.standings import standings
from bridge_arena.tournaments.store import Store, StoreError
from tests.tournaments.ruled import WHEN, play_round, rule, ruling, rulings
from tests.tournaments.scores import event
from tests.tournaments.store.contents import contents

SWISS = event(Format.SWISS, 4, rounds=2)


def test_rulings_are_kept_with_the_last_round_that_was_drawn(place: str) -> None:
    with closing(Store.create(place, SWISS)) as store:
        first = rule(store, Penalty(entry=1, amount=2.5))
        play_round(store, 1)
        second = rule(store, Annul(match="1/1", board=1), reason="Größe „fünf“")
        assert first is not None
        assert second is not None
        assert (first.number, first.after, second.number, second.after) == (1, 0, 2, 1)
        with closing(Store.open(place)) as again:
            assert again.rulings() == [first, second]
        store.remove()
    assert contents(place)["ruling"] == []


def test_nothing_is_ruled_or_drawn_without_knowing_the_last_ruling(place: str) -> None:
    with closing(Store.create(place, SWISS)) as store:
        known = store.progress()
        assert rule(store, Penalty(entry=1, amount=1))
        parts = {"author": "Dirk", "reason": "late"}
        late = known.next_ruling(Penalty(entry=2, amount=1), time=WHEN, **parts)
        assert store.rule(late, known) is False
        assert len(store.rulings()) == 1
        assert not store.schedule(plan(SWISS, [])[0].matches, {}, rulings=0)
        assert not store.reveal(0)
        assert store.progress() == (1, 0, False)


def test_nothing_is_ruled_without_knowing_the_last_round_and_whether_deals_are_public(
    place: str,
) -> None:
    with closing(Store.create(place, SWISS)) as store:
        for last_round, is_revealed in ((1, False), (1, True)):
            known = store.progress()
            if is_revealed:
                assert store.reveal(0)
            else:
                play_round(store, 1)
            parts = {"author": "Dirk", "reason": "late"}
            late = known.next_ruling(Penalty(entry=2, amount=1), time=WHEN, **parts)
            assert store.rule(late, known) is False
            assert store.progress() == (0, last_round, is_revealed)
        assert rule(store, Penalty(entry=2, amount=1))


def test_a_match_that_was_drawn_keeps_its_entries(place: str) -> None:
    with closing(Store.create(place, SWISS)) as store:
        first, *_ = plan(SWISS, [])[0].matches
        assert store.schedule([first], {})
        assert store.schedule([first], {})
        other = replace(first, entries=first.entries[::-1])
        with pytest.raises(StoreError, match="match 1/1 was drawn with other entries"):
            store.schedule([other], {})


def test_the_pbn_file_alone_gives_the_ruled_standings(tmp_path: Path) -> None:
    with closing(Store.create(tmp_path / "results.sqlite", SWISS)) as store:
        play_round(store, 1)
        before = standings(SWISS, store.event_results().so_far)
        first = plan(SWISS, [])[0].matches[0]
        board = next(store.results())[1].board.number
        text = "60% 4SE=, 40% 4SE-1"
        adjust = Adjust(match=first.id, board=board, room=Room.OPEN, ns=text, ew="average")
        assert rule(store, adjust, reason='a "claim" that\\was wrong, ‘so’')
        assert rule(store, Penalty(entry=min(first.entries), amount=30))
        play_round(store, 2)
        assert rule(store, TakeBack(ruling=2))
        results = store.event_results()
        store.write_pbn(tmp_path)
    (pbn,) = tmp_path.glob("*.pbn")
    (alone,) = load(str(pbn), [], Extent.RECORDS)
    ruled = standings(SWISS, results.so_far)
    assert alone.rulings == results.rulings
    assert standings(SWISS, alone.so_far) == ruled != before
    assert plan(SWISS, alone.so_far) == plan(SWISS, results.so_far)
    with pbn.open("rb") as stream:
        found = [finding.reason for _, finding in verdict_of(stream, "it").findings]
    assert found == ["new tag name ArenaRulings"]
    marks = [line for line in pbn.read_text("latin-1").splitlines() if "[ArenaRulings" in line]
    assert marks == ['[ArenaRulings "1 adjust"]']


def imps_by_hand(pbn: str) -> dict[str, float]:
    """The IMPs of a round robin from nothing but the text of its PBN file."""
    header = "".join(re.findall(r"^% ArenaRulings (.*)$", pbn, re.MULTILINE))
    event = json.loads("".join(re.findall(r"^% ArenaEvent (.*)$", pbn, re.MULTILINE)))
    names = [entry["name"] for entry in event["entries"]]
    made = json.loads(header)
    back = {one["decision"].get("ruling") for one in made if one["decision"]["kind"] == "take-back"}
    decisions = [one["decision"] for one in made if one["number"] not in back]
    scores: dict[tuple[str, int], dict[str, int]] = {}
    teams: dict[str, tuple[str, str]] = {}
    for game in pbn.split("\n\n"):
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', game, re.MULTILINE))
        if "Score" in tags:
            match = f"{tags['Round']}/{tags['Table']}"
            teams[match] = tags["HomeTeam"], tags["VisitTeam"]
            room = scores.setdefault((match, int(tags["Board"])), {})
            room[tags["Room"]] = int(tags["Score"].removeprefix("NS "))
    totals = dict.fromkeys(names, 0.0)
    for (match, board), rooms in scores.items():
        gain = steps(rooms["Open"] - rooms["Closed"])
        gains = [gain, -gain]
        for one in decisions:
            if (one.get("match"), one.get("board")) != (match, board):
                continue
            if one["kind"] == "annul":
                gains = [0, 0]
            elif "room" in one:
                points = [int(one["ns"]), int(one["ew"])]
                gains = [steps(points[0] - rooms["Closed"]), -steps(points[1] - rooms["Closed"])]
            else:
                worth = {"plus": 3, "average": 0, "minus": -3}
                gains = [worth[one["ns"]], worth[one["ew"]]]
        for name, own in zip(teams[match], gains, strict=True):
            totals[name] += own
    for one in decisions:
        if one["kind"] == "penalty":
            totals[names[one["entry"]]] -= one["amount"]
    return totals


def steps(difference: int) -> int:
    """The IMPs of a difference in points, by the table of Law 78B."""
    table = (20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600)
    size = sum(abs(difference) >= step for step in table)
    return size if difference > 0 else -size


def test_standings_by_hand_from_the_text_of_the_pbn_file_agree(tmp_path: Path) -> None:
    robin = event(Format.ROUND_ROBIN, 4)
    with closing(Store.create(tmp_path / "results.sqlite", robin)) as store:
        for number in (1, 2, 3):
            play_round(store, number)
        for decision in (
            Annul(match="1/1", board=1),
            Adjust(match="1/2", board=1, ns="plus", ew="average"),
            Adjust(match="2/1", board=2, room=Room.OPEN, ns="420", ew="-50"),
            Penalty(entry=2, amount=1.5),
            Penalty(entry=1, amount=9),
            TakeBack(ruling=5),
        ):
            assert rule(store, decision)
        store.write_pbn(tmp_path)
        found = standings(robin, store.event_results().so_far)
    text = (tmp_path / "event.pbn").read_text("latin-1")
    totals = {robin.entries[one.entry].name: one.score for one in found.entries}
    assert imps_by_hand(text) == totals


def test_a_header_without_rulings_is_as_it_was() -> None:
    assert header_of(SWISS, None, []) == header_of(SWISS)
    assert "Rulings" not in header_of(SWISS)


GOOD = rulings([Penalty(entry=3, amount=1)])[0].model_dump(mode="json", exclude_none=True)


def with_decision(**decision: object) -> str:
    return json.dumps([GOOD | {"decision": decision}])


@pytest.mark.parametrize(
    ("made", "why"),
    [
        ("{", "no rulings"),
        ("7", "no rulings"),
        ('[{"number": 1}]', "none of this release"),
        (json.dumps([GOOD | {"number": 2}]), "does not fit"),
        (
            json.dumps([GOOD | {"decision": {"kind": "penalty", "entry": 4, "amount": 1}}]),
            "not fit",
        ),
        (json.dumps([GOOD | {"decision": {"kind": "take-back", "ruling": 1}}]), "does not fit"),
        (json.dumps([GOOD | {"decision": {"kind": "bribe", "entry": 1}}]), "none of this release"),
        (with_decision(kind="adjust", match="1/1", board=1, ns="420", ew="420"), "does not fit"),
        (with_decision(kind="adjust", match="1/1", board=1, ns="10", ew="x" * 300), "at most 200"),
    ],
)
def test_rulings_that_an_event_cannot_have_are_refused(tmp_path: Path, made: str, why: str) -> None:
    path = tmp_path / "event.pbn"
    path.write_text(f'{header_of(SWISS)}% ArenaRulings {made}\n[Event "x"]\n\n')
    with pytest.raises(BoardFileError, match=why):
        headers_in(path)


def test_rulings_come_back_from_a_header(tmp_path: Path) -> None:
    made = (
        ruling(1, Penalty(entry=0, amount=0.1), reason="x" * 500),
        ruling(2, Annul(match="1/1")),
    )
    path = tmp_path / "event.pbn"
    path.write_text(header_of(SWISS, None, made) + '[Event "x"]\n\n', newline="")
    (header,) = headers_in(path)
    assert header is not None
    assert header.rulings == made
