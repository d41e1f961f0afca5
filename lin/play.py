"""The play of a table: `pc` and `mc` read as cards and tricks, which `bridge` judges."""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.bridge.calls import Contract
from bridge_arena.bridge.cards import Card, Deal, Hand
from bridge_arena.bridge.deviations import Deviations, Kind
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.seats import SEATS
from bridge_arena.lin.model import Item, Table
from bridge_arena.lin.notation import parse_cards

_MOST_CARDS = 104
"""Two packs: cards that are named twice are skipped, so more than 52 may be listed."""


def cards_of(table: Table, deviations: Deviations[Item]) -> list[tuple[Card, Item]]:
    """Return the cards that the file lists, up to the first text that is no card."""
    cards: list[tuple[Card, Item]] = []
    for item in table.all("pc"):
        try:
            cards += [(card, item) for card in parse_cards(item.value)]
        except BridgeError as error:
            reason = f"{error}: it and the cards after it are left out"
            deviations.add(Kind.NOT_A_CARD, reason, item)
            break
        if len(cards) > _MOST_CARDS:
            reason = f"more than {_MOST_CARDS} cards: those after them are left out"
            deviations.add(Kind.NOT_A_CARD, reason, item)
            return cards[:_MOST_CARDS]
    return cards


def play_of(
    cards: list[tuple[Card, Item]], contract: Contract, deal: Deal, deviations: Deviations[Item]
) -> Play:
    """Return the play up to the first illegal card; a card that was played before is skipped."""
    play = Play(contract)
    hands = [hand.mask for hand in deal.hands]
    played = 0
    for card, item in cards:
        if played >> card & 1:
            reason = f"{card} was played before: it is passed over"
            deviations.add(Kind.CARD_PLAYED_TWICE, reason, item)
            continue
        turn = play.turn
        try:
            play.check(card, Hand(hands[turn]))
        except BridgeError as error:
            kind = Kind.REVOKE if hands[turn] >> card & 1 else Kind.CARD_NOT_HELD
            deviations.add(kind, f"{error}: it and the cards after it are left out", item)
            break
        play.push(card)
        hands[turn] ^= 1 << card
        played |= 1 << card
    return play


def tricks_of(play: Play, deal: Deal) -> int | None:
    """Return declarer's tricks if at most the last trick is not played, else None."""
    if len(play.cards) < 48:
        return None
    ended = Play(play.contract)
    for card in (*play.cards, *_last_trick(play, deal)):
        ended.push(card)
    return ended.declarer_tricks


def _last_trick(play: Play, deal: Deal) -> Iterator[Card]:
    played = Hand.of(play.cards).mask
    for count in range(len(play.cards), 52):
        turn = SEATS[(play.leader + count) % 4]
        yield next(iter(Hand(deal[turn].mask & ~played)))


def claimed_of(table: Table, deviations: Deviations[Item]) -> tuple[int, Item] | None:
    """Return declarer's tricks by the last claim, and the item that claims them."""
    item = table.last("mc")
    if item is None or not item.value.strip():
        return None
    text = item.value.strip()
    others = {other.value.strip() for other in table.all("mc")} - {text, ""}
    if others:
        reason = f"claims of {', '.join(sorted(others))[:40]} tricks before it are left out"
        deviations.add(Kind.RESULT, reason, item)
    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= 13:
        return int(text), item
    reason = f"{text[:20]!r} is not a number of tricks: the claim is left out"
    deviations.add(Kind.RESULT, reason, item)
    return None
