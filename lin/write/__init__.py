"""Board records to LIN text."""
