"""How strong the versions on a ladder are, and what may be said of it."""
