"""The documentation is what the code does."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.record import FaultKind, MadeCall
from bridge_arena.protocol.codec import decode_client, decode_server, encode, frame
from bridge_arena.protocol.errors import ErrorCode
from bridge_arena.protocol.messages import MOST_QUESTIONS, BoardEnd, Goodbye, Message, Welcome
from bridge_arena.protocol.outgoing import Outgoing
from bridge_arena.protocol.session import ServerSession
from bridge_arena.protocol.visibility import Event
from bridge_arena.server import faults, gateway, websocket_player
from bridge_arena.server.clock import TimeControl
from bridge_arena.server.table import Table
from docs.generators import protocol_document as document
from tests.data import DOCS
from tests.server.tables import EAST, WEST, play_lowest, say, say_all, seen_by

TEXT = document.markdown()
SEED = 7205759403792793


@pytest.mark.parametrize("name", ["protocol.md", "protocol.schema.json"])
def test_the_committed_files_are_what_the_code_generates(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == document.files()[name], (
        "run: python -m docs.generators.protocol_document"
    )


def test_the_command_writes_both_files(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "docs.generators.protocol_document", tmp_path], check=True
    )
    written = {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()}
    assert written == document.files()


# The example.


def test_the_example_is_what_a_table_sends() -> None:
    """Play it at a real table, and compare frame by frame."""
    frames = [(item.by_client, list(item.messages)) for item in document.example()]
    board = Board.standard(1, document.EXAMPLE_DEAL)
    table = Table("A1", board, (1, 2, 3, SEED), TimeControl(60))
    welcome = Welcome(table="A1", seat=WEST, event="Example", **TimeControl(60).in_welcome())
    session = ServerSession()
    transfer = MadeCall(Call("2D"), alert=True, explanation=document.EXAMPLE_TRANSFER)
    others: Iterator[str | MadeCall] = iter(
        ["Pass"] * 3 + ["Pass", transfer, "Pass", "Pass", "4H", "Pass", "Pass", "DK", "D2"]
    )
    dialogue: list[tuple[bool, list[Message]]] = []
    due: list[Event] = []

    def send(events: list[Event]) -> None:
        for message in seen_by(WEST, events):
            outgoing = Outgoing.of(message)
            session.send(outgoing.encoded, urgent=outgoing.urgent)
        data = session.data_to_send()
        if data is not None:
            dialogue.append((False, list(decode_server(data))))

    for by_client, messages in frames[:-1]:
        if not by_client:
            continue
        actions = session.receive(frame([encode(message) for message in messages]))
        dialogue.append((True, messages))
        if not actions:
            session.welcome(welcome)
        send(due)
        due = table.start(0.0) if not actions else []
        for action in actions:
            assert action.type == "MakeCall" or action.type == "PlayCard"  # noqa: PLR1714
            due = table.act(WEST, action, 0.0)
        send(due)
        while table.turn is not None and table.turn.player != WEST:
            send(say(table, next(others)))
        due = []
    assert dialogue == frames[:-1]
    assert next(others, None) is None

    # The rest of the board is played with the lowest cards; the last frame is what comes
    # after West's last turn.
    rest = seen_by(WEST, play_lowest(table))
    last_turn = max(n for n, message in enumerate(rest) if message.__class__.__name__ == "YourTurn")
    end = [*rest[last_turn + 1 :], Goodbye(reason="the match is over")]
    assert (False, end) == frames[-1]
    assert isinstance(rest[-1], BoardEnd)


def test_the_example_is_of_the_protocol() -> None:
    for exchange in document.example():
        decode = decode_client if exchange.by_client else decode_server
        data = frame([encode(message) for message in exchange.messages])
        assert decode(data) == list(exchange.messages)


def test_the_frame_in_hex_is_the_frame_in_json() -> None:
    shown = re.search(r"This is the frame `(.*)`:\n\n```\n([0-9a-f \n]+)```", TEXT)
    assert shown is not None
    (hello,) = decode_client(bytes.fromhex(shown[2]))
    assert [hello.model_dump()] == json.loads(shown[1])


def test_every_json_example_is_json() -> None:
    blocks = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
    assert len(blocks) == len(document.example())
    for block in blocks:
        assert all("type" in message for message in json.loads(block))


# Words and numbers that the text repeats.


def test_every_message_and_field_has_its_row() -> None:
    for model in (*document.CLIENT_MESSAGES, *document.SERVER_MESSAGES):
        section = TEXT.split(f"### {model.__name__}\n")[1].split("\n##")[0]
        rows = re.findall(r"^\| `(\w+)` \|.*\| .+ \|$", section, re.MULTILINE)
        assert sorted(rows) == sorted(model.model_fields)
        assert rows[0] == "type"


def test_every_error_and_fault_has_its_row() -> None:
    for code in ErrorCode:
        assert f"\n| `{code}` | " in TEXT
    for kind in FaultKind:
        assert f"\n| {kind} | " in TEXT


def test_the_numbers_are_those_of_the_server() -> None:
    assert f"`Hello` must come within {gateway.HELLO_SECONDS:.0f} seconds" in TEXT
    usual = faults.Policies(retries=1, at_zero=faults.Remedy.SUBSTITUTE)
    assert (usual.illegal, usual.timeouts) == (None, None)
    assert usual == faults.LENIENT, "the text says what holds by default"
    assert f"{MOST_QUESTIONS} questions a turn" in " ".join(TEXT.split())
    assert f"the last {websocket_player.PINGS} pings" in TEXT


def test_the_schema_knows_every_message() -> None:
    schema = json.loads(document.files()["protocol.schema.json"])
    definitions = schema["$defs"]
    for side, models in (
        ("Client", document.CLIENT_MESSAGES),
        ("Server", document.SERVER_MESSAGES),
    ):
        choices = definitions[f"{side}Message"]["oneOf"]
        assert [choice["$ref"] for choice in choices] == [
            f"#/$defs/{model.__name__}" for model in models
        ]
        for model in models:
            definition = definitions[model.__name__]
            assert "type" in definition["required"]
            assert definition["properties"].keys() == model.model_fields.keys()
    for reference in re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema)):
        assert reference in definitions


def test_partners_alert_is_not_in_the_example() -> None:
    assert not any(
        message.model_dump().get("alert")
        for exchange in document.example()
        for message in exchange.messages
        if message.model_dump().get("seat") == str(EAST)
    )


def test_say_all_is_what_the_example_says() -> None:
    """The example's auction leads to the contract that its text names."""
    board = Board.standard(1, document.EXAMPLE_DEAL)
    table = Table("A1", board, (1, 2, 3, 4), TimeControl(60))
    table.start(0.0)
    say_all(table, "Pass Pass Pass 1NT Pass 2D Pass 2H Pass 4H Pass Pass Pass")
    assert table.play is not None
    assert (str(table.play.contract), table.play.declarer) == ("4H", WEST)
