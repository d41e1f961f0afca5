"""The seating of an event's bots: how each kind of bot comes to its seats and leaves them."""
