"""The language of the tables of rules.

    # a comment
    @ 1M                       a block: the auctions that it is for
    2NT | M4+ sup13+ | forcing raise [game art]
    2M  | M3+ sup6-9 | raise

Several headings in a row share the rules that follow. A rule is a call, what the hand needs (terms
of `bots.natural.terms`, all of which must hold), and what the call means. The same call may stand
in several rules of a block, of which one must hold. Rules are tried in order. Once a block of an
auction has given a call a meaning, later blocks give it no other; but the blocks for any auction
(`@ *`) count as one in this.

The pattern of a block (`bots.natural.situation`) may be followed by a semicolon and conditions on
the auction:

    forced, free           partner's last call forbids a pass, or allows it
    game                   a game must be reached
    ours, theirs           this side made the last bid, or the other side did
    atgame                 the last bid is a game or higher
    fit                    eight trumps are known
    signoff                partner's last call was a sign-off
    asked, answered        partner asked for key cards, or told them
    silent                 neither partner has bid or doubled yet
    only                   no later block is looked at

A condition is negated by `!`. In calls, `~x` is the cheapest bid of a suit, `^x` a jump, `^^x` a
double jump. A letter that the auction has not bound stands for every suit that it may be. The words
in square brackets are `round` or `game` (forcing for so long), `signoff`, `art` (artificial), `ask`
(for key cards), `keys0,3` (the answer to it), and `stand` of a pass that lets partner's forcing
call stand.

A call forces by all its rules or by none: in an auction, a rule that differs in this from the first
rule of the call does not count.

Where partner's call forbids a pass, a rule for a pass counts only if it says `stand`, as one that
leaves in a takeout double does. If no rule holds there, the call is the cheapest bid of notrump.
Opponents who double or redouble a forcing call change nothing in that; a double of a forcing bid is
left out of the auction that patterns are held against.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bridge_arena.bots.library.hand_ranges import HandRanges
from bridge_arena.bots.natural import terms
from bridge_arena.bots.natural.reading import Forcing, Meaning
from bridge_arena.bots.natural.rules import CONDITIONS, Block, CallTemplate, Rule
from bridge_arena.bots.natural.situation import LETTERS, Pattern
from bridge_arena.bots.natural.terms import keys
from bridge_arena.bridge.calls import DOUBLE, PASS, REDOUBLE


class TableError(ValueError):
    """The error of a table; its `mistakes` are all, each as `table:line: what is wrong`."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        self.mistakes = tuple(mistakes)
        others = f" (and {len(mistakes) - 1} more)" if len(mistakes) > 1 else ""
        super().__init__(f"{mistakes[0]}{others}")


def parse(text: str, name: str) -> list[Block]:
    """Return the blocks of a table, which fail in no auction. Raises TableError."""
    blocks: list[Block] = []
    mistakes: list[str] = []
    # The next rule is for the blocks from `first` on: those whose headings stand together.
    first: int | None = None
    done = False
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if not content:
            continue
        where = f"{name}:{number}"
        try:
            if content.startswith("@"):
                if first is None or done:
                    first, done = len(blocks), False
                blocks.append(_block(content[1:], where))
                continue
            if first is None:
                raise ValueError("a rule stands before the first block")  # noqa: TRY301
            done = True
            rule = _rule(content, blocks[first:])
        except ValueError as error:
            mistakes.append(f"{where}: {error}")
            continue
        blocks[first:] = [replace(block, rules=(*block.rules, rule)) for block in blocks[first:]]
    if blocks[first:] and not done:
        mistakes.append(f"{blocks[first:][0].where}: the block has no rules")
    if not blocks and not mistakes:
        mistakes.append(f"{name}: there are no rules")
    if mistakes:
        raise TableError(mistakes)
    return blocks


def _block(text: str, where: str) -> Block:
    pattern, _, conditions = text.partition(";")
    words = conditions.split()
    for word in words:
        name = word.removeprefix("!")
        if name not in CONDITIONS and word != "only":
            raise ValueError(f"{name!r} is not a condition")
    return Block(
        where,
        Pattern(pattern),
        general=pattern.strip() == "*",
        only="only" in words,
        required=frozenset(name for name in CONDITIONS if name in words),
        excluded=frozenset(name for name in CONDITIONS if f"!{name}" in words),
        rules=(),
    )


def _rule(text: str, blocks: Sequence[Block]) -> Rule:
    """Return a rule of some blocks, or raise ValueError."""
    parts = [part.strip() for part in text.split("|")]
    if len(parts) != 3:
        raise ValueError(f"{text!r} is not a rule (call | needs | meaning)")
    call, needs, meaning = parts
    template = _template(call)
    required = tuple(map(terms.parse, needs.split()))
    said = _meaning(meaning)
    if said.stands and template.word != PASS:
        raise ValueError(f"{call!r} is not a pass, so it lets no call stand")
    letters = [
        template.letter,
        *(letter for need in needs.split() for letter in _LETTER.findall(need)),
    ]
    for block in blocks:
        for letter in letters:
            if not block.pattern.knows(letter):
                raise ValueError(f"{letter!r} is the other suit of a pair that {block.where} lacks")
    return Rule(
        template,
        required,
        tuple(letter for letter in dict.fromkeys(letters) if letter in LETTERS),
        said,
        any(map(terms.heeds_vulnerability, needs.split())),
    )


def _template(text: str) -> CallTemplate:
    if text in _CALLS:
        return CallTemplate(_CALLS[text])
    match = _TEMPLATE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a call")
    letter = "" if match["letter"] == "NT" else match["letter"]
    return CallTemplate(None, letter, int(match["level"] or 0), text.count("^"))


def _meaning(text: str) -> Meaning:
    words, _, flags = text.partition("[")
    if ("[" in text or "]" in text) and not _FLAGS.fullmatch(text):
        raise ValueError(f"the flags of {text!r} are not in one pair of brackets at the end")
    said: dict[str, Any] = {}
    for flag in flags.removesuffix("]").split():
        if flag.startswith("keys"):
            said |= {**_OF_KEY_CARDS, "keys": keys(flag.removeprefix("keys"))}
        elif flag in _SAID:
            said |= _SAID[flag]
        else:
            raise ValueError(f"{flag!r} is not a flag")
    return Meaning(words.strip(), HandRanges(), **said)


_FLAGS = re.compile(r"[^][]*\[[^][]*\]")
_OF_KEY_CARDS: dict[str, Any] = {"artificial": True, "forcing": Forcing.ROUND}
# The fields of a meaning that each flag sets; `keys` has numbers behind it.
_SAID: dict[str, dict[str, Any]] = {
    "round": {"forcing": Forcing.ROUND},
    "game": {"forcing": Forcing.GAME},
    "signoff": {"signoff": True},
    "art": {"artificial": True},
    "stand": {"stands": True},
    "ask": {**_OF_KEY_CARDS, "asks": True},
}
_TEMPLATE = re.compile(r"(?:(?P<level>[1-7])|~|\^{1,2})(?P<letter>NT|[CDHSMmOoxyzTERY])")
# A letter in a need that stands for a suit: alone, before a number, or in brackets.
_LETTER = re.compile(r"(?<![A-Za-z])[MmOoxyz](?![A-Za-z])")
_CALLS = {"Pass": PASS, "X": DOUBLE, "XX": REDOUBLE}
