"""Recorded boards: analysed, replayed, examined."""
