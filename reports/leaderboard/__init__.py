"""Figures of entries across events, and pages on which every board can be replayed."""
