"""Verdicts are those of the standard's verifier."""

from __future__ import annotations

import csv
import re
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.pbn.strict.verdict import Severity, game_verdicts, verdict_of
from tests.data import data_path

HEAD = '[Dealer "N"]\n[Vulnerable "None"]\n'
DEAL = '[Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]\n'
CONTRACT = '[Declarer "S"]\n[Contract "5HX"]\n'
PLAYED = HEAD + DEAL + CONTRACT


def verdict(text: str) -> Severity:
    return verdict_of(BytesIO(text.encode("latin-1"))).severity


def test_the_verdicts_on_the_probes_are_the_verifiers() -> None:
    folder = data_path("pbn", "probes")
    lines = (folder / "VERDICTS.tsv").read_text().splitlines()
    assert len(lines) == 45
    for line in lines:
        name, said = line.split("\t")
        found = re.search(r"games read : (\d+)(?:\|Games with ([^|]*))?", said)
        assert found is not None
        judged = verdict_of(folder / name)
        assert (judged.games, str(judged)) == (int(found[1]), found[2] or "OK"), name


@pytest.mark.slow
def test_the_verdicts_on_the_corpus_are_the_verifiers() -> None:
    """Every third file; all 586 agree."""
    folder = data_path("pbn", "corpus")
    with (folder / "MANIFEST.csv").open(newline="", encoding="utf-8") as stream:
        rows = [row for row in csv.DictReader(stream) if int(row["bytes"]) < 400_000]
    for row in rows[::3]:
        assert str(verdict_of(folder / row["path"])) == row["reference_verifier"], row["path"]


CLEAN, WARNING, ERROR, SEVERE = Severity


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("", CLEAN),
        ("% PBN 2.1\n{only} ;this\n", CLEAN),
        ('[Event\n"a"\n]', CLEAN),
        ('[Event "a" ] [Site "b"]', CLEAN),
        ('% EXPORT\n[Event "a"] [Site "b"]', WARNING),
        ("Dear Sir,\n", SEVERE),
        ('[Event "a"]\nmore', ERROR),
        ('[Event "a]\n', ERROR),
        ("[Event a]", ERROR),
        ("[Event]", ERROR),
        ('["a"]', ERROR),
        ('[Ev-ent "a"]', ERROR),
        ('[Event "a" x]', ERROR),
        ('[Event "a\tb"]', ERROR),
        ('[Event "\x85"]', ERROR),
        ("{\x85}\n[Event", SEVERE),
        ('%\x85\n[Event "a"]', ERROR),
        ('{open\n\n[Event "a"]', CLEAN),
        ('[Event "a"]\n' + "%" + "x" * 253, CLEAN),
        ('[Event "a"]\n' + "%" + "x" * 254, SEVERE),
        ('[New "a"]', WARNING),
        ('[Event "a"]\n[Event "b"]', WARNING),
        ('[Date "1999.02.??"]', CLEAN),
        ('[Date "1899.02.01"]', ERROR),
        ('[Date "1999.00.01"]', ERROR),
        ('[Time "12:30:00"]', CLEAN),
        ('[Time "12:30"]', ERROR),
        ('[TimeControl "10/60"]', CLEAN),
        ('[TimeControl "10"]', ERROR),
        ('[Board "1a"]', ERROR),
        ('[Room "closed"]', CLEAN),
        ('[Room "IMP"]', ERROR),
        ('[Round "1-2"]', ERROR),
        ('[Hidden "wE"]', CLEAN),
        ('[Hidden "X"]', SEVERE),
        ('[Scoring "IMP;Cross"]', CLEAN),
        ('[Scoring "IMP;MP"]', ERROR),
        ('[Score "much"]', ERROR),
        ('[ScoreIMP "NS -2.5 EW .5"]', CLEAN),
        ('[ScoreIMP "EW 2,5"]', ERROR),
        ('[ScorePercentage "100."]', CLEAN),
        ('[ScorePercentage "NS 100.5"]', ERROR),
        ('[ScorePercentage "half"]', ERROR),
        ('[ScoreRubber "NS 100/60 EW 0/0"]', CLEAN),
        ('[ScoreRubber "100"]', ERROR),
        ('[OptimumScore "EW 400"]', CLEAN),
        ('[OptimumScore "400"]', ERROR),
        ('[ScoreRubberHistory "NS 0 0/ 100 20 EW 0 0/ 0 40"]\n[Vulnerable "NS"]', CLEAN),
        ('[ScoreRubberHistory "NS 0 0/ 0 20 EW 0 0/ 120 40"]\n[Vulnerable "NS"]', ERROR),
        ('[Vulnerable "All"]\n[ScoreRubberHistory "NS 0 0/ 20 EW 0 0/ 40"]', ERROR),
        ('[ScoreRubberHistory "NS 0 0/ 60 20 EW 0 0/ 60 40"]', ERROR),
        ('[ScoreRubberHistory "none"]', ERROR),
        ('[Vulnerable "N-S"]', SEVERE),
        ('[Dealer "North"]', ERROR),
        ('[Dealer "Q"]', SEVERE),
        ('[Declarer "Q"]', SEVERE),
        ('[Contract "3N"]', SEVERE),
        ('[Contract "3NTR"]', ERROR),
        ('[Contract "9C"]', ERROR),
        ('[Result "9"]', SEVERE),
        ('[Declarer "S"]\n[Contract "1C"]\n[Result "NS 9 EW 9"]', ERROR),
        ('[Declarer "S"]\n[Contract "1C"]\n[Result "EW 4 x"]', ERROR),
        ('[Declarer "S"]\n[Contract "1C"]\n[Result "^9"]', ERROR),
        ('[Deal "N-AK"]', SEVERE),
        ('[Deal "Q:- - - -"]', SEVERE),
        ('[Deal "N:A... K... Q... J..."]', CLEAN),
        ('[Deal "N:A... K... Q... JT..."]', SEVERE),
        ('[Deal "N:AA... - - -"]', SEVERE),
        ('[Deal "N:A... A... - -"]', SEVERE),
        ('[Deal "N:x... - - -"]', SEVERE),
        ('[Deal "N:A.. - - -"]', SEVERE),
        ('[Deal "N:A...- - - -"]', SEVERE),
        ('[Deal "N:AKQJT98765432.2.. - - -"]', SEVERE),
        ('[Event "#"]\n[Site "##x"]\n\n[Site "y"]', CLEAN),
        ('[Dealer "N"]\n\n[Dealer "#"]', SEVERE),
        ('[Deal "##?"]', SEVERE),
        ('[Result "##9"]', SEVERE),
        ('[Date "##x"]', ERROR),
        ('[TotalScoreTable "+Rank;-Names"]\n2 - 1 3', CLEAN),
        ('[TotalScoreTable "+Rank;Names"]\n1 a 2 b', ERROR),
        ('[TotalScoreTable "-Rank;Names"]\n? a', ERROR),
        ('[TotalScoreTable "Rank;Names"]\n1 a 2', ERROR),
        ('[TotalScoreTable "Rank;Names"]\n1 a 2\n[Event "a"]', ERROR),
        ('[TotalScoreTable "Rank\\2R;Names\\x"]\n', ERROR),
        ('[TotalScoreTable "Rank"] {here}\n1 {there}', SEVERE),
        ('[TotalScoreTable "Rank"]\n1 % 2', ERROR),
        ('[TotalScoreTable "Rank"]\n1\n[Note "1:x"]', ERROR),
    ],
)
def test_tags_and_tables_have_their_verdicts(text: str, severity: Severity) -> None:
    assert verdict(text) is severity


