"""The store: events and every board that was played, in one database.

It is the one source of truth of an event. Each result is one transaction, so whatever ends
the process, what was finished stays. All files are made from it.
"""

from bridge_arena.tournaments.store.database import StoreError
from bridge_arena.tournaments.store.store import Store

__all__ = ["Store", "StoreError"]
