"""The parts that all pages share: style, macros, and filters for figures."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bridge_arena.bridge.calls import Denomination
from bridge_arena.reports.common import wording
from bridge_arena.reports.common.columns import page_columns, with_minus
from bridge_arena.reports.common.model_use import PAGE_TABLES

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""The policy of a page, which may only show what is in it."""


def templates(*folders: Path) -> Environment:
    """Return the templates of some folders, with the common style sheet and filters for figures.

    Args:
        folders: The first folder that has a template counts.
    """
    environment = Environment(
        loader=FileSystemLoader([*folders, Path(__file__).parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["model_tables"] = PAGE_TABLES
    environment.filters["policy"] = _policy
    environment.filters["signed"] = _signed
    environment.filters["decimal"] = _decimal
    environment.filters["mean"] = lambda mean: with_minus(wording.mean_text(mean))
    environment.filters["made"] = lambda table: with_minus(
        wording.made_text(table.contract, table.tricks)
    )
    environment.filters["minus"] = with_minus
    environment.filters["page_columns"] = page_columns
    environment.filters["error"] = lambda mean: wording.error(mean, 2)
    environment.filters["share"] = lambda mean: with_minus(wording.share_text(mean))
    environment.filters["ms"] = lambda value: with_minus(wording.milliseconds_text(value))
    environment.filters["promises"] = wording.promises_text
    environment.filters["held"] = wording.held_text
    environment.filters["suit"] = _suit
    return environment


def _policy(script: str) -> str:
    """Return the policy of a page with this script, and no other script; "" for none."""
    if not script:
        return _POLICY
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return f"{_POLICY}; script-src 'sha256-{digest}'"


def _suit(denomination: Denomination) -> str:
    """Return the suit's symbol, or NT."""
    return "NT" if denomination.trump is None else denomination.trump.symbol


def _signed(value: float, digits: int = 0) -> str:
    return with_minus(wording.signed(value, digits))


def _decimal(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else with_minus(f"{value:.{digits}f}")
