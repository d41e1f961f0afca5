"""Who meets whom, what is due, and what came of it."""
