"""Puzzle to model: CNF by several encodings, CP-SAT models, and other standard forms."""

from collections.abc import Callable
from dataclasses import dataclass

from sudoku_encode.encoders import direct, log, order, triads
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.reduction import reduce
from sudoku_encode.errors import MethodError
from sudoku_encode.formula.cardinality import AT_MOST_ONE
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle


@dataclass(frozen=True)
class Encoder:
    """One way to write a puzzle as a CNF.

    Attributes:
        name: as in `--encoding`.
        summary: what its clauses say.
        source: where it was published.
        refuses: says why the encoding is not right on a board, or nothing.
        encode: from the puzzle, what is left of it, the way to write at-most-one, and whether pairs that two units
            share are written twice.
        options: which of `amo`, `duplicates` and `reduce` change what it writes.
    """

    name: str
    summary: str
    source: str
    refuses: Callable[[Geometry], str]
    encode: direct.Encode
    options: frozenset[str]


_DIRECT_OPTIONS = frozenset({"amo", "duplicates", "reduce"})

ENCODERS = {
    encoder.name: encoder
    for encoder in (
        Encoder(
            "minimal",
            "each cell a value, no value twice in a unit",
            "Lynce & Ouaknine 2006, section 3",
            direct.needs_full_cover,
            direct.encoder("minimal", "alo-cell", "amo-unit"),
            _DIRECT_OPTIONS,
        ),
        Encoder(
            "efficient",
            "minimal, and no cell two values (also called natural)",
            "Weber 2005; Kwon & Jain 2006",
            direct.accepts_all,
            direct.encoder("efficient", "alo-cell", "amo-cell", "amo-unit"),
            _DIRECT_OPTIONS,
        ),
        Encoder(
            "extended",
            "efficient, and each value in each full unit (also called complete); propagates best",
            "Lynce & Ouaknine 2006, section 3",
            direct.accepts_all,
            direct.encoder("extended", "alo-cell", "alo-unit", "amo-cell", "amo-unit"),
            _DIRECT_OPTIONS,
        ),
        Encoder(
            "dual",
            "no cell two values, each value in each unit: the other half of extended, and the smallest",
            "Kullmann, OKlibrary (the weak dual form)",
            direct.needs_only_full_units,
            direct.encoder("dual", "amo-cell", "alo-unit"),
            # It has no pairs of a unit, so duplicates change nothing.
            _DIRECT_OPTIONS,
        ),
        Encoder(
            "colouring",
            "the board as a graph: each vertex a colour, no edge one colour at both ends",
            "Jana et al. 2023, section II-D",
            direct.needs_full_cover,
            direct.encoder("colouring", "alo-cell", "amo-unit"),
            frozenset({"reduce"}),
        ),
        Encoder(
            "triads",
            "rows, columns and boxes tied together by the k cells that a line and a box share (also called augmented)",
            "Dillon, tdoku (encoding 3)",
            triads.refuses,
            triads.encode,
            frozenset(),
        ),
        Encoder(
            "order",
            "a variable says that a cell's candidate comes after the i-th",
            "Tamura et al. 2009",
            direct.accepts_all,
            order.encode,
            frozenset({"reduce"}),
        ),
        Encoder(
            "log",
            "the binary digits of a cell's candidate",
            "Iwama & Miyazaki 1994; Van Gelder 2008",
            direct.accepts_all,
            log.encode,
            frozenset({"reduce"}),
        ),
    )
}


# By the kind of an encoding: from what is left of a puzzle to the literals of its cells' values.
LITERALS = {"direct": direct.literals, "order": order.literals, "log": log.literals}


def encode(
    puzzle: Puzzle,
    encoding: str = "extended",
    *,
    reduction: str | None = None,
    amo: str = "pairwise",
    duplicates: bool = False,
) -> Encoding:
    """Encode a puzzle. The default is what solves fastest: singles placed first, extended, at-most-one by pairs.

    Args:
        puzzle: any board; some encodings refuse some boards.
        encoding: a key of ENCODERS.
        reduction: a key of `reduction.LEVELS`; by default `singles` where the encoding takes one.
        amo: a key of `cardinality.AT_MOST_ONE`.
        duplicates: write a pair of cells once for every unit that has both, as the textbook clause counts do.

    Raises:
        MethodError: an unknown name, a board that the encoding is not right for, an option that it does not take.
    """
    if encoding not in ENCODERS:
        raise MethodError(f"no encoding is called {encoding!r}; choose from {', '.join(ENCODERS)}")
    if amo not in AT_MOST_ONE:
        raise MethodError(f"no at-most-one is called {amo!r}; choose from {', '.join(AT_MOST_ONE)}")
    chosen = ENCODERS[encoding]
    if reason := chosen.refuses(puzzle.geometry):
        raise MethodError(f"encoding {encoding} does not fit {puzzle.geometry.name}: {reason}")
    level = reduction or ("singles" if "reduce" in chosen.options else "none")
    asked = {"amo": amo != "pairwise", "duplicates": duplicates, "reduce": level != "none"}
    for option, wanted in asked.items():
        if wanted and option not in chosen.options:
            raise MethodError(f"encoding {encoding} takes no option {option}")
    if duplicates and amo != "pairwise":
        raise MethodError("duplicate pairs need at-most-one by pairs")
    left = reduce(puzzle, level)
    if left.contradiction:
        return direct.unsatisfiable(puzzle, encoding, left)
    return chosen.encode(puzzle, left, amo, duplicates)
