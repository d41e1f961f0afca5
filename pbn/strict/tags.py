"""The strict check of tag values (PBN 2.1, sections 3.4 and 3.5).

Each check takes a value as written, or an inherited one resolved, which says something, and returns
the fault or None. Checks of tags on which others depend also fill in the facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from bridge_arena.base.recorded_text import capped
from bridge_arena.bridge.calls import Denomination, Risk
from bridge_arena.bridge.cards import RANK_LETTERS, SUITS_DOWN
from bridge_arena.bridge.errors import NotationError
from bridge_arena.bridge.seats import SEATS, Seat, Vulnerability
from bridge_arena.pbn.strict.facts import Blank, Facts, Fault, error, severe
from bridge_arena.pbn.tables import TABLES

Check = Callable[[str, Facts], Fault | None]

_BLANK = "[\\x00-\\x20]*"
_NUMBER = r"[-+]?[0-9]+"
_POINTS = f"{_NUMBER}(?:\\.[0-9]*)?|\\.[0-9]*"
_FALSE = error("bad tag value")
_SEVERELY_FALSE = severe("wrong tag value")


def _by_side(number: str) -> re.Pattern[str]:
    """Return the pattern of `n`, `NS n`, `EW n`, `NS n EW n` or `EW n NS n`."""
    return re.compile(
        f"{_BLANK}(?:(?P<own>{number})"
        f"|NS{_BLANK}(?P<ns>{number}){_BLANK}(?:EW{_BLANK}(?P<ns_ew>{number}))?"
        f"|EW{_BLANK}(?P<ew>{number}){_BLANK}(?:NS{_BLANK}(?P<ew_ns>{number}))?"
        f"){_BLANK}"
    )


def _sides(match: re.Match[str], total: int) -> tuple[int, int]:
    """Return both sides' numbers; one that is not given is what the other leaves of a total."""
    ours, theirs = match["ns"] or match["ew_ns"], match["ew"] or match["ns_ew"]
    if not theirs:
        return capped(ours), total - capped(ours)
    return capped(ours) if ours else total - capped(theirs), capped(theirs)


_SCORE = _by_side(_NUMBER)
_DECIMALS = _by_side(_POINTS)
_RUBBER_SCORE = _by_side(f"{_NUMBER}{_BLANK}/{_BLANK}{_NUMBER}")
_RESULT = _by_side(r"(?:\+?[0-9]+|-0+)")
_LEADING_NUMBER = re.compile(_NUMBER)
_DATE = re.compile(r"([0-9?]{4})\.([0-9?]{2})\.([0-9?]{2})")
_NOTE = re.compile(rf"(\+?[0-9]+){_BLANK}:")


def _pattern(pattern: str) -> Check:
    fits = re.compile(pattern).fullmatch

    def check(value: str, _: Facts) -> Fault | None:
        return None if fits(value) else _FALSE

    return check


def _anything(_: str, __: Facts) -> None:
    return None


def _seat(value: str) -> Seat | Fault:
    """Return the seat of a value; a word that begins with a seat's letter is not severe."""
    if value[:1].upper() not in tuple("NESW"):
        return severe("bad side")
    return Seat.parse(value) if len(value) == 1 else error(f"bad tag value: {value!r} for a side")


def _date(value: str, _: Facts) -> Fault | None:
    match = _DATE.fullmatch(value)
    if match is None:
        return error("bad tag value: a date is YYYY.MM.DD")
    for part, lowest in zip(match.groups(), (1900, 1, 1), strict=True):
        if part[0] != "?" and capped(part.partition("?")[0]) < lowest:
            return error(f"bad tag value: {part} in a date")
    return None


def _deal(value: str, facts: Facts) -> Fault | None:
    first = _seat(value[:1])
    if isinstance(first, Fault):
        return first
    rest = value[1:].lstrip("".join(map(chr, range(33))))
    if not rest.startswith(":"):
        return _SEVERELY_FALSE
    hands = rest[1:].split(" ")
    if len(hands) != 4:
        return severe(f"wrong tag value: {len(hands)} hands, not 4")
    dealt = 0
    for offset, text in enumerate(hands):
        seat = SEATS[(first + offset) & 3]
        if "-" in text:
            facts.hidden.add(seat)
            if text != "-":
                return _SEVERELY_FALSE
            continue
        try:
            mask = _hand(text)
        except ValueError as fault:
            return severe(f"wrong tag value: {fault}")
        if mask & dealt:
            return severe("wrong tag value: a card is dealt twice")
        dealt |= mask
        facts.hands[seat] = mask
    return _deal_sizes(facts, dealt)


def _hand(text: str) -> int:
    """Return the cards of a hand as a mask; raise ValueError if it is none."""
    holdings = text.split(".")
    if len(holdings) != 4:
        raise ValueError(f"{text!r} is not a hand")
    mask = 0
    for suit, holding in zip(SUITS_DOWN, holdings, strict=True):
        for letter in holding:
            rank = RANK_LETTERS.find(letter.upper())
            bit = 1 << 13 * suit + rank if rank >= 0 else 0
            if not bit:
                raise ValueError(f"{letter!r} is not a rank")
            if mask & bit:
                raise ValueError(f"{suit}{letter} is dealt twice")
            mask |= bit
    return mask


