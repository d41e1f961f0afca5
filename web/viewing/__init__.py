"""`arena view`: boards of a file or of a run's folder, on a server for this machine alone."""
