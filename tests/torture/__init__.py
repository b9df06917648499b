"""A randomized stress harness: `make torture MINUTES=60`.

A case is drawn from a kind and a seed and asks slidelab something whose answer is known in another way:
by plain search (`plain`), by replaying moves, or by asking twice. `case` says what a case is, `boards` and
`puzzles` draw what it is about, `oracle` knows the answers, `kinds` has one module for each kind, `pool` runs
cases in processes that may hang or crash, and `table` prints the result. Start reading at `case`.
"""
