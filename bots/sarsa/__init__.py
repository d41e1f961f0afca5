"""`sarsa`: as `qplay`, by the rule of SARSA."""
