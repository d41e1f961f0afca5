"""Replays: pages of boards that were played, from events and from files."""
