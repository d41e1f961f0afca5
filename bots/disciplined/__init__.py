"""`natural`'s system, with learned judgement of which of its calls to make."""
