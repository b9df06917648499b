"""Which boards with holes let gourds be rearranged freely? A table of all two-connected boards of a size.

Builds on `slidelab.reach` for the groups, and compares them with a conjecture about the board alone.
Start reading with `conditions` (the conjecture) and `results` (what is computed); `files` stores the tables.
"""

from slidelab.atlas.conditions import Features, features
from slidelab.atlas.files import Atlas, read_atlas, write_atlas
from slidelab.atlas.results import Entry, FamilyEntry, boards_with_holes, entries, entry
from slidelab.atlas.summary import RULES, RuleCheck, Summary, summarize

__all__ = [
    "RULES",
    "Atlas",
    "Entry",
    "FamilyEntry",
    "Features",
    "RuleCheck",
    "Summary",
    "boards_with_holes",
    "entries",
    "entry",
    "features",
    "read_atlas",
    "summarize",
    "write_atlas",
]
