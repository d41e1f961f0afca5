"""The Blue Chip table manager protocol: its gateway and its players."""
