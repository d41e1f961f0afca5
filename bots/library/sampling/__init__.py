"""Random layouts of the hidden hands that agree with the calls and cards so far."""
