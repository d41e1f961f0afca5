"""Bidding examples: what Standard American says with a hand, as any textbook would.

A hand is written spades first. The calls are the auction so far, the dealer's first, North
dealing and nobody vulnerable; the hand belongs to whose turn it is.
"""

from __future__ import annotations

import pytest

from bridge_arena.bots.natural.system import Natural
from tests.bots.views import hold

OPENINGS = [
    ("AQ765.K4.K832.Q4", "", "1S"),
    ("K4.AQ765.K832.Q4", "", "1H"),
    ("K432.AQ7.KJ32.84", "", "1D"),
    ("KQ32.AJ7.84.K632", "", "1C"),
    ("KQ32.AJ7.843.K63", "", "1C"),  # of two suits of three, clubs
    ("AQ32.KJ74.K83.64", "", "1D"),  # 4=4=3=2, the only short diamond
    ("AKJ32.KQJ32.A2.2", "", "1S"),  # of two suits of five, the higher
    ("2.AQ32.4.AKJ8732", "", "1C"),
    ("AQ3.KJ54.KQ2.J32", "", "1NT"),
    ("AQ3.K4.KJ875.K32", "", "1NT"),  # five diamonds
    ("AK3.KQ54.KQ2.Q32", "", "1C"),  # 19: between the notrumps
    ("AK3.KQ54.KQ2.K32", "", "2NT"),
    ("AK75.KQJ5.AK2.K3", "", "2C"),
    ("AKQ54.AKQ3.A2.K3", "", "2C"),
    ("AQJ985.43.J52.82", "", "2S"),
    ("43.KQJ975.852.82", "", "2H"),
    ("43.K97642.K52.82", "", "2H"),  # six cards, not a good suit
    ("4.852.KQJ9752.82", "", "3D"),
    ("KQJ98752.4.82.43", "", "4S"),
    ("AQ985.AJ975.52.4", "", "1S"),  # 11 points, ten cards in two suits
    ("K432.Q54.K32.Q32", "", "Pass"),
    ("KQ32.AJ7.84.K632", "Pass Pass", "1C"),
]

ANSWERS = [
    # To one of a major.
    ("K432.K54.432.432", "1S Pass", "2S"),
    ("Q432.K54.J32.432", "1S Pass", "Pass"),  # queens and jacks: too little for a raise
    ("Q432.K54.K32.J32", "1S Pass", "2S"),
    ("KQ32.54.A432.Q32", "1S Pass", "3S"),
    ("KQ32.4.AJ432.K32", "1S Pass", "4H"),  # splinter
    ("4.KQ32.AJ432.K32", "1H Pass", "3S"),  # splinter
    ("Q9432.K8543.2.42", "1S Pass", "4S"),
    ("54.KJ2.Q8732.Q32", "1S Pass", "1NT"),
    ("2.KJ5.AQJ32.K432", "1S Pass", "2D"),
    ("32.54.K432.J8432", "1S Pass", "Pass"),
    ("K432.54.Q32.J432", "1H Pass", "1S"),
    ("AQ965.K3.Q82.K43", "1H Pass", "1S"),
    # To one of a minor.
    ("K432.Q942.83.K42", "1C Pass", "1H"),  # up the line
    ("AQ965.KJ542.3.43", "1C Pass", "1S"),
    ("KQJ3.A52.K2.9842", "1D Pass", "1S"),
    ("K43.QT3.J84.Q843", "1D Pass", "1NT"),
    ("J432.432.Q32.432", "1D Pass", "Pass"),
]

