"""The store keeps what was saved, whatever happens to the process that saved it."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import MetaData, inspect, select, text

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import PASS, Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import (
    BoardRecord,
    Fault,
    FaultKind,
    MadeCall,
    Mode,
    ModelUse,
    RecordedThought,
)
from bridge_arena.bridge.seats import SEATS, Seat, Side, Vulnerability
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.deal_control import DealControl
from bridge_arena.tournaments.events.event import Entrant
from bridge_arena.tournaments.events.sealed_deals import Commitment, Sealing
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_results import ControlResults, Played
from bridge_arena.tournaments.schedule.plan import plan
from bridge_arena.tournaments.schedule.units import Match, Unit
from bridge_arena.tournaments.store import Store, StoreError
from bridge_arena.tournaments.store.database import connect, create_schema, is_prepared
from bridge_arena.tournaments.store.models import Base
from tests.pbn.strategies import records
from tests.tournaments.scores import event, record, units_of
from tests.tournaments.store.contents import contents

EVENT = event(
    Format.ROUND_ROBIN,
    3,
    seed=2**80,
    name="Größe / Ärger",
    entries=tuple(
        Entrant(bot=bot, name=name)
        for bot, name in (("baseline", "A"), ("cmd:./bot ü", "B"), ("random", "C"))
    ),
)
ROUNDS = plan(EVENT, [])
TALLIES = {"lineups": [], "tables": b"", "faults": b"", "times": b"", "model_uses": b""}
MATCHES = [match for each in ROUNDS for match in each.matches]
UNITS = units_of(ROUNDS)
BOARDS = {
    number: GivenBoard(Board.dealt(1, number), ()) for number in {unit.board for unit in UNITS}
}

STRONG = MadeCall(Call("1NT"), alert=True, explanation=Explanation("strong ä", (15, 17)))
GIVEN = {
    1: GivenBoard(Board.dealt(1, 1), (STRONG, *[MadeCall(PASS)] * 3)),
    2: GivenBoard(
        Board(1, Seat.WEST, Vulnerability.parse("EW"), Board.dealt(1, 2).deal),
        (MadeCall(PASS), MadeCall(Call("7S"), explanation=Explanation()), *[MadeCall(PASS)] * 3),
    ),
}


def result(unit: Unit) -> BoardRecord:
    """Each with a score, times and a fault of its own."""
    times = tuple((float(unit.board), unit.position / 10) for _ in SEATS)
    fault = Fault(Seat.WEST, FaultKind.ILLEGAL, unit.position, f"revoke in {unit.id}")
    seconds = (1.5, -0.25, 0.0, unit.position / 3)
    return replace(record(EVENT, unit), times=times, match_seconds=seconds, faults=(fault,))


def lost(unit: Unit) -> BoardRecord:
    fault = Fault(Seat.NORTH, FaultKind.CRASH, 3, "it is gone")
    return replace(record(EVENT, unit, None), faults=(fault,), adjusted=Side.NS)


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    store = Store.create(place, EVENT)
    store.schedule(MATCHES, BOARDS)
    yield store
    store.close()


def reopened(place: str, name: str | None = None) -> dict[str, BoardRecord]:
    """The results as another process finds them."""
    store = Store.open(place, name)
    try:
        return dict(store.results())
    finally:
        store.close()


def run(place: str, *statements: str) -> None:
    engine = connect(place)
    try:
        with engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))
    finally:
        engine.dispose()


class TestSealing:
    def test_the_key_is_for_the_arena_alone_until_it_is_revealed(self, place: str) -> None:
        sealing = Sealing.of(EVENT.model_copy(update={"seed": None}), public_value="12")
        with closing(Store.create(place, EVENT, sealing=sealing)) as store:
            assert store.sealing() == sealing
            known = Commitment(sealing.definition, sealing.digest, "12")
            assert store.commitment() == known
            assert store.reveal(0)
        with closing(Store.open(place)) as store:
            assert store.commitment() == replace(known, key=sealing.key)

    def test_without_a_key_an_event_is_sealed_by_its_seed(self, store: Store) -> None:
        assert EVENT.seed is not None
        assert store.sealing() == Sealing.of(EVENT, DealKey.of_seed(EVENT.seed))


class TestWhatIsKept:
    def test_the_event_is_kept(self, store: Store, place: str) -> None:
        assert store.event() == EVENT
        again = Store.open(place)
        assert again.event() == EVENT
        again.close()

    @pytest.mark.parametrize("of_file", [False, True])
    def test_whether_a_file_defines_the_event_is_kept(self, place: str, *, of_file: bool) -> None:
        Store.create(place, EVENT, of_file=of_file).close()
        with closing(Store.open(place)) as store:
            assert store.is_of_file() == of_file

    def test_given_boards_are_kept(self, place: str) -> None:
        Store.create(place, EVENT, GIVEN).close()
        again = Store.open(place)
        assert again.boards() == GIVEN
        again.schedule(MATCHES, BOARDS | GIVEN)
        assert again.boards() == BOARDS | GIVEN
        again.close()

    def test_a_new_store_has_no_results(self, store: Store) -> None:
        assert list(store.results()) == []
        assert store.analysed() == {}

    def test_each_result_is_there_as_soon_as_it_is_saved(self, store: Store, place: str) -> None:
        """Read by another connection, as after a crash of the one that wrote."""
        for number, unit in enumerate(UNITS, start=1):
            store.save(unit, lost(unit) if number == 2 else result(unit))
            assert len(reopened(place)) == number
        expected = {unit.id: result(unit) for unit in UNITS} | {UNITS[1].id: lost(UNITS[1])}
        assert reopened(place) == expected

    def test_results_come_in_schedule_order(self, place: str) -> None:
        """By number, not by text: 2 comes before 10."""
        many = event(Format.MATCH, 2, boards=11)
        units = units_of(plan(many, []))
        store = Store.create(place, many)
        store.schedule(
            [units[0].match],
            {number: GivenBoard(Board.dealt(1, number), ()) for number in range(1, 12)},
        )
        for unit in sorted(units, key=lambda unit: unit.id):
            store.save(unit, record(many, unit))
        assert [unit for unit, _ in store.results()] == [unit.id for unit in units]
        assert store.units() == [unit.id for unit in units]
        store.close()

    def test_values_of_tables_are_kept(self, store: Store) -> None:
        first, second, third = UNITS[:3]
        for unit in (first, second, third):
            store.save(unit, result(unit))
        store.save_analysis(first.id, (9, 11, 12))
        store.save_analysis(second.id, None)
        assert store.analysed() == {first.id: (9, 11, 12), second.id: None}
        played = store.played()
        assert [each.values for each in played] == [(9, 11, 12), None, None]
        assert [each.record for each in played] == [result(unit) for unit in (first, second, third)]

    def test_values_of_deals_are_kept(self, store: Store, place: str) -> None:
        assert store.control() is None
        assert store.event_results().control is None
        store.save_deal_values((0, 1), 0, {1: 2.0, 2: -0.25})
        store.save_deal_values((0, 1), 3, {1: 0.0})
        store.save_deal_values((0, 1), 3, {1: 0.0})
        store.save_deal_values((1, 2), 1, {7: 24.0})
        found = {(0, 1): {0: {1: 2.0, 2: -0.25}, 3: {1: 0.0}}, (1, 2): {1: {7: 24.0}}}
        assert store.deal_values() == found
        store.remove()
        assert contents(place)["deal_value"] == []

    def test_stand_ins_are_kept(self, place: str) -> None:
        control = DealControl("1.0", ("natural", "cmd:x"), ("natural", None))
        with closing(Store.create(place, EVENT, control=control)) as store:
            assert store.control() == control
            assert store.event_results().control == ControlResults(control, {})

    def test_thoughts_are_kept(self, store: Store, place: str) -> None:
        """Nothing of them is in the record's PBN."""
        thoughts = (
            RecordedThought(Seat.EAST, 0, "<script>alert('♠')</script>"),
            RecordedThought(Seat.EAST, 0, "again", {"1NT": 1.5, "Pass": 0.1}, 50, 0, 0.25),
            RecordedThought(Seat.SOUTH, 1),
            RecordedThought(Seat.NORTH, 7, depth=3),
            RecordedThought(Seat.WEST, 7, layouts=2**53 - 1),
        )
        told = result(UNITS[0])
        store.save(UNITS[0], replace(told, thoughts=thoughts))
        store.save(UNITS[1], result(UNITS[1]))
        assert store.thoughts(UNITS[0].id) == thoughts
        assert store.thoughts(UNITS[1].id) == store.thoughts(UNITS[2].id) == ()
        assert reopened(place)[UNITS[0].id] == told
        assert "script" not in str(contents(place, without=["thought"]))
        store.drop([UNITS[0].id])
        assert store.thoughts(UNITS[0].id) == ()

    def test_thoughts_that_tell_of_a_language_model_come_with_the_results(
        self, store: Store, place: str
    ) -> None:
        use = ModelUse(2, 1, answered=True, same=False, tokens_in=7, money=0.5)
        asked = RecordedThought(Seat.WEST, 3, "hm", model=use)
        other = RecordedThought(Seat.NORTH, 0, 'not a "model" at all', {"Pass": 1.0})
        first = RecordedThought(Seat.EAST, 1, model=ModelUse(failed=1))
        told = result(UNITS[0])
        store.save(UNITS[0], replace(told, thoughts=(other, first, asked)))
        store.save(UNITS[1], replace(result(UNITS[1]), thoughts=(other,)))
        assert store.thoughts(UNITS[0].id) == (other, first, asked)
        assert reopened(place)[UNITS[0].id].thoughts == (first, asked)
        assert reopened(place)[UNITS[1].id].thoughts == ()

    def test_results_that_are_dropped_are_gone(self, store: Store, place: str) -> None:
        before = contents(place, without=["event"])
        for unit in UNITS[:2]:
            store.save(unit, result(unit))
            store.save_analysis(unit.id, (7,))
        store.keep_tallies(0, 0, TALLIES)
        store.drop([unit.id for unit in UNITS[:3]])
        assert contents(place, without=["event"]) == before
        store.save(UNITS[0], result(UNITS[0]))
        assert set(reopened(place)) == {UNITS[0].id}
        with pytest.raises(StoreError, match=f"the record of {UNITS[1].id} is no longer there"):
            store.table(UNITS[1].id)

    def test_a_schedule_is_kept_once(self, store: Store, place: str) -> None:
        before = contents(place)
        store.schedule(MATCHES, BOARDS)
        assert contents(place) == before
        assert len(before["match"]) == 3
        assert len(before["board"]) == len(BOARDS)


