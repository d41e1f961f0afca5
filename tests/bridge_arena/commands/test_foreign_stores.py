"""Commands that open a store that a stranger made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.commands.main import UNUSABLE, run
from bridge_arena.recorded.analysis.answers import Answers, AnswersError
from bridge_arena.tournaments.events.event import Entrant, Event
from bridge_arena.tournaments.formats.rules import Format
from bridge_arena.tournaments.schedule.event_files import STORE
from bridge_arena.tournaments.store import Store

ENDLESS = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT count(x) FROM c"

MATCH = Event(
    name="Cup",
    format=Format.MATCH,
    entries=(Entrant(bot="random", name="A"), Entrant(bot="random", name="B")),
    boards=1,
    seed=1,
)


def with_endless_view(path: Path, table: str) -> None:
    """Put a view that never ends in place of a table."""
    with closing(sqlite3.connect(path)) as store, store:
        store.execute(f"DROP TABLE {table}")
        store.execute(f"CREATE VIEW {table} AS {ENDLESS}")


@pytest.mark.parametrize("table", ["alembic_version", "event", "record"])
@pytest.mark.parametrize(
    "command",
    [
        "report cup",
        "leaderboard cup",
        "leaderboard sqlite:///cup/results.sqlite",
        "publish cup --out site",
        "audit cup",
        "view cup --no-browser",
        "match --resume cup",
        "play --resume cup",
        "lab --resume cup",
        "llm-bench --resume cup",
        "mcp --resume cup",
        "deal --verify cup",
        "boards dataset cup --out set",
    ],
)
def test_an_endless_view_in_place_of_a_table_is_told_at_once(
    command: str,
    table: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cup").mkdir()
    Store.create(Path("cup", STORE), MATCH).close()
    with_endless_view(Path("cup", STORE), table)
    assert run(command.split()) == UNUSABLE
    (complaint,) = capsys.readouterr().err.splitlines()
    assert complaint.startswith("arena: cannot read cup/results.sqlite: ")
    assert complaint.endswith(f"'{table}' in it is no plain table")
    assert [each.name for each in tmp_path.iterdir()] == ["cup"]


def test_an_endless_view_in_place_of_answers_is_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    Answers(path).close()
    with_endless_view(path, "unit")
    with pytest.raises(AnswersError, match=r"^cannot use .*: 'unit' in it is no plain table$"):
        Answers(path)
