"""Double dummy: the solver, a pool of worker processes for it, par, and the ledger.

`solver` answers in the calling process and blocks it. `pool` answers from worker processes and
never blocks an event loop; `contract_tricks` has it answer any number of questions about contracts.
`table_store` keeps answers on disk. `ledger` turns the answers into the tricks that each player
lost, without a solver.
"""

DEADLINE = 60.0
"""The default limit of one task of the pool, in seconds of processor time. A table usually takes
0.1 to 0.3 s, that of a freak deal up to two minutes."""
