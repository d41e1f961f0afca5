"""The templates of pages."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined


def environment(folder: Path) -> Environment:
    """Return the templates of a folder, which may extend `base.html`; all values are escaped."""
    return Environment(
        loader=FileSystemLoader([folder, Path(__file__).parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
