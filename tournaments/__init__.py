"""Matches and their results: events, schedules, play, the store and the statistics."""
