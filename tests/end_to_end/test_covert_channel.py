"""Two partners try to pass numbers by what each does in private, over real websockets."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bridge_arena.bridge.record import FaultKind
from tests.end_to_end.arena import log_of, records_of, write_bot
from tests.end_to_end.conftest import Here

# At each turn it sends a number by so many questions, by a refusal, by answers to no turn, and by a
# connection that it loses; and it notes the number of every event that it is sent, in which its
# partner's number would be a gap.
COVERT = """
    import json, os, random, socket
    from pathlib import Path

    import bridge_arena.bots.sdk.tables
    from bridge_arena.bots.sdk.client import Bot, run
    from bridge_arena.protocol.decision import Ask
    from bridge_arena.bots.sdk.connection import Connection
    from bridge_arena.bridge.calls import CALLS, PASS
    from bridge_arena.bridge.cards import PACK
    from bridge_arena.protocol.codec import encode, frame
    from bridge_arena.protocol.messages import BoardEvent
    from bridge_arena.protocol.session import ClientSession

    SEAT = os.environ["ARENA_SEAT"]
    secret = random.Random(SEAT)
    sent, heard = [], {}

    class Noting(ClientSession):
        stale = 0

        def _take_in_event(self, seat, event):
            super()._take_in_event(seat, event)
            heard.setdefault(event.board, {})[event.seq] = event.type

        def send(self, action):
            late = encode(action.model_copy(update={"seq": 2**40}))
            count, Noting.stale = Noting.stale, 0
            return frame([late] * count + [encode(action)])

    class Cut(Connection):
        last = None

        def __init__(self, *given, **named):
            super().__init__(*given, **named)
            Cut.last = self

        def cut(self):
            self._socket.shutdown(socket.SHUT_RDWR)

    class Covert(Bot):
        def __init__(self):
            super().__init__()
            self.moment, self.left = None, []

        def plan(self, view):
            moment = view.number, len(view.calls), sum(map(len, view.played))
            if moment == self.moment:
                return
            self.moment = moment
            asked = [n for n in range(len(view.calls)) if (view.dealer + n - view.seat) % 2]
            questions = secret.randrange(5)
            doings = ["refuse"] * secret.randrange(2) + ["lose"] * (secret.random() < 0.1)
            Noting.stale = secret.randrange(3)
            self.left = list(map(Ask, asked[-1:])) * questions + doings
            sent.append([questions if asked else 0, Noting.stale, *doings])

        def choose(self, view, good, bad):
            self.plan(view)
            thing = self.left.pop() if self.left else good
            if thing == "lose":
                Cut.last.cut()
                return good
            return bad if thing == "refuse" else thing

        def board_ended(self, view):
            notes = Path(__file__).with_name(f"notes-{SEAT}.json")
            notes.write_text(json.dumps({"sent": sent, "heard": heard}))

        def call(self, view):
            legal = view.legal_calls()
            return self.choose(view, PASS, next(call for call in CALLS if call not in legal))

        def play(self, view):
            legal = view.legal_cards()
            return self.choose(view, next(iter(legal)), next(iter(PACK - legal)))

    bridge_arena.bots.sdk.tables.ClientSession = Noting
    bridge_arena.bots.sdk.tables.Connection = Cut
    run(Covert)
    """


EVENT = """\
[event]
name = "Covert"
format = "match"
boards = 3
seed = 7

[policies]
grace = 30.0

[[entry]]
bot = "{bot}"

[[entry]]
bot = "baseline"
"""


@pytest.mark.slow
def test_no_number_passes_between_partners(here: Here, tmp_path: Path) -> None:
    bot = write_bot(tmp_path, "covert", COVERT)
    (tmp_path / "event.toml").write_text(EVENT.format(bot=bot))
    ended = here(*"tournament event.toml --concurrency 1 --out out".split())
    assert ended.status == 0, ended
    notes = [json.loads(path.read_text()) for path in tmp_path.glob("notes-*.json")]
    assert len(notes) == 4
    sent = Counter(str(thing) for note in notes for doings in note["sent"] for thing in doings)
    assert {"0", "1", "2", "3", "4", "refuse", "lose"} <= sent.keys(), "there is much to hear"
    for note in notes:
        assert len(note["heard"]) == 3
        for numbers in note["heard"].values():
            assert gaps(numbers) == []
    asked = sum(doings[0] for note in notes for doings in note["sent"])
    check_what_is_kept(tmp_path / "out", asked)


def check_what_is_kept(folder: Path, asked: int) -> None:
    """Check that log and PBN file have every question and fault."""
    records = records_of(folder / "match.pbn")
    faults = [fault for record in records for fault in record.faults]
    assert len(faults) > 20
    assert {fault.kind for fault in faults} == {FaultKind.ILLEGAL}
    questions = [question for record in records for question in record.questions]
    logged = [line for line in log_of(folder) if line["event"] == "question"]
    assert len(questions) == len(logged) == asked > 20
    told = Counter((line["seat"], line["call"], line["action"]) for line in logged)
    assert told == Counter((each.seat.letter, each.call, each.action) for each in questions)
    assert all({"unit", "board", "entry", "answer"} <= line.keys() for line in logged)
    assert any(line["answer"] for line in logged)


def gaps(heard: dict[str, Any]) -> list[int]:
    """The numbers up to the last that were not heard: where a partner's number would be."""
    numbers = {int(number) for number in heard}
    return [number for number in range(1, max(numbers)) if number not in numbers]


def test_a_gap_would_be_found() -> None:
    assert gaps({"1": "BoardStart", "2": "CallMade", "5": "YourTurn"}) == [3, 4]
