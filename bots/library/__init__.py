"""The parts that several bots share."""
