"""Matches of card play in worker processes."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from pathlib import Path

from bridge_arena.base.files import replace_file
from bridge_arena.bridge.record import Mode
from bridge_arena.commands.common import matches
from bridge_arena.commands.common.errors import FailedError, UnusableError, cannot_write, unusable
from bridge_arena.commands.common.event_run import EventRun
from bridge_arena.commands.common.options import tables_at_once
from bridge_arena.lab.bidders import Bidder, BidderError, parse_bidders
from bridge_arena.lab.run import FailedBidderError
from bridge_arena.lab.venue import lab_venue
from bridge_arena.tournaments.play.venue import VenueOptions

DIGESTS = "bots.json"
"""The hashes of the files of the bots, where there are such files."""


def begin(
    run: EventRun,
    bidders: list[str],
    boards: int | None,
    boards_from: Path | None,
    seed: int | None,
    sprt: str | None,
) -> None:
    """Begin a match of card play between two bots of this program. Raises UnusableError.

    Without a file of contracts (`boards_from`), boards are dealt and bid; without a seed, by one at
    random. `boards` is None for the default, or all of the file.
    """
    if len(bidders) != 2:
        raise UnusableError("--play: name two bots, or --resume a match (arena lab --help)")
    with unusable(BidderError):
        first, second = parse_bidders(bidders)
    new = matches.set_up(
        _entry(first),
        _entry(second),
        count=boards,
        boards_from=boards_from,
        seed=secrets.randbelow(2**31) if seed is None else seed,
        mode=Mode.PLAY,
        sprt=sprt,
    )
    run.create(new)
    try:
        _keep_digests(run.folder, (first, second))
    except OSError as error:
        run.discard(keep_log=False)
        raise UnusableError(cannot_write(error, run.folder)) from None


def _entry(bidder: Bidder) -> str:
    """Return a bidder as the entry of a match; a spec may have a title, or be the name."""
    return bidder.spec if bidder.is_apart or ":" in bidder.name else f"{bidder.name}={bidder.spec}"


def go_on(run: EventRun) -> None:
    """Go on with a match. Raises UnusableError."""
    event, folder = run.go_on_with_match(), run.folder
    if event.mode is not Mode.PLAY:
        raise UnusableError(
            f"{folder} was not begun by arena lab: arena match --resume {folder} goes on"
        )
    try:
        with unusable(reading=True):
            bidders = _digests(folder)
    except (ValueError, AttributeError):
        raise UnusableError(f"{folder / DIGESTS} cannot be read") from None
    for bidder in bidders:
        if bidder.has_changed:
            raise UnusableError(
                f"{bidder.spec} has changed since {folder} was begun: choose another --out"
            )
    with unusable(BidderError):
        parse_bidders([entrant.bot for entrant in event.entries])


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


def play(run: EventRun, workers: int | None) -> None:
    """Play what is left of a match, and report it as `arena match` does.

    Without a number of workers there is one for each processor. Raises UnusableError if the match
    cannot begin, FailedError if it cannot go on, and InterruptedCommandError.
    """
    bidders = parse_bidders([entrant.bot for entrant in run.store.event().entries])
    is_apart = any(bidder.is_apart for bidder in bidders)
    venue = VenueOptions(tables_at_once(workers)) if is_apart else lab_venue(workers)
    try:
        matches.play_match(run, venue)
    except FailedBidderError as error:
        raise FailedError(str(error)) from None
