"""The papers that are refereed. To add one: write its module, with CHECKS in the paper's order, and add its row."""

from typing import NamedTuple

from sudoku_encode.puzzles.table import Table, brief

# The forms of a paper's page, each with the suffix of its file.
PAGE_FORMS = {"text": "txt", "markdown": "md", "json": "json", "html": "html"}


class PaperRow(NamedTuple):
    """A paper, and the module that checks it.

    Attributes:
        title: of the paper.
        citation: authors, where and when it appeared.
        about: what it does, in a sentence or two.
        module: in this package; its CHECKS are what is checked.
    """

    title: str
    citation: str
    about: str
    module: str

    def __repr__(self) -> str:
        """Return its title on one short line."""
        return brief(self)


PAPERS = Table(
    {
        "jana2023": PaperRow(
            "Design and Analysis of a Modified 3D Sudoku Solver",
            "S. Jana, M. Mallik, A. Khan, A. K. Maji, R. K. Pal, IEEE Access 11 (2023), 27352-27368",
            "Two methods that find all solutions of a 9x9x9 Sudoku: a search tree after five kinds of elimination "
            "(Algorithm 1), and joining the solutions of nine 2D layers (Algorithm 2). Compared with the authors' "
            "search tree of 2021, their [2].",
            "jana2023",
        ),
        "gtsps": PaperRow(
            "A Novel Graph Theoretic Sudoku Solver",
            "chapter 4 of a thesis; its author and year are not in the text at hand",
            "A graph with a vertex for each way to fill a minigrid that fits the clues, and an edge where two of a "
            "row or column of minigrids match: the rook's graphs in it are the solutions. Compared with brute force "
            "and with solvers that do not guess.",
            "gtsps",
        ),
        "wadud": PaperRow(
            "UHBPnP with a table of candidates and tables of numbers present",
            "Wadud and Abdullah-Al-Wadud (after 2021; the text at hand has neither title nor place)",
            "A hybrid of pencil and paper and of backtracking, made faster by two data structures.",
            "wadud",
        ),
        "block-world": PaperRow(
            "A Block World Problem Based Sudoku Solver",
            "Luciana Abednego and Cecilia Nugraheni, Parahyangan Catholic University, Bandung",
            "Two robots that backtrack (model 1), or nine robots that each put boxes of one number on positions that a "
            "definition calls valid (models 2 to 4).",
            "block_world",
        ),
        "keck": PaperRow(
            "Three-Dimensional Sudoku Thesis",
            "N. Keck, blog post of 24 May 2022 on an honors thesis, Albion College",
            "A generator of 3D Sudoku puzzles: a solution by backtracking with random values, then clues removed while "
            "the solution stays unique.",
            "keck",
        ),
        "open": PaperRow(
            "Open questions of the papers",
            "on all of the above",
            "Questions that the papers raise but do not answer, settled by proof or computation, and the papers' "
            "statements about themselves against earlier work.",
            "open_questions",
        ),
    }
)
"""The papers that are refereed, by the name that `reproduce` takes.

>>> PAPERS["keck"].title
'Three-Dimensional Sudoku Thesis'
"""
