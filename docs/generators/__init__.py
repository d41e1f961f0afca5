"""Makes the documents that follow from the code."""
