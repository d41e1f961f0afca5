"""What people play at a ladder: tables against its players, and the board of the day."""
