"""Datasets for researchers: solved deals or played boards as Parquet files, with a card.

`writing` makes a folder of them and `reading` reads it back; both need the extra `parquet`.
"""
