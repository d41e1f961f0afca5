"""The SDK for bots, and all bots that ship."""
