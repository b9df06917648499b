"""Heuristic searches for shortest solutions: IDA*, A*, bidirectional search.

They run in the core; a heuristic of `slidelab.solve.patterns` guides them.
"""
