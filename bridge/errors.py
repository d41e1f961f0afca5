"""What the rules refuse, as one family of errors.

ValueError
└── BridgeError
    ├── NotationError       text that names no card, call, hand, deal ...
    ├── IllegalDealError    cards missing, repeated or wrongly shared out
    ├── IllegalCallError    a call the Laws do not allow here
    └── IllegalCardError    a card the Laws do not allow here
"""


class BridgeError(ValueError):
    """Base of everything that `bridge` refuses."""


class NotationError(BridgeError):
    """Text that is not the notation of what was asked for."""


class IllegalDealError(BridgeError):
    """A deal that is not thirteen different cards for each of four players."""


class IllegalCallError(BridgeError):
    """A call that Laws 18, 19, 27 or 39 do not allow at this point."""


class IllegalCardError(BridgeError):
    """A card that Laws 44 and 45 do not allow at this point."""
