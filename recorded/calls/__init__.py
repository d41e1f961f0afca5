"""What each call of a recorded auction cost, in IMPs.

    seat_systems   which bidding system sat where, and the four of a table as one
    question       a call, and all that its cost depends on: one line of text
    regret         what the best other call gains, without the luck of having been chosen
    weighing       layouts drawn, auctions bid on, contracts scored

The questions are units of `recorded.analysis`, which has them answered and keeps the answers:
`reports.common.call_costs` says what an answer is, and tells it.
"""
