"""The pages of people who play: their seats, and what they are told beside the game."""
