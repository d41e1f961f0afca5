"""`arena view`: boards of a file or of a run's folder, shown by a server of this machine alone."""
