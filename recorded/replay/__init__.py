"""Replays: a bot takes a seat in recorded boards."""
