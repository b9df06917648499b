"""The checker of proofs: it verifies what `slidelab.reach.prover` finds, and imports nothing of it.

A proof is JSON. `concrete` checks the proof of one board (patches, computed boards, tight corners), and
`families` that of a family of boards with symbolic sizes. Geometry, permutations and linear arithmetic are
written anew here: the checker must not share code with what it checks. Start reading with `entry`.
"""