NOTRUMP = [
    ("KJ54.Q2.A8732.32", "1NT Pass", "2C"),
    ("KQ542.32.Q32.432", "1NT Pass", "2H"),
    ("32.KQ542.Q32.K32", "1NT Pass", "2D"),
    ("Q32.K54.QJ32.J32", "1NT Pass", "2NT"),
    ("Q32.K54.KQ32.J32", "1NT Pass", "3NT"),
    ("Q32.954.QJ32.J32", "1NT Pass", "Pass"),
    ("KQ2.AQ4.KJ32.K32", "1NT Pass", "6NT"),
    # Stayman.
    ("AQ32.KJ54.KQ2.32", "1NT Pass 2C Pass", "2H"),
    ("AQ32.KJ5.KQ2.432", "1NT Pass 2C Pass", "2S"),
    ("AQ3.KJ5.KQ32.432", "1NT Pass 2C Pass", "2D"),
    ("KJ54.Q2.A8732.32", "1NT Pass 2C Pass 2D Pass", "3NT"),
    ("KJ54.Q2.A8732.32", "1NT Pass 2C Pass 2S Pass", "4S"),
    ("KJ54.Q2.Q8732.32", "1NT Pass 2C Pass 2H Pass", "2NT"),
    ("AQ32.KJ54.KQ2.32", "1NT Pass 2C Pass 2H Pass 3NT Pass", "4S"),
    # Transfers.
    ("AQ3.K54.KQ32.K32", "1NT Pass 2D Pass", "2H"),
    ("AQ3.K54.KQ32.K32", "1NT Pass 2H Pass", "2S"),
    ("AQ32.K54.KQ2.QJ2", "1NT Pass 2H Pass", "3S"),  # four spades and a maximum
    ("KQ542.32.Q32.432", "1NT Pass 2H Pass 2S Pass", "Pass"),
    ("KQ542.32.KQ2.K32", "1NT Pass 2H Pass 2S Pass", "3NT"),
    ("KQ5432.32.K32.A2", "1NT Pass 2H Pass 2S Pass", "4S"),
    ("AQ3.K54.KQ32.K32", "1NT Pass 2H Pass 2S Pass 2NT Pass", "4S"),
    ("AQ3.K54.KQ32.K32", "1NT Pass 2D Pass 2H Pass 3NT Pass", "4H"),
    ("AQ32.K4.KQ32.K32", "1NT Pass 2D Pass 2H Pass 3NT Pass", "Pass"),
    # Invitations.
    ("AQ3.K54.KQ32.K32", "1NT Pass 2NT Pass", "3NT"),
    ("AQ3.KJ5.KQ32.432", "1NT Pass 2NT Pass", "Pass"),
    ("AQ3.K54.KQ32.K32", "1NT Pass 4NT Pass", "6NT"),
    ("AQ3.KJ5.KQ32.432", "1NT Pass 4NT Pass", "Pass"),
    # To 2NT.
    ("432.KJ532.K32.32", "2NT Pass", "3D"),
    ("K432.Q32.Q432.32", "2NT Pass", "3C"),
    ("432.Q32.K432.J32", "2NT Pass", "3NT"),
    ("AQ2.K32.K432.432", "2NT Pass", "6NT"),
    ("432.432.J5432.32", "2NT Pass", "Pass"),
]

REBIDS = [
    ("AQ765.K4.K832.Q4", "1S Pass 2S Pass", "Pass"),
    ("AKQ65.A4.KQ32.42", "1S Pass 2S Pass", "4S"),
    ("AQ765.K4.K832.Q4", "1S Pass 3S Pass", "4S"),
    ("AQ765.K4.Q832.J4", "1S Pass 3S Pass", "Pass"),
    ("32.KJ54.AQ432.K2", "1D Pass 1H Pass", "2H"),
    ("K32.54.AQJ32.A32", "1D Pass 1H Pass", "1NT"),
    ("AJ54.54.AQJ32.K2", "1D Pass 1H Pass", "1S"),
    ("32.A4.AQJ932.K42", "1D Pass 1H Pass", "2D"),
    ("KQ54.4.AKJ32.A32", "1D Pass 1S Pass", "4S"),
    ("4.AQ54.AKJ32.K42", "1D Pass 1S Pass", "2H"),  # reverse
    ("AJ5.KQ4.K2.KQJ43", "1C Pass 1S Pass", "2NT"),
    ("Q2.AKJ954.K32.42", "1H Pass 1NT Pass", "2H"),
    ("42.AKJ954.AQ3.K2", "1H Pass 1S Pass", "3H"),
    ("AQJ54.KJ54.32.K2", "1S Pass 2D Pass", "2H"),
    # Responder's second call.
    ("KJ54.Q54.932.Q32", "1D Pass 1S Pass 2S Pass", "Pass"),
    ("KJ543.Q5.A32.K32", "1D Pass 1S Pass 2S Pass", "4S"),
    ("A43.QT54.K32.Q32", "1C Pass 1H Pass 1NT Pass", "2NT"),
    ("K43.QJ54.K32.A32", "1C Pass 1H Pass 1NT Pass", "3NT"),
    ("432.K4.J32.KJ832", "1H Pass 1NT Pass 2D Pass", "2H"),
    # Nothing more to say.
    ("AQ765.K4.K832.Q4", "1S Pass 4S Pass", "Pass"),
    ("AQ3.K54.KQ32.K32", "1NT Pass 3NT Pass", "Pass"),
    ("AQ3.K54.KQ32.K32", "1NT Pass 2H Pass 2S Pass 4S Pass", "Pass"),
    ("KJ54.Q54.932.Q32", "1S Pass 2S Pass 4S Pass", "Pass"),
]

