"""Boards of any size, solved constructively: pieces are placed one by one on a shrinking board.

Start with `peeler.py`; `parts.py` divides a board into regions, `narrow_regions.py` solves those with cut
vertices, and `shortener.py` makes any solution shorter.
"""
