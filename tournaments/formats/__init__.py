"""Who meets whom, round by round. Pure: entries are numbers from 0, in order of seeding."""
