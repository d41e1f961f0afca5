"""The claims and policies of an event file, with programs that play in it.

`tests/tournaments/play/test_event_policies.py` tries each of them in one process.
"""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from pathlib import Path

import pytest

from bridge_arena.bridge.record import FaultKind
from tests.data import ROOT
from tests.end_to_end.arena import arena, log_of, records_of, summary_of, write_bot
from tests.end_to_end.conftest import Here

CLAIMING = f"cmd:{shlex.quote(sys.executable)} {ROOT / 'docs' / 'examples' / 'claiming_bot.py'}"

# Passes, except that it opens with what is no call.
ILLEGAL = """
    from bridge_arena.bots.sdk.client import Bot, run
    from bridge_arena.bridge.calls import PASS, Call

    class Illegal(Bot):
        def call(self, view):
            return PASS if view.auction.calls else Call("XX")

        def play(self, view):
            return min(view.legal_cards())

    run(Illegal)
"""


@pytest.mark.slow
def test_an_event_file_sets_claims_and_policies(here: Here, tmp_path: Path) -> None:
    """The example bot claims the last tricks of some of these boards."""
    (tmp_path / "cup.toml").write_text(
        "[event]\nname = 'Cup'\nformat = 'match'\nboards = 3\nseed = 7\nclaims = 'checked'\n"
        "[policies]\nretries = 0\n"
        f"[[entry]]\nname = 'claiming'\nbot = '''{CLAIMING}'''\n"
        f"[[entry]]\nname = 'illegal'\nbot = '''{write_bot(tmp_path, 'illegal', ILLEGAL)}'''\n"
    )
    ended = arena(tmp_path, "tournament", "cup.toml", "--out", "out", "--concurrency", "2")
    assert ended.status == 0, ended
    warnings = ended.errors.splitlines()
    assert all(line.startswith("arena: illegal: illegal action on board ") for line in warnings)
    assert "Set otherwise than by default: claims checked, retries 0." in ended.output

    out = tmp_path / "out"
    lines, records = log_of(out), records_of(out / "match.pbn")
    claims = [line for line in lines if line["event"] == "claim"]
    assert claims
    assert all(claim["accepted"] and claim["entry"] == "claiming" for claim in claims)
    assert sum(0 < len(record.cards) < 52 for record in records) == len(claims)
    faults = [(record, fault) for record in records for fault in record.faults]
    assert {fault.kind for _, fault in faults} == {FaultKind.ILLEGAL}
    assert {record.players[fault.seat] for record, fault in faults} == {"illegal"}
    at_turn = Counter((record.board.number, record.room, fault.action) for record, fault in faults)
    assert set(at_turn.values()) == {1}, "nobody is asked again"

    summary = summary_of(out)
    assert summary["terms"] == {"claims": "checked", "retries": 0}
    assert summary["bots"][1]["conduct"]["illegal_actions"] == len(faults)
    alone = here("report", "out/match.pbn", "--out", "alone")
    assert (alone.status, alone.errors) == (0, ""), alone
    assert summary_of(tmp_path / "alone") == summary
    analysed = here("analyse", "out/match.pbn", "--out", "analysed")
    assert (analysed.status, analysed.errors) == (0, ""), analysed


def test_claims_are_refused_where_no_card_is_played(here: Here, tmp_path: Path) -> None:
    options = "--mode bidding --claims checked --out out".split()
    complaint = here("match", "random", "random", *options).complaint(2)
    assert complaint.startswith("--claims: only where cards are played")
    assert not (tmp_path / "out").exists()
