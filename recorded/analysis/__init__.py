"""The value of play, double dummy: of a match's records, and of whole PBN files.

`ledgers` values the tables of one match for its report. Everything else is `arena analyse`, in the
order of its work:

    games      PBN files to records, and what is wrong with the other games
    units      the questions to the solver, one line of text each
    answers    units and answers in a SQLite file, so that nothing is solved twice
    engine     has local processes, or a Dask cluster (`cluster`), answer the units
    findings   a record and its answers: tricks, par, IMPs, ledger, swing
    fields     results without play: each game's field, read, valued and written
    totals     sums by player, pair, team, role, level and denomination
    told       what the tags tell of a game that has no record
    tables, annotated, page, terminal    what is written and printed
"""
