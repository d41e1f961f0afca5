"""Means, standard errors and tests; nothing here imports other rooms of the project."""
