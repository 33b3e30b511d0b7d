"""Small puzzles with constraints of each kind: few enough grids that all of them can be looked at.

A case is the board, how many values it has, and lines of constraints. A board is `KxL`, which has no units, or the name
of a board of ours.
"""

import re

from sudoku_encode import Puzzle, board
from sudoku_encode.puzzles.geometry import Geometry

Case = tuple[str, int, tuple[str, ...]]

CASES: dict[str, list[Case]] = {
    "cage": [
        ("1x4", 6, ("cage 14 r1c1-r1c4",)),
        ("1x3", 5, ("cage r1c1-r1c3",)),
        ("1x1", 5, ("cage 3 r1c1",)),
        ("2x2", 4, ("cage 10 r1c1 r1c2 r2c1 r2c2",)),
        ("1x3", 7, ("cage 12 r1c1-r1c3", "cage 7 r1c1 r1c2")),
        ("4x4x4", 4, ("cage 6 x0y0z0 x1y1z1 x2y2z2",)),
        ("1x4", 6, ("cage >=15 r1c1-r1c4",)),
        ("1x3", 6, ("cage <=8 r1c1-r1c3",)),
        ("1x2", 6, ("cage 5-7 r1c1 r1c2",)),
    ],
    "sum": [
        ("1x4", 5, ("sum 9 r1c1-r1c4",)),
        ("1x2", 3, ("sum 6 r1c1 r1c2",)),
        ("1x4", 5, ("sum >=12 r1c1-r1c4",)),
        ("1x4", 5, ("sum <=9 r1c1-r1c4",)),
        ("1x4", 5, ("sum 7-9 r1c1-r1c4",)),
        ("1x3", 5, ("sum <=8 r1c1-r1c3", "sum >=5 r1c1 r1c2", "sum 2-4 r1c3")),
    ],
    "little-killer": [
        ("3x3", 3, ("little-killer 5 r1c3-r3c1", "little-killer 4 r1c1 r2c2")),
        ("1x1", 3, ("little-killer 2 r1c1",)),
        ("3x3", 3, ("little-killer >=7 r1c3-r3c1", "little-killer 3-4 r1c1-r3c3")),
    ],
    "arrow": [
        ("1x4", 5, ("arrow r1c1 / r1c2-r1c4",)),
        ("1x4", 9, ("arrow r1c1 r1c2 / r1c3 r1c4",)),
        ("1x3", 4, ("arrow r1c1 / r1c2 r1c3 r1c2",)),
        ("1x2", 4, ("arrow r1c1 / r1c2",)),
        ("1x3", 12, ("arrow r1c1 r1c2 / r1c3 r1c3 r1c3",)),
    ],
    "double-arrow": [("1x4", 5, ("double-arrow r1c1-r1c4",)), ("1x3", 5, ("double-arrow r1c1-r1c3",))],
    "equal-sums": [
        ("1x4", 4, ("equal-sums r1c1 r1c2 / r1c3 r1c4",)),
        ("1x4", 4, ("equal-sums r1c1 / r1c2 / r1c3 r1c4",)),
        ("1x4", 4, ("equal-sums r1c1 r1c2 / r1c2 r1c3 / r1c3 r1c4",)),
        ("1x3", 5, ("equal-sums r1c1 r1c1 / r1c2 r1c3",)),
    ],
    "region-sums": [("4x4", 4, ("region-sums r1c2-r1c3",)), ("4x4", 4, ("region-sums r1c1 r1c2 r2c3 r3c3 r3c2 r2c2",))],
    "zipper": [("1x5", 4, ("zipper r1c1-r1c5",)), ("1x4", 4, ("zipper r1c1-r1c4",)), ("1x2", 3, ("zipper r1c1 r1c2",))],
    "difference": [
        ("1x2", 5, ("difference r1c1 r1c2",)),
        ("1x3", 5, ("difference 3 r1c1 r1c2", "difference 0 r1c2 r1c3")),
    ],
    "ratio": [("1x2", 6, ("ratio r1c1 r1c2",)), ("1x2", 9, ("ratio 3 r1c1 r1c2",)), ("1x2", 4, ("ratio 1 r1c1 r1c2",))],
    "xv": [("1x3", 9, ("xv 10 r1c1 r1c2", "xv 5 r1c2 r1c3"))],
    "greater": [("1x3", 5, ("greater r1c1-r1c3",)), ("1x3", 5, ("greater r1c1 r1c2 r1c1",))],
    "clone": [
        ("2x2", 4, ("clone r1c1 r1c2 / r2c1 r2c2",)),
        ("1x3", 4, ("clone r1c1 r1c2 / r1c2 r1c3",)),
        ("1x2", 3, ("clone r1c1 r1c2 / r1c1 r1c1",)),
    ],
    "palindrome": [("1x5", 3, ("palindrome r1c1-r1c5",)), ("1x4", 3, ("palindrome r1c1-r1c4",))],
    "non-consecutive": [("2x2", 5, ("non-consecutive", "difference 1 r1c1 r1c2")), ("1x3", 4, ("non-consecutive",))],
    "negative-difference": [
        ("2x2", 5, ("negative-difference 1 2", "ratio r1c1 r2c1")),
        ("1x3", 4, ("negative-difference",)),
    ],
    "negative-ratio": [("2x2", 6, ("negative-ratio", "difference 1 r1c1 r2c1")), ("1x3", 9, ("negative-ratio 2 3",))],
    "negative-xv": [("2x2", 6, ("negative-xv", "xv 5 r1c1 r1c2")), ("1x3", 9, ("negative-xv 10",))],
    "anti-knight": [("3x3", 3, ("anti-knight",)), ("2x4", 2, ("anti-knight",)), ("4x4x4", 4, ("anti-knight",))],
    "anti-king": [
        ("3x2", 4, ("anti-king",)),
        ("3x3", 4, ("anti-king", "anti-knight")),
        ("4x4", 4, ("anti-king",)),
        ("4x4x4", 4, ("anti-king",)),
    ],
    "diagonal": [
        ("3x3", 3, ("diagonal",)),
        ("3x3", 3, ("diagonal 1", "odd r1c1 r1c2")),
        ("2x2", 3, ("diagonal -1",)),
        ("4x4", 4, ("diagonal",)),
    ],
    "disjoint-groups": [("4x4", 4, ("disjoint-groups",))],
    "windoku": [("4x4", 4, ("windoku",))],
    "space-diagonals": [("4x4x4", 4, ("space-diagonals",))],
    "plane-diagonals": [("4x4x4", 4, ("plane-diagonals",))],
    "equal-planes": [("4x4x4", 4, ("equal-planes 1 3 1 0",))],
    "anti-taxicab": [("2x3", 3, ("anti-taxicab",)), ("1x5", 4, ("anti-taxicab",))],
    "global-entropy": [
        ("2x3", 3, ("global-entropy",)),
        ("2x2", 7, ("global-entropy",)),
        ("2x2", 5, ("global-entropy",)),
    ],
    "global-modular": [("2x3", 3, ("global-modular",)), ("2x2", 5, ("global-modular 2",))],
    "odd": [("1x3", 5, ("odd r1c1 r1c3",))],
    "even": [("1x3", 5, ("even r1c1", "odd r1c2"))],
    "values": [("1x3", 5, ("values 2 5 r1c1 r1c2",)), ("1x2", 4, ("values 3 r1c1", "values 1 2 3 4 r1c2"))],
    "minimum": [("2x3", 4, ("minimum r1c1 r2c1",)), ("2x2", 4, ("minimum r1c1", "minimum r1c2"))],
    "maximum": [("2x3", 4, ("maximum r1c2", "minimum r1c1")), ("2x2", 4, ("maximum r1c1 r2c2",))],
    "extra-region": [("1x4", 4, ("extra-region r1c1-r1c3",)), ("1x4", 3, ("extra-region r1c1-r1c4",))],
    "quadruple": [
        ("2x2", 5, ("quadruple 3 3 5 r1c1 r1c2 r2c1 r2c2",)),
        ("2x2", 4, ("quadruple 1 2 3 4 r1c1 r1c2 r2c1 r2c2",)),
        ("2x2", 4, ("quadruple 2 r1c1 r1c2 r2c1 r2c2",)),
    ],
    "counting-circles": [
        ("1x5", 5, ("counting-circles r1c1-r1c5",)),
        ("1x3", 6, ("counting-circles r1c1-r1c3",)),
        ("1x1", 3, ("counting-circles r1c1",)),
    ],
    "thermometer": [
        ("1x4", 6, ("thermometer r1c1-r1c4",)),
        ("2x2", 5, ("thermometer r1c1 r1c2 r2c2", "thermometer r1c1 r2c1")),
        ("1x3", 4, ("thermometer r1c1 r1c2 r1c1",)),
        ("4x4x4", 4, ("thermometer x0y0z0 x1y1z1 x2y2z2 x3y3z3",)),
    ],
    "slow-thermometer": [("1x4", 4, ("slow-thermometer r1c1-r1c4",)), ("1x3", 4, ("slow-thermometer r1c1 r1c2 r1c1",))],
    "whispers": [
        ("1x3", 9, ("whispers r1c1-r1c3",)),
        ("1x4", 6, ("whispers 2 r1c1-r1c4",)),
        ("1x3", 4, ("whispers r1c1 r1c2 r1c1",)),
    ],
    "renban": [
        ("1x4", 6, ("renban r1c1-r1c4",)),
        ("1x1", 4, ("renban r1c1",)),
        ("1x2", 4, ("renban r1c1 r1c2",)),
        ("1x6", 6, ("renban r1c1-r1c6",)),
    ],
    "nabner": [("1x3", 7, ("nabner r1c1-r1c3",)), ("1x1", 3, ("nabner r1c1",))],
    "entropic": [
        ("1x4", 6, ("entropic r1c1-r1c4",)),
        ("1x2", 7, ("entropic r1c1 r1c2",)),
        ("1x3", 5, ("entropic r1c1-r1c3",)),
    ],
    "modular": [
        ("1x4", 6, ("modular r1c1-r1c4",)),
        ("1x5", 4, ("modular 2 r1c1-r1c5",)),
        ("1x3", 5, ("modular 4 r1c1-r1c3",)),
    ],
    "parity-line": [("1x4", 5, ("parity-line r1c1-r1c4",)), ("1x3", 3, ("parity-line r1c1 r1c2 r1c1",))],
    "between": [
        ("1x4", 6, ("between r1c1-r1c4",)),
        ("1x3", 6, ("between r1c1-r1c3",)),
        ("1x2", 3, ("between r1c1 r1c2",)),
    ],
    "lockout": [
        ("1x4", 7, ("lockout r1c1-r1c4",)),
        ("1x3", 5, ("lockout 2 r1c1-r1c3",)),
        ("1x2", 6, ("lockout r1c1 r1c2",)),
    ],
    "sandwich": [
        ("1x5", 5, ("sandwich 5 r1c1-r1c5",)),
        ("1x4", 4, ("sandwich 0 r1c1-r1c4",)),
        ("1x3", 5, ("sandwich 3 r1c1-r1c3",)),
        ("1x5", 5, ("sandwich 6 2 4 r1c1-r1c5",)),
        ("1x4", 5, ("sandwich <=3 5 2 r1c1-r1c4",)),
        ("1x5", 4, ("sandwich >=4 r1c1-r1c5",)),
        ("1x5", 6, ("extra-region r1c1-r1c5", "sandwich 5 r1c1-r1c5")),
        ("1x4", 5, ("extra-region r1c1-r1c4", "sandwich 3-4 5 2 r1c1-r1c4")),
    ],
    "x-sum": [
        ("1x4", 5, ("x-sum 7 r1c1-r1c4",)),
        ("1x3", 3, ("x-sum 1 r1c1-r1c3",)),
        ("1x2", 5, ("x-sum 6 r1c1 r1c2",)),
        ("1x4", 5, ("x-sum 6-9 r1c1-r1c4",)),
        ("1x4", 4, ("x-sum >=8 r1c1-r1c4",)),
    ],
    "skyscraper": [
        ("1x5", 4, ("skyscraper 3 r1c1-r1c5",)),
        ("1x4", 4, ("skyscraper 1 r1c1-r1c4",)),
        ("1x4", 4, ("skyscraper >=3 r1c1-r1c4", "skyscraper 1-2 r1c4-r1c1")),
        ("1x5", 5, ("extra-region r1c1-r1c5", "skyscraper 3 r1c1-r1c5")),
    ],
    "full-rank": [
        ("4x4", 4, ("full-rank 10 r1c1-r4c1", "full-rank 15 r1c2-r4c2", "full-rank 5 r4c1-r4c4", "full-rank-ties 2")),
        ("4x4", 4, ("full-rank 6 r4c1-r1c1",)),
        ("4x4", 4, ("full-rank 5 r4c1-r4c4", "full-rank 7 r1c1-r4c1")),
        ("4x4", 4, ("full-rank 8 r1c4-r1c1", "full-rank 5 r4c3-r1c3", "full-rank 6 r2c1-r2c4")),
        ("4x4", 4, ("full-rank 5 r4c1-r4c4", "full-rank 5 r3c4-r3c1", "full-rank-ties 2")),
        ("4x4", 4, ("full-rank 2 r1c2-r4c2", "full-rank 3 r1c3-r4c3")),
    ],
    "doppelganger": [
        ("2x2", 3, ("doppelganger h1 h2 / h3 h4",)),
        ("2x2", 3, ("doppelganger h3 h1 / h4 h2", "greater h3 h1")),
        ("2x2", 3, ("doppelganger h1 h2 / h3 h4", "sum 5 r1c1 h4 h2", "difference 1 r1c1 h3")),
    ],
    "full-rank-ties": [
        ("4x4", 4, ("full-rank-ties 0",)),
        ("4x4", 4, ("full-rank-ties 1", "full-rank 5 r4c1-r4c4")),
        ("4x4", 4, ("full-rank-ties 0", "full-rank 5 r4c1-r4c4")),
    ],
    "numbered-room": [("1x4", 5, ("numbered-room 2 r1c1-r1c4",)), ("1x3", 3, ("numbered-room 1 r1c1-r1c3",))],
    "row-indexer": [("4x4", 4, ("row-indexer r2c1 r2c3",)), ("3x2", 3, ("row-indexer r1c2 r3c1",))],
    "column-indexer": [
        ("4x4", 4, ("column-indexer r1c1 r2c1 r3c1 r4c1",)),
        ("2x3", 3, ("column-indexer r1c1 r2c3",)),
    ],
    "box-indexer": [("4x4", 4, ("box-indexer r1c1 r3c4",))],
    "negative-row-indexer": [
        ("4x4", 4, ("negative-row-indexer r2c1 r2c3",)),
        ("3x2", 3, ("negative-row-indexer r1c2 r3c1",)),
        ("3x2", 3, ("negative-row-indexer",)),
    ],
    "negative-column-indexer": [
        ("2x3", 3, ("negative-column-indexer r1c1 r2c3",)),
        ("2x3", 3, ("negative-column-indexer", "column-indexer r1c1 r1c2")),
        ("4x4", 4, ("negative-column-indexer", "column-indexer r1c1 r1c2 r3c4")),
    ],
    "negative-box-indexer": [
        ("4x4", 4, ("negative-box-indexer r1c1 r3c4",)),
        ("4x4", 4, ("negative-box-indexer", "box-indexer r1c1 r1c2 r2c1 r4c4")),
    ],
    "exactly-one": [
        ("1x4", 4, ("exactly-one cage 7 r1c1 r1c2 | thermometer r1c1-r1c3 & even r1c4",)),
        ("1x3", 4, ("exactly-one values 1 2 r1c1 | values 3 r1c2 | even r1c3",)),
        ("1x2", 6, ("exactly-one difference r1c1 r1c2 | ratio r1c1 r1c2 | values 6 r1c2",)),
        ("1x1", 5, ("exactly-one values 2 3 r1c1 | odd r1c1",)),
        ("1x3", 4, ("exactly-one regex [1-4]*: r1c1-r1c3 | relation |a-b| > 1: r1c1-r1c3",)),
        ("1x2", 3, ("exactly-one odd r1c1 | cage 2 r1c1 r1c2 | values 1 r1c2 & even r1c2",)),
        ("1x2", 3, ("exactly-one same-values r1c1 r1c2 / r1c2 r1c1 | same-values r1c2 r1c1 / r1c1 r1c2",)),
        # Too many combinations for a table.
        ("2x4", 4, ("exactly-one values 1 2 r1c1-r1c4 | sum 7 r2c1-r2c4 | odd r2c2", "values 1 2 r1c1-r1c4")),
        (
            "2x4",
            4,
            ("exactly-one same-values r1c1 r1c2 / r1c2 r1c1 | odd r1c1-r1c4 & even r2c1-r2c4", "values 1 2 r1c1-r1c4"),
        ),
        ("4x4x4", 4, ("exactly-one thermometer x0y0z0 x1y1z1 x2y2z2 x3y3z3 | cage 5 x0y0z0 x3y3z0",)),
    ],
    "either": [
        ("1x4", 4, ("either cage 7 r1c1 r1c2 | thermometer r1c1-r1c3 & even r1c4",)),
        ("1x3", 4, ("either values 1 2 r1c1 | values 3 r1c2 | even r1c3",)),
        ("1x2", 6, ("either difference r1c1 r1c2 | ratio r1c1 r1c2 | values 6 r1c2",)),
        ("1x2", 4, ("either odd r1c1 | slow-thermometer r1c1 r1c2 r1c1",)),
        ("1x1", 5, ("either values 2 r1c1 & even r1c1 | values 5 r1c1 & odd r1c1 | even r1c1 & odd r1c1",)),
        ("1x4", 5, ("either renban r1c1-r1c4 | whispers 3 r1c1-r1c4 | palindrome r1c1-r1c4",)),
        (
            "1x4",
            4,
            ("either equal-sums r1c1 r1c2 / r1c3 r1c4 | weighted-sum 4 1 -1 3 r1c1-r1c3 & extra-region r1c1-r1c4",),
        ),
        ("1x3", 4, ("either regex 1|2: r1c1-r1c3 | relation |a-b| > 2: r1c1-r1c3",)),
        # Some alternatives never hold.
        ("1x3", 4, ("either cage 2 r1c1-r1c3 & odd r1c1 | thermometer r1c1 r1c2 | sum 40 r1c2 r1c3",)),
        ("1x4", 4, ("either xv 10 r1c1 r1c2 | difference 4 r1c3 r1c4 & odd r1c1 | ratio 5 r1c1 r1c2 | even r1c4",)),
        ("1x4", 4, ("either sandwich 40 r1c1-r1c4 | x-sum 90 r1c1-r1c4 | skyscraper 9 r1c1-r1c4 | cage 10 r1c1-r1c4",)),
        ("1x3", 3, ("either regex 1|2: r1c1-r1c3 | arrow r1c1 / r1c2 r1c2",)),
        ("1x2", 3, ("either between r1c1 r1c2 | values 2 r1c1", "thermometer r1c1 r1c2")),
        ("1x2", 3, ("either pairs 12 13: r1c2 r1c1 | same-values r1c1 r1c2 / r1c2 r1c1",)),
        ("1x4", 4, ("either counting-circles r1c1-r1c4 | count-distinct r1c2 / r1c1-r1c3",)),
        ("2x2", 4, ("either minimum r1c1 & minimum r2c1 | maximum r1c1",)),
        # More than 60,000 combinations of values.
        ("2x4", 4, ("either sum 5 r1c1-r1c4 & odd r1c2 | equal-sums r2c1 / r2c2-r2c4", "values 1 2 r1c1-r1c4")),
        ("2x4", 4, ("either values 1 r1c1-r1c4 | values 2 r2c1-r2c4 & quadruple 2 r1c1 r2c1", "values 1 2 r1c1-r1c4")),
        ("4x4x4", 4, ("either thermometer x0y0z0 x1y1z1 x2y2z2 x3y3z3 | cage 5 x0y0z0 x3y3z0",)),
    ],
    "relation": [
        ("1x3", 6, ("relation |a-b| >= 3 or a == 2*b: r1c1-r1c3",)),
        ("1x2", 5, ("relation a*b % n = 1 and not a < b: r1c1 r1c2",)),
        ("1x3", 4, ("relation 1 < max(a, b) - min(a, b) < 3: r1c1 r1c2 r1c1",)),
    ],
    "pairs": [
        ("1x3", 5, ("pairs 134 25 41: r1c1-r1c3",)),
        ("1x2", 4, ("pairs 12 13: r1c2 r1c1",)),
        ("1x3", 4, ("pairs 12 23 31: r1c1 r1c2 r1c1",)),
    ],
    "weighted-sum": [
        ("1x3", 6, ("weighted-sum 4 1 1 -2 r1c1-r1c3",)),
        ("1x2", 5, ("weighted-sum -1 3 -5 r1c1 r1c2",)),
        ("1x3", 4, ("weighted-sum 5 1 0 2 r1c1-r1c3",)),
        ("1x3", 5, ("weighted-sum -3--1 1 -2 1 r1c1-r1c3",)),
        ("1x4", 4, ("weighted-sum <=4 2 -1 0 1 r1c1-r1c4",)),
        ("1x3", 4, ("weighted-sum >=3 2 -1 0 r1c1-r1c3",)),
        ("1x2", 5, ("weighted-sum >=-3 -1 0 r1c1 r1c2",)),
        ("1x2", 4, ("weighted-sum >=0 0 0 r1c1 r1c2",)),
    ],
    "product": [
        ("1x4", 6, ("product 24 r1c1-r1c4",)),
        ("1x2", 6, ("product 12 r1c1 r1c2",)),
        ("1x1", 6, ("product 5 r1c1",)),
        ("1x3", 5, ("product 16-30 r1c1-r1c3",)),
        ("1x3", 5, ("product >=20 r1c1-r1c3", "product <=10 r1c1 r1c2", "product <=10 r1c2 r1c3 r1c1")),
    ],
    "sum-line": [("1x5", 4, ("sum-line 5 r1c1-r1c5",)), ("1x3", 6, ("sum-line 6 r1c1-r1c3",))],
    "sum-loop": [
        ("2x2", 3, ("sum-loop 2 r1c1 r1c2 r2c2 r2c1",)),
        ("1x3", 3, ("sum-loop 3 r1c1-r1c3",)),
        ("1x2", 5, ("sum-loop 3 r1c1 r1c2",)),
        ("1x4", 2, ("sum-loop 2 r1c1-r1c4",)),
    ],
    "lunchbox": [
        ("1x5", 6, ("lunchbox 5 r1c1-r1c5",)),
        ("1x4", 6, ("lunchbox 0 r1c1-r1c4",)),
        ("1x2", 4, ("lunchbox 0 r1c1 r1c2",)),
        ("1x1", 3, ("lunchbox 0 r1c1",)),
    ],
    "rellik-cage": [
        ("1x4", 7, ("rellik-cage 9 r1c1-r1c4",)),
        ("1x3", 5, ("rellik-cage 4 r1c1-r1c3",)),
        # More cells than values.
        ("1x4", 3, ("rellik-cage 9 r1c1-r1c4",)),
    ],
    "equality-cage": [
        ("1x4", 6, ("equality-cage r1c1-r1c4",)),
        ("1x2", 7, ("equality-cage r1c1 r1c2",)),
        ("1x3", 4, ("equality-cage r1c1-r1c3",)),
        ("1x4", 4, ("equality-cage r1c1-r1c4",)),
    ],
    "same-values": [
        ("1x4", 5, ("same-values r1c1 r1c2 / r1c3 r1c4",)),
        ("1x3", 4, ("same-values r1c1 / r1c2 / r1c3",)),
        ("1x4", 4, ("same-values r1c1 r1c2 / r1c2 r1c3 / r1c4 r1c1",)),
        ("1x5", 3, ("same-values r1c1 r1c2 / r1c4 r1c5",)),
        ("1x2", 3, ("same-values r1c1 r1c2 / r1c2 r1c1",)),
        ("1x3", 3, ("same-values r1c1 r1c2 / r1c2 r1c1 / r1c2 r1c3",)),
        ("1x6", 3, ("same-values r1c1 r1c2 / r1c3 r1c4 / r1c5 r1c6",)),
    ],
    "look-and-say": [
        ("1x4", 4, ("look-and-say 2 3 1 1 r1c1-r1c4",)),
        ("1x3", 4, ("look-and-say 0 2 r1c1-r1c3",)),
        ("1x3", 3, ("look-and-say 2 2 1 1 r1c1-r1c3",)),
        ("1x4", 4, ("look-and-say 2 3 r1c1-r1c4",)),
    ],
    "count-distinct": [
        ("1x4", 4, ("count-distinct r1c1 / r1c2-r1c4",)),
        ("1x3", 4, ("count-distinct r1c2 / r1c1-r1c3",)),
        ("1x1", 3, ("count-distinct r1c1 / h1-h3", "count-distinct h1 / h2 h3 r1c1")),
    ],
    "chaos-construction": [
        ("2x2", 2, ("chaos-construction h1-h4",)),
        ("2x2", 2, ("chaos-construction h1-h4", "region-run r1c1 / h1 h2 / h1 h3")),
    ],
    "region-run": [
        ("1x4", 4, ("region-run r1c1 / r1c2-r1c4",)),
        ("2x3", 3, ("region-run 1 r1c1 / r1c2-r1c3 / r1c2 r2c2 r2c1",)),
        ("1x3", 4, ("region-run r1c1 / r1c1-r1c3",)),
        ("1x1", 3, ("region-run r1c1 / h1 h2 h3 / h1 h4",)),
        (
            "2x3",
            3,
            ("either region-run 1 r1c1 / r1c2-r1c3 / r1c2 r2c2 r2c1 | region-count r1c1 / r2c1-r2c3 & odd r2c1",),
        ),
        ("1x4", 4, ("either region-run r1c4 / r1c4-r1c1 | sum 9 r1c1 r1c2",)),
    ],
    "region-count": [
        ("1x4", 3, ("region-count r1c1 / r1c2-r1c4",)),
        ("1x4", 4, ("region-count 1 r1c2 / r1c1-r1c4",)),
        ("1x1", 3, ("region-count 1 r1c1 / h1-h4",)),
    ],
    "connected": [
        ("3x3", 2, ("connected 1",)),
        ("2x3", 3, ("connected 2-3 1 3",)),
        ("2x3", 2, ("connected 4-4 2", "connected >=2 1")),
        ("1x4", 3, ("connected <=2 1 2 r1c1-r1c3",)),
        ("2x2", 2, ("connected 1 h1-h4", "odd h1 r1c1")),
        ("4x4", 4, ("connected 1 2 3",)),
    ],
    "slingshot": [("1x4", 4, ("slingshot r1c1-r1c4",)), ("1x3", 3, ("slingshot r1c1-r1c3",))],
    "dutch-flatmates": [("3x2", 3, ("dutch-flatmates",)), ("2x2", 5, ("dutch-flatmates",))],
    "hidden-skyscraper": [
        ("1x4", 5, ("hidden-skyscraper 3 r1c1-r1c4",)),
        ("1x4", 4, ("hidden-skyscraper 4 r1c1-r1c4",)),
    ],
    "regex": [
        ("1x4", 4, ("regex [12]*3.*: r1c1-r1c4",)),
        ("1x4", 3, ("regex (12|3+)*: r1c1-r1c4",)),
        ("1x4", 5, ("regex [^2-4]{1,2}(2?3){1,}: r1c1-r1c4",)),
        ("1x2", 12, ("regex A[B1]: r1c1 r1c2",)),
        ("1x3", 3, ("regex 1|2: r1c1-r1c3",)),
    ],
    "automaton": [
        ("1x4", 4, ("automaton 12>0,3>1 !.>1: r1c1-r1c4",)),
        ("1x4", 3, ("automaton !1>1,3>2 2>0 3>2,1>0: r1c1-r1c4",)),
        ("1x3", 12, ("automaton .>1 1A>0,C>1 !.>2: r1c1-r1c3",)),
        ("1x3", 4, ("automaton 1>1,2>0 3>2,14>0 !: r1c1 r1c2 r1c1 r1c3",)),
        ("1x2", 3, ("automaton !1>0: r1c1 r1c2",)),
    ],
}


def puzzle_of(case: Case) -> Puzzle:
    """Return the puzzle of a case."""
    name, n, constraints = case
    sides = tuple(map(int, name.split("x")))
    has_units = len(sides) == 3 or sides == (4, 4)
    geometry = board(name) if has_units else Geometry(name, sides, n, ())
    return Puzzle.of(geometry, constraints=constraints)


def has_hidden_cells(case: Case) -> bool:
    """Return whether a case names hidden cells."""
    return any(re.search(r"\bh\d", text) for text in case[2])


def identified(case: Case) -> str:
    """Return the name of a case in the output of tests."""
    return f"{case[0]} of {case[1]}: {'; '.join(case[2])}"


def all_cases() -> list[Case]:
    """Return the cases of all kinds."""
    return [case for cases in CASES.values() for case in cases]
