"""Portable Bridge Notation 2.1: text to games to board records, and back."""
