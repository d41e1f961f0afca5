"""Imports of heavy libraries, put off until a test uses them: each process collects all tests, and
runs some of them."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

LOADED = pytest.StashKey[frozenset[str]]()
"""The modules that were loaded when the tests had been collected."""


class Late:
    """A module, or what one has, loaded by the first use of an attribute or the first call."""

    __slots__ = ("_home", "_loaded", "_name")

    _mock_name = None  # pytest looks at it in whatever may be a fixture

    def __init__(self, home: str, name: str = "") -> None:
        for slot, value in zip(self.__slots__, (home, None, name), strict=True):
            object.__setattr__(self, slot, value)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]  # monkeypatch restores it
        names: dict[str, Any] = vars(_loaded(self))
        return names

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return _loaded(self)(*arguments, **named)

    def __getattr__(self, attribute: str) -> Any:
        # A look at what it is, as pytest's at whatever may be a test, does not load it.
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return getattr(_loaded(self), attribute)

    def __setattr__(self, attribute: str, value: object) -> None:
        setattr(_loaded(self), attribute, value)


def _loaded(late: Late) -> Any:
    if late._loaded is None:
        home, name = late._home, late._name
        loaded = import_module(home)
        if name:
            if not hasattr(loaded, name):
                import_module(f"{home}.{name}")
            loaded = getattr(loaded, name)
        object.__setattr__(late, "_loaded", loaded)
    return late._loaded


@contextmanager
def late_imports(*libraries: str) -> Iterator[None]:
    """Have what the block imports loaded when a test first uses it.

    What is neither called nor has attributes, as a number, and a class to inherit from, to catch
    or to ask for, is reached through its module. Without one of the libraries, which another extra
    than `dev` brings, the module's tests are skipped.
    """
    for library in libraries:
        if find_spec(library) is None:
            pytest.skip(f"{library} is not installed", allow_module_level=True)
    at_once = builtins.__import__

    def late(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        # Another thread may import something meanwhile.
        if not str((globals or {}).get("__name__")).startswith("tests."):
            return at_once(name, globals, locals, fromlist, level)
        if not fromlist:
            return Late(name)
        return SimpleNamespace(**{each: Late(name, each) for each in fromlist})

    builtins.__import__ = late
    try:
        yield
    finally:
        builtins.__import__ = at_once
