"""The commands of the program `arena`, one module for each.

A module that has options imports at its top only what they name. Its functions import the rooms
that they work with, so that help and completion load none. Modules without options do the work of
commands, or share it among them, and import as modules do elsewhere.
"""
