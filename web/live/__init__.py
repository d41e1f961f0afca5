"""The arena while an event is played: its lobby and its tables, for spectators."""
