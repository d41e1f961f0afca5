"""`champion`: looks ahead in the auction, and weighs layouts by what the others did."""
