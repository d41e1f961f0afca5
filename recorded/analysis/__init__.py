"""The value of play, double dummy, of whole files of boards: `arena analyse`, in its work's order.

games      files to records, and what is wrong with the other games
units      the questions to the solver, one line of text each
answers    units and answers in a SQLite file, so that nothing is solved twice
solvers    local processes or a Dask cluster, which answer the units
findings   a record and its answers: tricks, par, IMPs, ledger, swing
overview   counts, costs, and sums by player, pair, team, role, level and denomination
analysis_files, tables, annotated, page, terminal    what is written and printed
"""
