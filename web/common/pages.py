"""What pages consist of: templates, embedded JSON, files beside them; and what they may load."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from bridge_arena.base.files import replace_file


def page_of(template: Path, **values: object) -> str:
    """Return a page by a template; all values are escaped.

    It may extend `base.html`, and templates of its folder and the one above.
    """
    page = _environment(template.parent).get_template(template.name)
    return page.render({"policy": POLICY, **values})


@cache
def _environment(folder: Path) -> Environment:
    return Environment(
        loader=FileSystemLoader([folder, folder.parent, Path(__file__).parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


_ESCAPED = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def embedded(document: Mapping[str, object]) -> Markup:
    """Return JSON that can be part of a `<script>` element or of a script file."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate(_ESCAPED))


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""The Content-Security-Policy in the form that a page itself can contain."""

HEADERS = {
    "content-security-policy": f"{POLICY}; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    # Pages of strangers may neither read the answers nor run the scripts of a server.
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
"""The headers of every answer of a server."""


TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
"""The media types of the files, by extension."""

_FOLDER = Path(__file__).parent.parent / "static"


def static_files() -> list[Path]:
    """Return the files, by name."""
    return sorted(file for file in _FOLDER.iterdir() if file.suffix in TYPES)


STATIC = "static"
"""The name of the folder with the files beside pages."""


def write_static(folder: Path, names: Collection[str]) -> None:
    """Write some of the files beside pages in a folder. Raises OSError."""
    (folder / STATIC).mkdir(parents=True, exist_ok=True)
    for file in static_files():
        if file.name in names:
            replace_file(folder / STATIC / file.name, file.read_bytes())
