"""The store of an event that a command begins, goes on with, or reports."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

from bridge_arena.commands.common.errors import UnusableError, cannot_write
from bridge_arena.reports.common.results import STORE
from bridge_arena.tournaments.events.boards import GivenBoard
from bridge_arena.tournaments.events.deal_control import DealControl
from bridge_arena.tournaments.events.event import Event, Format
from bridge_arena.tournaments.events.sealed_deals import Sealing
from bridge_arena.tournaments.store import Store, StoreError


def create_store(
    folder: Path,
    event: Event,
    sealing: Sealing,
    boards: Mapping[int, GivenBoard],
    go_on: str,
    url: str | None = None,
    *,
    controlled: bool | None = False,
) -> Store:
    """Create the store of a new event in the folder for its results.

    Args:
        folder: The folder, which is made if it is not there.
        event: The event.
        sealing: The key of its deals.
        boards: The boards that are given, by number.
        go_on: The command that goes on with an event that is in the folder already.
        url: The URL of the database for the store; None for a store in the folder.
        controlled: Whether stand-ins tell the luck of the deals; None for where bots that ship
            can.

    Returns:
        The store.

    Raises:
        UnusableError: The folder or the store cannot be made, or there is an event in it.
    """
    control = None
    if controlled is not False:
        control = DealControl.of(event, with_files=controlled is True)
    if controlled and control is None:
        raise UnusableError(
            "--control: two bots must ship or be FILE.py:CLASS, and bid and play dealt boards"
        )
    path = folder / STORE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UnusableError(cannot_write(error, folder)) from None
    if path.exists():
        raise UnusableError(f"{path} exists already: choose another --out, or go on with {go_on}")
    try:
        return Store.create(url or path, event, boards, sealing, control)
    except StoreError as error:
        raise UnusableError(str(error)) from None


def open_store(source: str | Path, event: str | None = None) -> Store:
    """Open the store of an event that was begun. Raises UnusableError."""
    try:
        return Store.open(source, event)
    except StoreError as error:
        raise UnusableError(str(error)) from None


def open_match(folder: Path) -> Store:
    """Open the store of a match, to go on with it. Raises UnusableError, also for another event."""
    store = open_store(folder / STORE)
    if store.event().format is not Format.MATCH:
        store.close()
        go_on = f"arena tournament EVENT.toml --out {shlex.quote(str(folder))} --resume"
        raise UnusableError(
            f"{folder} holds no match, but an event of a file: go on with {go_on}, or with "
            "arena serve if that began it"
        )
    return store


def find_store(url: str, event: str) -> Store | None:
    """Open the store of an event in a database.

    Args:
        url: The database's URL.
        event: The event's name.

    Returns:
        The store; None where the event was not begun.

    Raises:
        UnusableError: The database cannot be read.
    """
    try:
        return next(iter(Store.open_all(url, event)), None)
    except StoreError as error:
        raise UnusableError(str(error)) from None
