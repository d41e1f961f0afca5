"""Settings of the property tests: no deadlines, since test machines may be busy."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
