"""The pages of a ladder: its leaderboard, its state, its matches, and orders from afar."""
