"""JSON in pages and scripts, safe against text by strangers that tries to end the script."""

from __future__ import annotations

import json
from collections.abc import Mapping

from markupsafe import Markup

_ESCAPED = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)


def embedded(document: Mapping[str, object]) -> Markup:
    """Return JSON that can be part of a `<script>` element or of a script file."""
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.translate(_ESCAPED))