def test_rows_are_the_same_whatever_the_order(
    tmp_path: Path, postgresql_or_none: str | None
) -> None:
    places = [str(tmp_path / "first"), str(tmp_path / "second"), postgresql_or_none]
    found = []
    for seed, place in enumerate(filter(None, places)):
        units = list(UNITS)
        Random(seed).shuffle(units)
        store = Store.create(place, EVENT)
        for match in MATCHES if seed else MATCHES[::-1]:
            store.schedule([match], {board: BOARDS[board] for board in match.boards})
        for unit in units:
            store.save(unit, result(unit))
            store.save_analysis(unit.id, (9,))
        store.close()
        found.append(contents(place))
    assert all(each == found[0] for each in found)
    assert len(found[0]["record"]) == len(UNITS)


@pytest.fixture
def postgresql_or_none(request: pytest.FixtureRequest) -> str | None:
    """A database of a server, where there is one."""
    try:
        url: str = request.getfixturevalue("postgresql")()
    except pytest.skip.Exception:
        return None
    return url


@settings(
    deadline=None, max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(records(), min_size=len(UNITS), max_size=len(UNITS)))
def test_any_record_comes_back_as_it_was_saved(
    tmp_path: Path, given_records: list[BoardRecord]
) -> None:
    path = tmp_path / f"{Random().randrange(2**64)}.sqlite"
    with closing(Store.create(path, EVENT)) as store:
        store.schedule(MATCHES, BOARDS)
        for unit, kept in zip(UNITS, given_records, strict=True):
            store.save(unit, kept)
        assert [found for _, found in store.results()] == given_records


