"""JSON inside of pages and scripts, which no text of a stranger can end."""

from __future__ import annotations

import json
from collections.abc import Mapping

from markupsafe import Markup

_ESCAPED = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def embedded(document: Mapping[str, object]) -> Markup:
    """Return JSON that can stand in a `<script>` of a page, and in a file of a script."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate(_ESCAPED))