SLAMS = [
    # Five key cards, 0314: none or three, one or four, two without the queen, two with it.
    ("QJ32.54.KQJ2.Q32", "1S Pass 3S Pass 4NT Pass", "5C"),
    ("Q432.54.A432.KQ2", "1S Pass 3S Pass 4NT Pass", "5D"),
    ("J432.54.A432.AJ2", "1S Pass 3S Pass 4NT Pass", "5H"),
    ("KQ32.54.A432.Q32", "1S Pass 3S Pass 4NT Pass", "5S"),
    ("AKQ765.A54.K2.K4", "1S Pass 3S Pass 4NT Pass 5D Pass", "6S"),
    ("AKQ765.KQ4.KQ.Q4", "1S Pass 3S Pass 4NT Pass 5C Pass", "5S"),
    # Strong 2C.
    ("K432.432.J432.32", "2C Pass", "2D"),
    ("KQJ54.32.K32.432", "2C Pass", "2S"),
    ("AK75.KQJ5.AK2.K3", "2C Pass 2D Pass", "2NT"),
    ("432.5432.Q32.K32", "2C Pass 2D Pass 2NT Pass", "3C"),
    ("432.543.Q432.K32", "2C Pass 2D Pass 2NT Pass", "3NT"),
    ("J32.543.5432.432", "2C Pass 2D Pass 2S Pass", "4S"),
]

PREEMPTS = [
    ("K432.Q32.A432.32", "2H Pass", "3H"),
    ("4.KQ32.KJ32.Q432", "2S Pass", "Pass"),
    ("KQ2.A2.AK32.5432", "2S Pass", "4S"),
    ("AK2.A2.AK32.Q432", "2H Pass", "2NT"),
    ("43.KQJ975.852.82", "2H Pass 2NT Pass", "3H"),
    ("43.AKJ975.852.82", "2H Pass 3H Pass", "Pass"),
    ("K432.Q432.A2.Q32", "3D Pass", "Pass"),
]

OVERCALLS = [
    ("AQJ32.K32.432.32", "1D", "1S"),
    ("432.32.AQJ32.K32", "1S", "Pass"),  # ten points and five cards: not at the two level
    ("43.A2.AQJ932.K32", "1S", "2D"),
    ("AQ2.KJ2.KJ32.Q32", "1D", "1NT"),
    ("K2.AQ954.K32.432", "1H", "Pass"),  # their suit
    ("KQJ985.32.432.32", "1C", "2S"),
    ("KQJ8542.3.432.32", "1C", "3S"),
    ("AKJ985.43.K52.82", "1NT", "2S"),
    ("AQJ985.K3.K52.82", "2H", "2S"),
    # Two suits.
    ("KQJ85.3.42.KQJ42", "1H", "2H"),
    ("KQJ85.KJT42.42.3", "1D", "2D"),
    ("4.32.KQJ85.KQ842", "1S", "2NT"),
    # Takeout doubles.
    ("KQ32.4.AJ32.Q432", "1H", "X"),
    ("4.KQ32.AJ32.Q432", "1S", "X"),
    ("KQ32.AJ32.42.K32", "1D", "X"),
    ("AQ2.KJ32.Q432.32", "1C", "X"),
    ("AKQ32.A2.AK2.432", "1H", "X"),  # too strong for an overcall
    ("AQ32.4.KJ32.K432", "2H", "X"),
    ("KQ32.AK32.4.K432", "3D", "X"),
    ("KQ32.AJ32.42.K32", "1C Pass 1D", "X"),
    # Penalty.
    ("AQ2.KQ2.KJ32.Q32", "1NT", "X"),
    # In the pass-out seat.
    ("KJ32.42.K432.Q32", "1H Pass Pass", "X"),
    ("AJ4.KJ3.Q432.Q32", "1H Pass Pass", "1NT"),
    ("KQ985.42.K32.432", "1H Pass Pass", "1S"),
    ("5432.432.Q32.Q32", "1H Pass Pass", "Pass"),
]

