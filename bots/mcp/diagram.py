"""A board in the notation of bridge players, as text."""

from __future__ import annotations

from collections.abc import Iterator

from bridge_arena.bridge.cards import SUITS_DOWN, Card, Hand
from bridge_arena.bridge.seats import SEATS, Seat, Side
from bridge_arena.protocol.view import View


def diagram(view: View) -> str:
    """Return a board as its seat sees it: the hands, the auction and the play, in lines.

    Alerted calls have an exclamation mark. What players say about their calls is left out.
    """
    return "\n".join(_lines(view))


def _lines(view: View) -> Iterator[str]:
    yield (
        f"Board {view.number}, dealer {view.dealer}, vulnerable: {view.vulnerability!s}, "
        f"you are {view.seat}"
    )
    for seat in SEATS:
        held = view.held(seat)
        if held is not None:
            yield f"{seat}  {_hand(held)}{_role(view, seat)}"
    yield from _auction(view)
    yield from _play(view)


def _hand(hand: Hand) -> str:
    holdings = zip(SUITS_DOWN, str(hand).split("."), strict=True)
    return "  ".join(f"{suit.symbol} {ranks or '–'}" for suit, ranks in holdings)


def _role(view: View, seat: Seat) -> str:
    if seat is view.seat:
        return "  (you)"
    return "  (dummy)" if view.play is not None and seat is view.play.dummy else ""


def _auction(view: View) -> Iterator[str]:
    """Yield the auction in four columns, West first."""
    yield "Auction:"
    columns = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
    words = [""] * columns.index(view.dealer)
    words += [f"{made.call}{'!' if made.alert else ''}" for made in view.calls]
    for start in range(0, len(words), 4):
        if start == 0:
            yield "".join(f"  {seat!s:6}" for seat in columns).rstrip()
        yield "".join(f"  {word:6}" for word in words[start : start + 4]).rstrip()


def _play(view: View) -> Iterator[str]:
    play = view.play
    if play is None:
        return
    yield (
        f"Contract {play.contract} by {play.declarer}; "
        f"tricks NS {play.won[Side.NS]}, EW {play.won[Side.EW]}"
    )
    for number, trick in enumerate(play.tricks, start=1):
        yield f"{number:2}. {_cards(trick.leader, trick.cards)}: {trick.winner} wins"
    if play.trick:
        yield f"{len(play.tricks) + 1:2}. {_cards(play.leader, play.trick)}"


def _cards(leader: Seat, cards: list[Card] | tuple[Card, ...]) -> str:
    texts = (f"{card.suit.symbol}{card.rank}" for card in cards)
    return f"{leader} " + " ".join(texts)
