"""Tests of where the thoughts of real bots are kept, and where they are not."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bridge_arena.tournaments.store import Store
from tests.end_to_end.arena import arena, records_of

HOSTILE = "<script>alert('\\u2660')</script>"

THINKER = """
from bridge_arena import PASS, Bot, run

class Thinker(Bot):
    def call(self, view):
        self.think("not this one")
        self.think({text!r}, candidates={{PASS: 0.5}}, layouts=3, depth=1, seconds=0.25)
        return PASS

    def play(self, view):
        return min(view.legal_cards())

run(Thinker)
"""


@pytest.mark.slow
def test_thoughts_are_in_log_and_store_and_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "thinker.py").write_text(THINKER.format(text=HOSTILE))
    thinker = f"thinker=cmd:{sys.executable} thinker.py"
    ended = arena(
        tmp_path, *("match", thinker, "natural", "--boards", "1", "--seed", "3", "--out", "out")
    )
    assert ended.status == 0, ended
    out = tmp_path / "out"
    with closing(Store.open(out / "results.sqlite")) as store:
        records = dict(store.results())
        thoughts = {unit: store.thoughts(unit) for unit in records}
    lines = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
    logged = [line for line in lines if line["event"] == "thought"]
    assert len(logged) == sum(map(len, thoughts.values()))
    for unit, record in records.items():
        theirs = [each for each in thoughts[unit] if record.players[each.seat] == "thinker"]
        passes = [
            place
            for place in range(len(record.calls))
            if record.players[(record.board.dealer + place) % 4] == "thinker"
        ]
        assert [each.action for each in theirs] == [place for place in passes for _ in range(2)]
        assert {each.text for each in theirs} == {"not this one", HOSTILE}
        assert theirs[1].said == {
            "text": HOSTILE,
            "candidates": {"Pass": 0.5},
            "layouts": 3,
            "depth": 1,
            "seconds": 0.25,
        }
        natural = [each for each in thoughts[unit] if record.players[each.seat] == "natural"]
        assert natural
        assert not record.faults
    assert records_of(out / "match.pbn") == list(records.values())
    for name in ("match.pbn", "summary.json", "report.html"):
        assert "not this one" not in (out / name).read_text("latin-1")
