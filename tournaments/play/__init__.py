"""Who plays an event, and where."""
