"""The definition of an event: what is to be played, and under which rules."""
