"""Tests of the findings of one table, and of a board in two rooms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import Mode, Room
from bridge_arena.bridge.seats import Seat
from bridge_arena.oracle.ledger import Role
from bridge_arena.pbn.write.compose import game_of
from bridge_arena.pbn.write.writer import format_game
from bridge_arena.recorded.analysis.answers import Outcome
from bridge_arena.recorded.analysis.findings import find
from bridge_arena.recorded.analysis.games import Entry
from bridge_arena.recorded.analysis.overview import Overview
from tests.oracle.vectors import KNOWN_DEAL
from tests.recorded.analysis.games import CLOSED, HEAD, OPEN, entry_of, outcomes


def test_a_finding_has_tricks_par_and_ledger() -> None:
    entry = entry_of(OPEN)
    finding = find(entry, outcomes((entry, "bbbbb")))
    assert finding.par is not None
    assert finding.par.score == -450
    assert (finding.dd_tricks, finding.difference, finding.score) == (11, -1, -420)
    assert (finding.imps, finding.auction_imps) == (1, 0)
    assert finding.ledger is not None
    (loss,) = finding.ledger.losses
    assert (loss.card, loss.role, loss.tricks) == (4, Role.DECLARER_PLAY, 1)
    assert finding.against_par is not None
    assert finding.against_par.parts[Room.OPEN, Role.DECLARER_PLAY] == 1
    assert finding.note == ""


def test_the_parts_of_a_swing_add_up() -> None:
    first, second = entry_of(OPEN), entry_of(CLOSED)
    answers = outcomes((first, "bbbbb"), (second, "bbb"))
    finding = find(first, answers, second.record)
    rooms = finding.rooms
    assert rooms is not None
    # -420 against -200: double dummy -450 against -200.
    assert (rooms.swing, rooms.auction) == (-6, -6)
    assert rooms.parts is not None
    assert -6 + sum(rooms.parts.values()) == pytest.approx(rooms.swing)
    assert find(second, answers, first.record).rooms == rooms, "both rooms say the same"


def test_a_swing_without_the_play_of_a_room_has_no_parts() -> None:
    first = entry_of(OPEN)
    bare = entry_of(CLOSED.partition("[Play")[0])
    finding = find(first, outcomes((first, "bbbbb")), bare.record)
    assert finding.rooms is not None
    assert (finding.rooms.swing, finding.rooms.auction, finding.rooms.parts) == (-6, -6, None)


def test_without_play_there_is_no_ledger() -> None:
    finding = find(entry_of(CLOSED.partition("[Play")[0]), outcomes())
    assert (finding.difference, finding.ledger, finding.against_par) == (0, None, None)
    assert finding.imps == 6


def test_unfinished_play_goes_as_far_as_it_goes() -> None:
    entry = entry_of(OPEN.replace('[Result "10"]\n', ""))
    finding = find(entry, outcomes((entry, "bbaaa")))
    assert finding.ledger is not None
    assert finding.ledger.lost(Role.DECLARER_PLAY) == 1
    assert (finding.difference, finding.imps, finding.auction_imps) == (None, None, 0)


def test_what_is_missing_is_in_the_note() -> None:
    without_result = OPEN.replace('[Result "10"]\n', "")
    entry = entry_of(without_result)
    assert find(entry, outcomes((entry, "bbaaa"))).note == "no result"
    assert find(entry_of(CLOSED.partition("[Play")[0]), outcomes()).note == "no play"
    neither = entry_of(without_result.partition("[Play")[0])
    assert find(neither, outcomes()).note == "no result; no play"


def played_out(result: str) -> Entry:
    """All 52 cards, each the lowest that the player may play."""
    play = Play(Contract.parse("4H", Seat.EAST))
    hands = list(KNOWN_DEAL.hands)
    while not play.is_over:
        turn = play.turn
        card = min(play.legal_cards(hands[turn]))
        play.push(card)
        hands[turn] = hands[turn].without(card)
    cards = tuple(play.cards)
    board = entry_of(HEAD).record
    assert board is not None
    record = replace(board, contract=play.contract, cards=cards, tricks=play.declarer_tricks)
    text = format_game(game_of(record))
    at = f'[Result "{play.declarer_tricks}"]'
    assert at in text
    return entry_of(text.replace(at, f'[Result "{result}"]'))


def test_all_cards_played_decide_against_the_result() -> None:
    right = played_out("?").record
    assert right is not None
    assert right.tricks is not None
    entry = played_out(str(right.tricks - 1))
    assert entry.record is not None
    assert entry.record.tricks == right.tricks
    values = f"{right.tricks:x}" * 53
    finding = find(entry, outcomes((entry, values)))
    assert finding.ledger is not None
    assert finding.ledger.losses == ()
    reason = f"{right.tricks - 1} tricks, but the play has {right.tricks} to {13 - right.tricks}"
    assert finding.note == reason
    overview = Overview()
    overview.add(finding)
    assert overview.bad == 1


def test_a_wrong_count_that_the_players_agreed_on_is_a_claim() -> None:
    right = played_out("?").record
    assert right is not None
    assert right.tricks is not None
    entry = played_out(f"^{right.tricks - 1}")
    assert entry.record is not None
    assert entry.record.tricks == right.tricks - 1
    finding = find(entry, outcomes((entry, f"{right.tricks:x}" * 53)))
    assert finding.ledger is not None
    assert [(loss.card, loss.tricks) for loss in finding.ledger.losses] == [(52, 1)]
    assert finding.note == ""


def test_an_impossible_result_of_unfinished_play_is_nobodys_loss() -> None:
    entry = entry_of(OPEN.replace('[Result "10"]', '[Result "0"]'))
    finding = find(entry, outcomes((entry, "bbbbb")))
    assert finding.ledger is None
    assert finding.note == "0 tricks, but the play has 1 to 0; nobody is charged"


def test_what_was_only_bid_is_no_play() -> None:
    entry = entry_of(CLOSED.partition("[Play")[0])
    assert entry.record is not None
    bid = replace(entry.record, mode=Mode.BIDDING)
    finding = find(replace(entry, record=bid), outcomes())
    assert (finding.difference, finding.dd_tricks, finding.imps) == (None, 11, 6)
    assert finding.note == "bid but not played"


def test_a_board_passed_out_is_compared_with_par() -> None:
    finding = find(entry_of(HEAD + '[Contract "Pass"]\n'), outcomes())
    assert (finding.score, finding.dd_tricks, finding.imps, finding.auction_imps) == (
        0,
        None,
        10,
        10,
    )


def test_a_board_that_was_not_played_has_only_its_note() -> None:
    finding = find(entry_of(HEAD), {})
    assert finding.note == "no contract"
    assert finding.imps is None


def test_a_table_that_took_too_long_is_noted() -> None:
    entry = entry_of(OPEN)
    answers = outcomes((entry, "bbbbb"))
    answers[str(entry.record.board.deal)] = Outcome("", "no answer within 1 s")  # type: ignore[union-attr]
    finding = find(entry, answers)
    assert (finding.difference, finding.imps, finding.par) == (-1, None, None)
    assert finding.ledger is not None
    assert finding.note == "no table: no answer within 1 s"


def test_a_play_that_took_too_long_is_noted() -> None:
    entry = entry_of(OPEN)
    finding = find(entry, outcomes())
    assert (finding.difference, finding.ledger, finding.imps) == (-1, None, 1)
    assert finding.note == "no ledger: not solved yet"


def test_other_scoring_is_named_and_replaced() -> None:
    entry = entry_of(OPEN.replace("[Result", '[Score "NS 55"]\n[Result'))
    finding = find(entry, outcomes((entry, "bbbbb")))
    assert finding.score == -420
    assert finding.note == "scored 55, not -420 as duplicate"
