"""Double dummy: the solver, a pool of worker processes for it, par, the ledger.

`solver` answers in the calling process and blocks; `pool` answers from worker
processes and never blocks an event loop; `ledger` turns the answers into who lost
what, without a solver.
"""