ADVANCES = [
    # Of a takeout double.
    ("K432.542.432.432", "1D X Pass", "1S"),
    ("432.J765.8654.32", "1S X XX", "2H"),
    ("5.876.98543.7652", "1S X XX", "2D"),
    ("QJT986.32.54.864", "1C X XX", "1S"),
    ("QJT98.32.54.8643", "1S X XX", "Pass"),
    ("5.876.98543.7652", "2H X XX", "3D"),
    ("KJ32.Q42.432.K32", "1D X Pass", "2S"),
    ("KQ432.A2.432.K32", "1D X Pass", "4S"),
    ("K32.KJ9.Q432.432", "1H X Pass", "1NT"),
    ("432.432.J432.432", "1H X Pass", "2D"),
    # Of an overcall.
    ("K32.K432.432.Q32", "1D 1S Pass", "2S"),
    ("K432.4.Q5432.432", "1D 1S Pass", "3S"),
    ("KQ2.K432.432.A32", "1D 1S Pass", "2D"),
    ("432.5432.432.432", "1D 1S Pass", "Pass"),
    ("Q2.KJ32.AJ32.432", "1D 1S Pass", "1NT"),
    ("Q2.KJ532.32.5432", "1D 1NT Pass", "2D"),  # transfer
    # The doubler again.
    ("KQ32.AJ32.42.K32", "1D X Pass 1S Pass", "Pass"),
    ("KQ32.AK32.42.AQ2", "1D X Pass 1S Pass", "3S"),
]

CONTESTED = [
    # Negative doubles.
    ("432.KJ54.Q32.K32", "1D 1S", "X"),
    ("KQ54.432.K32.432", "1C 1H", "X"),
    ("KQ543.432.K32.43", "1C 1H", "1S"),
    ("KQ54.K432.432.32", "1C 1D", "X"),
    ("AK2.KQ54.432.K32", "1C 1D", "1H"),  # one major
    ("432.AQ2.KJ32.K32", "1C 1S", "X"),  # no stopper
    ("432.Q2.KJ32.K432", "1H 1S", "X"),
    ("KJ54.32.A32.KJ32", "1C 1H X Pass", "1S"),
    ("32.A32.KJ2.KQJ42", "1C 1S X Pass", "2C"),
    ("32.AJ32.K2.KJ942", "1C 1S X Pass", "2H"),
    # Raises and notrump over their overcall.
    ("K432.K32.432.432", "1H 2C", "2H"),
    ("K32.432.KQ32.A32", "1S 2H", "3H"),
    ("Q432.4.K5432.432", "1S 2H", "3S"),
    ("A32.Q32.Q32.KJ32", "1D 1S", "2NT"),
    ("KJ2.Q32.J32.J432", "1D 1S", "1NT"),
    ("432.432.Q432.432", "1D 1S", "Pass"),
    # Over their takeout double.
    ("K32.Q2.KJ32.Q432", "1H X", "XX"),
    ("Q432.4.K5432.432", "1S X", "3S"),
    ("Q32.K43.J5432.32", "1S X", "2S"),
    ("KQ32.AJ5.432.Q32", "1S X", "2NT"),  # limit raise or better
    # They pass their takeout double.
    ("KQ32.AJ52.K32.K2", "1D X Pass Pass", "XX"),
    ("KQ3.A52.K2.KJ832", "1C X Pass Pass", "Pass"),
    ("AQ32.A52.AJ.K932", "1C X Pass Pass", "Pass"),
    ("9832.T52.J9.8432", "1D X Pass Pass XX Pass", "1S"),
    ("T8.952.987542.84", "1C X Pass Pass XX Pass", "1D"),
    ("T8.952.87.987542", "1C X Pass Pass XX Pass", "Pass"),
    ("KQ32.AJ52.K32.K2", "1D X Pass Pass XX Pass 1S Pass", "Pass"),
    # Over their overcall of our notrump.
    ("Q32.K54.KQ32.J32", "1NT 2H", "3NT"),
    ("KQJ542.32.432.32", "1NT 2H", "2S"),
    # Opener again.
    ("AKQ2.4.AQ432.K32", "1D 1H Pass Pass", "X"),
    ("Q2.AKQ54.A4.AQ32", "1H 2S Pass Pass", "X"),
    ("AQJ54.32.K2.K432", "1S 2H 2S Pass", "Pass"),
]

