"""`arena llm-bench`: language models on the same boards against `natural`, and a page of it."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bridge_arena.base.wording import plural
from bridge_arena.commands.common.errors import FailedError, UnusableError, cannot_write, unusable
from bridge_arena.commands.common.options import (
    Concurrency,
    given_words,
    out_option,
    resume_command,
    resume_option,
    tables_at_once,
)

if TYPE_CHECKING:
    from bridge_arena.commands.common.event_run import EventRun
    from bridge_arena.tournaments import Entrant, Event

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
    out: Annotated[Path | None, out_option("runs/TIME-llm-bench")] = None,
    resume: Annotated[Path | None, resume_option("bench")] = None,
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
    from bridge_arena.commands.common.event_run import EventRun, NewEvent
    from bridge_arena.tournaments import Sealing

    if resume is not None and (models or out is not None):
        raise UnusableError("--resume goes on with a bench as it was set up: give only DIR")
    if resume is None and not models:
        raise UnusableError("name a model, or --resume a bench (see arena llm-bench --help)")
    new_folder = Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-llm-bench"
    options = given_words({"--concurrency": (concurrency, None)})
    with EventRun(partial(resume_command, "llm-bench", options), resume or out, new_folder) as run:
        if resume is not None:
            if run.go_on().name != _NAME:
                raise UnusableError(f"{run.folder} was not begun by arena llm-bench")
        else:
            event = _event(models or [], boards, given, clock, run.folder)
            run.create(NewEvent(event, Sealing.of(event, DealKey.parse(BOARDS_KEY)), {}))
        _play(run, tables_at_once(concurrency))
        _report(run)


def _event(models: list[str], boards: int, given: str, clock: str, folder: Path) -> Event:
    """Return the event of a bench. Raises UnusableError."""
    from bridge_arena.tournaments import Entrant, Event, Format
    from bridge_arena.tournaments.events.event import PLAIN
    from bridge_arena.tournaments.events.event_rules import mistakes, settle

    benched = (
        _entrant(model, given, folder / f"spent-{number}.sqlite")
        for number, model in enumerate(models, start=1)
    )
    event = Event(
        name=_NAME,
        format=Format.GAUNTLET,
        entries=(Entrant(bot=HOUSE, name=HOUSE), *benched),
        boards=boards,
        clock=clock,
        policies=PLAIN,
    )
    event = settle(event, ("clock", "policies"))
    for mistake in mistakes(event, ("clock", "policies")):
        raise UnusableError(mistake.text)
    return event


def _entrant(model: str, given: str, spent: Path) -> Entrant:
    """Return the entry of a model. Raises UnusableError."""
    from bridge_arena.bots.registry import UnknownBotError, parse
    from bridge_arena.tournaments import Entrant

    own = f"model={model}"
    chosen = dict(item.partition("=")[::2] for item in f"{given},{own}".split(",") if item)
    if any(option.startswith("budget_") for option in chosen):
        chosen.setdefault("spent", str(spent))
    bot = "llm:" + ",".join(f"{option}={value}" for option, value in chosen.items())
    with unusable(UnknownBotError, ModuleNotFoundError):
        parse(bot)
    name = chosen["model"] + (" (strict)" if chosen.get("legal") == "none" else "")
    return Entrant(bot=bot, name=name)


def _play(run: EventRun, tables: int) -> None:
    """Play what is left of a bench. Raises as `EventRun.play` does."""
    from bridge_arena.tournaments import event_size
    from bridge_arena.tournaments.play.venue import VenueOptions

    event = run.store.event()
    names = [entrant.name for entrant in event.entries[1:]]
    run.play(
        f"{', '.join(names)}: {plural(event.boards, 'board')} each against {HOUSE}",
        event_size(event).tables,
        lambda record: names[(record.round or 1) - 1],
        VenueOptions(tables),
        # The key of the boards is the same for every bench.
        tell_commitment=False,
    )


def _report(run: EventRun) -> None:
    """Report a bench, and write its page. Raises FailedError if a model was stopped."""
    results = run.report()
    try:
        with run.interruptible():
            # Imported only now, as what reports need is slow to load.
            from bridge_arena.reports.bench.report import PAGE, bench_figures, write_bench

            bench = bench_figures(results)
            write_bench(bench, run.folder)
    except OSError as error:
        raise FailedError(cannot_write(error, run.folder)) from None
    print(f"the page: {run.folder / PAGE}")
    if stopped := [model for model in bench.models if model.stopped]:
        raise FailedError(
            "; ".join(
                f"{model.name} stopped after {model.boards} of {bench.boards} boards: "
                f"{model.stopped}"
                for model in stopped
            )
        )
