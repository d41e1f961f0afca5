"""The tables of people at a ladder, and the board of the day."""
