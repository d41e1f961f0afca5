"""Matches and their results: schedule, runner, store, statistics, reports, commands."""
