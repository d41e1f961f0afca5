"""`arena boards`: checks, contents and conversions of files of boards."""
