"""The formats of events: who meets whom in each round.

The functions are pure. Entries are numbers from 0, in order of seeding.
"""