def test_whether_an_event_is_being_played_is_known_to_all(store: Store, place: str) -> None:
    with closing(Store.open(place)) as other:
        assert not other.is_being_played()
        with store.locked():
            assert other.is_being_played()
            assert other.is_being_played()
        assert not other.is_being_played()


class TestSeveralEvents:
    OTHER = EVENT.model_copy(update={"name": "Other"})

    def test_results_of_several_events_do_not_meet(self, store: Store, place: str) -> None:
        store.save(UNITS[0], result(UNITS[0]))
        if "://" not in place:
            pytest.skip("a file has one event")
        with closing(Store.create(place, self.OTHER)) as other:
            other.schedule(MATCHES[:1], BOARDS)
            assert list(other.results()) == []
            other.save(UNITS[0], lost(UNITS[0]))
            other.save_analysis(UNITS[0].id, None)
        assert reopened(place, EVENT.name) == {UNITS[0].id: result(UNITS[0])}
        assert reopened(place, "Other") == {UNITS[0].id: lost(UNITS[0])}
        assert store.analysed() == {}
        stores = Store.open_all(place)
        assert [each.event().name for each in stores] == [EVENT.name, "Other"]
        stores[1].remove()
        for each in stores:
            each.close()
        assert reopened(place) == {UNITS[0].id: result(UNITS[0])}

    def test_an_event_must_be_named_where_there_are_several(self, store: Store, place: str) -> None:
        run(
            place,
            "INSERT INTO event (id, name, definition) SELECT 9, 'Other', definition FROM event",
        )
        with pytest.raises(StoreError, match=r"holds 2 events$"):
            Store.open(place)
        with pytest.raises(StoreError, match="holds no event called 'Third'"):
            Store.open(place, "Third")
        assert store.event() == EVENT

    def test_the_name_of_an_event_is_taken_once(self, store: Store, place: str) -> None:
        store.close()
        if "://" not in place:
            with pytest.raises(StoreError, match="exists already"):
                Store.create(place, EVENT)
            return
        with pytest.raises(StoreError, match="has an event 'Größe / Ärger' already"):
            Store.create(place, EVENT)
        assert reopened(place) == {}