def _deal_sizes(facts: Facts, dealt: int) -> Fault | None:
    """Check that all given hands have the same number of cards, 13 or fewer."""
    sizes = {facts.hands[seat].bit_count() for seat in SEATS if seat not in facts.hidden}
    facts.rest &= ~dealt
    if len(sizes) != 1:
        return severe("bad deal: the hands differ in size" if sizes else "bad deal: no hand given")
    size = sizes.pop()
    if size > 13:
        return severe(f"bad deal: hands of {size} cards")
    facts.is_end_position = size < 13
    return None


def _dealer(value: str, facts: Facts) -> Fault | None:
    seat = _seat(value)
    if isinstance(seat, Fault):
        return seat
    facts.dealer = seat
    return None


def _vulnerable(value: str, facts: Facts) -> Fault | None:
    try:
        facts.vulnerability = Vulnerability.parse(value)
    except NotationError:
        return severe(f"wrong tag value: {value!r} is not a vulnerability")
    return _against_history(facts)


def _against_history(facts: Facts) -> Fault | None:
    if facts.rubber in (None, facts.vulnerability):
        return None
    return error("bad vulnerable: ScoreRubberHistory says otherwise")


def _declarer(value: str, facts: Facts) -> Fault | None:
    facts.swapped = value.startswith("^")
    seat = _seat(value.removeprefix("^"))
    if isinstance(seat, Fault):
        return seat
    facts.declarer = seat
    return None


def _denomination(text: str) -> tuple[Denomination | None, str]:
    """Return the denomination that a text begins with, and the rest."""
    for denomination in Denomination:
        if text.upper().startswith(str(denomination)):
            return denomination, text[len(str(denomination)) :]
    return None, text


def _contract(value: str, facts: Facts) -> Fault | None:
    if not facts.is_end_position:
        if value.upper() == "PASS":
            facts.passed_out = True
            return None
        if value[0] not in "1234567":
            return error(f"bad tag value: {value!r} is not a contract")
        facts.level = int(value[0])
        value = value[1:]
    facts.denomination, rest = _denomination(value)
    if facts.denomination is None:
        return severe("bad trump")
    if facts.is_end_position:
        facts.risk = Risk.UNDOUBLED
        return _FALSE if rest.strip() else None
    if rest.upper() not in ("", "X", "XX"):
        return error(f"bad tag value: {rest!r} in a contract")
    facts.risk = Risk(len(rest))
    return None


def _result(value: str, facts: Facts) -> Fault | None:
    facts.wrong_result = value.startswith("^")
    value = value.removeprefix("^")
    match = _RESULT.fullmatch(value)
    number = _LEADING_NUMBER.match(value)
    if number is not None and capped(number[0]) >= 0:
        # The verifier takes the number even if more text follows.
        facts.tricks = capped(number[0])
        if not isinstance(facts.declarer, Seat):
            return severe("no declarer, whose result it is")
    if match is None:
        return error(f"bad tag value: {value!r} is not a result")
    tricks = [capped(match["own"])] if match["own"] else _sides(match, 13)
    if isinstance(facts.declarer, Seat):
        facts.tricks = tricks[0] if len(tricks) == 1 else tricks[facts.declarer.side]
    if max(tricks) > 13 or sum(tricks) > 13:
        return error("bad number: more than 13 tricks")
    return None


def _score(value: str, facts: Facts) -> Fault | None:
    match = _SCORE.fullmatch(value)
    if match is None:
        return error(f"bad tag value: {value!r} is not a score")
    if match["own"]:
        facts.own_score = capped(match["own"])
    else:
        facts.scores = _sides(match, 0)
    return None


def _optimum_score(value: str, facts: Facts) -> Fault | None:
    """Check a score with its side; the verifier also takes it for the score of the game."""
    if not value.lstrip().startswith(("NS", "EW")):
        return error("bad tag value: a side is missing")
    return _score(value, facts)


def _percentage(value: str, _: Facts) -> Fault | None:
    match = _DECIMALS.fullmatch(value)
    if match is None:
        return _FALSE
    for number in filter(None, match.groups()):
        whole, _point, part = number.partition(".")
        if not 0 <= capped(whole or "0") <= 100 or (
            capped(whole or "0") == 100 and capped(part or "0")
        ):
            return error(f"bad tag value: {number} percent")
    return None


def _hidden(value: str, _: Facts) -> Fault | None:
    return None if set(value.upper()) <= set("NESW") else severe("bad side")


_BASES = frozenset("MP MATCHPOINTS IMP CAVENDISH CHICAGO RUBBER BAM INSTANT".split())


def _scoring(value: str, _: Facts) -> Fault | None:
    bases = sum(word in _BASES for word in value.upper().split(";"))
    return error("bad tag value: more than one base of scoring") if bases > 1 else None


