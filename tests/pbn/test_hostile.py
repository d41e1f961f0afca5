"""Whatever number a file names, it costs no memory, and is read, judged and written."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data import ROOT

_GAME = """\
[Event "x"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:52.J76.KQJ874.T9 AK3.T9854.T.K832 Q976.Q.9632.QJ74 JT84.AK32.A5.A65"]
[Declarer "E"]
[Contract "1H"]
"""
_AUCTION = '[Auction "N"]\nPass 1H AP\n'
_PLAY = '[Play "S"]\nHQ HK H6 H4\n*\n'

PLACES = {
    "board": '[Board "{n}"]\n',
    "round": _GAME + '[Round "{n}"]\n[Table "{n}"]\n',
    "result": _GAME + '[Result "{n}"]\n' + _AUCTION,
    "results": _GAME + '[Result "NS {n} EW {n}"]\n' + _AUCTION,
    "negative": _GAME + '[Result "-{n}"]\n[Score "NS -{n}"]\n',
    "score": _GAME + '[Result "7"]\n[Score "EW {n}"]\n[OptimumScore "NS {n}"]\n' + _AUCTION,
    "decimals": _GAME + '[ScoreIMP "NS {n}.{n}"]\n[ScorePercentage "{n}.{n}"]\n',
    "rubber": _GAME + '[ScoreRubber "{n}/{n}"]\n[ScoreRubberHistory "NS {n} 1/{n} EW 1 1/{n}"]\n',
    "contract": _GAME.replace("1H", "{n}H"),
    "date": _GAME + '[Date "{n}.{n}.{n}"]\n[Time "{n}:00:00"]\n[TimeControl "{n}/{n}"]\n',
    "note": _GAME + '[Auction "N"]\nPass ={n}= 1H ={n}= AP\n[Note "{n}:x"]\n',
    "NAG": _GAME + '[Auction "N"]\nPass ${n} 1H AP\n' + _PLAY.replace("HK", "HK ${n}"),
    "call": _GAME + '[Auction "N"]\n{n}H {n}\n',
    "card": _GAME + '[Play "S"]\nH{n} {n}\n',
    "width": '[ScoreTable "PairId_NS\\{n}R;Rank\\{n};Names\\{n}L"]\n1 2 "x"\n',
    "widths": '[ScoreTable "' + "Rank\\253R;" * 300 + '{n}"]\n' + "1 " * 301 * 20 + "\n",
    "sorted": '[TotalScoreTable "+Rank;-PairId"]\n{n} {n}\n{n} {n}.{n}\n',
    "fault": _GAME
    + '[ActionTable "Seat;Action;AskedCall;Fault;Detail"]\nS {n} - timeout "x"\nS {n} {n} - -\n',
    "question": _GAME + _AUCTION + '[ActionTable "Asker;Action;AskedCall"]\nS {n} 1\nS 1 {n}\n',
    "times": _GAME + _AUCTION + '[AuctionTimeTable "Milliseconds"]\n{n} {n}.{n} {n} {n} {n}\n',
    "explanation": _GAME + '[Auction "N"]\nPass =1= *\n[Note "1:x [hcp {n}-{n}, S {n}-{n}]"]\n',
}
"""The places where a file may name a number."""

NUMBERS = ["99999999999", "900000000", "9" * 4301, "0" * 5000 + "7", "²", "٣" * 20]

_CHECK = """
import json, sys
from tests.fuzz.targets.pbn import check

for place, text in json.load(sys.stdin).items():
    print(place, flush=True)
    check(text.encode())
"""


def test_any_number_in_any_place_costs_little() -> None:
    texts = {
        place: "\n".join(text.replace("{n}", number) for number in NUMBERS)
        for place, text in PLACES.items()
    }
    limit = 400 << 20
    result = subprocess.run(
        [sys.executable, "-c", _CHECK],
        input=json.dumps(texts),
        text=True,
        cwd=ROOT,
        capture_output=True,
        timeout=100,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert (result.returncode, result.stderr) == (0, ""), f"the last of {result.stdout.split()}"
    assert result.stdout.split() == [*PLACES]


def test_a_width_beyond_reason_leaves_no_trace(tmp_path: Path) -> None:
    source, target = tmp_path / "wide.pbn", tmp_path / "out.pbn"
    source.write_text(PLACES["width"].replace("{n}", "99999999999"))
    limit = 1 << 30
    arena = [sys.executable, "-m", "bridge_arena.commands.main"]
    result = subprocess.run(
        [*arena, "pbn", "format", str(source), "--out", str(target)],
        cwd=ROOT,
        capture_output=True,
        timeout=100,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert sorted(tmp_path.iterdir()) == [target, source]
    assert target.read_text(encoding="latin-1").endswith('\n1 2 "x"\n\n')


ENDLESS = {
    "marks": lambda: '[Play "N"]\n' + '"' * (2 << 20),
    "comment": lambda: "{" + ("x" * 79 + "\n") * (1 << 15),
    "rows": lambda: '[ScoreTable "A;B"]\n' + "1 2\n" * (1 << 19),
    "tags": lambda: "".join(f'[T{number} "x"]\n' for number in range(1 << 17)),
    "no game": lambda: "\n" + "junk\n" * (1 << 19),
}


@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize(
    "command",
    ["info", *(pytest.param(each, marks=pytest.mark.slow) for each in ("check", "convert"))],
)
def test_a_game_without_end_is_given_up(command: str, kind: str, tmp_path: Path) -> None:
    source = tmp_path / "endless.pbn"
    source.write_text('[Event "x"]\n' + ENDLESS[kind]())
    limit = 200 << 20
    result = subprocess.run(
        [sys.executable, "-m", "bridge_arena.commands.main", "boards", command, str(source)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert result.returncode in (1, 2)
    assert "more than 512 KiB, and no end: the rest is not read" in result.stderr
    assert "Traceback" not in result.stderr
