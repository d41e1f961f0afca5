"""The bots of an event at their posts: how those of each kind come, and what becomes of them."""
