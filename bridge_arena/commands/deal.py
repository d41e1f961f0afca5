"""`arena deal`: boards as PBN; the commitment to an event's deals, and its verification."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import FailedError, UnusableError, unusable
from bridge_arena.commands.common.options import Seed

if TYPE_CHECKING:
    from bridge_arena.recorded.deal_proof import Verdict


def deal(
    count: Annotated[int | None, typer.Argument(min=1, metavar="N", help="how many boards")] = None,
    seed: Seed = None,
    out: Annotated[
        Path | None,
        typer.Option(help="the file to write; default: standard output", metavar="FILE"),
    ] = None,
    commit: Annotated[
        Path | None,
        typer.Option(
            metavar="EVENT.toml",
            help="draw the key for the deals of this event, and print the commitment to it",
        ),
    ] = None,
    verify: Annotated[
        str | None,
        typer.Option(
            metavar="RESULTS",
            help="check that the boards in an event's folder, PBN file or database are those "
            "that it committed to",
        ),
    ] = None,
) -> None:
    """Deal boards as PBN; commit to an event's deals, or verify them.

    With --seed, these are boards 1 to N of a match with the same seed. They are the same on every
    machine, and whoever guesses the seed knows them.

    Examples:
        arena deal 16 --seed 7 --out boards.pbn
        arena deal --commit cup.toml
        arena deal --verify runs/cup
    """
    if [count, commit, verify].count(None) != 2:
        raise UnusableError("say how many boards to deal, or give --commit or --verify")
    if count is None and (seed is not None or out is not None):
        raise UnusableError("--seed and --out are for boards that are dealt: say how many")
    if commit is not None:
        _commit(commit)
    elif verify is not None:
        _verify(verify)
    elif count is not None:
        _deal(count, seed, out)


def _deal(count: int, seed: int | None, out: Path | None) -> None:
    from bridge_arena.bridge.record import BoardRecord
    from bridge_arena.bridge.seeds import DealKey
    from bridge_arena.commands.common.folders import alone_at
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.pbn.write.compose import game_of
    from bridge_arena.pbn.write.writer import write_games
    from bridge_arena.tournaments.events.sealed_deals import new_key

    key = new_key() if seed is None else DealKey.of_seed(seed)
    nobody = ("", "", "", "")
    games = (game_of(BoardRecord(key.board(number), nobody)) for number in range(1, count + 1))
    if out is None:
        write_games(sys.stdout.buffer, games)
        return
    with (
        unusable(writing=out),
        alone_at(out) as place,
        place.open("wb") as file,
        LongWork() as work,
    ):
        write_games(file, work.count(games, "dealing", count, "boards"))
    of_seed = "" if seed is None else f" of seed {seed}"
    print(f"{plural(count, 'board')}{of_seed} in {out}")


def _commit(file: Path) -> None:
    """Draw the key of an event, and print the commitment to it."""
    from bridge_arena.commands.common.event_file_runs import read
    from bridge_arena.tournaments import Sealing
    from bridge_arena.tournaments.events.sealed_deals import KeyFileError, key_path, write_key

    event = read(file).event
    if not event.is_sealed:
        named = "seed" if event.seed is not None else "boards_from"
        raise UnusableError(f"{file}: event.{named}: there are no deals to be kept secret")
    sealing = Sealing.of(event)
    path = key_path(file)
    with unusable(KeyFileError):
        write_key(path, sealing)
    print(sealing.digest)
    print(
        f"this is the commitment of {event.name}: publish it; the key is in {path}: keep it secret",
        file=sys.stderr,
    )


def _verify(source: str) -> None:
    """Print whether the boards of an event are those that it committed to."""
    from bridge_arena.board_files.problems import BoardFileError
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.recorded.deal_proof import ProofError
    from bridge_arena.tournaments import StoreError

    with unusable(BoardFileError, StoreError, ProofError), LongWork() as work:
        work.begin("verifying the deals")
        verdicts = _verdicts(source)
    for verdict in verdicts:
        print("\n".join(verdict.lines))
    wrong = sum(len(verdict.mistakes) for verdict in verdicts)
    if wrong:
        raise FailedError(f"{source}: {plural(wrong, 'thing')} did not fit, see above")


def _verdicts(source: str) -> list[Verdict]:
    """Return the verdict on each event. Raises BoardFileError, StoreError, ProofError."""
    from bridge_arena.recorded.deal_proof import verify_pbn, verify_store
    from bridge_arena.tournaments import STORE, Store
    from bridge_arena.tournaments.schedule.event_files import pbn_in
    from bridge_arena.tournaments.store.database import is_url

    path = Path(source)
    if not is_url(source) and not path.is_dir():
        return verify_pbn(path)
    if not is_url(source) and (pbn := pbn_in(path)) is not None:
        return verify_pbn(pbn)
    stores = Store.open_all(source if is_url(source) else path / STORE)
    try:
        return [verify_store(store) for store in stores]
    finally:
        for store in stores:
            store.close()
