"""The play of a game: its Play section read as cards in playing order (PBN 2.1, section 3.7).

The rows have fixed columns, so that the winner of each trick is the leader of the next. `bridge`
judges the cards. In some files the rows are in playing order or have gaps. If the columns make no
sense, each card of a row is given to the hand that holds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import CARD_TEXTS, CARDS, SUIT_MASK, Card, Deal, Hand
from bridge_arena.bridge.deviations import Deviations, Kind, NoRecordError
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.model import Game, Section
from bridge_arena.pbn.values import parse_card

_CARD_OF = dict(zip(CARD_TEXTS, CARDS, strict=True))
_UNKNOWN = ("-", "--", "+")
_PLAIN: dict[str, Card | None] = {**_CARD_OF, **dict.fromkeys(_UNKNOWN)}

_CLOCKWISE = [SEATS[leader:] + SEATS[:leader] for leader in SEATS]

_Slots = tuple[list[Card | None], Sequence[int]]
"""The places of the rows, None where the card is not known, and the line of each place."""


def leader_of(game: Game, deal: Deal) -> Seat | None:
    """Return the seat that holds the first card of the play; None if there is no play."""
    section = game.section("Play")
    if section is None or not section.tokens:
        return None
    card = _CARD_OF.get(section.tokens[0])
    return None if card is None else deal.holder(card)


def cards_of(
    game: Game, contract: Contract | None, deal: Deal, deviations: Deviations[str]
) -> tuple[Play | None, tuple[Card, ...]]:
    """Return the play, and its cards in playing order; None and no cards if there is no play.

    They end before the first card that is not known, or that follows an irregularity which was
    accepted at the table (`^R`, `^L`). NoRecordError is raised if a token is no card, or a card is
    not legal.
    """
    section = game.section("Play")
    if section is None:
        return None, ()
    cards, lines = slots = _slots(section, deviations)
    if contract is None:
        if any(card is not None for card in cards):
            raise deviations.fatal(Kind.NO_CONTRACT, "cards are played without a contract", "Play")
        return None, ()
    leader = SEATS[(contract.declarer + 1) & 3]
    first = _first_column(section, leader, deviations)
    play, wrong = _by_columns(slots, contract, deal, first)
    if wrong is not None:
        repaired = _by_holders(slots, contract, deal)
        if repaired is None or len(repaired.cards) <= len(play.cards):
            row = cards[wrong // 4 * 4 :][:4]
            raise _fault(play, row, deal, first, lines[wrong], deviations)
        play = repaired
        reason = "the cards are not in the columns of their seats"
        deviations.add(Kind.MISPLACED_COLUMNS, reason, "Play", lines[wrong])
    elif first != leader and play.cards:
        reason = f"the columns begin with {first}, but {leader} is to lead"
        deviations.add(Kind.WRONG_LEAD, reason, "Play")
    return play, tuple(play.cards)


def _first_column(section: Section, leader: Seat, deviations: Deviations[str]) -> Seat:
    value = section.value
    if value == leader.letter or value in ("", "?", "#"):
        return leader
    try:
        return Seat.parse(value.strip())
    except BridgeError as error:
        raise deviations.fatal(Kind.NOT_A_CARD, str(error), "Play") from None


def _slots(section: Section, deviations: Deviations[str]) -> _Slots:
    plain = section.tokens[:-1] if section.tokens[-1:] == ["*"] else section.tokens
    try:
        return [_PLAIN[token] for token in plain], section.lines
    except KeyError:
        pass
    cards: list[Card | None] = []
    lines: list[int] = []
    mark = ""
    for token, line in zip(section.tokens, section.lines, strict=True):
        card = _CARD_OF.get(token)
        if card is None:
            first = token[0]
            if token == "*":
                break
            if first == "^":
                mark = token.upper()
                continue
            if first in "={;$!?":
                continue
            if token not in _UNKNOWN:
                try:
                    card = parse_card(token)
                except BridgeError as error:
                    raise deviations.fatal(Kind.NOT_A_CARD, str(error), "Play", line) from None
        if mark:
            _note_accepted(mark, line, deviations)
            if mark == "^L":
                # This trick was led out of turn: all of it is left out.
                del cards[len(cards) // 4 * 4 :]
                break
            card, mark = None, ""
        cards.append(card)
        lines.append(line)
    return cards, lines


def _note_accepted(mark: str, line: int, deviations: Deviations[str]) -> None:
    kind = Kind.WRONG_LEAD if mark == "^L" else Kind.REVOKE
    reason = f"{mark}: accepted at the table; the cards from it on are left out"
    deviations.add(kind, reason, "Play", line, accepted=True)


def _by_columns(
    slots: _Slots, contract: Contract, deal: Deal, first: Seat
) -> tuple[Play, int | None]:
    """Return the play by fixed columns, up to the first card that is not known or not legal.

    The place of a card that is not legal comes with it; None if there is none.
    """
    play = Play(contract)
    hands = [hand.mask for hand in deal.hands]
    cards, _ = slots
    whole = (cards.index(None) if None in cards else len(cards)) // 4 * 4
    play.push_rows(cast("list[Card]", cards[:whole]), first, hands)
    for start in range(len(play.cards), len(cards), 4):
        row = cards[start : start + 4]
        for turn in _CLOCKWISE[play.leader]:
            column = (turn - first) & 3
            card = row[column] if column < len(row) else None
            if card is None:
                return play, None
            if not play.allows(card, hands[turn]):
                return play, start + column
            play.push(card)
            hands[turn] ^= 1 << card
    return play, None


def _fault(
    play: Play,
    row: list[Card | None],
    deal: Deal,
    first: Seat,
    line: int,
    deviations: Deviations[str],
) -> NoRecordError:
    """Return the error of the card that is next in a row."""
    played = Hand.of(play.cards)
    hands = [(hand - played).mask for hand in deal.hands]
    known = _row(row, first)
    card = known[play.turn]
    kind = _kind_of(play, card, hands, known)
    return deviations.fatal(kind, _objection(play, card, hands), "Play", line)


def _row(cards: list[Card | None], first: Seat) -> dict[Seat, Card]:
    """Return the known cards of a row by the seats of their columns."""
    seats = (SEATS[(first + column) & 3] for column in range(4))
    return {seat: card for seat, card in zip(seats, cards, strict=False) if card is not None}


def _objection(play: Play, card: Card, hands: Sequence[int]) -> str:
    try:
        play.check(card, Hand(hands[play.turn]))
    except BridgeError as error:
        return str(error)
    return f"{card} is illegal"


def _kind_of(play: Play, card: Card, hands: Sequence[int], row: dict[Seat, Card]) -> Kind:
    """Return the kind of deviation of a card that is not legal."""
    if play.is_over or not hands[play.turn] >> card & 1:
        return Kind.CARD_NOT_HELD
    leads = (row[seat] for seat in row if seat != play.leader)
    if any(all(_follows(hands[seat], row[seat], lead) for seat in row) for lead in leads):
        return Kind.WRONG_LEAD
    return Kind.REVOKE


def _follows(hand: int, card: Card, lead: Card) -> bool:
    return card.suit == lead.suit or not hand & SUIT_MASK << 13 * lead.suit


def _by_holders(slots: _Slots, contract: Contract, deal: Deal) -> Play | None:
    """Return the play with each card given to the hand that holds it; None if that is illegal."""
    play = Play(contract)
    hands = [hand.mask for hand in deal.hands]
    holders = {card: seat for seat in SEATS for card in deal[seat]}
    rows: list[dict[Seat, Card]] = []
    whole: list[Card] = []
    for row in _rows(slots):
        held = {holders[card]: card for card in row}
        if len(held) < len(row):
            return None
        if len(held) == 4 and len(whole) == 4 * len(rows):
            whole += map(held.__getitem__, SEATS)
        rows.append(held)
    if not play.push_rows(whole, Seat.NORTH, hands):
        return None
    for number, held in enumerate(rows[len(whole) // 4 :], len(whole) // 4 + 1):
        for turn in _CLOCKWISE[play.leader]:
            card = held.get(turn)
            if card is None:
                return play if number == len(rows) else None
            if not play.allows(card, hands[turn]):
                return None
            play.push(card)
            hands[turn] ^= 1 << card
    return play


def _rows(slots: _Slots) -> Iterator[list[Card]]:
    """Yield the known cards of each trick.

    A line of the file is a trick if no line has more than four places; else four places are.
    """
    cards, _ = slots
    lines: dict[int, list[Card | None]] = {}
    for card, line in zip(*slots, strict=False):
        lines.setdefault(line, []).append(card)
    by_line = list(lines.values())
    if len(by_line) == 1 or max(map(len, by_line), default=0) > 4:
        by_line = [cards[start : start + 4] for start in range(0, len(cards), 4)]
    for row in by_line:
        known = [card for card in row if card is not None]
        if known:
            yield known
