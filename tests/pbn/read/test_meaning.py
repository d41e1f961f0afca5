"""Deviations, and what is repaired."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given

from bridge_arena.bridge.board import Board, random_deal
from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.deviations import Kind, Meaning
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.seats import Seat
from bridge_arena.pbn.read.meaning import deviations_of, meaning_of
from bridge_arena.pbn.read.reader import read_games
from bridge_arena.pbn.read.records import board_of, meanings_of, read_boards
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.edit import with_comments, with_tag
from bridge_arena.pbn.write.writer import HEADER, format_game
from tests.pbn.strategies import records

DEAL = '[Deal "E:AT872.QJ.T432.87 J.K98.KJ87.QT962 K9654.63.Q965.43 Q3.AT7542.A.AKJ5"]'
BOARD = f'[Board "6"]\n[Dealer "E"]\n[Vulnerable "EW"]\n{DEAL}\n'
TAGS = '[Declarer "N"]\n[Contract "4H"]\n'
AUCTION = '[Auction "E"]\nPass Pass Pass 1H\nPass 2H Pass 4H\nPass Pass Pass\n'
ROWS = "ST SJ SK S3\nS8 H8 S4 SQ\n"


def meaning(text: str) -> Meaning:
    (game,) = read_games(BytesIO((BOARD + text).encode()))
    return meaning_of(game)


def kinds(text: str) -> list[str]:
    return [str(deviation.kind) for deviation in meaning(text).deviations]


def record(text: str) -> BoardRecord:
    found = meaning(text).record
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TAGS + AUCTION, []),
        (AUCTION + '[Play "E"]\nSA SJ S4 S3\n*\n', [Kind.UNFINISHED_PLAY]),
        (AUCTION + '[Play "E"]\nSA SJ S4 S3\n*\n[Result "11"]', [Kind.CLAIM]),
        (AUCTION + '[Result "11"]\n[Score "450"]', []),
        (AUCTION + '[Result "11"]\n[Score "420"]', [Kind.SCORE]),
        (AUCTION + '[Result "11"]\n[Score "420"]\n[Scoring "Rubber"]', []),
        (AUCTION + '[Play "E"]\nSA SJ S4 S3\n*\n[Result "13"]', [Kind.CLAIM, Kind.RESULT]),
        (AUCTION + '[Play "E"]\nSA SJ S4 S3\n*\n[Result "^13"]', [Kind.CLAIM]),
        (AUCTION + '[Play "S"]\n- - - SA\n', [Kind.UNFINISHED_PLAY, Kind.WRONG_LEAD]),
        (AUCTION + '[Play "W"]\nS4 S3 SA SJ\n', [Kind.UNFINISHED_PLAY, Kind.WRONG_LEAD]),
        (AUCTION + '[Play "E"]\nSA SJ ^R D5 S3\n', [Kind.REVOKE, Kind.UNFINISHED_PLAY]),
        (AUCTION + '[Play "E"]\nSA SJ ^L S4 S3\n', [Kind.WRONG_LEAD, Kind.UNFINISHED_PLAY]),
        (AUCTION + '[Play "E"]\nSA SJ D5 S3\n', [Kind.REVOKE]),
        (AUCTION + '[Play "E"]\nS2 D7 D5 DA\n', [Kind.REVOKE]),
        (AUCTION + '[Play "E"]\nSA S2\n', [Kind.CARD_NOT_HELD]),
        (AUCTION + '[Play "E"]\nSA card\n', [Kind.NOT_A_CARD]),
        (AUCTION + '[Play "Q"]\nSA\n', [Kind.NOT_A_CARD]),
        ('[Play "E"]\nSA\n', [Kind.NO_CONTRACT]),
        ('[Auction "E"]\n1C ^I 1C\n', [Kind.INSUFFICIENT_BID, Kind.UNFINISHED_AUCTION]),
        ('[Auction "E"]\n1C ^S Pass\n', [Kind.CALL_OUT_OF_TURN, Kind.UNFINISHED_AUCTION]),
        ('[Auction "N"]\n1C AP\n', [Kind.CALL_OUT_OF_TURN]),
        ('[Auction "N"]\n- 1C AP\n', []),
        ('[Auction "E"]\n1C 1C AP\n', [Kind.INSUFFICIENT_BID]),
        ('[Auction "E"]\n1C XX\n', [Kind.INADMISSIBLE_DOUBLE]),
        ('[Auction "E"]\nPass Pass Pass Pass 1C\n', [Kind.CALL_AFTER_END]),
        ('[Auction "E"]\n1C alert\n', [Kind.NOT_A_CALL]),
        ('[Auction "E"]\n1C Pass\n', [Kind.UNFINISHED_AUCTION]),
        ('[Auction "E"]\n1C Pass Pass\n', [Kind.MISSING_PASSES]),
        ('[Auction "E"]\n1C Pass Pass *\n', [Kind.UNFINISHED_AUCTION]),
        ('[Auction "E"]\n4H AP\n[Declarer "E"]\n[Contract "4HX"]', [Kind.CONTRACT]),
        ('[Auction "E"]\n4H AP\n[Declarer "E"]\n[Contract "4S"]', [Kind.CONTRACT]),
        ('[Contract "4H"]', [Kind.CONTRACT]),
        ('[Result "14"]', [Kind.RESULT]),
        ('[ArenaFaults "x"]\nN', [Kind.FAULTS]),
        ('[ActionTable "Asker;Action;AskedCall"]\nN', [Kind.QUESTIONS]),
        ('[ActionTable "Rank;Call"]\nN', []),
    ],
)
def test_deviations_of_a_game_are_found(text: str, expected: list[Kind]) -> None:
    assert sorted(kinds(text)) == sorted(expected)


@pytest.mark.parametrize(
    ("board", "kind"),
    [
        ("", Kind.NO_DEAL),
        ('[Deal "N:AKQJT98765432... - - -"]', Kind.HIDDEN_HANDS),
        (DEAL.replace("QJ", "Q"), Kind.IMPOSSIBLE_DEAL),
        (f'{DEAL}[Board "2"][Dealer "Q"]', Kind.NO_DEALER),
        (f'{DEAL}[Board "2"][Vulnerable "x"]', Kind.NO_DEALER),
    ],
)
def test_a_game_without_a_board_is_told(board: str, kind: Kind) -> None:
    (game,) = read_games(BytesIO(f'[Event "a"]\n{board}\n'.encode()))
    (deviation,) = deviations_of(game)
    assert deviation.kind == kind
    assert deviation.is_error == (kind not in (Kind.NO_DEAL, Kind.HIDDEN_HANDS))
    assert meaning_of(game).board is None


@pytest.mark.parametrize(
    ("tags", "dealer", "vulnerability", "told"),
    [
        ('[Board "2"]', "E", "NS", ["Dealer", "Vulnerable"]),
        ('[Board "7"]', "S", "All", ["Dealer", "Vulnerable"]),
        ('[Board "23"]', "S", "All", ["Dealer", "Vulnerable"]),
        ('[Board "2"][Dealer ""][Vulnerable "?"]', "E", "NS", ["Dealer", "Vulnerable"]),
        ('[Board "2"][Dealer "W"]', "W", "NS", ["Vulnerable"]),
        ('[Board "2"][Vulnerable "None"]', "E", "None", ["Dealer"]),
        ('[Board "2"][Auction "W"]\n1C AP\n', "W", "NS", ["Dealer", "Vulnerable"]),
        ('[Board "2"][Auction "W"]\n- - 1C AP\n', "E", "NS", ["Dealer", "Vulnerable"]),
        ("", "N", "None", ["Dealer", "Vulnerable"]),
    ],
)
def test_a_dealer_or_vulnerability_that_is_missing_is_taken_and_told(
    tags: str, dealer: str, vulnerability: str, told: list[str]
) -> None:
    (game,) = read_games(BytesIO(f"{DEAL}{tags}\n".encode()))
    board = board_of(game)
    assert (board.dealer.letter, str(board.vulnerability)) == (dealer, vulnerability)
    found = [each for each in deviations_of(game) if each.kind is Kind.NO_DEALER]
    assert [each.problem.field for each in found] == told
    assert all(each.is_error and " is taken, " in str(each) for each in found)


def test_a_board_without_a_number_has_dealer_and_vulnerability_of_the_running_count() -> None:
    deals = "\n\n".join(f'[Deal "{random_deal(1, number)}"]' for number in (1, 2, 3, 2))
    games = read_games(BytesIO(deals.encode()))
    boards = [meaning.board for _, meaning in meanings_of(games)]
    expected = [Board.dealt(1, number) for number in (1, 2, 3, 2)]
    assert boards == expected
    assert read_boards(BytesIO(deals.encode())) == expected[:3]


@pytest.mark.parametrize(
    ("text", "players"),
    [
        ('[South ""]\n[South "a"]\n', "a"),
        ('[South "?"]\n[Result ""]\n[South "a"]\n', "a"),
        ('[South "a"]\n[South "b"]\n', "a"),
        ('[South "a"]\n[South ""]\n', "a"),
    ],
)
def test_of_tags_that_come_twice_the_first_that_says_anything_counts(
    text: str, players: str
) -> None:
    (game,) = read_games(BytesIO(f'[Event "a"]\n{BOARD}{text}'.encode()), "test.pbn")
    meaning = meaning_of(game)
    assert meaning.record is not None
    assert meaning.record.players[2] == players
    (told,) = [each for each in meaning.deviations if each.kind is Kind.LEFT_OUT]
    assert told.is_error
    assert "game 1: South: twice" in str(told)
    assert f'[South "{players}"]' in format_game(game)
    edited = with_tag(with_comments(game, {("South", -1): "x"}), "South", "c")
    assert edited.get("South") == "c"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[SOUTH "a"]\n', "5: game 1: SOUTH: it is left out, as its name is not South"),
        (
            '%Margins 1,1[South "a"]\n',
            "5: game 1: South is left out, as it is in a line that begins",
        ),
    ],
)
def test_a_player_who_is_not_read_is_told(text: str, told: str) -> None:
    (game,) = read_games(BytesIO(f"{BOARD}{text}".encode()), "test.pbn")
    assert game.get("South") == ""
    (found,) = deviations_of(game)
    assert str(found).startswith(f"test.pbn:{told}")


def test_a_tag_that_was_taken_out_on_purpose_is_not_told() -> None:
    (game,) = read_games(BytesIO(f'%[South "a"]\n{BOARD}%Font "x" [y]\n[mood "b"]\n'.encode()))
    assert deviations_of(game) == []


def test_an_auction_is_not_lost_to_an_empty_one_before_it() -> None:
    text = f'{BOARD}[Auction "E"]\n[Contract "1C"]\n[Declarer "E"]\n[Auction "E"]\n1C AP\n'
    (game,) = read_games(BytesIO(text.encode()))
    meaning = meaning_of(game)
    assert meaning.record is not None
    assert len(meaning.record.calls) == 4
    assert Kind.LEFT_OUT in [each.kind for each in meaning.deviations]


def test_a_tag_that_comes_twice_with_one_value_is_not_told() -> None:
    (game,) = read_games(
        BytesIO(f'{BOARD}[South "a"]\n[South "a"]\n[Room "1"]\n[Room "2"]'.encode())
    )
    assert Kind.LEFT_OUT not in [each.kind for each in deviations_of(game)]


@pytest.mark.parametrize(
    ("tags", "expected", "tricks", "score"),
    [
        ('[Result "99"]\n', [Kind.RESULT], None, None),
        ('[Result "Z"]\n[Score "420"]\n', [Kind.RESULT], None, 420),
        ('[Result "11"]\n[Score "much"]\n', [Kind.SCORE], 11, 450),
    ],
)
def test_a_result_or_score_that_makes_no_sense_is_as_good_as_none(
    tags: str, expected: list[Kind], tricks: int | None, score: int | None
) -> None:
    found = record(TAGS + AUCTION + tags)
    assert (found.tricks, found.score) == (tricks, score)
    assert kinds(TAGS + AUCTION + tags) == expected


@pytest.mark.parametrize(
    ("result", "tricks", "score"), [("+1", 11, 450), ("=", 10, 420), ("-1", 9, -50)]
)
def test_a_result_against_the_contract_is_read_and_noted(
    result: str, tricks: int, score: int
) -> None:
    text = f'{TAGS}{AUCTION}[Result "{result}"]\n'
    found = record(text)
    assert (found.tricks, found.score) == (tricks, score)
    assert kinds(text) == [Kind.RESULT]
    assert f"read as {tricks}, from the contract" in str(meaning(text).deviations[0])


@pytest.mark.parametrize("text", ['[Result "+1"]', f'{TAGS}[Result "+4"]'])
def test_a_sign_without_its_contract_or_beyond_all_tricks_is_no_result(text: str) -> None:
    assert record(text).tricks is None
    assert kinds(text) == [Kind.RESULT]


def test_accepted_irregularities_are_no_errors() -> None:
    deviations = meaning(AUCTION + '[Play "E"]\nSA SJ ^R D5 S3\n').deviations
    assert [deviation.is_error for deviation in deviations] == [False, False]
    assert str(deviations[0]).endswith("Play: ^R: accepted at the table; the cards from it on "
                                       "are left out")  # fmt: skip


NO_DECLARER = ("?", "", "-", "Pass", "Z")


@pytest.mark.parametrize("declarer", NO_DECLARER)
@pytest.mark.parametrize("contract", ["4H", "4HX"])
def test_the_auction_tells_a_declarer_whom_the_tags_do_not(declarer: str, contract: str) -> None:
    text = f'{AUCTION}[Declarer "{declarer}"]\n[Contract "{contract}"]\n[Result "10"]\n'
    found = record(text)
    assert found.contract == Contract.parse("4H", Seat.NORTH)
    assert found.score == 420
    assert set(kinds(text)) == {Kind.CONTRACT}


@pytest.mark.parametrize("contract", ["8H", "four hearts"])
def test_the_auction_tells_a_contract_that_cannot_be_read(contract: str) -> None:
    text = f'{AUCTION}[Declarer "N"]\n[Contract "{contract}"]\n'
    assert record(text).contract == Contract.parse("4H", Seat.NORTH)
    assert kinds(text) == [Kind.CONTRACT]


@pytest.mark.parametrize("declarer", NO_DECLARER)
@pytest.mark.parametrize(
    ("contract", "auction"),
    [
        ("4H", ""),
        ("4H", '[Auction "E"]\nPass Pass Pass 4H *\n'),
        ("3H", AUCTION),
        ("4S", AUCTION),
        ("4H", '[Auction "E"]\nAP\n'),
    ],
)
def test_a_contract_without_declarer_that_the_auction_does_not_reach_is_no_record(
    declarer: str, contract: str, auction: str
) -> None:
    text = f'{auction}[Declarer "{declarer}"]\n[Contract "{contract}"]\n'
    assert meaning(text).record is None
    assert Kind.CONTRACT in kinds(text)


@pytest.mark.parametrize("auction", ['[Auction "E"]\nPass Pass Pass Pass\n', ""])
@pytest.mark.parametrize("declarer", ["", "?", "-", "Pass", "All Pass"])
@pytest.mark.parametrize("contract", ["Pass", "All Pass", "Passed", "Passed Out", "-"])
def test_every_word_for_a_board_passed_out_is_read(
    auction: str, declarer: str, contract: str
) -> None:
    text = f'{auction}[Declarer "{declarer}"]\n[Contract "{contract}"]\n'
    found = record(text)
    assert found.contract is None
    # A hyphen alone tells nothing.
    assert found.score == (None if contract == "-" and not auction else 0)
    assert kinds(text) == []


def test_final_passes_are_added_where_the_tags_name_the_contract() -> None:
    text = '[Auction "E"]\n1C Pass 2C\n[Declarer "E"]\n[Contract "2C"]'
    assert [str(made.call) for made in record(text).calls][-3:] == ["Pass"] * 3
    assert kinds(text) == [Kind.MISSING_PASSES]
    assert kinds(text.replace('"2C"', '"3C"')) == [Kind.UNFINISHED_AUCTION]


def test_leading_passes_are_added_where_declarer_and_lead_tell() -> None:
    text = '[Auction "E"]\n1H! {Note: five} Pass 4H AP\n' + TAGS + '[Play "E"]\nSA SJ S4 S3\n'
    (first, second, third, bid, *_) = record(text).calls
    assert [str(made.call) for made in (first, second, third, bid)] == [*["Pass"] * 3, "1H"]
    assert bid.explanation is not None
    assert Kind.MISSING_PASSES in kinds(text)
    # Without the opening lead nobody knows what is wrong.
    assert kinds(text.partition("[Play")[0]) == [Kind.CONTRACT]


def test_the_opening_lead_decides_between_two_declarers() -> None:
    text = AUCTION + TAGS.replace('"N"', '"W"') + '[Play "E"]\nSA SJ S4 S3\n'
    contract = record(text).contract
    assert contract is not None
    assert contract.declarer.letter == "N"
    assert Kind.CONTRACT in kinds(text)


CARDS = "SA SJ S4 S3\nS2 H8 SK SQ\nD2 D7 D5 DA\n"
PLAYED = "SA SJ S4 S3 S2 H8 SK SQ D7 D5 DA D2"


@pytest.mark.parametrize(
    "rows",
    [
        CARDS,
        "SA SJ S4 S3\nS2 H8 SK SQ\nD7 D5 DA D2\n",
        "SA SJ S4 S3\nH8 SK SQ S2\nD5 DA D2 D7\n",
        "SA SJ S4 S3\n   H8 SK SQ S2\n   D7 D5\n",
        "SA SJ S4 S3 S2 H8 SK SQ D7 D5 DA D2\n",
    ],
)
def test_misplaced_columns_of_a_play_are_repaired(rows: str) -> None:
    text = f'{AUCTION}[Play "E"]\n{rows}*\n'
    cards = record(text).cards
    assert [str(card) for card in cards] == PLAYED.split()[: len(cards)]
    assert len(cards) >= 10
    assert (Kind.MISPLACED_COLUMNS in kinds(text)) == (rows != CARDS)


def test_a_second_table_without_its_board_has_that_of_the_first() -> None:
    text = f'{BOARD}[Room "Open"]\n{AUCTION}\n[Room "Closed"]\n{AUCTION}\n[Board "7"]\n{AUCTION}'
    first, second, third = (meaning_of(game) for game in read_games(BytesIO(text.encode())))
    assert first.board == second.board
    assert [deviation.kind for deviation in second.deviations] == [Kind.IMPLIED_DEAL]
    assert third.board is None


@given(records())
def test_what_the_arena_writes_has_no_irregularity(written: BoardRecord) -> None:
    text = HEADER + format_game(game_of(written))
    (game,) = read_games(BytesIO(text.encode("latin-1")))
    assert {str(deviation.kind) for deviation in deviations_of(game)} <= {
        Kind.UNFINISHED_AUCTION,
        Kind.UNFINISHED_PLAY,
        Kind.CLAIM,
        Kind.RESULT,
        Kind.SCORE,
    }
