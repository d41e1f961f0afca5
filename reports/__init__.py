"""Reports: the figures of matches and events, on the terminal, as pages and as files."""
