# The worked example, one solution.
# GTSPS thesis (A Novel Graph Theoretic Sudoku Solver), chapter 4, Fig. 4.2.
# The text at hand is a scan with 17 of the 35 clues in another column; they were moved back by the printed solution.
|.1.|.2.|34.|
|4..|1..|5..|
|..6|7.8|...|
-------------
|.21|4..|75.|
|57.|.1.|.89|
|.39|..6|41.|
-------------
|...|9.7|8..|
|..5|..1|..7|
|.98|.3.|.6.|
