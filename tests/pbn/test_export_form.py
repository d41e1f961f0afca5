"""Every valid game has one export form, which says the same and reads back equal."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given

from bridge_arena.base.recorded_text import RecordedTextError
from bridge_arena.bridge.calls import PASS
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import BoardRecord, MadeCall
from bridge_arena.pbn.annotations import made_call
from bridge_arena.pbn.model import LONGEST_LINE, MANDATORY_TAGS, Game, Section
from bridge_arena.pbn.read.meaning import meaning_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import game_of, record_of
from bridge_arena.pbn.strict.verdict import Severity, verdict_of
from bridge_arena.pbn.tables import PbnTable, cells_of
from bridge_arena.pbn.write.canonical import canonical
from bridge_arena.pbn.write.writer import HEADER, format_game
from tests.pbn.import_games import import_texts
from tests.pbn.strategies import records


def read(text: str) -> Game:
    (game,) = read_games(BytesIO(text.encode("latin-1")))
    return game


def content(game: Game) -> list[object]:
    """All that a game says, but for lines."""
    return [
        (tag.name, tag.value, tag.comments, tag.tokens if isinstance(tag, Section) else None)
        for tag in game.tags
    ]


def comments(game: Game) -> list[str]:
    found = [comment.text for comment in game.comments]
    for tag in game.tags:
        found += tag.comments
        if isinstance(tag, Section):
            found += [token for token in tag.tokens if token[0] in "{;"]
    return sorted(found)


def marks(game: Game, name: str, first_nag: int) -> list[str]:
    """The note references and NAGs of a section, suffixes as NAGs."""
    section = game.section(name)
    if section is None:
        return []
    suffixes = {mark: f"${first_nag + at}" for at, mark in enumerate("! ? !! ?? !? ?!".split())}
    found = [suffixes.get(token, token) for token in section.tokens]
    return sorted(token for token in found if token[0] in "=$")


@pytest.mark.parametrize(
    "tags",
    [
        '[Contract "2H"]\n[Declarer "W"]',
        '[Contract "2HX"]\n[Declarer "W"]',
        '[Contract "2H"]\n[Declarer "E"]',
        '[Contract "?"]',
        '[Contract "3H"]\n[Declarer "W"]',
        '[Contract "Pass"]',
        '[Contract "2H"]\n[Declarer "^E"]',
        '[Contract "2H"]',
        '[Contract "2H"]\n[Declarer "-"]',
        '[Contract "3H"]\n[Declarer "?"]',
        '[Contract "-"]\n[Declarer "-"]',
        '[Contract "All Pass"]\n[Declarer "Pass"]',
    ],
)
@pytest.mark.parametrize(
    "calls", ["Pass 2H", "Pass 2H Pass Pass", "Pass 2H AP", "Pass 2H *", "Pass", "AP", "2H X"]
)
def test_an_auction_without_its_final_passes_means_the_same(tags: str, calls: str) -> None:
    text = f"""[Dealer "S"]
[Vulnerable "EW"]
[Deal "S:T6.A93.6532.JT98 J.KQJ874.874.K63 98542.5.AKT9.Q74 AKQ73.T62.QJ.A52"]
{tags}
[Auction "S"]
{calls}
"""
    game = read(text)
    meaning, again = meaning_of(game), meaning_of(read(HEADER + format_game(game)))
    assert (again.board, again.record) == (meaning.board, meaning.record)


@pytest.mark.parametrize(
    ("contract", "declarer", "expected"),
    [
        ("2H", "?", ("2H", "W")),
        ("2H", "-", ("2H", "W")),
        ("2HX", "", ("2HX", "W")),
        ("3H", "?", ("3H", "?")),
        ("Pass", "?", ("Pass", "")),
        ("-", "-", ("2H", "W")),
    ],
)
def test_the_auction_tells_what_the_tags_do_not(
    contract: str, declarer: str, expected: tuple[str, str]
) -> None:
    tags = f'[Dealer "S"]\n[Contract "{contract}"]\n[Declarer "{declarer}"]\n'
    form = canonical(read(f'{tags}[Auction "S"]\nPass 2H AP\n'))
    assert (form.get("Contract"), form.get("Declarer")) == expected


@pytest.mark.parametrize(
    ("contract", "result", "expected"),
    [("4S", "+1", "11"), ("4SX", "=", "10"), ("1NT", "-7", "0"), ("4S", "NS 9", "9")],
)
def test_a_result_becomes_the_number_of_tricks(contract: str, result: str, expected: str) -> None:
    game = read(f'[Declarer "N"]\n[Contract "{contract}"]\n[Result "{result}"]\n')
    assert canonical(game).get("Result") == expected


@pytest.mark.parametrize("result", ["-", "=", "?", ""])
def test_a_board_passed_out_has_no_result(result: str) -> None:
    game = read(f'[Declarer "-"]\n[Contract "All Pass"]\n[Result "{result}"]\n')
    form = canonical(game)
    assert [form.get(name) for name in ("Declarer", "Contract", "Result")] == ["", "Pass", ""]


@pytest.mark.parametrize("contract", ["?", "S"])
def test_a_sign_without_the_level_of_its_contract_has_no_export_form(contract: str) -> None:
    with pytest.raises(RecordedTextError, match="Result: '\\+1' is not a number of tricks"):
        canonical(read(f'[Declarer "N"]\n[Contract "{contract}"]\n[Result "+1"]\n'))


def test_tags_keep_their_value_whatever_letters_name_them() -> None:
    text = """[Event "x"]
