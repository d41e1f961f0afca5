"""Each revision of the schema, named by its number."""
