"""A robot that is asked over HTTP, as a bot."""
