"""`arena audit` as a user runs it."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path

import pytest

from bridge_arena.oracle import DEADLINE
from bridge_arena.oracle.pool import Oracle
from bridge_arena.pbn.read.records import read_records
from bridge_arena.recorded.audit import Kind
from bridge_arena.recorded.audit.anytime import deal_counts, needed, wealth
from bridge_arena.reports.common.tables import SeatedTable
from bridge_arena.tournaments import Played
from tests.end_to_end.arena import arena, interrupt, started, wait_until
from tests.end_to_end.solvers import stopping_after
from tests.reports.pages import boards_in

pytestmark = pytest.mark.slow

CHECKPOINT = "audit.jsonl"


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a match that a cheat has played."""
    folder = tmp_path_factory.mktemp("audit")
    words = ("--boards", "12", "--seed", "7", "--no-control", "--out", "m")
    ended = arena(folder, "match", "oracle", "baseline", *words)
    assert ended.status == 0, ended
    return folder / "m"


def test_a_cheat_is_suspected(match: Path, tmp_path: Path) -> None:
    words = ("--only", "defenders", "--only", "declarer", "--layouts", "4", "--out", str(tmp_path))
    ended = arena(match.parent, "audit", "m", *words)
    assert ended.status == 0, ended
    assert ended.output.index("oracle: ") < ended.output.index("baseline: ")
    assert "arena leaderboard m --out pages" in ended.output
    told = json.loads((tmp_path / "audit.json").read_text())
    oracle, baseline = told["entries"]
    assert (oracle["name"], baseline["name"]) == ("oracle", "baseline")
    assert oracle["p_value"] < 0.05 < baseline["p_value"]
    cards = oracle["kinds"]["defenders"]
    assert cards["foresight"] == pytest.approx(cards["luck"] - cards["allowed"], abs=2e-6)
    where = cards["told"][0]
    table = ["Open", "Closed"].index(where["room"]) + 1
    assert where["replay"] == f"boards/board.html#board=1-1-board-{where['board']}&table={table}"
    ended = arena(match.parent, "leaderboard", "m", "--out", str(tmp_path / "pages"))
    assert ended.status == 0, ended
    board = boards_in(tmp_path / "pages" / "boards")[f"1-1-board-{where['board']}"]
    assert board["tables"][table - 1]["room"] == where["room"]


def test_an_audit_of_the_pbn_file_alone_has_the_same_figures(match: Path, tmp_path: Path) -> None:
    shutil.copy(match / "match.pbn", tmp_path / "alone.pbn")
    for source, out in ((match, "one"), (tmp_path / "alone.pbn", "two")):
        words = ("--only", "leads", "--layouts", "4", "--out", out)
        assert arena(tmp_path, "audit", str(source), *words).status == 0
    one, two = (json.loads((tmp_path / out / "audit.json").read_text()) for out in ("one", "two"))
    assert one == two
    assert one["entries"][0]["kinds"].keys() == {"leads"}


def test_an_audit_goes_on_where_it_was_stopped(match: Path, tmp_path: Path) -> None:
    words = ("audit", str(match), "--only", "declarer", "--layouts", "4", "--workers", "1")
    whole = arena(tmp_path, *words, "--out", "whole")
    assert whole.status == 0, whole
    out = tmp_path / "out"
    held = stopping_after(6, tmp_path)
    with started(tmp_path, *words, "--out", "out", environment=held) as process:
        wait_until(lambda: lines(out) > 3, "some decisions are judged")
        complaint = interrupt(process).complaint(3)
    before, again = complaint.split("go on with: ")
    assert before == "interrupted; "
    kept = (out / CHECKPOINT).read_bytes()
    assert lines(out) < lines(tmp_path / "whole")
    ended = arena(tmp_path, *shlex.split(again)[1:])
    assert ended.status == 0, ended
    assert (out / CHECKPOINT).read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    assert (out / "audit.json").read_bytes() == (tmp_path / "whole" / "audit.json").read_bytes()


def lines(folder: Path) -> int:
    """Return how much is kept, read from outside."""
    path = folder / CHECKPOINT
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_source_that_cannot_be_audited_is_told_in_one_line(match: Path, tmp_path: Path) -> None:
    def complaint(*words: str) -> str:
        return arena(tmp_path, "audit", *words).complaint(2)

    assert "missing.pbn" in complaint("missing.pbn")
    (tmp_path / "empty").mkdir()
    assert "empty holds no event" in complaint("empty")
    assert complaint(str(match), str(match)).endswith(f" is there twice: in {match}")
    assert "'--only'" in complaint(str(match), "--only", "bids")
    assert "'--layouts'" in complaint(str(match), "--layouts", "1")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / CHECKPOINT).write_text('{"layouts": "99"}\n{"unit": "a/1"}\n')
    told = complaint(str(match), "--out", "out")
    assert told == "out holds another run (layouts 99, not 16): choose another --out"
    ended = arena(
        tmp_path, "match", "random", "random", "--mode", "play", "--boards", "1", "--out", "m"
    )
    assert ended.status == 0, ended
    told = complaint("m", "--only", "calls")
    assert told == "nothing to audit: no such decision is recorded"


@pytest.mark.weekly(part="benchmarks")
def test_a_cheat_on_a_ladder_is_accused_and_its_opponent_is_not(tmp_path: Path) -> None:
    words = ("--boards", "44", "--seed", "5", "--no-control", "--out", "m")
    assert arena(tmp_path, "match", "oracle", "baseline", *words).status == 0
    tables = [
        SeatedTable(Played(record), record.players)
        for record in read_records(tmp_path / "m" / "match.pbn")
    ]
    with Oracle(None, DEADLINE) as oracle:
        counts = deal_counts(tables, list(Kind), oracle)
    accused = {name: wealth(own, 1) >= needed(1) for name, own in counts.items()}
    assert accused == {"oracle": True, "baseline": False}
