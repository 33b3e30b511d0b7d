# 9x9 with both diagonals.
# Made for this project, counted by SAT and CP-SAT.
# board: 9x9+diagonals
|...|..6|.7.|
|9..|..2|.3.|
|.4.|9..|..2|
-------------
|..8|..5|4..|
|6..|.1.|...|
|.2.|..4|...|
-------------
|1..|4..|...|
|...|...|..7|
|.8.|...|...|