class TestWhatCannotBe:
    def test_a_unit_is_kept_once(self, store: Store, place: str) -> None:
        store.save(UNITS[0], result(UNITS[0]))
        before = contents(place)
        with pytest.raises(StoreError, match="cannot write"):
            store.save(UNITS[0], lost(UNITS[0]))
        assert contents(place) == before, "nor any part of it"

    def test_foreign_keys_hold(self, store: Store, place: str) -> None:
        stray = Match(9, 9, (0, 1), (1,))
        (unit, _) = stray.units()
        other_board = replace(UNITS[0], board=77)
        before = contents(place)
        for bad in (unit, other_board):
            with pytest.raises(StoreError, match=r"(?i)cannot write .*foreign key"):
                store.save(bad, result(UNITS[0]))
        with pytest.raises(StoreError, match=r"(?i)cannot write .*foreign key"):
            store.save_analysis(UNITS[0].id, (1,))
        assert contents(place) == before
        store.save(UNITS[0], result(UNITS[0]))
        for table in ("match", "board", "event"):
            with pytest.raises(Exception, match=r"(?i)foreign key"):
                run(place, f"DELETE FROM {table}")

    def test_an_event_from_before_its_keys_has_their_defaults(self, tmp_path: Path) -> None:
        path = tmp_path / "results.sqlite"
        Store.create(path, EVENT).close()
        told = json.loads(EVENT.model_dump_json())
        del told["claims"]
        told["policies"] = {"restarts": told["policies"]["restarts"]}
        run(str(path), f"UPDATE event SET definition = '{json.dumps(told)}'")
        with closing(Store.open(path)) as store:
            assert store.event() == EVENT

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE event SET definition = '{}'",
            "UPDATE event SET definition = 'nothing'",
            "DELETE FROM event",
        ],
    )
    def test_a_definition_that_is_no_event_is_an_error(self, place: str, statement: str) -> None:
        Store.create(place, EVENT).close()
        run(place, statement)
        with pytest.raises(StoreError) as caught:
            Store.open(place)
        assert len(str(caught.value).splitlines()) == 1

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE board SET deal = 'N:A ... ... ...'",
            "UPDATE board SET dealer = 'Q'",
            "UPDATE board SET vulnerability = 'perhaps'",
        ],
    )
    def test_a_row_that_is_no_board_is_an_error(self, tmp_path: Path, statement: str) -> None:
        path = tmp_path / "results.sqlite"
        with closing(Store.create(path, EVENT, GIVEN)) as store:
            run(str(path), statement)
            with pytest.raises(StoreError, match="cannot read"):
                store.boards()

    @pytest.mark.parametrize(
        "pbn", ["", "nothing", '[Event "?"]', '[Board "1"]\n[Deal "N:A ... ... ..."]\n', "Ω"]
    )
    def test_a_row_that_is_no_record_is_an_error(self, tmp_path: Path, pbn: str) -> None:
        path = tmp_path / "results.sqlite"
        with closing(Store.create(path, EVENT)) as store:
            store.schedule(MATCHES, BOARDS)
            store.save(UNITS[0], result(UNITS[0]))
            run(str(path), f"UPDATE record SET pbn = '{pbn}'")
            with pytest.raises(StoreError, match=f"cannot read .*: the record of {UNITS[0].id}: "):
                list(store.results())

    def test_missing_tables_of_the_database_are_an_error(self, store: Store, place: str) -> None:
        store.save(UNITS[0], result(UNITS[0]))
        run(
            place,
            *(f"DROP TABLE {name}" for name in ("analysis", "timing", "thought", "record")),
        )
        for look in (lambda: list(store.results()), store.analysed):
            with pytest.raises(StoreError, match=r"cannot read .*(record|timing|analysis)"):
                look()
        with pytest.raises(StoreError, match=r"cannot write .*record"):
            store.save(UNITS[0], result(UNITS[0]))


