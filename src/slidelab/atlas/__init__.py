"""The atlas: results as data, computed, looked up and checked; and boards with holes for gourds.

The rows are those of `slidelab.library`; `compute` adds rows, `check` computes them again in another way,
and `questions` has what can be computed. Boards with holes have tables of their own: `conditions` (where
gourds can be rearranged freely, a conjecture) and `results` (the groups), which `files` stores.
"""

from slidelab.atlas.check import Checked, check
from slidelab.atlas.compute import compute
from slidelab.atlas.conditions import Features, features
from slidelab.atlas.files import Atlas, read_atlas, write_atlas
from slidelab.atlas.questions import QUESTIONS
from slidelab.atlas.records import RECORD_COLUMNS, records
from slidelab.atlas.results import Entry, FamilyEntry, boards_with_holes, entries, entry
from slidelab.atlas.sequences import Sequence, sequences, write_sequences
from slidelab.atlas.summary import RULES, RuleCheck, Summary, summarize
from slidelab.library import Row, Table, lookup, read_table, tables

__all__ = [
    "QUESTIONS",
    "RECORD_COLUMNS",
    "RULES",
    "Atlas",
    "Checked",
    "Entry",
    "FamilyEntry",
    "Features",
    "Row",
    "RuleCheck",
    "Sequence",
    "Summary",
    "Table",
    "boards_with_holes",
    "check",
    "compute",
    "entries",
    "entry",
    "features",
    "lookup",
    "read_atlas",
    "read_table",
    "records",
    "sequences",
    "summarize",
    "tables",
    "write_atlas",
    "write_sequences",
]
