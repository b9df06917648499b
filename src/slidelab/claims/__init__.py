"""Every claim of the five papers as a check that runs: theorems, lemmas, tables, figures with numbers.

Builds on all rooms that compute. Start with `model.py`; each paper has a file with its claims, and
`registry.py` lists the papers and runs claims.
"""

from slidelab.claims.model import Claim, Found, Paper, Result, Scope, Verdict, verdict_of
from slidelab.claims.registry import PAPERS, append_result, read_results, run_claims, select_claims

__all__ = [
    "PAPERS",
    "Claim",
    "Found",
    "Paper",
    "Result",
    "Scope",
    "Verdict",
    "append_result",
    "read_results",
    "run_claims",
    "select_claims",
    "verdict_of",
]
