"""`arena publish`: a site of plain files from runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import FailedError, UnusableError, cannot_write, complain

if TYPE_CHECKING:
    from bridge_arena.base.recorded_text import Problem
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.tournaments import EventResults
    from bridge_arena.web.publishing.site import PublishedEvent


def publish(
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUNS...",
            help="folders of runs, folders that hold runs, PBN files, or database URLs",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="SITE", help="folder for the site")],
    title: Annotated[str, typer.Option(help="the site's title", metavar="TEXT")] = "Bridge Arena",
) -> None:
    """Write a site of plain files from runs.

    The site has the events of the runs, with reports, leaderboards, replays and downloads. It
    works from any web server, and without one. It replaces a site that is in the folder. Stores,
    logs and tokens are not part of it. An event of sealed deals that is not over is left out;
    then the exit status is 1, as it is if a game of a PBN file cannot be read. A ladder has its
    pages as they are now, with its latest matches.

    Examples:
        arena publish runs --out site --title "Our club"
    """
    from bridge_arena.base.masking import without_password
    from bridge_arena.commands.common.loading import load
    from bridge_arena.commands.common.progress import LongWork
    from bridge_arena.commands.common.signals import sigterm_as_ctrl_c
    from bridge_arena.commands.common.solved_boards import solved_boards
    from bridge_arena.tournaments import StoreError
    from bridge_arena.tournaments.store.database import is_url
    from bridge_arena.web.publishing.site import NotASiteError, write_site

    events: list[tuple[str, EventResults]] = []
    left_out = 0
    problems: list[Problem] = []
    ladders: dict[str, str | Path] = {}  # where each is kept, by its name
    for source in _sources(runs):
        name = Path(source).stem if not is_url(source) else "database"
        ladders |= _ladders_in(source)
        for results in load(source, problems, beside_ladders=True):
            if results.commitment is not None and results.commitment.key is None:
                left_out += 1
                text = "it is not over, so the key of its deals is not revealed: left out"
                where = f"{without_password(source)}: {results.event.name}"
                complain(f"{where}: {text}")
            else:
                events.append((name, results))
    if not events and not ladders:
        raise UnusableError(f"{', '.join(runs)}: there is no event to publish")

    try:
        with sigterm_as_ctrl_c(), LongWork() as work:
            written = count()
            writing = work.begin("writing", len(events) + len(ladders), "events")
            published = write_site(
                events,
                out,
                title,
                lambda name: writing.show(next(written), f"writing {name}"),
                solved_boards(work),
                {
                    ladder: partial(_write_ladder, place, ladder, work)
                    for ladder, place in ladders.items()
                },
            )
    except NotASiteError as error:
        raise UnusableError(str(error)) from None
    except ValueError as error:
        raise FailedError(str(error)) from None
    except StoreError as error:
        raise UnusableError(str(error)) from None
    except OSError as error:
        raise UnusableError(cannot_write(error, out)) from None
    numbers = {"event": len(published) - len(ladders), "ladder": len(ladders)}
    written_texts = [plural(number, what) for what, number in numbers.items() if number]
    print(f"{' and '.join(written_texts)} in {out / 'index.html'}")
    if left_out:
        raise FailedError(f"{plural(left_out, 'event')} left out, see above")
    if problems:
        raise FailedError(f"{plural(len(problems), 'game')} could not be read, see above")


def _ladders_in(source: str) -> dict[str, str | Path]:
    """Return where each ladder of a source is kept, by its name. Raises UnusableError."""
    from bridge_arena.commands.common.errors import unusable
    from bridge_arena.tournaments import STORE, StoreError
    from bridge_arena.tournaments.ladder.store.ladder_store import matches_of_ladders
    from bridge_arena.tournaments.store.database import is_url

    place = source if is_url(source) else Path(source) / STORE
    if isinstance(place, Path) and not place.is_file():
        return {}
    with unusable(StoreError):
        return dict.fromkeys(matches_of_ladders(place), place)


def _write_ladder(place: str | Path, name: str, work: LongWork, folder: Path) -> PublishedEvent:
    """Write the folder of a ladder. Raises StoreError, OSError and ValueError."""
    from bridge_arena.tournaments.ladder.store.ladder_store import LadderStore
    from bridge_arena.web.ladder.site import write_ladder
    from bridge_arena.web.publishing.site import FIRST, LADDER, PublishedEvent

    def begin(what: str, pages: int) -> Callable[[], None]:
        return work.begin(f"writing {name}: {what}", pages, "pages").advance

    with closing(LadderStore.open(place, ladder=name)) as store:
        board = write_ladder(store, folder, begin)
        latest = store.archive.latest(1)
    return PublishedEvent(
        folder=folder.name,
        page="index.html",
        name=name,
        format=LADDER,
        date=latest[0].ended[:10] if latest else "",
        entries=len(board.ranked),
        played=plural(board.scores.all_boards, "board"),
        unit="Rating",
        best=tuple(
            (row.rank_text.replace("-", "–"), row.player.name, row.rating_text())
            for row in board.ranked[:FIRST]
        ),
        entry=("player", "players"),
    )


def _sources(runs: list[str]) -> Iterator[str]:
    """Yield each run, those in a folder without results too. Raises UnusableError."""
    from bridge_arena.tournaments.schedule.event_files import holds_run
    from bridge_arena.tournaments.store.database import is_url

    for run in runs:
        path = Path(run)
        if is_url(run) or path.is_file() or holds_run(path):
            yield run
            continue
        if not path.is_dir():
            raise UnusableError(f"{run}: there is no such folder or file")
        folders = [folder for folder in sorted(path.iterdir()) if holds_run(folder)]
        if not folders:
            raise UnusableError(f"{run}: there is no run in this folder")
        yield from map(str, folders)
