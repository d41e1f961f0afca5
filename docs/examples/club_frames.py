"""What each contract was worth to a club's field: in pandas, and the same in polars."""

import sys
from pathlib import Path

import pandas as pd
import polars as pl

folder = Path(sys.argv[1])

tables = pd.read_parquet(folder / "field.parquet")
played = tables.dropna(subset=["difference"])
print(played.groupby("contract")[["difference", "matchpoint_percentage"]].mean().round(2))

tables = pl.read_parquet(folder / "field.parquet")
pairs = pl.read_parquet(folder / "pairs.parquet")
print(
    tables.drop_nulls("difference")
    .group_by("contract")
    .agg(pl.col("difference", "matchpoint_percentage").mean().round(2))
    .sort("contract")
)
best = pairs.filter(pl.col("rank") == 1)
print(best.select("names", "direction", "boards", "matchpoint_percentage"))
