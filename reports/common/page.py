"""The parts that all pages share: style, macros, and filters for figures."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
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

    The first folder that has a template counts.
    """
    environment = Environment(
        loader=FileSystemLoader([*folders, Path(__file__).parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["model_tables"] = PAGE_TABLES
    environment.filters |= {
        "compact": _compact,
        "policy": _policy,
        "signed": _on_page(wording.signed),
        "decimal": _on_page(wording.decimal_text),
        "mean": _on_page(wording.mean_text),
        "made": _on_page(lambda table: wording.made_text(table.contract, table.tricks)),
        "minus": with_minus,
        "page_columns": page_columns,
        "error": lambda mean: wording.error(mean, 2),
        "share": _on_page(wording.share_text),
        "ms": _on_page(wording.milliseconds_text),
        "promises": wording.promises_text,
        "held": wording.held_text,
        "suit": _suit,
    }
    return environment


def _compact(style: str) -> str:
    """Return a style sheet without the spaces that only its readers need, as every page has it."""
    return re.sub(r"\s*([{};])\s*", r"\1", style).replace(": ", ":").replace(", ", ",")


def _policy(script: str) -> str:
    """Return the policy of a page with this script, and no other script; "" for none."""
    if not script:
        return _POLICY
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return f"{_POLICY}; script-src 'sha256-{digest}'"


def _suit(denomination: Denomination) -> str:
    """Return the suit's symbol, or NT."""
    return "NT" if denomination.trump is None else denomination.trump.symbol


def _on_page(text_of: Callable[..., str]) -> Callable[..., str]:
    return lambda *figure: with_minus(text_of(*figure))