[Vulnérable "a"]
[Vulnërable "b"]
[Уязвимость "c"]
[Vulnérable "d"]
[Tåble "Rank"]
1
"""
    (game,) = read_games(BytesIO(text.encode()))
    exported = format_game(game)
    assert exported.isascii()
    again = read(HEADER + exported)
    assert not again.problems
    assert [again.get(name) for name in ("Vuln_e9rable", "Vuln_ebrable")] == ["a", "b"]
    assert "c" in again.values.values()
    table = again.section("T_e5ble")
    assert table is not None
    assert table.tokens == ["1"]
    assert format_game(again) == exported


def test_suit_symbols_of_notes_and_comments_stay() -> None:
    text = """[Event "x"]
{♠ for all: %s}
[Auction "N"]
1C =1= {♦️} Pass =2= *
[Note "1:Alert: 2+♣, not 5♥️"]
[Note "2:%s"]
""" % ("♥" * 300, "♠" * 150)  # noqa: UP031
    (game,) = read_games(BytesIO(text.encode()))
    exported = format_game(game)
    assert max(map(len, exported.split("\r\n"))) <= LONGEST_LINE + 1
    again = read(HEADER + exported)
    assert "?" not in "".join([*comments(again), again.get("Note")])
    assert "{\\D}" in comments(again)
    notes = [
        made_call(PASS, tag.value.partition(":")[2]) for tag in again.notes("Auction").values()
    ]
    assert notes[0] == MadeCall(PASS, alert=True, explanation=Explanation("2+♣, not 5♥"))
    assert str(notes[1].explanation).startswith("♠" * 120)
    assert format_game(again) == exported


@given(import_texts())
def test_the_export_form_reads_back_equal(given_: tuple[BoardRecord, str]) -> None:
    record, text = given_
    game = read(text)
    exported = format_game(game)
    again = read(HEADER + exported)
    assert not again.problems
    assert content(canonical(game)) == content(again)
    assert comments(again) == comments(game)
    assert marks(again, "Auction", 1) == marks(game, "Auction", 1)
    assert marks(again, "Play", 7) == marks(game, "Play", 7)
    plain = replace(
        record, calls=tuple(replace(m, alert=False, explanation=None) for m in record.calls)
    )
    found = record_of(again)
    assert found.board == plain.board
    assert [m.call for m in found.calls] == [m.call for m in plain.calls]
    assert (found.contract, found.cards, found.tricks) == (
        plain.contract,
        plain.cards,
        plain.tricks,
    )
    assert (found.score, found.faults, found.players) == (plain.score, plain.faults, plain.players)
    assert _score_table(again) == _score_table(game)


def _score_table(game: Game) -> PbnTable | None:
    section = game.section("ScoreTable")
    return PbnTable.of(game.get("ScoreTable"), cells_of(section)) if section else None


@given(import_texts())
def test_the_export_form_of_an_export_is_the_same(given_: tuple[BoardRecord, str]) -> None:
    exported = format_game(read(given_[1]))
    assert format_game(read(exported)) == exported


@given(import_texts())
def test_the_strict_verdict_on_an_export_is_clean(given_: tuple[BoardRecord, str]) -> None:
    exported = (HEADER + format_game(read(given_[1]))).encode("latin-1")
    verdict = verdict_of(BytesIO(exported))
    assert verdict.severity is Severity.CLEAN, verdict.findings


@given(import_texts())
def test_an_export_has_its_tags_in_order_and_short_lines(given_: tuple[BoardRecord, str]) -> None:
    exported = format_game(read(given_[1]))
    assert max(map(len, exported.split("\r\n"))) <= LONGEST_LINE
    assert "\t" not in exported
    names = [tag.name for tag in read(exported).tags]
    assert names[:15] == MANDATORY_TAGS
    assert len(set(names) - {"Note"}) == len([name for name in names if name != "Note"])


@given(records())
def test_a_record_is_its_own_export_form(record: BoardRecord) -> None:
    text = format_game(game_of(record))
    assert format_game(read(text)) == text