def _history(value: str, facts: Facts) -> Fault | None:
    """Check `NS above below/games EW above below/games` (section 3.5.3)."""
    number = f"{_BLANK}(?:\\+?[0-9]+)"
    scores = f"{number}{number}{_BLANK}/(?:{number}){{0,3}}"
    match = re.fullmatch(f"{_BLANK}NS({scores}){_BLANK}EW({scores}){_BLANK}", value)
    if match is None:
        return _FALSE
    ours, theirs = (
        [capped(word) for word in part.partition("/")[2].split()] for part in match.groups()
    )
    games = list(zip(ours, theirs, strict=False))
    finished = games[:-1]
    if len(ours) != len(theirs) or not all(map(_is_game, finished)):
        return _FALSE
    facts.rubber = (Vulnerability.NONE, Vulnerability.NS, Vulnerability.ALL)[len(finished)]
    if len(finished) == 1 and finished[0][0] < finished[0][1]:
        facts.rubber = Vulnerability.EW
    return None if facts.vulnerability is None else _against_history(facts)


def _is_game(points: tuple[int, int]) -> bool:
    """Return whether exactly one side has the 100 trick points of a game."""
    return min(points) < 100 <= max(points) and not any(number % 10 for number in points)


def _auction(value: str, facts: Facts) -> Fault | None:
    seat = _seat(value)
    if isinstance(seat, Fault):
        return seat
    return None if "Dealer" in facts.tags else severe("no Dealer before the auction")


def _play(value: str, facts: Facts) -> Fault | None:
    seat = _seat(value)
    if isinstance(seat, Fault):
        return seat
    needed = ["Contract", "Deal"] + ["Declarer"] * (not facts.is_end_position)
    missing = [name for name in needed if name not in facts.tags]
    return severe(f"no {missing[-1]} before the play") if missing else None


def note_number(value: str) -> int | Fault:
    """Return the number of a Note tag, or its fault (section 3.9)."""
    match = _NOTE.match(value)
    if match is None:
        return error("bad tag value: a note is `number:text`")
    number = capped(match[1])
    return number if 1 <= number <= 32 else error("bad note: its number is not 1 to 32")


def _columns(value: str, _: Facts) -> Fault | None:
    """Check a table's header: a width after a backslash is a number (section 3.6)."""
    for column in value.split(";"):
        _name, backslash, width = column.partition("\\")
        digits = width.strip().removesuffix("R" if width.endswith("R") else "L").strip()
        if backslash and (not digits.isdecimal() or not capped(digits)):
            return error(f"bad tag value: the width of column {column!r}")
    return None


_CHECKS: dict[str, Check] = {
    **dict.fromkeys(
        "Annotator AnnotatorNA Application BidSystemEW BidSystemNS Competition DealId "
        "Description East EastNA EastType Event EventSponsor Generator HomeTeam Mode North "
        "NorthNA NorthType PairEW PairNS Section Site South SouthNA SouthType Stage Table "
        "Termination VisitTeam West WestNA WestType".split(),
        _anything,
    ),
    **dict.fromkeys(["Date", "EventDate", "UTCDate"], _date),
    **dict.fromkeys(["Time", "UTCTime"], _pattern("[0-9]{2}:[0-9]{2}:[0-9]{2}")),
    **dict.fromkeys(["TimeCall", "TimeCard"], _pattern(rf"(\+?[0-9]+|-0+){_BLANK}")),
    **dict.fromkeys(["ScoreIMP", "ScoreMP"], _pattern(_DECIMALS.pattern)),
    **dict.fromkeys(TABLES, _columns),
    "Auction": _auction,
    "Board": _pattern(_NUMBER),
    "Contract": _contract,
    "Deal": _deal,
    "Dealer": _dealer,
    "Declarer": _declarer,
    "FrenchMP": _pattern("(?i:yes|no)"),
    "Hidden": _hidden,
    "OptimumScore": _optimum_score,
    "Play": _play,
    "Result": _result,
    "Room": _pattern("(?i:open|closed)"),
    "Round": _pattern(r"[A-Za-z0-9_.]*"),
    "Score": _score,
    "ScorePercentage": _percentage,
    "ScoreRubber": _pattern(_RUBBER_SCORE.pattern),
    "ScoreRubberHistory": _history,
    "Scoring": _scoring,
    "TimeControl": _pattern(rf"-|\+?[0-9]+/\+?[0-9]+{_BLANK}"),
    "Vulnerable": _vulnerable,
}


def is_known(name: str) -> bool:
    """Return whether PBN 2.1 names a tag, apart from Note."""
    return name in _CHECKS


def check(name: str, value: str, facts: Facts) -> Fault | None:
    """Check the value of a known tag, and return the fault. Any tag may be unknown or empty."""
    if value not in ("", "?"):
        return _CHECKS[name](value, facts)
    if name == "Dealer":
        facts.dealer = Blank(value)
    elif name == "Declarer":
        facts.declarer = Blank(value)
    elif name == "Vulnerable":
        return _against_history(facts)
    return None
