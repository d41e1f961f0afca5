"""Deals solved in great number, to learn from: which, in which files, and how it goes on."""
