"""Files of recorded boards, whatever their format and packing: opened, unpacked, told apart,
and read as games.
"""
