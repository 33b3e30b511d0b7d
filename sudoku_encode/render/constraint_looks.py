"""How constraints look: what setters are used to, in colours of Okabe and Ito's palette.

Kinds of lines differ in their widths or dashes too, and not only in colour. A wide line is below a narrow one, so that
both are seen where they lie on each other.
"""

from sudoku_encode.render.look import Look

_INK, _GREY, _MIDDLE = "#1a1a1a", "#8a8a86", "#6a6a66"
_BLUE, _SKY, _GREEN, _ORANGE, _VERMILLION = "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00"
_PURPLE, _YELLOW = "#c04fb4", "#e0cc00"

# In the order in which they are painted. These are below the lines between cells.
UNDER = {
    "extra-region": Look("cells of an extra region", fill="#ececf4"),
    "clone": Look("cells that are cloned", fill="#e2e2dc"),
    "row-indexer": Look("cells that say where the number of their row is", fill="#e4f1e8"),
    "column-indexer": Look("cells that say where the number of their column is", fill="#f8e6dd"),
    "box-indexer": Look("cells that say where their place of the box is", fill="#e0edf6"),
    "indexer-lines": Look("along what an indexer says: a row, a column or both", stroke="#c4c4bc", width=0.03),
    "extreme": Look("cells that are smaller or greater than their neighbours", fill="#e6e6e2"),
    "even": Look("even cells", fill="#cacac6"),
    "odd": Look("odd cells", fill="#cacac6"),
    "thermometer": Look("the tube of a thermometer", stroke="#cfcfcb", width=0.26, round=True),
    "bulb": Look("the bulb of a thermometer", fill="#cfcfcb"),
    "slow-thermometer": Look("the tube of a slow thermometer", stroke="#bccbd6", width=0.2, round=True),
    "slow-bulb": Look("the bulb of a slow thermometer", fill="#ffffff", stroke="#bccbd6", width=0.1),
    "palindrome": Look("a palindrome", stroke="#808080", width=0.34, round=True, opacity=0.35),
    "region-sums": Look("equal sums in each box", stroke=_SKY, width=0.3, round=True, opacity=0.6),
    "renban": Look("consecutive values", stroke=_PURPLE, width=0.22, round=True, opacity=0.5),
    "equal-sums": Look("lists of cells with equal sums", stroke=_BLUE, width=0.22, dashes=(0.08, 0.12), opacity=0.5),
    "sum-line": Look("pieces with the same sum", stroke="#a0703c", width=0.24, dashes=(0.24, 0.08), opacity=0.5),
    "sum-loop": Look("the same on a loop", stroke="#a0703c", width=0.24, dashes=(0.4, 0.08), opacity=0.5),
    "zipper": Look("sums from the ends inwards", stroke="#9a86e0", width=0.18, dashes=(0.3, 0.08), opacity=0.7),
    "nabner": Look("values that are no neighbours", stroke=_YELLOW, width=0.18, dashes=(0.14, 0.1), opacity=0.75),
    "whispers": Look("neighbours that differ by much", stroke=_GREEN, width=0.16, round=True, opacity=0.6),
    "entropic": Look("low, middle and high values", stroke=_ORANGE, width=0.16, dashes=(0.42, 0.1), opacity=0.7),
    "modular": Look("different remainders", stroke="#17a2a2", width=0.16, dashes=(0.16, 0.16), opacity=0.7),
    "parity-line": Look(
        "odd and even in turn", stroke=_VERMILLION, width=0.12, dashes=(0.3, 0.1, 0.06, 0.1), opacity=0.7
    ),
    "between": Look("values between those of the ends", stroke="#a9a9a5", width=0.1, round=True),
    "lockout": Look("values not between those of the ends", stroke="#8fb0cf", width=0.1, round=True),
    "double-arrow": Look("ends with the sum of what is between them", stroke="#a9a9a5", width=0.06, round=True),
    "link": Look("between cells that are no neighbours", stroke="#a9a9a5", width=0.03),
    "slingshot": Look("a value that is further along", stroke=_BLUE, width=0.08, dashes=(0.2, 0.08), opacity=0.6),
    "pairs": Look("pairs of values of the user's own", stroke=_MIDDLE, width=0.06, dashes=(0.04, 0.06), opacity=0.7),
    "relation": Look("a relation of the user's own", stroke=_MIDDLE, width=0.06, round=True, opacity=0.7),
    "regex": Look("an expression of the user's own", stroke=_MIDDLE, width=0.06, dashes=(0.14, 0.07), opacity=0.7),
    "automaton": Look(
        "an automaton of the user's own", stroke=_MIDDLE, width=0.06, dashes=(0.14, 0.07, 0.03, 0.07), opacity=0.7
    ),
    "line-head": Look("the end of a line that is read from its beginning", stroke=_MIDDLE, width=0.05, opacity=0.7),
    "arrow": Look("an arrow", stroke=_GREY, width=0.05, round=True),
    "arrow-circle": Look("the sum of an arrow", stroke=_GREY, width=0.05),
    "line-end": Look("the ends of a line", stroke="#a9a9a5", width=0.05),
    "lockout-end": Look("the ends of a lockout line", stroke="#8fb0cf", width=0.06),
    "count-circle": Look("a cell that says how many values others hold", stroke=_GREEN, width=0.045),
    "counting-circles": Look("cells that count the cells with their value", stroke="#a07d9b", width=0.045),
}
# These are above the lines between cells.
OVER = {
    "region-outline": Look("around an extra region", stroke="#9c9cb8", width=0.03),
    "clone-outline": Look("around cells that are cloned", stroke="#a6a69e", width=0.03),
    "cage": Look("around a cage", stroke=_INK, width=0.03, dashes=(0.1, 0.07)),
    "sum": Look("around cells with a sum that may be equal", stroke=_MIDDLE, width=0.035, dashes=(0.035, 0.07)),
    "weighted-sum": Look(
        "around cells with coefficients", stroke=_MIDDLE, width=0.035, dashes=(0.14, 0.06, 0.035, 0.06)
    ),
    "lunchbox": Look("around cells with a sum of what is between two of them", stroke="#a0703c", width=0.04),
    "rellik-cage": Look("around cells that have no such sum", stroke=_VERMILLION, width=0.04, dashes=(0.06, 0.06)),
    "equality-cage": Look("around as many odd as even cells", stroke=_BLUE, width=0.03, dashes=(0.22, 0.06)),
    "look-and-say": Look("around cells whose values are counted", stroke=_GREEN, width=0.045, dashes=(0.1, 0.1)),
    "same-values": Look("around lists with the same values", stroke=_PURPLE, width=0.035, dashes=(0.16, 0.1)),
    "count-distinct": Look("around cells whose values are counted", stroke=_GREEN, width=0.03, dashes=(0.03, 0.06)),
    "sum-frame": Look("around the sum of a lunchbox", stroke="#a0703c", width=0.02),
    "sign": Look("which of two cells is greater", stroke="#5a5a56", width=0.045, round=True),
    "white-dot": Look("a difference", fill="#ffffff", stroke=_INK, width=0.025),
    "black-dot": Look("a ratio", fill=_INK, stroke=_INK, width=0.025),
    "pair-sum": Look("below a sum of two cells", fill="#ffffff"),
    "quadruple": Look("values that the cells around have", fill="#ffffff", stroke=_INK, width=0.025),
    "clue-frame": Look("around a clue beside the grid", stroke=_GREY, width=0.025),
    "clue-arrow": Look("from a clue to its diagonal", stroke=_INK, width=0.035, round=True),
    "sum-ground": Look("below the sum of a cage", fill="#ffffff"),
    "cage-sum": Look("the sum of a cage", fill=_INK),
    "sum-strike": Look("through a sum that does not occur", stroke=_VERMILLION, width=0.03),
    "coefficient": Look("how many times a cell counts", fill=_MIDDLE),
    "cell-values": Look("values of which a cell holds one", fill=_MIDDLE),
    "pair-number": Look("a sum of two cells", fill=_INK),
    "dark-number": Look("a number in a white dot or a circle", fill=_INK),
    "light-number": Look("a number in a black dot", fill="#ffffff"),
    "clue": Look("a clue beside the grid", fill=_INK),
    "letter": Look("which of several of its kind a constraint is", fill=_MIDDLE),
    "caption": Look("below the picture: what lines are, and constraints without a place", fill=_INK),
}
