"""The constructive proof of Wilson's theorem as a solver whose moves are explained.

Follows section 6 of Wong, Li and Chen; start with `solver.py`, then `thetas.py` for the words of the papers.
"""
