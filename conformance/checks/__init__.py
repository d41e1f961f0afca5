"""The checks: what each point does with the bot."""
