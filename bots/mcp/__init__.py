"""A seat for an agent: its tools, by the Model Context Protocol, and the bot that asks it."""
