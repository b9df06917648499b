"""How do other programs use a puzzle? Environments for learning programs, tasks for planners.

Builds on every room that answers questions. Start with `gym` (environments of Gymnasium) or with `planning`
(PDDL and SAS+, and plans read back); each needs its package only where it is imported.
"""
