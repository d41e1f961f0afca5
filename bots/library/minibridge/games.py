"""Games to learn from, their states, and the test of a declarer on deals that no training uses.

Games are those that a random declarer won (Hadjur 2018, algorithm 1), or all.

The state of a game is what Hadjur's agents see (section 5.1), as one int. Bits 0-23 are the cards
of the trick in progress: six bits for each place, from declarer on, each holding card + 1. Bits
24-35 are the aces, kings and queens of the earlier tricks, three bits a suit. Bits 36-43 are the
aces and kings that declarer and dummy hold, two bits a suit; they are left out if the hands are
unknown. As in the paper, the state does not say which of the two is to lead. Places are counted
from declarer (the paper's are compass points).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import TYPE_CHECKING

from bridge_arena.bots.library.minibridge import Defence, HandsKnown, Kept
from bridge_arena.bots.library.minibridge.game import (
    DECLARER,
    DEFENCES,
    DUMMY,
    Game,
    MiniDeal,
    Player,
    any_of,
    play_out,
    random_deal,
)
from bridge_arena.bridge.play import Play

if TYPE_CHECKING:  # options of commands are the settings of trainings, and need no arrays
    import numpy as np
    from numpy.typing import NDArray

BITS = 44

WITHOUT_HANDS = (1 << 36) - 1

TESTED = 500
"""The test deals on which the curve of a training is measured."""

_TEST = 2**32 - 1
"""The seed of the test deals, which no training can have."""


def state_of(game: Game) -> int:
    """Return the state of a game, with the hands."""
    return packed(game.shown, game.past, game.hands[DECLARER] | game.hands[DUMMY])


def packed(shown: int, past: int, hands: int) -> int:
    """Return the state of the cards shown in the trick, the cards past, and the hands."""
    tops = past >> 10 & 0o7 | past >> 20 & 0o70 | past >> 30 & 0o700 | past >> 40 & 0o7000
    honours = hands >> 11 & 0x3 | hands >> 22 & 0xC | hands >> 33 & 0x30 | hands >> 44 & 0xC0
    return shown | tops << 24 | honours << 36


def without_unknown(state: int, hands: HandsKnown) -> int:
    """Return the state, without the hands if they are unknown."""
    return state if hands == "known" else state & WITHOUT_HANDS


def state_at_table(play: Play, hands: int) -> int:
    """Return the state, with the hands, of a play at notrump."""
    shown = past = 0
    for turn, card in enumerate(play.trick):
        shown |= card + 1 << 6 * ((play.leader + turn - play.declarer) % 4)
    for trick in play.tricks:
        for card in trick.cards:
            past |= 1 << card
    return packed(shown, past, hands)


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as declarer's side saw it."""

    number: int  # the number of the game in the stream of its seed
    deal: MiniDeal
    states: list[int]  # the states, with the hands, before the 26 cards of declarer and dummy
    legal: list[int]  # the sets of cards that might be played, 26
    cards: list[int]
    margin: int  # the tricks above the contract, negative if it was lost


def stream(seed: int, number: int) -> Random:
    """Return the random numbers of a game, one of 2**32 - 1 games of each of 2**32 seeds."""
    # The upper word of 32 bits is never 0: Python would then mix the key as one of a single
    # word, and that gives the same numbers as some keys of two words.
    return Random(number + 1 << 32 | seed)


def random_games(
    seed: int, defence: Defence = "follow", kept: Kept = "won", start: int = 0
) -> Iterator[PlayedGame]:
    """Yield the games of a seed without end."""
    for number in count(start):
        game = random_game(seed, number, defence)
        if game.margin >= 0 or kept == "all":
            yield game


def random_game(seed: int, number: int, defence: Defence) -> PlayedGame:
    """Play a game of a seed with a random declarer and rule-based defenders."""
    rng = stream(seed, number)
    deal = random_deal(rng)
    defend = DEFENCES[defence]
    game = Game(deal.hands)
    states: list[int] = []
    choices: list[int] = []
    cards: list[int] = []
    while not game.is_over:
        if game.turn & 1:
            game.play(defend(game, rng))
            continue
        legal = game.legal()
        card = any_of(legal, rng)
        states.append(state_of(game))
        choices.append(legal)
        cards.append(card)
        game.play(card)
    return PlayedGame(number, deal, states, choices, cards, game.won - deal.target)


def play_stream(seed: int, number: int) -> Random:
    """Return the random numbers of the play of a test deal, apart from those of all deals."""
    return stream(2**31 + seed % (2**31 - 1), number)


def deals_to_test(number: int, start: int = 0) -> list[MiniDeal]:
    """Return test deals from number `start` on; they are always the same ones."""
    return [random_deal(stream(_TEST, test)) for test in range(start, start + number)]


def margins(
    deals: Iterable[MiniDeal], declarer: Player, defence: Defence, seed: int
) -> NDArray[np.int64]:
    """Return the tricks above the contract on each deal, negative if it is lost.

    The deals are test deals, in their order from number 0 on. `seed`, 0 to 2**31 - 1, is that of
    the random choices in the play.
    """
    import numpy as np  # noqa: PLC0415

    defend = DEFENCES[defence]
    return np.array(
        [
            play_out(Game(deal.hands), declarer, defend, play_stream(seed, number)) - deal.target
            for number, deal in enumerate(deals)
        ],
        np.int64,
    )
