"""JSON on standard output."""

from __future__ import annotations

import json
import os
import sys
from io import BytesIO, TextIOWrapper

import pytest

from bridge_arena.commands.common.options import print_json

NAME = os.fsdecode(b"caf\xe9")


@pytest.mark.parametrize(
    ("encoding", "name", "written"),
    [
        ("utf-8", "0.41 ± 0.16", "±"),
        ("ascii", "0.41 ± 0.16", r"\u00b1"),
        ("utf-8", NAME, r"caf\udce9"),
    ],
)
def test_no_character_is_lost(
    encoding: str, name: str, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(out, encoding, errors="replace"))
    print_json({"name": name})
    sys.stdout.flush()
    assert json.loads(out.getvalue()) == {"name": name}
    assert written in out.getvalue().decode()
