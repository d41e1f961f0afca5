"""Files of recorded boards in any format and packing.

This package opens and unpacks the files, recognizes their format, and reads the games in them.
"""
