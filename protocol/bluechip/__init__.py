"""The Blue Chip table-manager protocol, version 18: lines of text that carry the same events."""
