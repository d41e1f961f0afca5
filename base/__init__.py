"""Helpers that every package may use, and that know nothing of bridge."""
