"""Recorded boards: analysed, replayed, audited."""
