"""The reference of Python has every name of the public face, and no other."""

from __future__ import annotations

import re

import bridge_arena
from tests.data import DOCS


def test_every_public_name_has_its_entry_once() -> None:
    pages = [(DOCS / "reference" / name).read_text() for name in ("api.md", "sdk.md")]
    directives = re.findall(r"^\.\. auto\w+:: bridge_arena\.[\w.]*?(\w+)$", "".join(pages), re.M)
    assert sorted(directives) == sorted(set(bridge_arena.__all__) - {"__version__"})
