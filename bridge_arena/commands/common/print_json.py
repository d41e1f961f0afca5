"""The output of commands for programs to read."""

from __future__ import annotations

import json


def print_json(document: object) -> None:
    """Print a document as JSON, for people to read too."""
    print(json.dumps(document, indent=2, ensure_ascii=False))
