"""The keys and values of summary.json."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, Mode, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.reports.common.values import values
from tests.reports.match.matches import Ledgers, explained_match, figures_of, matches, worked_match
from tests.tournaments.matches import unfinished


def test_the_summary_has_the_figures_of_a_worked_match() -> None:
    records, ledgers = worked_match()
    records[0] = replace(records[0], times=((1.0,), (4.0,), (2.0,), ()))
    result = values(figures_of(records, ledgers))
    boards = result.pop("board_results")
    alpha, beta = result.pop("bots")
    assert result == {
        "names": ["alpha", "beta"],
        "event": records[0].event,
        "dates": sorted({record.date for record in records if record.date}),
        "mode": "full",
        "boards": 3,
        "single_table_boards": 0,
        "imps": -2,
        "imps_per_board": {"n": 3, "mean": -0.666667, "standard_error": 4.630815},
        "control": None,
        "p_value": 1.0,
        "victory_points": [8.62, 11.38],
        "winner": "beta",
        "forfeit": None,
        "adjusted_boards": 0,
        "adjusted_imps": 0,
        "sprt": None,
        "deals": {
            "origin": "unknown",
            **dict.fromkeys(("seed", "file", "commitment", "public", "public_value", "key")),
        },
        "terms": {},
        "costs": [
            {"name": name, "cards": {"n": 0, "tricks": 0, "worst": []}, "calls": None}
            for name in ("alpha", "beta")
        ],
    }
    assert alpha["name"] == "alpha"
    assert alpha["timing"] == {
        "actions": 2,
        "mean_ms": 1.5,
        "p99_ms": 1.99,
        "tables": 1,
        "table_ms": 3.0,
    }
    assert beta["timing"]["p99_ms"] == 4
    assert alpha["imps_per_board"] == result["imps_per_board"]
    assert alpha["conduct"] == {
        "timeouts": 0,
        "illegal_actions": 0,
        "malformed": 0,
        "lost_players": 0,
        "lost_boards": 0,
        "faults": {kind.value: 0 for kind in FaultKind},
    }
    declarer = beta["tricks_vs_dd"]["declarer"]
    assert (declarer["n"], declarer["mean"], declarer["standard_error"]) == (3, 0.0, 0.57735)
    assert declarer["by_level"]["3"] == {"n": 2, "mean": 0.0, "standard_error": 1.0}
    ledger = alpha["ledger"]
    assert ledger["boards"] == 3
    assert ledger["tricks_lost_per_board"]["opening_lead"]["mean"] == 0.666667
    imps = ledger["imps_per_board"]
    assert (imps["all"], imps["auction"]["mean"]) == (alpha["imps_per_board"], 2.666667)
    assert {role: mean["mean"] for role, mean in imps["own"].items()} == {
        "opening_lead": -4.5,
        "declarer_play": 0.0,
        "defence": 0.0,
    }
    assert imps["opponents"]["declarer_play"]["mean"] == 1.166667
    assert boards[1] == {
        "board": 2,
        "dealer": "E",
        "vulnerability": "NS",
        "open": {"contract": "3NT", "declarer": "E", "tricks": 9, "dd_tricks": 8, "score": -400},
        "closed": {
            "contract": "Pass",
            "declarer": None,
            "tricks": None,
            "dd_tricks": None,
            "score": 0,
        },
        "imps": -9,
        "cumulative": -2,
        "split": {
            "auction": 2.0,
            "first": {"opening_lead": -11.0, "declarer_play": 0.0, "defence": 0.0},
            "second": {"opening_lead": 0.0, "declarer_play": 0.0, "defence": 0.0},
        },
        "costliest_card": None,
        "replay": "boards/board.html#board=board-2",
        "costliest_call": None,
    }


def test_the_summary_tells_of_explanations() -> None:
    result = values(figures_of(*explained_match()))
    alpha, beta = (bot["explanations"] for bot in result["bots"])
    assert (alpha["calls"], alpha["alerted"], alpha["explained"], alpha["with_ranges"]) == (1,) * 4
    one = {"n": 1, "mean": 0.0, "standard_error": None}
    none = {"n": 0, "mean": None, "standard_error": None}
    assert alpha["kept"] == one
    assert alpha["hcp"] == {"kept": one, "width": 4.0, "missed_by": one | {"mean": 1.0}}
    assert alpha["spades"] == {"kept": one, "width": 10.0, "missed_by": one | {"mean": 2.0}}
    assert alpha["diamonds"] == {"kept": one | {"mean": 1.0}, "width": 9.0, "missed_by": none}
    assert alpha["clubs"] == {"kept": none, "width": None, "missed_by": none}
    assert alpha["worst"] == [
        {
            "board": 1,
            "room": "Open",
            "seat": "N",
            "position": 1,
            "call": "1D",
            "promised": "invitation [hcp 14-18, S 3-13, D 4-13]",
            "hand": "2.KQ74.QJ83.KQ72",
            "off": {"hcp": -1, "spades": -2},
        }
    ]
    assert alpha.keys() == beta.keys()
    assert (beta["calls"], beta["explained"], beta["kept"], beta["worst"]) == (1, 0, none, [])


def test_a_given_auction_explains_nothing_of_the_bots() -> None:
    records = [replace(record, mode=Mode.PLAY) for record in explained_match()[0]]
    bots = values(figures_of(records, {}))["bots"]
    assert [bot["explanations"]["calls"] for bot in bots] == [0, 0]


def test_the_summary_tells_a_forfeit() -> None:
    crash = Fault(Seat.EAST, FaultKind.CRASH, 9, "exit status 1")
    records, ledgers = worked_match()
    result = values(figures_of([*records, unfinished(4, Room.OPEN, crash)], ledgers))
    assert result["winner"] == "alpha"
    assert result["forfeit"] == {
        "by": "beta",
        "board": 4,
        "room": "Open",
        "seat": "E",
        "fault": "crash",
        "detail": "exit status 1",
    }


@pytest.mark.parametrize("key", ["p_value", "victory_points", "winner", "forfeit", "sprt"])
def test_figures_that_are_not_known_are_null(key: str) -> None:
    result = values(figures_of([], {}))
    assert result[key] is None
    assert result["imps_per_board"] == {"n": 0, "mean": None, "standard_error": None}
    timing = result["bots"][0]["timing"]
    assert (timing["actions"], timing["mean_ms"], timing["table_ms"]) == (0, None, None)


@settings(deadline=None)
@given(matches())
@pytest.mark.slow
def test_the_summary_is_strict_json(match: tuple[list[BoardRecord], Ledgers]) -> None:
    result = values(figures_of(*match))
    text = json.dumps(result, allow_nan=False)
    assert json.loads(text) == result
    assert "-0.0," not in text
