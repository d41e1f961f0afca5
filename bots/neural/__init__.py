"""Bidding learned for all four players' auctions: imitation of `natural`, then self-play."""
