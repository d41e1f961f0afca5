"""The loading of Bo Haglund's DDS through `endplay._dds`, without importing endplay.

Importing any module of endplay first runs its `__init__`, which imports numpy and matplotlib: 0.7
to 1.0 s and 93 MB, in every worker process again. Its subpackage `_dds`, a bare ctypes layer beside
the shared library, needs none of that. Found by its path and executed under a private name it takes
30 ms.

Loading it resets DDS's threads, so it must happen once in a process, before any question, and
nothing else in the process may import endplay.

The layer's names and encodings are used in this package only: seats N E S W are 0..3, suits S H D C
0..3 with notrump 4, and a holding has bit r set for rank r = 2..14.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Lock
from types import ModuleType

from bridge_arena.base.extras import installing
from bridge_arena.bridge.calls import Denomination
from bridge_arena.bridge.cards import Hand, Suit
from bridge_arena.oracle.errors import SolverError

# Without the lock, `cache` would let two threads load it at the same time.
_loading = Lock()


def load() -> ModuleType:
    """Return the ctypes layer, which the first call loads.

    Returns:
        The module.

    Raises:
        SolverError: endplay is not installed, or its internals have changed.
    """
    with _loading:
        return _load()


@cache
def _load() -> ModuleType:
    endplay = find_spec("endplay")
    places = endplay.submodule_search_locations if endplay else None
    if not places:
        raise SolverError(f"the double-dummy solver is missing, endplay: {installing('report')}")
    path = Path(places[0], "_dds", "__init__.py")
    spec = spec_from_file_location("bridge_arena.oracle._dds", path)
    if spec is None or spec.loader is None or not path.exists():
        raise SolverError(f"the double-dummy solver is missing: no {path}")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def suit_code(suit: Suit) -> int:
    """Return the solver's number of a suit: S H D C are 0..3."""
    return 3 - suit


def trump_code(trump: Suit | None) -> int:
    """Return the solver's number of a trump suit, or of notrump."""
    return 4 if trump is None else 3 - trump


def denomination_code(denomination: Denomination) -> int:
    """Return the solver's number of a denomination."""
    return trump_code(denomination.trump)


def holding_code(hand: Hand, suit: Suit) -> int:
    """Return the solver's bits of one suit of a hand: bit r for rank r = 2..14."""
    return hand.holding(suit) << 2
