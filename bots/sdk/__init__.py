"""What the author of a bot builds on."""
