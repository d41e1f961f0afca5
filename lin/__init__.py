"""Bridge Base Online's LIN format and handviewer links: reading and writing board records.

No official description of the format exists. A file is a sequence of `tag|value|`; line ends mean
nothing.
"""
