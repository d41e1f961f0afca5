"""The conformance check of a bot: the demands of the protocol, point by point."""
