"""What a field made of the same boards: tables whose results stand in a file, played or not.

tables       the tables of a board, from a ScoreTable or from the records of many tables
index        the records of a file by the board that they played
worth        matchpoints, Butler and cross-IMPs of the scores of a board
own_figures  the same by the file, and how they were counted
findings     a table against double dummy, par and the field
pairs        the pairs of an event, ranked
overview     what the terminal and the page show
rows         what is written
"""
