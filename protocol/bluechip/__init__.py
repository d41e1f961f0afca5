"""The Blue Chip table-manager protocol, version 18: the same events as lines of text."""
