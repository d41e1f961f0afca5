"""Writing of games and board records as PBN text."""
