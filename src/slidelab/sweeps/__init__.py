"""One question about many puzzles: families with ranges, streams of boards, all boards of a size.

Builds on every room that answers questions. Start with `sweep`; `expand` lists the boards of a text, and
`QUESTIONS` are the questions with their columns.
"""

from slidelab.sweeps.expansion import count_puzzles, expand
from slidelab.sweeps.questions import QUESTIONS, Question
from slidelab.sweeps.run import sweep

__all__ = ["QUESTIONS", "Question", "count_puzzles", "expand", "sweep"]
