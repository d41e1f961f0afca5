"""Tests of imports that are put off, and that collecting the tests loads no heavy library."""

from __future__ import annotations

import sys

import pytest

from tests.late_imports import LOADED, late_imports

with late_imports("json"):
    import tabnanny
    from modulefinder import ModuleFinder
    from wsgiref import validate

HEAVY = {
    *("alembic", "distributed", "endplay", "mcp", "numba", "pandas", "pyarrow", "pyspiel"),
    *("scipy", "sklearn", "torch", "trustme"),
}
"""Libraries that take megabytes of each process that collects the tests, used or not."""


def test_what_is_imported_late_is_loaded_by_its_first_use(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = pytestconfig.stash[LOADED]
    assert not {"modulefinder", "tabnanny", "wsgiref.validate"} & loaded
    assert ModuleFinder().modules == {}
    monkeypatch.setattr(tabnanny, "verbose", 2)
    assert sys.modules["tabnanny"].verbose == tabnanny.verbose == 2
    assert "wsgiref.validate" not in sys.modules
    assert validate.validator is sys.modules["wsgiref.validate"].validator


def test_without_its_library_a_module_of_tests_is_skipped() -> None:
    with pytest.raises(pytest.skip.Exception, match="nosuch"), late_imports("json", "nosuch"):
        pass


def test_collecting_the_tests_loads_no_heavy_library(pytestconfig: pytest.Config) -> None:
    """`late_imports` is how a module of tests has one."""
    loaded = pytestconfig.stash[LOADED]
    assert loaded & HEAVY == set()
