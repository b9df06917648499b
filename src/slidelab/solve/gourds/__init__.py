"""Gourds on boards of any size, sorted along a Hamiltonian cycle or placed one by one.

The two sorting methods are those of the gourds paper; start with `cycles.py`, then `peeler.py`.
"""
