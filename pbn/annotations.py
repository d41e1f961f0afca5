r"""Alerts and explanations of calls as notes and comments.

The text of a note is the explanation in one line, with the alert before it:

    Alert                an alerted call without explanation
    Alert: TEXT          an alerted call, explained
    TEXT                 a call explained without alert
    No alert: TEXT       the same, where TEXT is empty or begins like one of the above

A section has 32 notes at most, each on one line (PBN 2.1, section 3.9). Other notes become comments
after the call, so that nothing is lost: `{Note: TEXT}`, with long texts wrapped. In such a comment
a line break stands for a space, `\` at the end of a line for nothing, `\)` for `}`, and `\\` for
`\`.

Suit symbols, which Latin-1 does not have, are `\S`, `\H`, `\D` and `\C`, as the standard has them
in comments (section 3.8). Before one of these, or a symbol, `\\` stands for `\`.
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
# A variation selector says whether the symbol before it is shown as an emoji.
_SYMBOL = re.compile("([♠♥♦♣♤♡♢♧])[\ufe0e\ufe0f]?")
_BACKSLASH = re.compile(r"\\(?=[\\SHDC♠♥♦♣♤♡♢♧])")
_ESCAPED = re.compile(r"\\([\\SHDC])")


def portable(text: str) -> str:
    r"""Return a text as PBN can hold it: one line of Latin-1 (section 2.1).

    White space becomes spaces, a suit symbol becomes `\S` and so on, and any other character
    outside of Latin-1 becomes `?`. A text that a reader would take for UTF-8, like the `Ã©` of a
    wrongly decoded `é`, has all its letters outside of ASCII replaced too.
    """
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
    r"""Return a text with `\S`, `\H`, `\D` and `\C` in place of suit symbols."""
    if text.isascii():
        return text
    return _SYMBOL.sub(lambda match: "\\" + _SUIT_OF[match[1]], text)


def _with_suit_symbols(note: str) -> str:
    r"""Return a note's text with suit symbols in place of `\S` and so on, all in one form."""
    if not note.isascii():
        note = _SYMBOL.sub(lambda match: _SYMBOL_OF[_SUIT_OF[match[1]]], note)
    return _ESCAPED.sub(lambda match: _SYMBOL_OF[match[1]], note) if "\\" in note else note


def note_of(made: MadeCall) -> str | None:
    """Return the note of a call; None if it has neither alert nor explanation."""
    if made.explanation is None:
        return _ALERT if made.alert else None
    text = portable(with_suit_letters(_BACKSLASH.sub(r"\\\\", str(made.explanation))))
    if made.alert:
        return f"{_ALERT}: {text}" if text else f"{_ALERT}:"
    if not text:
        return f"{_NO_ALERT}:"
    return f"{_NO_ALERT}: {text}" if text.startswith((_ALERT, _NO_ALERT)) else text


def made_call(call: Call, note: str | None) -> MadeCall:
    """Return the call to which `note_of` gave this note; None is that of a call without note.

    Any text that `note_of` does not write is an explanation without alert.
    """
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
    """Return a note that has no room among the Note tags as a comment of one or more lines."""
    # Many readers take a line that begins with % for an escape line.
    text = note.replace("\\", "\\\\").replace("}", "\\)").replace("%", "\\p")
    lines = []
    while len(text) > _WIDTH:
        # Break at a single space, else within a word.
        cut = text.rfind(" ", _WIDTH // 2, _WIDTH)
        if cut > 0 and " " not in (text[cut - 1], text[cut + 1]) and text[cut - 1] != "\\":
            lines.append(text[:cut])
            text = text[cut + 1 :]
            continue
        # Never break between a backslash and the character that it escapes.
        cut = _WIDTH - (_WIDTH - len(text[:_WIDTH].rstrip("\\"))) % 2
        lines.append(text[:cut] + "\\")
        text = text[cut:]
    return _COMMENT + "\n".join([*lines, text]) + "}"


def note_in(comment: str) -> str | None:
    """Return the note that `comment_of` wrote; None for any other comment."""
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
