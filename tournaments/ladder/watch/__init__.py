"""What watches over a ladder, and tells its administrator."""
