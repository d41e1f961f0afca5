"""Double dummy: the solver, its worker processes, the cache, par and the ledger."""
