"""`arena boards`: what files of boards are worth, what is in them, and other formats of them."""
