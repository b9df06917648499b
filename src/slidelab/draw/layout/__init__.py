"""Where do the vertices of a graph go on paper?

Builds on numpy, and on networkx for planar embeddings; knows nothing about puzzles.
Start reading with `board`, which chooses between `planar` and `stress`; `layers` draws by distance.
"""
