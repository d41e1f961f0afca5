"""Random games as people write them: valid in import format, and far from export form."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from bridge_arena.bridge.record import BoardRecord
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Seat
from bridge_arena.pbn.model import Section, Tag
from bridge_arena.pbn.read.records import game_of
from tests.pbn.strategies import records

COMMENTS = ["{why}", "{two\nlines}", "{ \\S % ; [x] }", "; rest {of} line\n", "{é}"]
SYNONYMS = {"None": ["None", "love", "-"], "All": ["All", "BOTH"], "NS": ["ns"], "EW": ["EW"]}
TABLE = '[ScoreTable "Rank\\3R;Names\\8L;+Score_NS"]\n1 "A ; B" -50 2\n "C" -60\n'


@st.composite
def import_texts(draw: st.DrawFn) -> tuple[BoardRecord, str]:
    """A record, and the text of a game that says the same and more."""
    record = _possible(replace(draw(records()), faults=(), adjusted=None))
    random = Random(draw(st.integers(0, 1 << 32)))
    game = game_of(record)
    head: list[str] = []
    tail: list[str] = []
    for tag in game.tags:
        if tag.name == "Auction" and isinstance(tag, Section):
            tail.append(_auction(random, record, tag))
        elif tag.name == "Play" and isinstance(tag, Section):
            tail.append(_play(random, tag))
        elif isinstance(tag, Section):
            tail.append(f'[{tag.name} "{tag.value}"]\n{" ".join(tag.tokens)}\n')
        elif tag.name != "Note" and tag.value != "?":
            head.append(_pair(random, tag, record))
    head += ['[Generator "x\\2R"]', '[Annotator "C:\\\\dir\\\\"]'][: random.randrange(3)]
    random.shuffle(head)
    if random.random() < 0.3:
        tail.append(TABLE)
    pieces = [piece for part in head for piece in (part, *_comments(random, 0.1))]
    start = "".join(_comments(random, 0.2))
    between = random.choice(["\n", " ", "\n% escape\n", "\n\t"])
    text = start + "\n" + between.join(pieces) + "\n" + "".join(tail)
    # A semi-empty line would end the game.
    return record, re.sub(r"\n\s*\n", "\n", text)


def _possible(record: BoardRecord) -> BoardRecord:
    """The record with a result that the cards played leave possible."""
    if record.tricks is None or not record.cards:
        return record
    play = record.play()
    won, lost = play.declarer_tricks, len(play.tricks) - play.declarer_tricks
    tricks = min(max(record.tricks, won), 13 - lost)
    score = score_ns(record.contract, tricks, record.board.vulnerability)
    return replace(record, tricks=tricks, score=score)


def _pair(random: Random, tag: Tag, record: BoardRecord) -> str:
    value = tag.value
    if tag.name == "Vulnerable":
        value = random.choice(SYNONYMS[value])
    elif tag.name in ("Dealer", "Declarer", "Contract"):
        value = random.choice([value, value.lower()])
    elif tag.name == "Deal":
        value = _deal(random, record)
    elif tag.name == "Result" and value.isdecimal() and record.contract is not None:
        side = record.contract.declarer.side
        value = random.choice(
            [value, f"{side.name} {value}", f"{side.other.name} {13 - int(value)}"]
        )
    value = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{random.choice(["", " "])}{tag.name}{random.choice(["", " ", "  "])}"{value}"]'


def _deal(random: Random, record: BoardRecord) -> str:
    first = random.choice(SEATS)
    seat, _, hands = record.board.deal.format(first).partition(":")
    shuffled = [
        ".".join("".join(random.sample(suit, len(suit))) for suit in hand.split("."))
        for hand in hands.split(" ")
    ]
    text = f"{seat}:{' '.join(shuffled)}"
    return random.choice([text, text.lower()])


def _auction(random: Random, record: BoardRecord, section: Section) -> str:
    calls = [str(made.call) for made in record.calls]
    before = random.randrange(4)
    seat = Seat((record.board.dealer - before) % 4).letter
    words = ["-"] * before
    notes: set[int] = set()
    passes = len(calls) - len(str.rstrip("".join("p" if c == "Pass" else "x" for c in calls), "p"))
    finished = bool(section.tokens) and section.tokens[-1] != "*" and bool(calls)
    if finished and random.random() < 0.5:
        calls = [*calls[: len(calls) - random.randrange(1, passes + 1)], "AP"]
    for call in calls:
        words += [random.choice([call, call.lower()]), *_marks(random, notes, (13, 20, 93))]
    if not finished:
        words.append(random.choice("*+"))
    return _section(random, "Auction", seat, words, notes)


def _play(random: Random, section: Section) -> str:
    words: list[str] = []
    notes: set[int] = set()
    for token in section.tokens:
        words.append(random.choice([token, token.lower()]))
        if token != "*":
            words += _marks(random, notes, (14, 200, 238))
    return _section(random, "Play", section.value, words, notes)


def _marks(random: Random, notes: set[int], nags: tuple[int, ...]) -> list[str]:
    if random.random() < 0.7:
        return []
    marks = []
    if random.random() < 0.5:
        notes.add(number := random.randint(1, 32))
        marks.append([f"={number}=", *_comments(random, 0.3)])
    if random.random() < 0.5:
        marks.append([random.choice(["!", "?", "!!", "??", "!?", "?!"]), *_comments(random, 0.3)])
    several = random.sample(nags, random.randrange(3))
    marks += [[f"${nag}", *_comments(random, 0.3)] for nag in several]
    random.shuffle(marks)
    return [*_comments(random, 0.2), *(token for mark in marks for token in mark)]


def _comments(random: Random, chance: float) -> list[str]:
    return random.sample(COMMENTS, 1 + (random.random() < 0.2)) if random.random() < chance else []


def _section(random: Random, name: str, seat: str, words: list[str], notes: set[int]) -> str:
    blank = random.choice([" ", "\n", "\t", "  "])
    text = f'[{name} "{random.choice([seat, seat.lower()])}"]\n{blank.join(words)}\n'
    return text + "".join(
        f'[Note "{number}:text {number}"]\n' for number in random.sample(sorted(notes), len(notes))
    )
