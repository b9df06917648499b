"""Show boards, positions, solutions, results and printable parts; one folder per kind of output.

Builds on `theme` (colours), `glyphs` (text as outlines), `marks` and `scene` (pictures), `layout` (graphs).
Start reading with `picture`; `film`, `graph` and `print` build on it, `chart` stands alone on matplotlib.
"""