REGRESSIONS = [
    # Once bid otherwise: support for bids of other suits, blocks that hid each other, forces.
    ("KQ32.54.AK32.Q32", "1S Pass", "2NT"),
    ("A4.KQ52.KJ4.Q832", "1H Pass", "2NT"),
    ("AQ765.K4.K832.A4", "", "1S"),
    ("Q2.AKJ54.KQ32.42", "1H Pass 1NT Pass", "2D"),
    ("AKQ54.AKQ3.A2.K3", "2C Pass 2D Pass", "2S"),
    ("K2.AK32.AQ32.432", "3S Pass", "4S"),
    ("AK32.K432.Q43.42", "2C", "Pass"),
    ("KQT73.J98..AQJ32", "1S Pass 4H Pass", "4S"),
    ("2.AK9863.AQ9.T63", "1H Pass 2S Pass", "3H"),
    ("KJ2.Q765.7.J8654", "2C Pass 2D Pass 3D Pass", "3NT"),
    ("K5432.2.432.5432", "3D X Pass", "3S"),
    ("KQ32.432.AQ432.2", "1D 1H 1S 2H", "2S"),
    # Partner's preference for a suit of one's own is no question: no climbing to 3S.
    ("K96.Q872.J952.86", "1C Pass 1H Pass 1S Pass 1NT Pass 2H Pass", "Pass"),
    # Four suits stopped, but a singleton: other games are looked for before 3NT.
    ("AKJ4.2.KQ32.A432", "1H Pass 1S Pass 2H Pass", "3C"),
    # Slams on known points: in a minor fit, and in notrump without a balanced hand.
    ("A32.AK32.3.AKJ32", "1C Pass 1H Pass 2C Pass", "6C"),
    ("AKQ2.AKJ2.2.KQ32", "1D Pass 1H Pass 1NT Pass", "6NT"),
    ("2.A32.KQ32.AKQ32", "1NT Pass", "3C"),
]

INTERFERENCE = [
    # Partner has overcalled a minor: no jump to four of it.
    ("KQ2.A43.K954.J32", "1S 2D Pass", "2S"),
    # The pass-out seat with a good suit of six.
    ("A43.AKJ965.K2.43", "1S Pass Pass", "3H"),
    # Cue bids as good raises.
    ("KQ43.A54.43.AQ32", "1S 3D", "4D"),
    ("K43.A543.KQ32.43", "1H 2H", "2S"),
    # A second suit and a long suit of one's own.
    ("AKJ54.AQJ43.32.A", "1S 1NT Pass Pass", "2H"),
    ("K2.AKJ954.AQ2.42", "1H 1S Pass 2S", "3H"),
    # Their response, their raises of preempts, their doubles.
    ("AQJ954.43.K32.42", "1H Pass 1NT", "2S"),
    ("AQ43.4.KQ43.A432", "2H Pass 3H", "X"),
    ("43.QT9432.432.32", "1NT X", "2H"),
    ("Q432.T432.432.32", "1NT X", "2S"),
    ("43.QT94.432.5432", "1D 1NT X", "2H"),
    # Partner's overcall is doubled: a raise, an escape with five cards or more.
    ("K432.Q43.J432.32", "1D 1S X", "3S"),
    ("4.432.QT9432.543", "1C 1S X", "2D"),
    ("432.432.QT943.54", "1C 1S X", "Pass"),
    # Game values, and nothing else to say over their bid.
    ("AK3.32.AQ432.K43", "1NT Pass 2C 3H", "X"),
    # Partner's minimum after the question over a weak two is no stop.
    ("AKT7.K73.A875.AQ", "2H Pass 2NT Pass 3H Pass", "4NT"),
    ("A43.K7.AQ75.KQ42", "2H Pass 2NT Pass 3H Pass", "4H"),
    ("A43.K7.AQ75.K642", "2H Pass 2NT Pass 3H Pass", "Pass"),
]

EXAMPLES = [
    *OPENINGS,
    *ANSWERS,
    *NOTRUMP,
    *REBIDS,
    *SLAMS,
    *PREEMPTS,
    *OVERCALLS,
    *ADVANCES,
    *CONTESTED,
    *INTERFERENCE,
    *REGRESSIONS,
]


@pytest.mark.parametrize(("hand", "calls", "call"), EXAMPLES)
def test_natural_bids_by_the_book(hand: str, calls: str, call: str) -> None:
    view = hold(hand, calls)
    made = Natural().choose(view.hand, view.auction, view.vulnerability)
    assert str(made.call) == call
    assert made.explanation is not None
    assert made.explanation.holds_for(view.hand), made.explanation
