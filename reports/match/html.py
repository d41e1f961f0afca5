"""The report as one self-contained page: style, plots and tables inside, no scripts."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from bridge_arena.bridge.calls import Denomination
from bridge_arena.oracle.ledger import Role
from bridge_arena.reports.common import wording
from bridge_arena.reports.match.figures import MatchFigures, Parts


def render(figures: MatchFigures) -> str:
    """The page; the same figures give the same bytes."""
    return (
        environment()
        .get_template("template.html")
        .render(
            figures=figures,
            headline=wording.headline(figures),
            occasion=wording.occasion(figures),
            mode_text=wording.mode_text(figures),
            sprt_text=wording.sprt_text(figures),
            notices=wording.notices(figures),
            p_text=wording.p_text,
            error=wording.error,
            roles=list(Role),
            share=wording.share_text,
            promises=wording.promises_text,
            promise_kinds=wording.promise_kinds,
            held=wording.held_text,
            parts=_parts,
            plots=_plots(figures),
        )
    )


def environment(*folders: Path) -> Environment:
    """Templates of `folders`, with this folder's style sheet and the filters for figures."""
    environment = Environment(
        loader=FileSystemLoader([*folders, Path(__file__).parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["signed"] = _signed
    environment.filters["decimal"] = _decimal
    environment.filters["mean"] = lambda mean: _minus(wording.mean_text(mean))
    environment.filters["made"] = lambda table: _minus(
        wording.made_text(table.contract, table.tricks)
    )
    environment.filters["minus"] = _minus
    environment.filters["suit"] = _suit
    return environment


def _plots(figures: MatchFigures) -> dict[str, str]:
    """The plots by name, trusted markup; none of a match without boards."""
    if not figures.rows:
        return {}
    from bridge_arena.reports.match import plots  # noqa: PLC0415  matplotlib is slow to load

    drawn = {
        "cumulative": plots.cumulative_imps(figures),
        "swings": plots.swings(figures),
    }
    if figures.has_play and figures.bots[0].ledger.boards:
        drawn["lost"] = plots.tricks_lost(figures)
        drawn["levels"] = plots.tricks_by_level(figures)
    return drawn


def _parts(parts: Parts) -> tuple[float, float, float]:
    return parts.opening_lead, parts.declarer_play, parts.defence


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
