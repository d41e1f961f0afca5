"""The field of a board: results of many tables in a file, played or only listed.

tables       the tables of a board, from a ScoreTable or from the records of many tables, and what
             scores are worth: matchpoints, Butler and cross-IMPs
index        the records of a file by the board that they played
own_figures  the same figures as the file has them, and how they were counted
findings     a table against double dummy, par and the field
pairs        the pairs of an event, ranked
overview     what the terminal and the page show; report, how they show it
rows         what is written
"""
