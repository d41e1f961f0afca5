"""The errors of the bridge rules, as one family.

ValueError
└── BridgeError
    ├── NotationError       a text that names no card, call, hand, deal ...
    ├── IllegalDealError    cards missing, repeated or wrongly shared out
    ├── IllegalCallError    a call that the Laws do not allow here
    └── IllegalCardError    a card that the Laws do not allow here
"""


class BridgeError(ValueError):
    """Base of all errors of `bridge`."""


class NotationError(BridgeError):
    """A text that is not in the expected notation."""


class IllegalDealError(BridgeError):
    """A deal that is not thirteen different cards for each of four players."""


class IllegalCallError(BridgeError):
    """A call that Laws 18, 19, 27 or 39 do not allow at this point."""


class IllegalCardError(BridgeError):
    """A card that Laws 44 and 45 do not allow at this point."""
