"""Cards of a board that is over, played again: the player's own, against the solver's.

Nothing of it counts or is kept: the page has the cards so far, and sends them with each question.
The solver plays the other hands, double dummy, and of its best cards the lowest.
"""

from __future__ import annotations

from collections.abc import Sequence

from bridge_arena.bridge.cards import Card, Hand
from bridge_arena.bridge.errors import BridgeError, NotationError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.oracle.pool import Oracle
from bridge_arena.oracle.position import Position
from bridge_arena.reports.common.wording import made_text
from bridge_arena.server.faults import substitute_card
from bridge_arena.web.board.document import CardPlayed
from bridge_arena.web.board.of_records import LETTERS


def read_cards(text: str) -> list[Card]:
    """Read cards as `SA.HT.D2`. Raises NotationError."""
    if len(text) > 3 * 52:
        raise NotationError("more cards than a board has")
    return [Card(card) for card in text.split(".")] if text else []


async def played_on(
    record: BoardRecord, seat: Seat, cards: Sequence[Card], oracle: Oracle
) -> dict[str, object]:
    """Return other cards than a record's, played on until the player is to choose the next one.

    They come with what is `legal` then, and when all are played with the result.

    Declarer plays dummy's cards too, and dummy declarer's. Raises BridgeError for cards that cannot
    be played, and OracleError.
    """
    if record.contract is None:
        raise BridgeError("there is no contract to play")
    play = Play(record.contract)
    hands = [record.board.deal[place] for place in SEATS]
    is_declaring = seat.side is record.contract.declarer.side
    played: list[CardPlayed] = []

    def push(card: Card) -> None:
        play.check(card, hands[play.turn])
        hands[play.turn] -= Hand.of((card,))
        played.append(CardPlayed(seat=LETTERS[play.turn], card=str(card)))
        play.push(card)

    for card in cards:
        push(card)
    while not play.is_over and not _is_own(play.turn, seat, is_declaring=is_declaring):
        values = await oracle.card_values(Position.of(play, hands))
        best = max(values.values())
        push(substitute_card(Hand.of(card for card, tricks in values.items() if tricks == best)))
    position: dict[str, object] = {
        "cards": played,
        "winners": [LETTERS[trick.winner] for trick in play.tricks],
        "legal": [],
    }
    if not play.is_over:
        position["legal"] = [str(card) for card in play.legal_cards(hands[play.turn])]
        return position
    tricks = play.declarer_tricks
    score = score_ns(record.contract, tricks, record.board.vulnerability)
    return position | {
        "tricks": tricks,
        "score": score,
        "result": made_text(record.contract, tricks),
    }


def _is_own(turn: Seat, seat: Seat, *, is_declaring: bool) -> bool:
    """Return whether a player plays the cards of a hand."""
    return turn.side is seat.side if is_declaring else turn is seat
