"""How far is it? Distances from a start, God's number, and tables of all distances to a goal.

Builds on gain graphs and groups (`gains`, `reach`): the states of a component get an index, and the core
searches them layer by layer. Start with `distances.py`, then `gods_number.py` and `table.py`.
"""
