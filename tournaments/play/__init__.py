"""Playing an event: its tables, the bots at them, and the machines that they run on."""
