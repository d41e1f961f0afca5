"""Hands as vectors of a few numbers, whose distances say how alike two hands play."""
