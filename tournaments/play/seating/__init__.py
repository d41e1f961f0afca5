"""The bots of an event at their seats: how those of each kind come, and what becomes of them."""
