"""Tests of the event's definition in its PBN file, which other readers skip."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.board_files.problems import BoardFileError
from bridge_arena.bridge.record import Mode
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.strict.verdict import verdict_of
from bridge_arena.server.claims import Claims
from bridge_arena.server.faults import Remedy
from bridge_arena.tournaments.events.event import Entrant, Event, EventPolicies
from bridge_arena.tournaments.formats.rules import Deals, Format, Movement, Scoring
from bridge_arena.tournaments.schedule.event_files import Header, header_of, headers_in
from tests.tournaments.scores import event

GAME = '[Event "x"]\r\n[Board "1"]\r\n'

_LATIN = st.characters(min_codepoint=32, max_codepoint=255, exclude_categories=["Cc"])
NAMES = st.text(_LATIN, min_size=1, max_size=100)
EVENTS = st.builds(
    Event,
    name=NAMES,
    format=st.sampled_from(Format),
    seed=st.none() | st.integers(0, 2**80),
    practice=st.booleans(),
    public=st.none() | st.text(max_size=200),
    entries=st.lists(st.builds(Entrant, bot=st.text(max_size=90), name=NAMES), max_size=5).map(
        tuple
    ),
    boards=st.integers(1, 1000),
    boards_from=st.none() | st.text(max_size=300),
    deals=st.sampled_from(Deals),
    scoring=st.sampled_from(Scoring),
    rounds=st.none() | st.integers(1, 20),
    legs=st.integers(1, 2),
    movement=st.sampled_from(Movement),
    mode=st.sampled_from(Mode),
    clock=st.sampled_from(["60", "0.5", "10 board=300 match=1800+5 lag=0.5"]),
    claims=st.sampled_from(Claims),
    sprt=st.none() | st.just("imp0=0 imp1=2"),
    trim=st.floats(0, 0.49),
    policies=st.builds(
        EventPolicies,
        restarts=st.integers(0, 1000),
        retries=st.integers(0, 1000),
        at_zero=st.sampled_from(Remedy),
        illegal=st.none() | st.integers(1, 1000),
        timeouts=st.none() | st.integers(1, 1000),
        grace=st.floats(0, 86_400),
        no_show=st.floats(0, 86_400, exclude_min=True),
    ),
)


def written(folder: Path, text: str) -> Path:
    path = folder / "event.pbn"
    path.write_bytes(text.encode("latin-1"))
    return path


@given(EVENTS)
def test_an_event_comes_back_from_its_header(
    tmp_path_factory: pytest.TempPathFactory, event: Event
) -> None:
    path = written(tmp_path_factory.getbasetemp(), header_of(event) + GAME)
    assert headers_in(path) == [Header(event)]


def test_boards_of_a_file_are_kept_under_the_names_that_they_always_had() -> None:
    """Otherwise stores, headers and commitments of earlier releases could not be read."""
    event = Event(name="x", format=Format.MATCH, entries=(), boards_from="a", boards_digest="b")
    kept = json.loads(event.model_dump_json())
    assert (kept["pbn"], kept["pbn_digest"]) == ("a", "b")
    assert not kept.keys() & {"boards_from", "boards_digest"}
    assert Event.model_validate_json(event.model_dump_json()) == event


def test_settings_of_an_entry_are_kept_only_where_they_are_given(tmp_path: Path) -> None:
    """Otherwise commitments of earlier releases would not fit their events."""
    plain, own = (
        Entrant(bot="random", name="plain"),
        Entrant(bot="random", name="own", clock="5", dir="v2", env=("A=1",), restarts=0),
    )
    kept = Event(name="x", format=Format.MATCH, entries=(plain, own))
    entries = json.loads(kept.model_dump_json())["entries"]
    assert entries[0] == {"bot": "random", "name": "plain"}
    assert entries[1].keys() == {"bot", "name", "clock", "dir", "env", "restarts"}
    assert headers_in(written(tmp_path, header_of(kept) + GAME)) == [Header(kept)]


@given(EVENTS)
def test_the_lines_of_the_header_are_escaped_ascii_and_short(event: Event) -> None:
    text = header_of(event)
    assert text.isascii()
    assert text.endswith("\r\n")
    for line in text.split("\r\n")[:-1]:
        assert line.startswith("%")
        assert len(line) < 255


def test_an_event_from_before_the_keys_has_their_defaults(tmp_path: Path) -> None:
    old = event(Format.SWISS, 2, policies=EventPolicies(restarts=7))
    told = json.loads(old.model_dump_json())
    told["policies"] = {"restarts": told["policies"]["restarts"]}
    del told["claims"]
    path = written(tmp_path, f"% PBN 2.1\r\n% ArenaEvent {json.dumps(told)}\r\n" + GAME)
    assert headers_in(path) == [Header(old)]


def test_other_programs_skip_the_header(tmp_path: Path) -> None:
    before = verdict_of(written(tmp_path, GAME)).counts
    path = written(tmp_path, header_of(event(Format.SWISS, 9)) + GAME)
    games = list(read_games(path))
    assert [game.get("Event") for game in games] == ["x"]
    assert not games[0].problems
    assert verdict_of(path).counts == before


@pytest.mark.parametrize("text", ["", GAME, "% PBN 2.1\r\n" + GAME, GAME + "% ArenaEvent {}\r\n"])
def test_a_file_without_a_header_tells_no_event(tmp_path: Path, text: str) -> None:
    assert headers_in(written(tmp_path, text)) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"swiss"', '"chess"', "format: Input should be"),
        ('"boards":2', '"boards":0', "boards: Input should be greater"),
        ("{", "", "its text: Invalid JSON"),
        ('"boards":2', '"boards":2,"prize":5', "prize: Extra inputs"),
    ],
)
def test_what_is_no_event_is_told_with_file_and_line(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    text = "% PBN 2.1\r\n% ArenaEvent " + event(Format.SWISS, 2).model_dump_json()
    path = written(tmp_path, text.replace(old, new, 1) + "\r\n" + GAME)
    with pytest.raises(BoardFileError) as caught:
        headers_in(path)
    told = str(caught.value)
    assert re.match(rf"{re.escape(str(path))}:2: no event of this release: ", told)
    assert words in told
    assert len(told.splitlines()) == 1


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match="cannot be read: No such file or directory"):
        headers_in(tmp_path / "missing.pbn")
    with pytest.raises(BoardFileError, match="cannot be read: Is a directory"):
        headers_in(tmp_path)
