"""`arena lab`: what is bid, what is played, and where the results go."""

BOARDS = 10_000
"""The number of boards, where none is given and boards are dealt."""
