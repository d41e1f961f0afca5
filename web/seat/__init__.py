"""Where people sit down and play: one page for a seat, which only its player can open."""