@pytest.mark.parametrize(
    ("calls", "severity"),
    [
        ("1C AP", CLEAN),
        ("AP", CLEAN),
        ("Pass Pass\n*", CLEAN),
        ("1C ! $1 AP", WARNING),
        ('1C! =1= $25 {x} ;y\nAP\n[Note "1:x"]', CLEAN),
        ("1C !! ? AP", ERROR),
        ("1C $7 AP", ERROR),
        ("1C $300 AP", ERROR),
        ("1C $ AP", ERROR),
        ("$2 AP", ERROR),
        ("! AP", ERROR),
        ("=1= AP", ERROR),
        ("1C =0= AP", ERROR),
        ("1C =1 AP", ERROR),
        ("1C == AP", ERROR),
        ("1C =1= AP", ERROR),
        ('AP\n[Note "1:x"]', WARNING),
        ('1C =1= AP\n[Note "1:x"]\n[Note "1:y"]', WARNING),
        ('AP\n[Note "33:x"]', ERROR),
        ('AP\n[Note "x"]', ERROR),
        ("1C +", CLEAN),
        ("1C + AP", ERROR),
        ("1C & AP", ERROR),
        ("1C * x", ERROR),
        ("1C 1C", SEVERE),
        ("1C ^I 1D", SEVERE),
        ("1C ^I ^I 1C", SEVERE),
        ("1C ^Q 1C", SEVERE),
        ("1C ^S Pass Pass 1D AP", CLEAN),
        ("X", SEVERE),
        ("1C X XX AP", CLEAN),
        ("1C X Pass XX", SEVERE),
        ("1C XX", SEVERE),
        ("AP Pass", SEVERE),
        ("AP ^I 1C", SEVERE),
        ('AP\n[Declarer "N"]', SEVERE),
        ('AP\n[Contract "1C"]', SEVERE),
        ('1C AP\n[Contract "Pass"]', SEVERE),
        ('1C X\n*\n[Contract "Pass"]', SEVERE),
        ('1C AP\n[Declarer "N"]\n[Contract "1C"]\n[Result "7"]\n[Score "70"]', CLEAN),
        ('1C AP\n[Declarer "S"]', SEVERE),
        ('1C AP\n[Declarer "^S"]', CLEAN),
        ('1C AP\n[Contract "1D"]', SEVERE),
        ('1C AP\n[Contract "2C"]', SEVERE),
        ('1C AP\n[Contract "1CX"]', SEVERE),
        ('1C Pass 2C\n*\n[Declarer "S"]\n[Contract "3C"]', SEVERE),
        ('1C AP\n[Declarer "N"]\n[Contract "1C"]\n[Result "7"]\n[Score "NS 90"]', ERROR),
    ],
)
def test_auctions_have_their_verdicts(calls: str, severity: Severity) -> None:
    assert verdict(f'{HEAD}[Auction "N"]\n{calls}\n') is severity


