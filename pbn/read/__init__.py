"""Reading of PBN text: games, boards and records."""
