"""`arena llm-bench`: language models on the same boards against `natural`, and a page of it."""

from __future__ import annotations

import shlex
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import (
    FailedError,
    InterruptedCommandError,
    UnusableError,
    cannot_write,
)
from bridge_arena.commands.common.options import Concurrency, given_words, tables_at_once

if TYPE_CHECKING:
    from bridge_arena.bridge.record import BoardRecord
    from bridge_arena.tournaments.events.event import Entrant, Event
    from bridge_arena.tournaments.store import Store

HOUSE = "natural"
"""The bot that all models meet."""

BOARDS_KEY = "a2e77601ed6b8890627a57bd822195276c4c99c599fdcd453d84982a58a27a33"
"""The key of the boards that every bench plays: board 1, 2, 3 and so on."""

BOARDS_DIGEST = "d33975e6648bedcec18866a45363c7f5c9f24bb1bb194d9091d4cad90e7cb4a5"
"""The digest (`digest_of`) of the first 1000 of them."""

_NAME = "Bridge Arena bench of language models, boards 1"
"""The name of the event; the number is that of the set of boards."""


def llm_bench(
    models: Annotated[
        list[str] | None,
        typer.Argument(metavar="MODEL...", help="a model: NAME or NAME,OPTION=VALUE,..."),
    ] = None,
    boards: Annotated[int, typer.Option(min=1, max=1000, help="number of boards")] = 32,
    given: Annotated[
        str,
        typer.Option(
            "--options", metavar="OPTION=VALUE,...", help="options of every model (arena bots llm)"
        ),
    ] = "",
    clock: Annotated[
        str, typer.Option(help="seconds for each action, or several limits", metavar="CLOCK")
    ] = "120",
    out: Annotated[
        Path | None,
        typer.Option(help="folder for the results; default: runs/TIME-llm-bench", metavar="DIR"),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(help="go on with the bench of this folder", metavar="DIR")
    ] = None,
    concurrency: Concurrency = None,
) -> None:
    """Bench language models on the same boards.

    Each model plays with itself as partner against natural, in both rooms, over a service that
    speaks the OpenAI chat-completions interface. The page bench.html ranks the models, with their
    errors and costs; it shows no board, so that the boards stay unknown. A model whose budget is
    spent stops, and the boards that it has finished count.

    Examples:
        arena llm-bench gpt-5 --boards 64 --out runs/bench
        arena llm-bench llama3 llama3,legal=none --options base_url=http://localhost/v1
        arena llm-bench gpt-5 --options budget_money=5,price_in=1.25,price_out=10
        arena llm-bench --resume runs/bench
    """
    from bridge_arena.bridge.seeds import DealKey
    from bridge_arena.commands.common.event_store import create_store, open_store
    from bridge_arena.commands.common.folder_lock import alone
    from bridge_arena.commands.common.play_event import NotSeatedError, discard
    from bridge_arena.reports.common.results import STORE
    from bridge_arena.tournaments.events.sealed_deals import Sealing

    if resume is not None and (models or out is not None):
        raise UnusableError("--resume goes on with a bench as it was set up: give only DIR")
    if resume is None and not models:
        raise UnusableError("name a model, or --resume a bench (see arena llm-bench --help)")
    new = Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-llm-bench"
    with alone(resume or out, new, is_private=True) as folder:
        if resume is not None:
            store = open_store(folder / STORE)
            if store.event().name != _NAME:
                store.close()
                raise UnusableError(f"{folder} was not begun by arena llm-bench")
        else:
            event = _event(models or [], boards, given, clock, folder)
            sealing = Sealing.of(event, DealKey.parse(BOARDS_KEY))
            store = create_store(folder, event, sealing, {}, _go_on(folder, concurrency))
        try:
            _play(store, folder, concurrency)
        except UnusableError as error:
            if resume is None:
                discard(folder, keep_log=isinstance(error, NotSeatedError))
            raise
        finally:
            store.close()
        _report(folder, concurrency)


