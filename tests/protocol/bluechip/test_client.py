"""The client's end, with managers that differ and managers that err."""

from __future__ import annotations

from typing import TypedDict

import pytest

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.errors import IllegalCallError
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall
from bridge_arena.bridge.seats import Seat, Vulnerability
from bridge_arena.bridge.seeds import DealKey
from bridge_arena.protocol.bluechip.client import ClientSession
from bridge_arena.protocol.bluechip.spelling import Quirks
from bridge_arena.protocol.errors import ErrorCode, ProtocolError
from bridge_arena.protocol.messages import (
    AnswerClaim,
    BoardEnd,
    Claim,
    Error,
    Explain,
    ExplanationGiven,
    Goodbye,
    MakeCall,
    Message,
    PlayCard,
    YourTurn,
)
from tests.protocol.bluechip.wire import lines
from tests.server.tables import NORTH, SOUTH, kinds

HAND = "S 5 2. H J 7 6. D K Q J 8 7 4. C T 9."


def seated(quirks: Quirks | None = None, seat: Seat | None = NORTH) -> ClientSession:
    session = ClientSession("A", seat, quirks=quirks or Quirks())
    session.connect()
    hear(session, 'North ("A") seated', 'Teams : N/S : "A" E/W : "B"')
    return session


def hear(session: ClientSession, *said: str) -> list[Message]:
    return [event for line in said for event in session.receive(line)]


def sent(session: ClientSession) -> list[str]:
    return lines(session.data_to_send())


def dealt(quirks: Quirks | None = None, board: str = "Dealer North. Neither") -> ClientSession:
    """North has taken up its cards."""
    session = seated(quirks)
    hear(session, "Start of Board", f"Board number 1. {board} vulnerable.")
    hear(session, f"North's cards : {HAND}")
    sent(session)
    return session


def defending() -> ClientSession:
    """West plays 1NT; North has led the five of spades and sees dummy."""
    session = dealt()
    session.answer(Call("Pass"))
    hear(session, "East passes", "South passes", "West bids 1NT")
    session.answer(Call("Pass"))
    hear(session, "East passes", "South passes", "North to lead")
    session.answer(Card("S5"))
    hear(session, "Dummy's cards : S A K 3. H T 9 8 5 4. D T. C K 8 3 2.")
    sent(session)
    return session


# Seating.


def test_a_client_says_its_first_lines() -> None:
    session = ClientSession("A", NORTH)
    session.connect()
    assert sent(session) == ['Connecting "A" as North using protocol version 18']
    hear(session, 'North ("A") seated')
    assert sent(session) == ["North ready for teams"]
    hear(session, 'Teams : N/S : "A" E/W : "B" [Playing IMP]')
    assert sent(session) == ["North ready to start"]


def test_a_client_may_ask_for_any_seat() -> None:
    session = ClientSession("A")
    session.connect()
    assert sent(session) == ['Connecting "A" as ANYPL using protocol version 18']
    hear(session, "SOUTH A seated")
    assert session.seat == SOUTH


def test_a_seat_that_was_not_asked_for_is_not_taken() -> None:
    session = ClientSession("A", SOUTH)
    with pytest.raises(ProtocolError, match="asked for seat S, was given N"):
        hear(session, 'North ("A") seated')
    assert not session.is_seated


def test_a_refusal_is_the_end_only_while_there_is_no_seat() -> None:
    (refused,) = hear(ClientSession("A"), "Error Team name mismatch")
    assert refused == Error(code=ErrorCode.MALFORMED, text="Error Team name mismatch", fatal=True)
    (told,) = hear(dealt(), "Error: 'North thinks' is not understood")
    assert isinstance(told, Error)
    assert not told.fatal


@pytest.mark.parametrize("line", ["Start of Board", "North to lead", "Dummy to lead"])
def test_nothing_comes_before_the_seat(line: str) -> None:
    with pytest.raises(ProtocolError, match="expected a seat, received"):
        hear(ClientSession("A"), line)


def test_teams_may_be_told_again() -> None:
    session = seated()
    sent(session)
    assert hear(session, 'Teams : N/S : "A" E/W : "B"') == []
    assert sent(session) == []


# Boards.


def test_a_client_knows_what_it_is_told_of_a_board() -> None:
    session = ClientSession("A", NORTH, seed=99)
    hear(session, 'North ("A") seated', 'Teams : N/S : "A" E/W : "B"', "start of board")
    hear(session, "Board number 6. Dealer East. E/W vulnerable.", f"NORTH'S CARDS: {HAND}")
    view = session.view
    assert view is not None
    assert (view.number, view.dealer, view.vulnerability) == (6, Seat.EAST, Vulnerability.EW)
    assert view.hand == Hand.parse("52.J76.KQJ874.T9")
    assert view.seed == DealKey.of_seed(99).seat_seed(6, NORTH)
    assert sent(session)[-1] == "North ready for East's bid"


