"""The output of commands for programs to read."""

from __future__ import annotations

import json
import sys


def print_json(document: object) -> None:
    """Print a document as JSON, for people to read too.

    If standard output lacks a character, escapes stand for all that are not ASCII, as no program
    should read `?` for them.
    """
    text = json.dumps(document, indent=2, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    print(text)
