"""`arena ladder backup` and `restore`: a ladder in one file."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.concurrency import load_numpy_for_one_thread
from bridge_arena.commands.common.errors import (
    InterruptedCommandError,
    UnusableError,
    unusable,
)
from bridge_arena.commands.ladder.orders import TOKENS, LadderName, LadderPlace, opened

if TYPE_CHECKING:
    from bridge_arena.tournaments.ladder.store.backups import Count

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="the backup")]

FolderOfUrl = Annotated[
    Path | None, typer.Option("--out", help="the ladder's folder, if RUN is a database's URL")
]


def backup(
    run: LadderPlace, file: BackupFile, out: FolderOfUrl = None, ladder: LadderName = None
) -> None:
    """Write all that a ladder is to one file, also while it is played.

    The file replaces an earlier backup of that name when it is complete. It has the hashes of the
    tokens, and only its owner may read it.

    Examples:
        arena ladder backup runs/club club.backup
    """
    from bridge_arena.base.files import beside, held, replacing
    from bridge_arena.commands.ladder.from_afar import need_here
    from bridge_arena.tournaments import StoreError
    from bridge_arena.tournaments.ladder.store.backups import back_up, is_backup

    need_here(run, "backup")
    folder = _folder(run, out)
    with opened(run, ladder) as store, unusable(StoreError, writing=file):
        if not file.parent.is_dir():
            raise UnusableError(f"cannot write {file}: {file.parent} is no folder")
        if file.exists() and not is_backup(file):
            raise UnusableError(f"{file} is there already, and is no backup of a ladder")
        made, tokens = datetime.now(UTC), folder / TOKENS
        with _counting("writing") as count, held(beside(file), file):
            with replacing(file, is_private=True) as unfinished:
                kept = tokens.read_bytes() if tokens.exists() else None
                back_up(store.place, unfinished, made, kept, count)
            store.note_backup(made)
    print(f"the backup is {file}")


def restore(
    file: BackupFile,
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="a new folder, or the URL of a database")
    ],
    out: FolderOfUrl = None,
) -> None:
    """Make a ladder from its backup, in a new folder or in a database.

    It goes on from there by the command that played it, with the new place. Matches that were in
    play are played on new deals.

    Examples:
        arena ladder restore club.backup runs/club
    """
    load_numpy_for_one_thread()
    from bridge_arena.base.files import replace_file, replacing
    from bridge_arena.base.wording import plural
    from bridge_arena.commands.common.folders import alone
    from bridge_arena.commands.ladder.from_afar import need_here
    from bridge_arena.tournaments import STORE, StoreError
    from bridge_arena.tournaments.ladder.store.backups import UNFINISHED, Backup
    from bridge_arena.tournaments.store.database import is_url

    for place in (file, run):
        need_here(place, "restore")
    folder = _folder(run, out)
    with (
        unusable(StoreError, reading=True),
        alone(folder, is_private=True),
        _counting("restoring") as count,
    ):
        if (folder / UNFINISHED).exists():
            _clear(folder)  # another one was killed
        if any(not path.name.startswith(".") for path in folder.iterdir()):
            raise UnusableError(f"{folder} has something: restore to a new folder")
        with _temporary(folder / UNFINISHED) as copy, Backup.open(file, copy) as kept:
            try:
                kept.write_boards(folder, count)
                if kept.tokens is not None:
                    replace_file(folder / TOKENS, kept.tokens, is_private=True)
                if is_url(run):
                    kept.restore(run, count)
                else:
                    with replacing(folder / STORE, is_private=True) as unfinished:
                        kept.restore(unfinished, count)
            except BaseException:
                _clear(folder)
                raise
    matches = plural(len(kept.over), "match", "matches")
    print(f"{kept.ladder} with {matches}, as it was on {kept.made:%Y-%m-%d at %H:%M} UTC")
    if kept.in_play:
        print(f"{plural(kept.in_play, 'match', 'matches')} in play begin again, on new deals")


def _folder(run: str, out: Path | None) -> Path:
    """Return the folder of a ladder. Raises UnusableError."""
    from bridge_arena.tournaments.store.database import is_url

    if out is None and is_url(run):
        raise UnusableError("tokens are in the ladder's folder: give it by --out")
    return out or Path(run)


def _clear(folder: Path) -> None:
    """Delete what was restored to a folder."""
    from bridge_arena.tournaments import STORE
    from bridge_arena.tournaments.ladder.store.week_files import FOLDER as WEEKS

    shutil.rmtree(folder / WEEKS, ignore_errors=True)
    for name in (TOKENS, STORE):
        (folder / name).unlink(missing_ok=True)


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """Make a file that only the owner may read, and delete it at the end of the context."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


@contextmanager
def _counting(doing: str) -> Iterator[Count]:
    """Show in the context how many matches are copied. Raises InterruptedCommandError."""
    from bridge_arena.commands.common.progress import LongWork

    def count(numbers: Iterable[int], total: int, what: str) -> Iterator[int]:
        return work.count(numbers, f"{doing}, {what}", total, "matches")

    try:
        with LongWork() as work:
            yield count
    except KeyboardInterrupt:
        raise InterruptedCommandError("interrupted; nothing was written") from None
