"""`alphamu`: declarer play by αµ, one plan over many layouts at once (Cazenave and Ventos)."""
