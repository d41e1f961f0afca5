"""Tests of the public face: its names, their homes, and what importing it loads."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import bridge_arena
from bridge_arena import Deal, Seat, double_dummy_table, par, play_match
from bridge_arena.lin.writer import format_records

NAMES = {
    *("Ask", "Board", "BoardRecord", "Bot", "Call", "Card", "Contract", "DOUBLE", "Deal"),
    *("Denomination", "Explanation", "Hand", "MadeCall", "PASS", "REDOUBLE", "Rank", "Seat"),
    *("Side", "Suit", "View", "Vulnerability", "__version__", "double_dummy_table", "par"),
    *("play_match", "read_boards", "read_records", "run", "write_records"),
    *("hcp", "longest_suit", "winning_index", "Ladder", "LeavingError", "NoActionError"),
}

DEAL = "N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65"


def test_the_face_has_all_names_that_it_promises_and_no_more() -> None:
    assert set(bridge_arena.__all__) == NAMES == set(dir(bridge_arena))
    assert all(getattr(bridge_arena, name) is not None for name in NAMES)


def test_the_names_that_type_checkers_see_are_those_that_are_loaded() -> None:
    """The names for type checkers and the names that are loaded are the same."""
    code = Path(bridge_arena.__file__).read_text(encoding="utf-8")
    for name, home in bridge_arena._HOMES.items():
        (line,) = [line for line in code.splitlines() if line.strip().startswith(f"from {home} ")]
        assert name in line.partition(" import ")[2].split(", ")


def test_a_name_that_the_face_does_not_have_is_an_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Card2'"):
        bridge_arena.Card2  # noqa: B018


def test_importing_the_face_loads_nothing() -> None:
    code = "import sys, bridge_arena; print(*[each for each in sys.modules if 'arena' in each])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert loaded.split() == [b"bridge_arena"]


def test_the_face_solves_a_table_and_finds_par() -> None:
    table = double_dummy_table(Deal.parse(DEAL))
    assert [table.tricks(bridge_arena.Denomination.SPADES, seat) for seat in Seat] == [3, 10, 3, 10]
    assert par(table, Seat.NORTH, bridge_arena.Vulnerability.NONE).score == -450


def test_records_are_written_and_read_back_by_the_face(tmp_path: Path) -> None:
    match = play_match("baseline", "random", 2, seed=3)
    bridge_arena.write_records(tmp_path / "match.pbn", match.records)
    assert [each.score for each in bridge_arena.read_records(tmp_path / "match.pbn")] == [
        each.score for each in match.records
    ]
    assert [each.number for each in bridge_arena.read_boards(tmp_path / "match.pbn")] == [1, 2]
    assert [each.name for each in tmp_path.iterdir()] == ["match.pbn"]
    as_lin = tmp_path / "match.lin"
    as_lin.write_text("".join(format_records(match.records)))
    assert [each.score for each in bridge_arena.read_records(as_lin)] == [
        each.score for each in match.records
    ]


def public_functions() -> list[tuple[str, Callable[..., object]]]:
    """The functions of the face, and the public methods of its classes."""
    found: list[tuple[str, Callable[..., object]]] = []
    for name in bridge_arena.__all__:
        each = getattr(bridge_arena, name)
        if inspect.isclass(each):
            for method, value in vars(each).items():
                function = (
                    value.__func__ if isinstance(value, (classmethod, staticmethod)) else value
                )
                if inspect.isfunction(function) and not method.startswith("_"):
                    found.append((f"{name}.{method}", function))
        elif inspect.isfunction(each):
            found.append((name, each))
    return found


@pytest.mark.parametrize("function", [pytest.param(f, id=name) for name, f in public_functions()])
def test_the_reference_has_what_a_function_takes_and_gives(
    function: Callable[..., object],
) -> None:
    """Docstrings have Google's form; one line is enough where there is nothing to explain."""
    told = inspect.getdoc(function) or ""
    first, *rest = told.split("\n")
    assert first.endswith(".")
    if not rest:
        return
    assert rest[0] == ""
    signature = inspect.signature(function)
    parameters = [name for name in signature.parameters if name not in ("self", "cls")]
    if parameters:
        section = re.search(r"^Args:\n((?:    .*\n?|\n)+)", told, re.M)
        assert section, "its parameters are not explained"
        explained = re.findall(r"^    \*{0,2}(\w+): ", section[1], re.M)
        assert explained == parameters
    if signature.return_annotation not in ("None", None):
        assert re.search(r"^(Returns|Yields):$", told, re.M), "what it returns is not explained"
