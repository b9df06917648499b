"""The prover: proofs that hold on boards of every size, by patching and by induction.

`search` finds the proof of one board: a cover by patches that are computed or patched in turn. `induction`
finds the proof of a family of boards with symbolic sizes. What they find is checked by
`slidelab.reach.proof_check`, which shares no code with them. Start reading with `search`.
"""
