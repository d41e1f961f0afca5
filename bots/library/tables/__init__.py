"""Estimated double-dummy tables of deals: the tricks of every declarer, from all four hands."""