def test_a_board_line_that_is_not_to_be_believed_is_corrected() -> None:
    session = dealt(Quirks(board="fixed"), board="Dealer West. Both")
    view = session.view
    assert view is not None
    assert (view.dealer, view.vulnerability) == (NORTH, Vulnerability.NONE)
    assert view.turn is not None


def test_another_seats_cards_are_not_taken_up() -> None:
    session = seated()
    hear(session, "Start of Board", "Board number 1. Dealer North. Neither vulnerable.")
    with pytest.raises(ProtocolError, match="expected the cards of N"):
        hear(session, f"South's cards : {HAND}")


def test_opponents_are_understood_and_partner_is_not_overheard() -> None:
    session = dealt(board="Dealer East. Neither")
    hear(session, "East bids 1C Alert. strong [hcp 16-37]", "South bids 1D Alert. for my eyes only")
    hear(session, "West passes Infos. weak")
    assert session.view is not None
    assert session.view.calls == [
        MadeCall(Call("1C"), alert=True, explanation=Explanation("strong", hcp=(16, 37))),
        MadeCall(Call("1D")),
        MadeCall(Call("Pass"), explanation=Explanation("weak")),
    ]


def test_a_start_in_mid_board_gives_it_up() -> None:
    session = dealt()
    session.answer(Call("1D"))
    hear(session, "East passes")
    sent(session)
    (end,) = hear(session, "Start of Board")
    assert isinstance(end, BoardEnd)
    assert (end.board, end.score) == (1, None)
    assert sent(session) == ["North ready for deal"]
    hear(session, "Board number 1. Dealer North. Neither vulnerable.", f"North's cards : {HAND}")
    assert session.view is not None
    assert session.view.calls == []


@pytest.mark.parametrize("line", ["End of session", "NS: 12 EW: 3"])
def test_the_end_of_the_session_is_a_goodbye(line: str) -> None:
    session = dealt()
    events = hear(session, line)
    assert kinds(events) == "BoardEnd Goodbye"
    assert session.goodbye == Goodbye(reason=line)
    with pytest.raises(ProtocolError, match="came after the end of the session"):
        hear(session, "Start of Board")


# A manager that repeats what the client does, and one that answers with the word asked for.


def test_echoes_are_no_trouble() -> None:
    session = dealt()
    session.answer(MadeCall(Call("1D")))
    assert hear(session, "North bids 1D") == []
    assert kinds(hear(session, "East passes")) == "CallMade"
    session = defending()
    assert hear(session, "North plays 5S") == []


@pytest.mark.parametrize("line", ["Dummy plays 3S", "East plays 3S", "east plays s3"])
def test_dummys_cards_come_under_either_name(line: str) -> None:
    session = defending()
    assert kinds(hear(session, line)) == "CardPlayed"
    assert sent(session) == ["North ready for South's card to trick 1"]


# Managers that err.


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("South plays 3S", "expected a card of E, received 'South plays 3S'"),
        ("East plays 4S", "S4 is illegal: E does not hold it"),
        ("East plays TH", "HT is illegal: E can follow suit to S5"),
        ("East passes", "'East passes' came where it does not belong"),
        ("North to lead", "came where it does not belong"),
        ("Board number 2. Dealer East. Both vulnerable.", "came where it does not belong"),
        ("East shrugs", "'East shrugs' is not understood"),
    ],
)
def test_a_card_that_cannot_be_is_an_error_without_effect(line: str, complaint: str) -> None:
    session = defending()
    with pytest.raises(ProtocolError, match=complaint):
        hear(session, line)
    # The line had no effect.
    assert kinds(hear(session, "East plays AS")) == "CardPlayed"
    with pytest.raises(ProtocolError, match="S cannot hold it"):
        hear(session, "South plays KS")


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("South bids 1NT", "expected a call by E, received 'South bids 1NT'"),
        ("East bids 1C", "1C by E is illegal: insufficient over 1D"),
        ("East redoubles", "XX by E is illegal"),
        ("East plays AS", "came where it does not belong"),
    ],
)
def test_a_call_that_cannot_be_is_an_error(line: str, complaint: str) -> None:
    session = dealt()
    session.answer(Call("1D"))
    with pytest.raises(ProtocolError, match=complaint):
        hear(session, line)
    assert kinds(hear(session, "East bids 1H")) == "CallMade"


