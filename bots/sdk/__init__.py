"""The SDK: what the author of a bot builds on."""
