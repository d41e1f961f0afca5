"""Our lines read by an independent parser: table-master-parser, of npm.

It is found where node finds modules (`NODE_PATH`); without it there is nothing to do.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from bridge_arena.bots.baseline.bot import BaselineBot
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.seats import SEATS
from bridge_arena.protocol.bluechip.lines import (
    BoardInfo,
    Called,
    Cards,
    Connecting,
    Played,
    Ready,
    Teams,
    parse_line,
)
from tests.protocol.bluechip.wire import Room

_PROGRAM = """
const parser = require("table-master-parser");
const lines = JSON.parse(require("fs").readFileSync(0, "utf8"));
const read = [];
(function next(index) {
  if (index === lines.length) { console.log(JSON.stringify(read)); return; }
  parser.parse(lines[index], (error, line) => {
    read.push(error ? null : line);
    setImmediate(() => next(index + 1));
  });
})(0);
"""


def read_by_node(lines: list[str]) -> list[dict[str, Any] | None]:
    """Return what the parser makes of lines; None where it does not understand one."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    command = [node, "-e", _PROGRAM]
    ended = subprocess.run(
        command, input=json.dumps(lines), capture_output=True, text=True, check=False
    )
    if "Cannot find module" in ended.stderr:
        pytest.skip("node finds no table-master-parser (set NODE_PATH)")
    assert ended.returncode == 0, ended.stderr
    read: list[dict[str, Any] | None] = json.loads(ended.stdout)
    return read


def test_an_independent_parser_understands_every_line_as_we_do() -> None:
    """But for `North ("Team A") seated`, whose parentheses it does not know, and `ready to
    start`, where its grammar has forgotten a word."""
    room = Room({seat: BaselineBot() for seat in SEATS})
    for number in range(1, 5):
        room.play(Board.dealt(9, number))
    room.end()
    heard = [line[2:] for wire in room.wires.values() for line in wire.heard]
    lines = [line for line in heard if not line.endswith((" seated", " ready to start"))]
    assert len(lines) > 1000
    read = read_by_node(lines)
    assert [line for line, value in zip(lines, read, strict=True) if value is None] == []
    kinds = (Called, Played, Cards, BoardInfo, Teams, Connecting, Ready)
    compared = 0
    for text, value in zip(lines, read, strict=True):
        assert value is not None
        if value["kind"] not in ("bid", "play", "cards", "deal"):
            continue
        compared += 1
        ours = parse_line(text, kinds)
        if isinstance(ours, Called):
            call = {"pass": "Pass"}.get(value["bid"], value["bid"])
            assert (value["seat"], call) == (str(ours.seat), str(ours.call))
            assert value.get("alert", "") == (ours.meaning if ours.alert else "")
        elif isinstance(ours, Played):
            assert (value["seat"], value["card"][::-1]) == (str(ours.seat), str(ours.card))
        elif isinstance(ours, Cards):
            assert [card[::-1] for card in value["cards"]] == [str(card) for card in ours.hand]
        else:
            assert isinstance(ours, BoardInfo)
            assert (value["board"], value["dealer"]) == (ours.number, str(ours.dealer))
            words = {"Nil": "None"}
            assert words.get(value["vulnerable"], value["vulnerable"]) == str(ours.vulnerability)
    assert compared > 800
