"""The topology of configuration spaces: puzzle graphs with their squares and cubes filled in.

`compute` builds the complex over the shapes, reduces it by discrete Morse theory and finds the ranks of what
is left over all arrangements; `model` has the results. See docs/design/topology.md.
"""
