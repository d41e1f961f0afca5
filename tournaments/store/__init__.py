"""The store: the events of a database, with every board that was played.

It is the one source of truth of an event, from which all files are made. Each result is one
transaction, so that finished boards survive whatever ends the process.
"""

from bridge_arena.tournaments.store.database import StoreError
from bridge_arena.tournaments.store.store import Progress, Store, Units

__all__ = ["Progress", "Store", "StoreError", "Units"]
