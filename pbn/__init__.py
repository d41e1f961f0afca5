"""Portable Bridge Notation 2.1: reading, checking and writing games and board records."""
