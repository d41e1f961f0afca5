"""The game of bridge: cards, calls, auction, play, boards, records and scoring.

The rules live here and nowhere else. The package is pure and synchronous: it
knows no file, socket, process, clock or log.
"""
