"""Any line of the protocol, and any quirks."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st

from bridge_arena.bridge.board import random_deal
from bridge_arena.bridge.calls import CALLS
from bridge_arena.bridge.cards import CARDS
from bridge_arena.bridge.seats import SEATS, Vulnerability
from bridge_arena.protocol.bluechip.lines import (
    BoardInfo,
    Called,
    Cards,
    Connecting,
    EndOfSession,
    Explain,
    Illegal,
    Line,
    Played,
    Ready,
    Refusal,
    Seated,
    StartOfBoard,
    Teams,
    Timing,
    ToLead,
    Wanted,
)
from bridge_arena.protocol.bluechip.spelling import Quirks


def _values(kind: object) -> st.SearchStrategy[Any]:
    return st.booleans() if kind is bool else st.sampled_from(get_args(kind))


QUIRKS = st.builds(Quirks, **{name: _values(kind) for name, kind in get_type_hints(Quirks).items()})

TEAMS = st.text("xyzXYZ 123", min_size=1).map(lambda text: " ".join(text.split()) or "x")
"""Names that can be read without quotation marks too."""

MEANINGS = st.text(st.characters(codec="ascii"), max_size=120).map(
    lambda text: " ".join("".join(each for each in text if each.isprintable()).split())
)

SEAT = st.sampled_from(SEATS)
PLAYER = st.none() | SEAT
CARD = st.sampled_from(CARDS)
CALL = st.sampled_from(CALLS)
HAND = st.builds(lambda seed, seat: random_deal(seed, 1)[seat], st.integers(0, 2**32), SEAT)
SECONDS = st.integers(0, 5000)

READY = st.one_of(
    st.builds(
        Ready,
        SEAT,
        st.sampled_from([each for each in Wanted if each not in (Wanted.BID, Wanted.CARD)]),
    ),
    st.builds(Ready, SEAT, st.just(Wanted.BID), SEAT),
    st.builds(Ready, SEAT, st.just(Wanted.CARD), PLAYER, st.none() | st.integers(1, 13)),
)
CALLED = st.builds(Called, SEAT, CALL, st.booleans(), MEANINGS)

LINES: st.SearchStrategy[Line] = st.one_of(
    st.builds(Connecting, TEAMS, PLAYER, st.sampled_from([17, 18, 19])),
    st.builds(Seated, SEAT, TEAMS),
    st.builds(Teams, TEAMS, TEAMS),
    st.builds(Refusal, TEAMS),
    st.just(EndOfSession()),
    st.just(StartOfBoard()),
    st.builds(BoardInfo, st.integers(1, 10**9 - 1), SEAT, st.sampled_from(Vulnerability)),
    st.builds(Cards, PLAYER, HAND),
    st.builds(ToLead, PLAYER),
    st.builds(Timing, SECONDS, SECONDS, SECONDS, SECONDS),
    READY,
    CALLED,
    st.builds(Played, PLAYER, CARD),
    st.builds(Explain, SEAT, CALL),
    st.builds(Illegal, st.booleans()),
)
