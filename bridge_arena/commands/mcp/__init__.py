"""`arena mcp`: what the agent plays, and how it reaches its seat."""
