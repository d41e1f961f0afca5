"""What all pages have in common: style, macros, and filters for figures."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bridge_arena.bridge.calls import Denomination
from bridge_arena.reports.common import wording

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What a page may do: show what is in it, and nothing else."""


def templates(*folders: Path) -> Environment:
    """Templates of `folders`, with this folder's style sheet and the filters for figures."""
    environment = Environment(
        loader=FileSystemLoader([*folders, Path(__file__).parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["policy"] = _policy
    environment.filters["signed"] = _signed
    environment.filters["decimal"] = _decimal
    environment.filters["mean"] = lambda mean: _minus(wording.mean_text(mean))
    environment.filters["made"] = lambda table: _minus(
        wording.made_text(table.contract, table.tricks)
    )
    environment.filters["minus"] = _minus
    environment.filters["error"] = lambda mean: wording.error(mean, 2)
    environment.filters["share"] = lambda mean: _minus(wording.share_text(mean))
    environment.filters["ms"] = lambda value: _minus(wording.milliseconds_text(value))
    environment.filters["promises"] = wording.promises_text
    environment.filters["held"] = wording.held_text
    environment.filters["suit"] = _suit
    return environment


def _policy(script: str) -> str:
    """What a page may do that has this script in it, and no other; "" for none."""
    if not script:
        return _POLICY
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return f"{_POLICY}; script-src 'sha256-{digest}'"


def _suit(denomination: Denomination) -> str:
    """The suit's symbol; NT at notrump."""
    return "NT" if denomination.trump is None else denomination.trump.symbol


def _signed(value: float, digits: int = 0) -> str:
    return _minus(wording.signed(value, digits))


def _decimal(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else _minus(f"{value:.{digits}f}")


def _minus(text: str) -> str:
    """With the minus sign of print; a lone hyphen stands for nothing known."""
    return "–" if text == "-" else text.replace("-", "−")
