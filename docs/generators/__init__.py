"""Make the documents that follow from the code."""
