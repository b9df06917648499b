"""Property tests of this folder have no time limit for one example: a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("boards", settings(), deadline=None)
settings.load_profile("boards")
