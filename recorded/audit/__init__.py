"""The audit: a test whether an entry's calls and cards fit hands that it could not see."""