class TestOlderReleases:
    @pytest.mark.parametrize("revision", ["0001", "0002"])
    def test_a_store_is_brought_up_to_date_and_gone_on_with(
        self, place: str, tmp_path: Path, revision: str
    ) -> None:
        """Filled as that release did, from what a store of this one holds."""
        now = str(tmp_path / "now.sqlite")
        with closing(Store.create(now, EVENT)) as store:
            store.schedule(MATCHES, BOARDS)
            store.save(UNITS[0], result(UNITS[0]))
            store.save_analysis(UNITS[0].id, (9,))
        engine = connect(place)
        create_schema(engine, revision)
        assert not is_prepared(engine)
        old = MetaData()
        old.reflect(engine)
        entry = {"event": 1, "number": 0, "name": "A", "bot": "baseline"}
        key = {"event": 1, "round": 1, "match": 1, "position": 1, "room": "open"}
        loss = {**key, "card": 0, "seat": "E", "role": "defence", "tricks": 1}
        said = {"contract": "1NT", "declarer": "N", "tricks": 7, "score": 90, "adjusted": None}
        held = connect(now)
        with held.connect() as source, engine.begin() as connection:
            for table in Base.metadata.sorted_tables:
                if table.name not in old.tables:
                    continue
                columns = [each for each in table.columns if each.name in old.tables[table.name].c]
                for row in source.execute(select(*columns)).mappings().all():
                    values = {**row, **(said if table.name == "record" else {})}
                    connection.execute(old.tables[table.name].insert(), values)
            connection.execute(old.tables["entry"].insert(), entry)
            connection.execute(old.tables["ledger"].insert(), loss)
        held.dispose()
        with closing(Store.open(place)) as store:
            assert is_prepared(engine)
            assert store.event() == EVENT
            assert (store.sealing() is None) == (revision == "0001"), "it had no sealed deals"
            untimed = replace(result(UNITS[0]), match_seconds=())
            assert store.played() == [Played(untimed, (9,))]
            assert store.control() is None
            assert not store.is_of_file()
            store.save(UNITS[1], lost(UNITS[1]))
        assert list(reopened(place).values()) == [untimed, lost(UNITS[1])]
        assert {"entry", "ledger"}.isdisjoint(inspect(engine).get_table_names())
        engine.dispose()


