"""The SDK for bots, and every bot that ships."""
