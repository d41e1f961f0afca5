"""Means, standard errors and tests. A leaf: it imports nothing of the project."""
