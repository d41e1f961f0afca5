"""Where an event's boards come from, what was promised of them, and the proof that it was kept."""
