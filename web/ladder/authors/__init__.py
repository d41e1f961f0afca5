"""The pages of the authors of a ladder, how one becomes one, and orders from afar."""
