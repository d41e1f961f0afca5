"""The commands of the program `arena`, one module for each."""
