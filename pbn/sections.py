"""The Auction and Play sections of a game: tokens to calls and cards.

`bridge` judges: what the Laws do not allow is refused with its line. Irregularities
that were accepted at the table and are marked so (`^I ^S ^R ^L`) have no place in a
record: it keeps what came before the first.
"""

from __future__ import annotations

from collections.abc import Iterator

from bridge.auction import Auction
from bridge.calls import PASS, Call, Contract
from bridge.cards import Card, Deal
from bridge.errors import BridgeError
from bridge.play import Play
from bridge.record import MadeCall
from bridge.seats import Seat
from pbn.annotations import made_call, note_in
from pbn.model import Game, Section

_LOOSE_CALLS = {
    **dict.fromkeys(["P", "PAS", "PASS", "--"], "Pass"),
    **dict.fromkeys(["D", "DB", "DBL", "DOUBLE"], "X"),
    **dict.fromkeys(["R", "RD", "RDBL", "REDBL", "REDOUBLE"], "XX"),
}


def parse_call(word: str) -> Call:
    """A call as the standard writes it or in a common loose form (`P`, `1N`, `Dbl`).

    Raises NotationError.
    """
    text = word.upper()
    if len(text) == 2 and text[1] == "N":
        text += "T"
    return Call(_LOOSE_CALLS.get(text, text))


def parse_card(word: str) -> Card:
    """A card, suit first; ten may be written 10. Raises NotationError."""
    return Card(word.replace("10", "T"))


def auction_of(game: Game, dealer: Seat) -> tuple[Auction, tuple[MadeCall, ...]]:
    """The auction of a game and its calls with alerts and explanations
    (PBN 2.1, section 3.6); both are empty where the game has none.

    Raises PbnError for what is no call, is illegal or comes from the wrong seat.
    """
    auction = Auction(dealer)
    section = game.section("Auction")
    if section is None:
        return auction, ()
    notes: list[str | None] = []
    texts = {number: tag.value.partition(":")[2] for number, tag in game.notes("Auction").items()}
    skipped = _seats_before(game, section, dealer)
    tokens = section.tokens
    last_word = max((at for at, token in enumerate(tokens) if token[0].isalnum()), default=-1)
    for at, token in enumerate(tokens):
        line = section.lines[at]
        if token[0] == "=":
            number = token.strip("=")
            if notes and number.isdecimal():
                notes[-1] = texts.get(int(number), notes[-1])
        elif token[0] == "{":
            note = note_in(token)
            if notes and note is not None:
                notes[-1] = note
        elif token == "-" and skipped:
            skipped -= 1
        elif token[0] in "+^" or (token == "*" and at > last_word):
            break
        elif token[0] not in ";$!?*":  # a star within the auction marks an alert
            for call in _calls(game, auction, token, line):
                try:
                    auction.push(call)
                except BridgeError as error:
                    raise game.error(str(error), "Auction", line) from None
                notes.append(None)
    return auction, tuple(map(made_call, auction.calls, notes))


def _seats_before(game: Game, section: Section, dealer: Seat) -> int:
    """How many seats of the first row come before the dealer's."""
    value = section.value.strip()
    if value in ("", "?", "#"):
        return 0
    try:
        return (dealer - Seat.parse(value)) % 4
    except BridgeError as error:
        raise game.error(str(error), "Auction") from None


def _calls(game: Game, auction: Auction, token: str, line: int) -> Iterator[Call]:
    """The call of a token, or the passes that AP stands for."""
    if token.upper() in ("AP", "ALLPASS"):
        while not auction.is_over:
            yield PASS
        return
    try:
        yield parse_call(token)
    except BridgeError as error:
        raise game.error(str(error), "Auction", line) from None


def cards_of(game: Game, contract: Contract | None, deal: Deal) -> tuple[Card, ...]:
    """The cards played, in playing order (section 3.7): the rows have fixed columns,
    so that who won each trick tells who led the next. It ends before the first card
    that is not known.

    Raises PbnError for what is no card, or not a card the Laws allow there.
    """
    section = game.section("Play")
    if section is None:
        return ()
    slots = list(_slots(section))
    if contract is None:
        if any(word for word, _ in slots):
            raise game.error("cards are played without a contract", "Play")
        return ()
    play = Play(contract)
    first = _first_column(game, section, play.leader)
    hands = list(deal.hands)
    while not play.is_over:
        turn = play.turn
        at = 4 * len(play.tricks) + (turn - first) % 4
        word, line = slots[at] if at < len(slots) else ("", 0)
        if not word:
            break
        try:
            card = parse_card(word)
            play.check(card, hands[turn])
        except BridgeError as error:
            raise game.error(str(error), "Play", line) from None
        play.push(card)
        hands[turn] = hands[turn].without(card)
    return tuple(play.cards)


def _first_column(game: Game, section: Section, leader: Seat) -> Seat:
    value = section.value.strip()
    if value in ("", "?", "#"):
        return leader
    try:
        return Seat.parse(value)
    except BridgeError as error:
        raise game.error(str(error), "Play") from None


def _slots(section: Section) -> Iterator[tuple[str, int]]:
    """Each place of the rows with its line: a card's word, or empty for none."""
    irregular = False
    for token, line in zip(section.tokens, section.lines, strict=True):
        first = token[0]
        if token == "*":
            return
        if first == "^":
            irregular = True
        elif first in "-+":
            yield "", line
        elif first not in "={;$!?":
            yield "" if irregular else token, line
            irregular = False
