"""Writing of board records as LIN text."""
