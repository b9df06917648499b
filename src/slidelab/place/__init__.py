"""Find and count placements of coloured gourds: each end on a cell of its colour.

Builds on `slidelab.boards` for matchings and on `slidelab.puzzles` for coloured configurations.
Start reading with `problem` (what is given), then `placement` (find one) and `counting` (count all).
"""
