"""The origin of an event's boards: the commitment to them, and the proof that it was kept."""
