"""What is done with the bot at each point."""
