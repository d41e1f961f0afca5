"""Hands as vectors of a few numbers, whose distances say how similarly two hands play."""
