"""Bridge Base Online's LIN format and handviewer links: text to tables to board records, and
back.

No official description of the format exists. A file is `tag|value|` after `tag|value|`; line
ends mean nothing.
"""
