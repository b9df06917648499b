"""What is known about which puzzle? Results as data: one line of JSON for each puzzle, in files by topic.

Builds on `slidelab.puzzles` alone, so that every later room can quote results. Start reading with `rows` (the
format); `lookup` finds the rows about a puzzle, also in the form of an isomorphic board; `slidelab.atlas`
computes and checks rows.
"""

from slidelab.library.files import read_table, tables
from slidelab.library.lookup import lookup
from slidelab.library.rows import PROVENANCE, Row, Table, why_inconsistent

__all__ = ["PROVENANCE", "Row", "Table", "lookup", "read_table", "tables", "why_inconsistent"]