def test_dummy_has_no_cards_that_are_elsewhere() -> None:
    session = dealt()
    session.answer(Call("Pass"))
    hear(session, "East passes", "South passes", "West bids 1NT")
    session.answer(Call("Pass"))
    hear(session, "East passes", "South passes", "North to lead")
    session.answer(Card("S5"))
    with pytest.raises(ProtocolError, match="cards that are known to be elsewhere"):
        hear(session, "Dummy's cards : S A K 5. H T 9 8 5 4. D T. C K 8 3 2.")


def test_a_refused_bid_ends_the_board_for_the_client() -> None:
    session = dealt()
    session.answer(Call("1D"))
    sent(session)
    assert kinds(hear(session, "Illegal bid")) == "Error BoardEnd"
    with pytest.raises(ProtocolError, match="does not belong"):
        hear(session, "East passes")
    hear(session, "Start of Board")
    assert sent(session) == ["North ready for deal"]


def test_an_answer_needs_a_turn() -> None:
    with pytest.raises(ValueError, match="no turn is open"):
        seated().answer(Call("Pass"))


def test_an_illegal_answer_is_not_sent() -> None:
    session = dealt()
    with pytest.raises(ValueError, match="X by N is illegal"):
        session.answer(Call("X"))
    assert sent(session) == []
    session.answer(Call("1D"))
    assert sent(session) == ["North bids 1D", "North ready for East's bid"]


# Answers as messages.


class Named(TypedDict):
    """The part of an answer that names its turn."""

    table: str
    board: int
    seq: int


def asked(session: ClientSession) -> Named:
    """The open turn."""
    view = session.view
    assert view is not None
    assert view.turn is not None
    return Named(table=view.turn.table, board=view.turn.board, seq=view.turn.seq)


def bidding() -> ClientSession:
    """East opened, alerted, and North is to call after South's pass and West's 1NT."""
    session = dealt(board="Dealer East. Neither")
    hear(session, "East bids 1C Alert. strong [hcp 16-37]", "South passes", "West bids 1NT")
    sent(session)
    return session


def test_a_call_may_be_sent_as_a_message() -> None:
    session = bidding()
    majors = Explanation("majors")
    made = MakeCall(call=Call("2D"), alert=True, explanation=majors, **asked(session))
    assert kinds(session.send(made)) == "CallMade"
    assert sent(session) == ["North bids 2D Alert. majors", "North ready for East's bid"]


def test_a_card_may_be_sent_as_a_message() -> None:
    session = defending()
    hear(session, "East plays 3S", "South plays 6S", "West plays 4S", "South plays 2H")
    hear(session, "West plays 3H")
    sent(session)
    assert kinds(session.send(PlayCard(card=Card("HJ"), **asked(session)))) == "CardPlayed"
    assert sent(session) == ["North plays JH", "North ready for dummy's card to trick 2"]


def test_a_question_is_answered_from_what_was_told() -> None:
    session = bidding()
    given, again = session.send(Explain(call=0, **asked(session)))
    assert isinstance(given, ExplanationGiven)
    assert (given.call, given.explanation) == (0, Explanation("strong", hcp=(16, 37)))
    # The turn is asked again, and the manager knows nothing of it.
    assert isinstance(again, YourTurn)
    assert asked(session)["seq"] == again.seq
    assert sent(session) == []
    assert kinds(session.send(MakeCall(call=Call("Pass"), **asked(session)))) == "CallMade"
    assert sent(session) == ["North passes", "North ready for East's bid"]


def test_a_meaning_that_was_not_told_is_not_known() -> None:
    session = bidding()
    given, _ = session.send(Explain(call=2, **asked(session)))
    assert isinstance(given, ExplanationGiven)
    assert given.explanation is None


def test_a_call_that_was_not_made_cannot_be_explained() -> None:
    session = bidding()
    with pytest.raises(IllegalCallError, match="call 3 cannot be explained: it was not made"):
        session.send(Explain(call=3, **asked(session)))


def test_there_are_no_claims() -> None:
    session = bidding()
    turn = asked(session)
    claims: list[Claim | AnswerClaim] = [Claim(tricks=3, **turn), AnswerClaim(accept=True, **turn)]
    for claim in claims:
        with pytest.raises(ValueError, match=f"there is no {claim.type} in Blue Chip"):
            session.send(claim)
    assert sent(session) == []
    assert kinds(session.send(MakeCall(call=Call("Pass"), **turn))) == "CallMade"


def test_a_question_needs_a_turn() -> None:
    session = bidding()
    turn = asked(session)
    session.send(MakeCall(call=Call("Pass"), **turn))
    with pytest.raises(ValueError, match="no turn is open"):
        session.send(Explain(call=0, **turn))
