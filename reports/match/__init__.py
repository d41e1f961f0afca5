"""Figures of a match, and the same figures for the terminal, as JSON and as HTML."""
