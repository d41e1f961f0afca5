"""The conformance check of a bot: what the protocol asks of it, point by point."""
