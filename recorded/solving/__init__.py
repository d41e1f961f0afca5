"""Deals solved in great number, to learn from: which they are, their files, and the solving."""

TABLES = 1000
"""The tables in a full file, rounded down to whole deals: some minutes of one processor."""
