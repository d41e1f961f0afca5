"""A ladder: a place where programs live, meet when they are there, and have a rank every day."""
