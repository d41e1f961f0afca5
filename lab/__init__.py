"""The laboratory: bots against each other in one process, thousands of boards at a time."""
