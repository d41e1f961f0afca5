"""Rule-based defenders, after Hadjur's description of his (2018, sections 4.1 and 5.2.1).

"If an opponent plays last and has a chance to win a trick, then he plays the right winning card";
"rules are limited and random play is done when the situation is ambiguous (for instance, if winning
at 100 % cannot be achieved)". He says no more, so there are several readings; `follow` is the one
against which a random declarer wins as often as his. All defenders know only what a defender sees:
their own hand, dummy's once the first card is led, and the cards played.
"""

from __future__ import annotations

from random import Random

from bridge_arena.bots.library.minibridge import Defence
from bridge_arena.bots.library.minibridge.contracts import DECLARER, DUMMY
from bridge_arena.bots.library.minibridge.game import SUITS, Game, Player, any_of, random_card

_PACK = (1 << 52) - 1
_PLAIN = sum(0x1FF << 13 * suit for suit in range(4))
"""The cards from the two to the ten."""


def last_takes(game: Game, rng: Random) -> int:
    """Return the card of the defender `last`; see `Defence`."""
    legal = game.legal()
    if len(game.trick) == 3 and not game.winner & 1:
        takers = _above(legal & SUITS[game.best], game.best)
        if takers:
            return _lowest(takers)
    return any_of(legal, rng)


def follows(game: Game, rng: Random) -> int:
    """Return the card of the defender `follow`; see `Defence`."""
    legal = game.legal()
    winners = sure_winners(game, legal) if game.trick else 0
    return _lowest(winners) if winners else any_of(legal, rng)


def sure_takes(game: Game, rng: Random) -> int:
    """Return the card of the defender `sure`; see `Defence`."""
    legal = game.legal()
    winners = sure_winners(game, legal)
    if not winners:
        return any_of(legal, rng)
    return _lowest(winners) if game.trick else any_of(winners, rng)


def low_else(game: Game, rng: Random) -> int:
    """Return the card of the defender `low`; see `Defence`."""
    legal = game.legal()
    winners = sure_winners(game, legal)
    if winners:
        return _lowest(winners) if game.trick else any_of(winners, rng)
    if not game.trick:
        return any_of(legal & _PLAIN or legal, rng)
    cards = legal & _PLAIN or legal
    lowest = min(card % 13 for card in range(52) if cards >> card & 1)
    return any_of(cards & _OF_RANK[lowest], rng)


_OF_RANK = tuple(sum(1 << 13 * suit + rank for suit in range(4)) for rank in range(13))


def sure_winners(game: Game, legal: int) -> int:
    """Return the cards that take the trick for sure, as far as the defender can know.

    Args:
        game: The game, with a defender to play.
        legal: The set of cards that he may play.

    Returns:
        A set of cards; it is empty if partner's card is sure to take the trick already.
    """
    turn, number = game.turn, len(game.trick)
    own = game.hands[turn]
    dummy = game.hands[DUMMY] if number or game.past else 0
    seen = own | dummy | game.past
    for card in game.trick:
        seen |= 1 << card
    # Cards that declarer's side may still play to this trick.
    later = {(turn + ahead) & 3 for ahead in range(1, 4 - number)}
    threats = (_PACK & ~seen if DECLARER in later else 0) | (dummy if DUMMY in later else 0)
    if not number:
        return _masters(legal, threats)
    if game.winner & 1 and not _above(threats & SUITS[game.best], game.best):
        return 0
    return _masters(_above(legal & SUITS[game.best], game.best), threats)


def _masters(cards: int, threats: int) -> int:
    """Return the cards of a set that no threat in their suit beats."""
    found = 0
    for mask in SUITS[::13]:
        held, against = cards & mask, threats & mask
        if held:
            found |= _above(held, against.bit_length() - 1) if against else held
    return found


def _above(cards: int, card: int) -> int:
    """Return the cards of a set that are above a card in the order of the pack."""
    return cards >> card + 1 << card + 1


def _lowest(cards: int) -> int:
    """Return the lowest card of a set in the order of the pack."""
    return (cards & -cards).bit_length() - 1


DEFENCES: dict[Defence, Player] = {
    "random": random_card,
    "last": last_takes,
    "follow": follows,
    "sure": sure_takes,
    "low": low_else,
}
