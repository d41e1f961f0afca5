"""The board of a table: its number, dealer, vulnerability and deal."""

from __future__ import annotations

import re

from bridge_arena.bridge.board import Board, standard_dealer, standard_vulnerability
from bridge_arena.bridge.cards import PACK, Deal, Hand
from bridge_arena.bridge.deviations import Deviations, Kind
from bridge_arena.bridge.errors import BridgeError
from bridge_arena.bridge.seats import SEATS, Vulnerability
from bridge_arena.lin.model import Item, Table
from bridge_arena.lin.notation import SEATS_WRITTEN, parse_cards, parse_vulnerability, seat_of
from bridge_arena.lin.reader import label_of

_NUMBER = re.compile(r"(?<!\d)0*(\d{1,9})(?!\d)")


def number_of(table: Table) -> int | None:
    """Return the board's number, or None if the table has none.

    The board's name, which the players saw, goes before the label, which many programs leave at 1.
    """
    for name in reversed(list(table.all("ah"))):
        numbers = _NUMBER.findall(name.value)
        if numbers and int(numbers[-1]):
            return int(numbers[-1])
    item = table.last("qx")
    label = label_of(item.value) if item else None
    return (label[1] or None) if label else None


def board_of(table: Table, deviations: Deviations[Item]) -> Board:
    """Return the board of a table; its number is 1 if the table has none.

    NoRecordError is raised if the deal is missing, partly hidden or impossible.
    """
    item = table.meant("md")
    if item is not None and table.last("md") is None:
        deviations.add(Kind.OTHER_DEAL, "no deal: that of the board's other table is meant")
    if item is None or not item.value.strip():
        raise deviations.fatal(Kind.NO_DEAL, "it has no deal", item)
    text = item.value.strip()
    number = number_of(table)
    dealer = seat_of(text[0])
    deal = _deal(text.lstrip("0123456789"), item, deviations)
    if dealer is None:
        dealer = standard_dealer(number or 1)
        deviations.add(Kind.NO_DEALER, f"no digit for a dealer: {dealer} is taken", item)
    return Board(number or 1, dealer, _vulnerability(table, number, deviations), deal)


def _deal(text: str, item: Item, deviations: Deviations[Item]) -> Deal:
    """Return the deal; if only one hand is short, it gets the cards that are not named."""
    written = [hand.strip() for hand in text.split(",")]
    if any(written[4:]):
        raise deviations.fatal(Kind.IMPOSSIBLE_DEAL, f"{len(written)} hands", item)
    masks = [0, 0, 0, 0]
    dealt = 0
    for seat, hand in zip(SEATS_WRITTEN, written, strict=False):
        try:
            cards = parse_cards(hand)
        except BridgeError as error:
            kind = Kind.HIDDEN_HANDS if "'x'" in str(error).lower() else Kind.IMPOSSIBLE_DEAL
            raise deviations.fatal(kind, str(error), item) from None
        for card in cards:
            if dealt >> card & 1:
                reason = f"{card} is dealt twice, the second time to {seat}"
                raise deviations.fatal(Kind.IMPOSSIBLE_DEAL, reason, item)
            dealt |= 1 << card
            masks[seat] |= 1 << card
    short = [seat for seat in SEATS if masks[seat].bit_count() < 13]
    if len(short) == 1:
        if masks[short[0]]:
            reason = f"{short[0]} has {masks[short[0]].bit_count()} cards: it gets those left over"
            deviations.add(Kind.SHORT_HAND, reason, item)
        masks[short[0]] |= PACK.mask & ~dealt
    try:
        north, east, south, west = map(Hand, masks)
        return Deal((north, east, south, west))
    except BridgeError as error:
        kind = Kind.HIDDEN_HANDS if dealt.bit_count() < 39 else Kind.IMPOSSIBLE_DEAL
        raise deviations.fatal(kind, str(error), item) from None


def _vulnerability(table: Table, number: int | None, deviations: Deviations[Item]) -> Vulnerability:
    item = table.meant("sv")
    if item is not None and item.value.strip():
        try:
            return parse_vulnerability(item.value)
        except BridgeError:
            pass
    taken = standard_vulnerability(number) if number else Vulnerability.NONE
    says = f"{item.value[:20]!r} is none" if item else "no vulnerability is told"
    deviations.add(Kind.NO_DEALER, f"{says}: {taken} is taken", item)
    return taken


def players_of(
    table: Table, *, is_closed: bool, deviations: Deviations[Item]
) -> tuple[str, str, str, str]:
    """Return the names of N, E, S and W at this table, which may be that of the closed room."""
    item = table.last("pn")
    names = item.value.split(",") if item else list(table.heading.players)
    if any(names) and len(names) not in (4, 8):
        reason = f"{len(names)} names, not 4 or 8: the first are taken"
        deviations.add(Kind.PLAYERS, reason, item)
    if len({other.value for other in table.all("pn")}) > 1:
        deviations.add(Kind.PLAYERS, "other names stand before these: they are left out", item)
    start = 4 if is_closed and len(names) > 4 else 0
    south, west, north, east, *_ = map(str.strip, [*names[start : start + 4], "", "", "", ""])
    return north, east, south, west