def test_an_auction_may_have_places_before_the_dealers() -> None:
    assert verdict(HEAD + '[Auction "W"]\n- 1C AP') is CLEAN
    assert verdict('[Auction "N"]\n1C AP') is SEVERE
    assert verdict(HEAD + '[Auction "Z"]\n1C AP') is SEVERE


@pytest.mark.parametrize(
    ("cards", "severity"),
    [
        ("SK H3 S4 S3\n+ - - -\n*", CLEAN),
        ("SK H3 S4 S3 C5 C2 C6 CK", CLEAN),
        ("SK H3 S4 ^R H7\n*", CLEAN),
        ("SK H3 S4 H7", SEVERE),
        ("SK H3 S4 ^R S3", SEVERE),
        ("SK ^R H6 S4 S3", SEVERE),
        ("^R SK H3 S4 S3", SEVERE),
        ("^L SK H3 S4 S3", SEVERE),
        ("^R ^L SK H3 S4 S3", SEVERE),
        ("^Q SK H3 S4 S3", SEVERE),
        ("SK + S4 S3", ERROR),
        ("+ - - -\n+", ERROR),
        ("- C2 - -\n- CA - -", CLEAN),
        ("SA", SEVERE),
        ("Z9", SEVERE),
        ("--", SEVERE),
        ("SK! $200 H3", CLEAN),
        ("SK $2 H3", ERROR),
        ('SK H3 S4 S3\n*\n[Result "9"]\n[Score "-300"]', CLEAN),
        ('SK H3 S4 S3\n*\n[Result "NS 9"]\n[Score "EW 200"]', ERROR),
        ('SK H3 S4 S3\n*\n[Result "0"]', ERROR),
        ('SK H3 S4 S3\n*\n[Result "^0"]', CLEAN),
    ],
)
def test_plays_have_their_verdicts(cards: str, severity: Severity) -> None:
    assert verdict(f'{PLAYED}[Play "W"]\n{cards}\n') is severity


def test_what_a_play_needs() -> None:
    assert verdict(HEAD + CONTRACT + '[Play "W"]\n*') is SEVERE
    assert verdict(HEAD + DEAL + '[Play "W"]\n*') is SEVERE
    assert verdict(HEAD + DEAL + '[Contract "?"]\n[Play ""]\nSK') is SEVERE
    ending = '[Deal "N:A... K... Q... J..."]\n[Contract "NT"]\n[Play "S"]\nSQ SJ SA SK'
    assert verdict(ending) is CLEAN
    hidden = '[Deal "N:- A8654.KQ5.T.QJT6 - -"]\n' + CONTRACT + '[Play "W"]\n'
    assert verdict(hidden + "SK H2 S4 S3") is CLEAN
    assert verdict(hidden + "SA H2 S4 S3") is SEVERE


def test_rows_of_an_export_begin_lines() -> None:
    text = f'% EXPORT\n{HEAD}[Auction "N"]\nPass Pass Pass Pass\n'
    assert verdict(text) is CLEAN
    assert verdict(text.replace("\nPass", " Pass", 1)) is WARNING
    assert verdict(text.replace(' "N"]\nPass Pass', ' "N"]\n1C X XX 1D 1H', 1)) is WARNING


def test_findings_say_where_and_what() -> None:
    judged = verdict_of(BytesIO(b'[New "x"]\n\n[Date "x"]\n[Contract "1N"]\n'), "a.pbn")
    assert judged.file == "a.pbn"
    assert str(judged) == "severe PBN error : 1; PBN warning : 1"
    assert [(number, finding.line, finding.reason) for number, finding in judged.findings] == [
        (1, 1, "new tag name New"),
        (2, 3, "bad tag value: a date is YYYY.MM.DD"),
        (2, 4, "bad trump"),
    ]
    assert [str(finding.severity) for _, finding in judged.findings] == [
        "warning",
        "error",
        "severe",
    ]


def test_only_the_first_findings_are_kept() -> None:
    judged = verdict_of(BytesIO(b'[A "x"]\n[B "x"]\n[C "x"]\n'), keep=1)
    assert (len(judged.findings), judged.left_out) == (1, 2)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RecordedTextError, match="cannot be read"):
        verdict_of(tmp_path / "none.pbn")


@given(st.binary(max_size=200))
def test_no_bytes_make_it_raise(data: bytes) -> None:
    list(game_verdicts(BytesIO(data)))


PIECES = '[Auction "N"] [Play "W"] [Deal "N:A... K... - -"] [Dealer "N"] [Note "1:x"] { } ; % " \n'


@given(st.lists(st.sampled_from([*PIECES.split("] "), "]", "\n", "1C", "X", "SA", "^L", "*", "="])))
def test_no_marks_make_it_raise(parts: list[str]) -> None:
    list(game_verdicts(BytesIO(" ".join(parts).encode())))
