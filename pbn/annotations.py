r"""Alerts and explanations of calls, as notes and comments.

A note's text is the explanation's one line. What the alert adds:

    Alert                an alerted call without explanation
    Alert: TEXT          an alerted call, explained
    TEXT                 a call explained without alert
    No alert: TEXT       the same, where TEXT is empty or begins like one of the above

A section has 32 notes at most, each on one line (PBN 2.1, section 3.9). The rest
goes into comments after the call, so that nothing is lost: `{Note: TEXT}`, long
texts wrapped. In it a line break stands for a blank; `\` at the end of a line
for nothing; `\)` for `}` and `\\` for `\`.

Suit symbols, which Latin-1 does not have, are `\S`, `\H`, `\D` and `\C`, as the standard has
them in comments (section 3.8). Before one of these, or a symbol, `\\` stands for `\`.
"""

from __future__ import annotations

import re

from bridge_arena.bridge.calls import Call
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.record import MadeCall

_ALERT = "Alert"
_NO_ALERT = "No alert"
_COMMENT = "{Note: "
_WIDTH = 200

_SUIT_OF = dict(zip("♠♥♦♣♤♡♢♧", "SHDC" * 2, strict=True))
_SYMBOL_OF = dict(zip("SHDC\\", "♠♥♦♣\\", strict=True))
# A variation selector makes an emoji of a symbol, or makes it none.
_SYMBOL = re.compile("([♠♥♦♣♤♡♢♧])[\ufe0e\ufe0f]?")
_BACKSLASH = re.compile(r"\\(?=[\\SHDC♠♥♦♣♤♡♢♧])")
_ESCAPED = re.compile(r"\\([\\SHDC])")


def portable(text: str) -> str:
    r"""Text as PBN can hold it: one line of Latin-1 (section 2.1). White space
    becomes blanks, suit symbols `\S` and so on, what else Latin-1 has no letter for `?`; so
    do letters like the `Ã©` of an `é` read wrongly, which a reader would take for UTF-8."""
    if text.isascii() and text.isprintable():
        return text
    text = "".join(map(_portable, with_suit_letters(text)))
    try:
        text.encode("latin-1").decode()
    except UnicodeDecodeError:
        return text
    return text.encode("ascii", "replace").decode()


def _portable(letter: str) -> str:
    if letter.isspace() and letter != "\xa0":
        return " "
    return letter if " " <= letter <= "~" or "\xa0" <= letter <= "\xff" else "?"


def with_suit_letters(text: str) -> str:
    r"""Text with `\S`, `\H`, `\D` and `\C` where it has suit symbols."""
    if text.isascii():
        return text
    return _SYMBOL.sub(lambda match: "\\" + _SUIT_OF[match[1]], text)


def _with_suit_symbols(note: str) -> str:
    """A note's text with the suit symbols that it stands for, and these in one form."""
    if not note.isascii():
        note = _SYMBOL.sub(lambda match: _SYMBOL_OF[_SUIT_OF[match[1]]], note)
    return _ESCAPED.sub(lambda match: _SYMBOL_OF[match[1]], note) if "\\" in note else note


def note_of(made: MadeCall) -> str | None:
    """The note of a call; None where it has neither alert nor explanation."""
    if made.explanation is None:
        return _ALERT if made.alert else None
    text = portable(with_suit_letters(_BACKSLASH.sub(r"\\\\", str(made.explanation))))
    if made.alert:
        return f"{_ALERT}: {text}" if text else f"{_ALERT}:"
    if not text:
        return f"{_NO_ALERT}:"
    return f"{_NO_ALERT}: {text}" if text.startswith((_ALERT, _NO_ALERT)) else text


def made_call(call: Call, note: str | None) -> MadeCall:
    """The call that `note_of` gave this note; any other text explains without alert."""
    if note is None:
        return MadeCall(call)
    note = _with_suit_symbols(note)
    word, colon, text = note.partition(":")
    if word == _ALERT and not text and not colon:
        return MadeCall(call, alert=True)
    if not colon or word not in (_ALERT, _NO_ALERT):
        return MadeCall(call, explanation=Explanation.parse(note))
    return MadeCall(call, word == _ALERT, Explanation.parse(text.removeprefix(" ")))


def comment_of(note: str) -> str:
    """A note that no Note tag has room for, as a comment of one or more lines."""
    # A line that began with % would be taken for an escape line by many readers.
    text = note.replace("\\", "\\\\").replace("}", "\\)").replace("%", "\\p")
    lines = []
    while len(text) > _WIDTH:
        # Break at a blank that has none beside it, else within a word.
        cut = text.rfind(" ", _WIDTH // 2, _WIDTH)
        if cut > 0 and " " not in (text[cut - 1], text[cut + 1]) and text[cut - 1] != "\\":
            lines.append(text[:cut])
            text = text[cut + 1 :]
            continue
        # Never between a backslash and what it stands before.
        cut = _WIDTH - (_WIDTH - len(text[:_WIDTH].rstrip("\\"))) % 2
        lines.append(text[:cut] + "\\")
        text = text[cut:]
    return _COMMENT + "\n".join([*lines, text]) + "}"


def note_in(comment: str) -> str | None:
    """The note that `comment_of` wrote; None for any other comment."""
    if not comment.startswith(_COMMENT):
        return None
    text = ""
    letters = iter(comment[len(_COMMENT) : -1])
    for letter in letters:
        if letter == "\\":
            following = next(letters, "")
            text += {")": "}", "p": "%", "\n": ""}.get(following, following)
        else:
            text += " " if letter == "\n" else letter
    return text
