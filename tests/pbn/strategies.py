"""Random board records, as a table may make them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from bridge_arena.bridge.auction import Auction
from bridge_arena.bridge.board import Board
from bridge_arena.bridge.calls import DOUBLE, PASS, Call, Contract
from bridge_arena.bridge.cards import SUITS, Card, Deal
from bridge_arena.bridge.explanation import Explanation
from bridge_arena.bridge.play import Play
from bridge_arena.bridge.record import BoardRecord, Fault, FaultKind, MadeCall, Mode, Question, Room
from bridge_arena.bridge.scoring import score_ns
from bridge_arena.bridge.seats import SEATS, Side, Vulnerability
from bridge_arena.pbn.annotations import portable

AWKWARD = st.sampled_from(
    [
        "",
        " ",
        "?",
        "Alert",
        "Alert: twice",
        "No alert: really",
        'say "no"',
        "C:\\dir\\",
        "{brace} and } more",
        "[Event]",
        '[Event "x"]',
        "; % = *",
        "é ü ß ÿ",
        "weak [hcp",
        "[hcp 5-99]",
        "long words " * 40,
        "x" * 700,
        "\\" * 401,
        "}" * 300,
        "two  blanks   " * 30,
    ]
)
SUITED = st.sampled_from(["5+♠, 4♥", "♣" * 250, r"\♠ \\♥ \S \\S", "♦}"]) | st.text(
    r"\SHDCx♠♥♦♣", max_size=20
)
LATIN = st.sampled_from([chr(code) for code in (*range(32, 127), *range(160, 256))])
LINES = AWKWARD | st.text(LATIN, max_size=300).filter(lambda text: portable(text) == text)
NAMES = st.text(LATIN, max_size=30).filter(
    lambda name: portable(name) == name and name != "?" and name[:2] != " #"
) | st.sampled_from(["", "#", "##", "#1 bot", 'The "Bot"', "back\\slash"])
RANGES = st.tuples(st.integers(0, 13), st.integers(0, 13)).map(lambda pair: (min(pair), max(pair)))


EXPLANATIONS = st.builds(
    Explanation,
    LINES | SUITED,
    st.none() | RANGES,
    st.dictionaries(st.sampled_from(SUITS), RANGES),
    st.booleans(),
    st.booleans(),
    # Explanation.parse does not promise to tell such texts from ranges.
).filter(lambda explanation: Explanation.parse(str(explanation)) == explanation)

FAULTS = st.builds(
    Fault, st.sampled_from(SEATS), st.sampled_from(FaultKind), st.integers(0, 400), LINES
)


def _call(random: Random, auction: Auction, eagerness: float) -> Call:
    if random.random() > eagerness:
        return PASS
    legal = auction.legal_calls()
    return random.choice(legal[: 8 if DOUBLE in legal else 6])


def _cards(random: Random, contract: Contract, deal: Deal, count: int) -> tuple[Card, ...]:
    play = Play(contract)
    hands = list(deal.hands)
    while len(play.cards) < count:
        turn = play.turn
        card = random.choice(list(play.legal_cards(hands[turn])))
        play.push(card)
        hands[turn] = hands[turn].without(card)
    return tuple(play.cards)


def _tricks(contract: Contract, cards: tuple[Card, ...]) -> int:
    play = Play(contract)
    for card in cards:
        play.push(card)
    return play.declarer_tricks


@st.composite
def records(draw: st.DrawFn) -> BoardRecord:
    """Records finished and not, of boards passed out, played to the end or claimed."""
    random = Random(draw(st.integers(0, 1 << 32)))
    number = draw(st.integers(1, 40))
    if draw(st.booleans()):
        board = Board.dealt(draw(st.integers(0, 99)), number)
    else:
        deal = Board.dealt(0, number).deal
        board = Board(number, random.choice(SEATS), random.choice(list(Vulnerability)), deal)
    auction = Auction(board.dealer)
    eagerness = draw(st.sampled_from([0.0, 0.5, 0.9, 1.0]))
    stop = draw(st.none() | st.integers(0, 30))
    while not auction.is_over and len(auction.calls) != stop:
        auction.push(_call(random, auction, eagerness))
    chatty = draw(st.sampled_from([0.0, 0.3, 1.0]))
    texts = draw(st.lists(EXPLANATIONS, min_size=1, max_size=6))
    calls = tuple(
        MadeCall(call, random.random() < 0.5, random.choice([None, *texts, _numbered(random)]))
        if random.random() < chatty
        else MadeCall(call)
        for call in auction.calls
    )
    contract = auction.contract if auction.is_over else None
    cards: tuple[Card, ...] = ()
    tricks = score = None
    finished = auction.is_over and draw(st.booleans())
    if contract is not None:
        count = draw(st.sampled_from([0, 1, 7, 26, 51, 52]) | st.integers(0, 52))
        cards = _cards(random, contract, board.deal, count)
        if finished:
            # All cards played leave no doubt.
            tricks = draw(st.integers(0, 13)) if count < 52 else _tricks(contract, cards)
    if finished or auction.is_passed_out:
        score = score_ns(contract, tricks, board.vulnerability)
    north, east, south, west = draw(st.tuples(NAMES, NAMES, NAMES, NAMES))
    if contract is not None and len(cards) == 52 and tricks is None:
        cards = cards[:51]  # with all cards played the result is known
    record = BoardRecord(
        board,
        (north, east, south, west),
        calls,
        contract,
        cards,
        tricks,
        score,
        tuple(draw(st.lists(FAULTS, max_size=3))),
        event=draw(NAMES),
        date=draw(st.sampled_from(["", "2026.01.31"])),
        room=draw(st.sampled_from([None, *Room])),
        home=draw(NAMES),
        visitors=draw(NAMES),
        mode=draw(st.sampled_from(Mode)),
        round=draw(st.none() | st.integers(1, 99)),
        table=draw(st.none() | st.integers(1, 99)),
        adjusted=draw(st.none() | st.sampled_from(Side)),
        scoring=draw(st.sampled_from(["IMP", "MP", "BAM"])),
        questions=_questions(random, calls) if draw(st.booleans()) else (),
    )
    return replace(record, times=_times(random, record)) if draw(st.booleans()) else record


def _questions(random: Random, calls: tuple[MadeCall, ...]) -> tuple[Question, ...]:
    count = random.randrange(12) if calls else 0
    return tuple(
        Question(random.choice(SEATS), random.randrange(len(calls)), random.randrange(90))
        for _ in range(count)
    )


def _times(random: Random, record: BoardRecord) -> tuple[tuple[float, ...], ...]:
    """A time for each action of a player."""
    times: list[list[float]] = [[], [], [], []]
    if record.mode is not Mode.PLAY:
        for at in range(len(record.calls)):
            times[(record.board.dealer + at) % 4].append(random.randrange(10**6) / 10)
    if record.contract is not None:
        play = Play(record.contract)
        for card in record.cards:
            times[play.player].append(random.randrange(10**6) / 10)
            play.push(card)
    return tuple(map(tuple, times)) if any(times) else ()


def _numbered(random: Random) -> Explanation:
    """One of many texts, so that long auctions run out of notes."""
    return Explanation(f"meaning {random.randrange(1000)}")
