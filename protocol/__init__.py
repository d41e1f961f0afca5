"""The protocol between server and bots: messages, codec, sessions, visibility, and the view."""
