"""Matches of card play in worker processes."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.bridge.record import Mode
from bridge_arena.commands.common import matches
from bridge_arena.commands.common.errors import FailedError, UnusableError, cannot_write
from bridge_arena.commands.common.event_store import create_store, open_match
from bridge_arena.commands.common.play_event import discard
from bridge_arena.commands.lab.folders import go_on
from bridge_arena.lab.bidders import Bidder, BidderError, parse_bidders
from bridge_arena.lab.run import FailedBidderError
from bridge_arena.lab.venue import lab_venue
from bridge_arena.server.claims import Claims
from bridge_arena.tournaments.events import Isolation
from bridge_arena.tournaments.store import Store

DIGESTS = "bots.json"
"""The hashes of the files of the bots, where there are such files."""


def new_match(
    bidders: list[str],
    boards: int | None,
    boards_from: Path | None,
    seed: int | None,
    sprt: str | None,
    out: Path,
    workers: int | None = None,
) -> tuple[Path, Store]:
    """Set up a match of card play between two bots of this program, and make its store.

    Args:
        boards: The number of boards; None for the default, or all of the file.
        boards_from: The file of the contracts; None to have boards dealt and bid.
        seed: The seed; None for one at random.
        sprt: The sequential test that ends the match; None to play all boards.
        workers: The number of processes that are to play it; None for one for each processor.

    Raises:
        UnusableError: There is no such match.
    """
    if len(bidders) != 2:
        raise UnusableError("--play: name two bots, or --resume a match (arena lab --help)")
    try:
        first, second = parse_bidders(bidders)
    except BidderError as error:
        raise UnusableError(str(error)) from None
    event, sealing, given = matches.set_up(
        _entry(first),
        _entry(second),
        boards,
        boards_from,
        secrets.randbelow(2**31) if seed is None else seed,
        None,
        Claims.OFF,
        Mode.PLAY,
        sprt,
        Isolation.NONE,
        None,
    )
    store = create_store(out, event, sealing, given, go_on(out, workers))
    try:
        _keep_digests(out, (first, second))
    except OSError as error:
        store.close()
        discard(out, keep_log=False)
        raise UnusableError(cannot_write(error, out)) from None
    return out, store


def _entry(bidder: Bidder) -> str:
    """Return a bidder as the entry of a match; a spec may have a title, or be the name."""
    return bidder.spec if bidder.is_apart or ":" in bidder.name else f"{bidder.name}={bidder.spec}"


def old_match(folder: Path) -> tuple[Path, Store]:
    """Open the store of a match, to go on with it. Raises UnusableError."""
    store = open_match(folder)
    event = store.event()
    if event.mode is not Mode.PLAY:
        store.close()
        raise UnusableError(
            f"{folder} was not begun by arena lab: arena match --resume {folder} goes on"
        )
    try:
        bidders = _digests(folder)
    except OSError as error:
        store.close()
        raise UnusableError(f"cannot read {error.filename}: {error.strerror}") from None
    except (ValueError, AttributeError):
        store.close()
        raise UnusableError(f"{folder / DIGESTS} cannot be read") from None
    for bidder in bidders:
        if bidder.has_changed:
            store.close()
            raise UnusableError(
                f"{bidder.spec} has changed since {folder} was begun: choose another --out"
            )
    try:
        parse_bidders([entrant.bot for entrant in event.entries])
    except BidderError as error:
        store.close()
        raise UnusableError(str(error)) from None
    return folder, store


def _digests(folder: Path) -> list[Bidder]:
    """Return the bots of files, as they were. Raises OSError, ValueError and AttributeError."""
    path = folder / DIGESTS
    if not path.exists():
        return []
    return [Bidder(spec, spec, digest) for spec, digest in json.loads(path.read_bytes()).items()]


def _keep_digests(folder: Path, bidders: Sequence[Bidder]) -> None:
    """Keep the hashes of the bots' files. Raises OSError."""
    digests = {bidder.spec: bidder.digest for bidder in bidders if bidder.digest}
    path = folder / DIGESTS
    if digests:
        replace_file(path, json.dumps(digests, indent=1).encode() + b"\n")
    else:
        path.unlink(missing_ok=True)


def play(folder: Path, store: Store, workers: int | None, held: ExitStack, *, is_new: bool) -> None:
    """Play what is left of a match, and report it as `arena match` does.

    Args:
        store: Its store, which is closed at the end.
        workers: The number of processes; None for one for each processor.

    Raises:
        UnusableError: The match cannot begin.
        FailedError: A bot failed, or the match cannot go on.
        InterruptedCommandError: It was interrupted.
    """
    bidders = parse_bidders([entrant.bot for entrant in store.event().entries])
    try:
        matches.play_match(
            store,
            folder,
            None,
            go_on(folder, workers),
            is_new=is_new,
            held=held,
            concurrency=workers,
            open_venue=None if any(bidder.is_apart for bidder in bidders) else lab_venue(workers),
        )
    except FailedBidderError as error:
        raise FailedError(str(error)) from None