def _event(models: list[str], boards: int, given: str, clock: str, folder: Path) -> Event:
    """Return the event of a bench. Raises UnusableError."""
    from bridge_arena.tournaments.events.event import PLAIN, Entrant, Event, Format
    from bridge_arena.tournaments.events.event_rules import mistakes, settle

    house = Entrant(bot=HOUSE, name=HOUSE)
    entries = [house]
    for number, model in enumerate(models, start=1):
        entries.append(_entrant(model, given, folder / f"spent-{number}.sqlite"))
    event = settle(
        Event(
            name=_NAME,
            format=Format.GAUNTLET,
            entries=tuple(entries),
            boards=boards,
            clock=clock,
            policies=PLAIN,
        ),
        ("clock", "policies"),
    )
    for mistake in mistakes(event, ("clock", "policies")):
        raise UnusableError(mistake.text)
    return event


def _entrant(model: str, given: str, spent: Path) -> Entrant:
    """Return the entry of a model. Raises UnusableError."""
    from bridge_arena.bots.registry import UnknownBotError, parse
    from bridge_arena.tournaments.events.event import Entrant

    own = f"model={model}"
    chosen = dict(item.partition("=")[::2] for item in f"{given},{own}".split(",") if item)
    if any(option.startswith("budget_") for option in chosen):
        chosen.setdefault("spent", str(spent))
    bot = "llm:" + ",".join(f"{option}={value}" for option, value in chosen.items())
    try:
        parse(bot)
    except (UnknownBotError, ModuleNotFoundError) as error:
        raise UnusableError(str(error)) from None
    name = chosen["model"] + (" (strict)" if chosen.get("legal") == "none" else "")
    return Entrant(bot=bot, name=name)


def _play(store: Store, folder: Path, concurrency: int | None) -> None:
    """Play what is left of a bench, and raise as `play` does."""
    from bridge_arena.commands.common.play_event import play
    from bridge_arena.tournaments.events.event import event_size
    from bridge_arena.tournaments.play.local_venue import LocalVenue
    from bridge_arena.tournaments.play.venue import VenueOptions

    event = store.event()
    names = [entrant.name for entrant in event.entries[1:]]
    print(f"{', '.join(names)}: {plural(event.boards, 'board')} each against {HOUSE}", flush=True)

    def told(record: BoardRecord) -> str:
        return names[(record.round or 1) - 1]

    size = event_size(event)
    options = VenueOptions(tables_at_once(concurrency), hidden=[folder])
    hall = partial(LocalVenue, options=options)
    play(store, folder, size.tables, told, hall, _go_on(folder, concurrency))


def _report(folder: Path, concurrency: int | None) -> None:
    """Report a bench, and write its page. Raises FailedError if a model was stopped."""
    try:
        # Imported only now, as what reports need is slow to load.
        from bridge_arena.commands.common.reporting import report_folder
        from bridge_arena.reports.bench.figures import bench_figures
        from bridge_arena.reports.bench.files import PAGE, write_bench

        bench = bench_figures(report_folder(folder))
        write_bench(bench, folder)
    except KeyboardInterrupt:
        again = _go_on(folder, concurrency)
        raise InterruptedCommandError(f"interrupted; go on with: {again}") from None
    except OSError as error:
        raise FailedError(cannot_write(error, folder)) from None
    print(f"the page: {folder / PAGE}")
    if stopped := [model for model in bench.models if model.stopped]:
        raise FailedError(
            "; ".join(
                f"{model.name} stopped after {model.boards} of {bench.boards} boards: "
                f"{model.stopped}"
                for model in stopped
            )
        )


def _go_on(folder: Path, concurrency: int | None) -> str:
    words = given_words({"--concurrency": (concurrency, None)})
    return shlex.join(["arena", "llm-bench", "--resume", str(folder), *words])
