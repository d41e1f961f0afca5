"""The cost of each call of a recorded auction, in IMPs.

    question       a call and everything that its cost depends on, with the systems at its table
    weighing       layouts drawn, auctions completed, contracts scored

The questions are units of `recorded.analysis`, which has them answered and keeps the answers.
`reports.common.costs` defines an answer and shows it.
"""
