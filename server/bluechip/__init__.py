"""The Blue Chip table-manager protocol's gateway, and the players who come through it."""
