"""`alphamu`: declarer's plans over many layouts at once (Cazenave and Ventos)."""
