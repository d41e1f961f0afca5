"""How results are told: figures of matches and events, on the terminal, as pages and files."""
