"""Pattern databases: admissible heuristics for any board and rule.

Start with `databases.py`; `partition.py` chooses the patterns, `store.py` keeps databases on disk, and
`heuristic.py` looks configurations up.
"""
