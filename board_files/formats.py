"""The format of a text of boards, recognized by its first bytes, then by the end of its name."""

from __future__ import annotations

import codecs
import re
from enum import StrEnum
from pathlib import PurePath

from bridge_arena.lin.handviewer import is_link
from bridge_arena.lin.lexer import TAGS

HEAD = 1 << 16
"""The number of bytes at the start of a text from which its format is recognized."""


class Format(StrEnum):
    """The formats of boards that can be read."""

    PBN = "PBN"
    LIN = "LIN"
    LINKS = "link"  # links to BBO's handviewer, one on each line


OTHER_FORMATS = {
    ".bri": "deals of Borel's dealing program",
    ".bws": "a scoring database of BridgeMate",
    ".dge": "deals of the Duplimate dealing machine",
    ".dlm": "deals of BigDeal or the Dealmaster dealing machine",
    ".dup": "deals of the Duplimate dealing machine",
    ".rbn": "Richard's Bridge Notation",
}
"""Other formats of boards, which are not read, by the end of the file's name."""

_PBN = re.compile(rb'^%\s*PBN\s+\d|^\s*\[\s*\w+\s*"', re.MULTILINE)
_LIN = re.compile(rf"(?<![0-9a-z])(?:{'|'.join(TAGS)})\s*\|".encode(), re.IGNORECASE)
_ARCHIVES = (b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")


def is_archive(head: bytes) -> bool:
    """Return whether a text begins as `.gz` and `.zip` files do."""
    return head.startswith(_ARCHIVES)


def format_of(head: bytes, name: str) -> Format | None:
    """Return the format of a text by its first bytes, then its name; None if neither reveals it."""
    for mark, encoding in (
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
        (codecs.BOM_UTF8, "utf-8"),
    ):
        if head.startswith(mark):
            head = head.decode(encoding, "replace").encode().removeprefix(codecs.BOM_UTF8)
    first_line = head.lstrip()[:1000].split(b"\n", 1)[0]
    if is_link(first_line.decode("latin-1")):
        return Format.LINKS
    found = {Format.PBN: _PBN.search(head), Format.LIN: _LIN.search(head)}
    starts = {form: match.start() for form, match in found.items() if match}
    if starts:
        return min(starts, key=starts.__getitem__)
    suffix = PurePath(name).suffix.lower()
    if suffix == ".lin":
        return Format.LIN
    if b"\0" in head or suffix in OTHER_FORMATS:
        return None
    if suffix == ".pbn" or head.strip()[:1] in (b"", b"%", b"{", b";", b"["):
        return Format.PBN
    return None


def refusal(name: str) -> str:
    """Return the reason why a text of no known format is not read."""
    other = OTHER_FORMATS.get(PurePath(name).suffix.lower())
    if other is None:
        return "it is neither PBN nor LIN"
    suffix = PurePath(name).suffix.lower()
    return f"{suffix} is {other}, which is not read: export it as PBN"
