"""`minimax`: Liao's player, which searches one layout of the hidden cards."""
