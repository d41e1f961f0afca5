"""`arena hand similar` and `opening`: what they print, and what they refuse."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bridge_arena.bots.library.learning.arrays import write_arrays
from bridge_arena.bots.library.learning.hands import hand_of, random_pairs
from bridge_arena.commands.main import DONE, UNUSABLE, run
from tests.bots.library.hand2vec.nets import weights_of

HAND = "AKQ2.QJT987.32.2"
HEADER = ";N;S;NC;ND;NH;NS;NNT;SC;SD;SH;SS;SNT"
ROW = ";6" * 10
RNG = np.random.default_rng(1)


def similar(*words: object) -> int:
    return run(["hand", "similar", *map(str, words)])


def opening(*words: object) -> int:
    return run(["hand", "opening", *map(str, words)])


def test_similar_hands_are_found_among_random_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert similar(HAND, "--random", 500, "--number", 3) == DONE
    first = capsys.readouterr().out
    header, asked, *lines = first.splitlines()
    assert header.split() == ["hand", "HCP", "shape", "distance"]
    assert asked.split() == [HAND, "12", "6421"]
    assert len(lines) == 3
    distances = [float(line.split()[-1]) for line in lines]
    assert 0 < distances[0] <= distances[1] <= distances[2] < 2
    assert similar(HAND, "--random", 500, "--number", 3) == DONE
    assert capsys.readouterr().out == first
    assert similar("SAKQ2 HQJ10987 D32 C2", "--random", 500, "--number", 3) == DONE
    assert capsys.readouterr().out == first
    assert similar(HAND, "--random", 500, "--number", 3, "--seed", 2) == DONE
    assert capsys.readouterr().out != first


def test_similar_hands_are_found_in_a_file_by_another_net(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    weights, pairs = tmp_path / "weights.npz", tmp_path / "pairs.csv"
    write_arrays(weights, weights_of(2))
    pairs.write_text(f"{HEADER}\n0;A72.K7.AQJ74.A94;J.J852.T9.KQ6532{ROW}\n")
    assert similar(HAND, "--among", pairs, "--weights", weights) == DONE
    lines = capsys.readouterr().out.splitlines()[2:]
    assert {line.split()[0] for line in lines} == {"A72.K7.AQJ74.A94", "J.J852.T9.KQ6532"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("AKQ2.QJT987.32", "'AKQ2.QJT987.32' is not a hand (four suits divided by dots)"),
        ("AKQ2.QJT987.32.", "'AKQ2.QJT987.32.' is a hand of 12 cards, not 13"),
        ("AKQ1.QJT987.32.2", "'1' in hand 'AKQ1.QJT987.32.2' is not a rank"),
        (f"{HAND} --among none.csv", "cannot read none.csv: No such file or directory"),
        (f"{HAND} --among bad.csv", "bad.csv, line 2: None is no number of tricks"),
        (f"{HAND} --weights none.npz", "cannot read none.npz: No such file or directory"),
        (f"{HAND} --weights bad.csv", "no net of hand2vec: bad.csv: no file of arrays"),
        (f"{HAND} --among bad.csv --random 9", "--random has no part in hands of a file (--among)"),
        (f"{HAND} --random 1", "'--random': Input should be greater than or equal to 2"),
    ],
)
def test_mistakes_about_similar_hands_are_told(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: str,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.csv").write_text(f"{HEADER}\n0;A72.K7.AQJ74.A94;J.J852.T9.KQ6532;1\n")
    assert similar(*words.split()) == UNUSABLE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.slow
def test_the_likeliest_openings_of_a_hand_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert opening(HAND, "--number", 3) == DONE
    first = capsys.readouterr().out
    header, likeliest, *lines = first.splitlines()
    assert header.split() == ["opening", "probability"]
    assert likeliest.split()[0] == "1H"
    assert int(likeliest.split()[1]) > 80
    blank = lines.index("")
    assert lines[blank + 1].split() == ["hand", "HCP", "shape", "distance", "opening"]
    assert [line.split()[-1] for line in lines[blank + 2 :]] == ["1H", "1H", "1S"]
    assert opening(HAND, "--number", 3) == DONE
    assert capsys.readouterr().out == first


def test_openings_of_the_hands_of_a_file_are_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "openings.csv"
    lines = [f"{n};{hand_of(row)};7N" for n, row in enumerate(random_pairs(RNG, 10)[0])]
    path.write_text("\n".join([";PBN;OPENING", *lines]))
    assert opening(HAND, "--among", path, "--number", 2) == DONE
    assert [line.split()[-1] for line in capsys.readouterr().out.splitlines()[-2:]] == ["7NT"] * 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("AKQ2.QJT987.32", "'AKQ2.QJT987.32' is not a hand (four suits divided by dots)"),
        (f"{HAND} --among none.csv", "cannot read none.csv: No such file or directory"),
        (f"{HAND} --among bad.csv", "bad.csv, line 2: no column 'PBN'"),
        (f"{HAND} --weights none.npz", "cannot read none.npz: No such file or directory"),
        (f"{HAND} --weights bad.csv", "no net of openings: bad.csv: no file of arrays"),
    ],
)
def test_mistakes_about_openings_are_told(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: str,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.csv").write_text("a;b\n1;2\n")
    assert opening(*words.split()) == UNUSABLE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1
