"""A bot as a robot that others ask over HTTP, position by position."""
