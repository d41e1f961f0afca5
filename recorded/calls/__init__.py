"""The cost of each call of a recorded auction, in IMPs.

    seat_systems   which bidding system sat where, and the four of a table as one
    question       a call and everything that its cost depends on: one line of text
    regret         the gain of the best other call, without the luck of having been chosen
    weighing       layouts drawn, auctions completed, contracts scored

The questions are units of `recorded.analysis`, which has them answered and keeps the answers.
`reports.common.call_costs` defines an answer and shows it.
"""
