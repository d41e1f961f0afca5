"""The report of a match: its figures, and their forms for the terminal, as JSON and as HTML."""