class TestFiles:
    def test_a_file_is_not_overwritten(self, tmp_path: Path) -> None:
        path = tmp_path / "results.sqlite"
        path.write_text("mine")
        with pytest.raises(StoreError, match=r"results.sqlite exists already"):
            Store.create(path, EVENT)
        assert path.read_text() == "mine"

    def test_a_folder_without_a_store_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match=r"holds no event \(results.sqlite is missing\)"):
            Store.open(tmp_path / "results.sqlite")
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_that_is_not_there_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(StoreError, match=r"cannot .*nowhere"):
            Store.create(tmp_path / "nowhere" / "results.sqlite", EVENT)

    def test_a_file_that_is_no_database_is_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "results.sqlite"
        path.write_bytes(b"something else " * 100)
        with pytest.raises(StoreError, match="file is not a database"):
            Store.open(path)

    @pytest.mark.parametrize("name", ["what?mode=memory", "50%25", "a#b", "größe & co"])
    def test_a_store_may_be_in_a_folder_of_any_name(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name / "results.sqlite"
        path.parent.mkdir()
        Store.create(path, EVENT).close()
        assert [each.name for each in path.parent.iterdir()] == ["results.sqlite"]
        assert reopened(str(path)) == {}

    def test_nothing_is_left_beside_the_file_of_a_store(self, tmp_path: Path) -> None:
        path = tmp_path / "results.sqlite"
        Store.create(path, EVENT, GIVEN).close()
        assert list(tmp_path.iterdir()) == [path]

    @pytest.mark.slow
    def test_a_process_killed_while_it_makes_a_store_leaves_none(self, tmp_path: Path) -> None:
        """Killed early or late, the process leaves no half-made store, and it can be made again."""
        path = tmp_path / "results.sqlite"
        for statement in (2, 12, 20):
            status = subprocess.run(
                [sys.executable, "-c", KILLED, str(path), str(statement), EVENT.model_dump_json()],
                check=False,
            ).returncode
            assert status == -signal.SIGKILL
            if path.exists():
                assert reopened(str(path)) == {}
                path.unlink()
        Store.create(path, EVENT, GIVEN).close()
        with closing(Store.open(path)) as store:
            assert (store.event(), store.boards()) == (EVENT, GIVEN)
        assert list(tmp_path.iterdir()) == [path]


# Dies before its Nth statement.
KILLED = """
import os, signal, sys
from pathlib import Path
from sqlalchemy import event
from sqlalchemy.engine import Engine
from bridge_arena.tournaments.events.event import Event
from bridge_arena.tournaments.store import Store

left = int(sys.argv[2])

@event.listens_for(Engine, "before_cursor_execute")
def count(*_):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

Store.create(Path(sys.argv[1]), Event.model_validate_json(sys.argv[3])).close()
"""


def test_a_database_that_cannot_be_reached_is_an_error(tmp_path: Path) -> None:
    nowhere = f"postgresql://arena@/x?unix_sock={tmp_path}/none"
    with pytest.raises(StoreError, match="cannot read postgresql") as caught:
        Store.create(nowhere, EVENT)
    assert len(str(caught.value).splitlines()) == 1


def test_the_password_of_a_database_is_not_told() -> None:
    with pytest.raises(StoreError) as caught:
        Store.create("postgresql://arena:secret@127.0.0.1:1/x", EVENT)
    assert "secret" not in str(caught.value)


def test_a_server_that_asks_for_a_password_that_is_not_given_is_told_an_empty_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The driver breaks where it has none to tell."""
    pg8000 = pytest.importorskip("pg8000")
    told: list[str | None] = []

    def ask(*_: object, password: str | None = None, **__: object) -> None:
        told.append(password)
        raise pg8000.Error("password authentication failed")

    monkeypatch.setattr(pg8000, "connect", ask)
    with pytest.raises(StoreError, match="password authentication failed"):
        Store.create("postgresql://arena@127.0.0.1/x", EVENT)
    assert told == [""]


@pytest.mark.parametrize("url", ["chalk://board", "postgresql://", "mysql://x/y"])
def test_a_url_of_no_database_is_an_error(url: str) -> None:
    with pytest.raises(StoreError):
        Store.create(url, EVENT)


def test_modes_are_kept(place: str) -> None:
    for mode in Mode:
        named = EVENT.model_copy(update={"mode": mode, "name": mode.value})
        if "://" not in place:
            place = f"{place}-{mode}"
        Store.create(place, named).close()
        with closing(Store.open(place, mode.value)) as store:
            assert store.event().mode is mode


def test_a_store_of_another_process_is_only_waited_for(tmp_path: Path) -> None:
    """Another program reads while this one writes."""
    path = tmp_path / "results.sqlite"
    with closing(Store.create(path, EVENT)) as store:
        store.schedule(MATCHES, BOARDS)
        with closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM record").fetchone() == (0,)
            store.save(UNITS[0], result(UNITS[0]))
            assert reader.execute("SELECT count(*) FROM record").fetchone() == (0,)
            reader.execute("COMMIT")
            assert reader.execute("SELECT count(*) FROM record").fetchone() == (1,)


def test_the_programs_that_played_are_kept(tmp_path: Path) -> None:
    programs = "Bot 1", "", "natural 0.3", "Bot 1"
    with closing(Store.create(tmp_path / "a.sqlite", EVENT)) as store:
        store.schedule(MATCHES, BOARDS)
        store.save(UNITS[0], replace(result(UNITS[0]), programs=programs))
        store.save(UNITS[1], result(UNITS[1]))
        assert [record.programs for _, record in store.results()] == [programs, ()]
