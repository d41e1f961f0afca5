"""Trainings of the bots that learn."""
