"""Deals solved in great number, to learn from: which they are, their files, and the solving."""
