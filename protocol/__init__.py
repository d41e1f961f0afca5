"""What goes over the wire: messages, codec, sessions, visibility, and the view."""
