"""The pages of an event's director: how it stands, and rulings by forms."""
