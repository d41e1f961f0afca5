"""The schedule of an event: who meets whom, which tables are due, and the results so far."""
