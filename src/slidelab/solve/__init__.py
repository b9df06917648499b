"""How to get there: a shortest solution, or the best one that time and memory allow.

Builds on gain graphs, distance tables and verdicts; boards of any size are solved constructively.
Start with `solver.solve`; the folders hold one family of methods each.
"""
