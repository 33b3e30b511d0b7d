"""A puzzle as an incremental CNF (iCNF): its clauses, and cubes that solvers such as CaDiCaL and paracooba go through.

After `p inccnf`, which says no sizes, come the clauses as in DIMACS, and then a line `a LITERALS 0` for each cube: all
clauses with these literals. No model is in two cubes, and each one is in one, so the numbers of models of
all cubes add up to that of the formula.

Source: Wieringa, Niemenmaa & Heljanko 2009 (www.siert.nl/icnf).
"""

from collections.abc import Iterator, Sequence

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.cubes import N_CUBES, Cube, split
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.many import encode_many
from sudoku_encode.encoders.saving import ModelOptions, SavedModel
from sudoku_encode.encoders.table import DEFAULT_ENCODING, DEFAULT_REDUCTION, ModelFormat
from sudoku_encode.errors import MethodError, short
from sudoku_encode.formula import dimacs
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.storage import files


def save(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write incremental CNFs; see `saving.save_models`.

    Raises:
        MethodError: the number of cubes is no whole number, at least 1.
    """
    wanted = N_CUBES if options.cubes is None else options.cubes
    if not isinstance(wanted, int) or wanted < 1:
        raise MethodError(f"cubes={short(repr(wanted))}: it must be a whole number, at least 1")
    encodings = encode_many(
        puzzles,
        options.encoding or DEFAULT_ENCODING,
        reduction=options.reduction or DEFAULT_REDUCTION,
        amo=options.amo or "pairwise",
        duplicates=options.duplicates,
    )
    for encoded, path in zip(encodings, paths, strict=True):
        # Of constraints the cubes know units and single cells; the clauses say the rest.
        found = split(lowered(encoded.puzzle).puzzle, wanted)
        # A puzzle that is seen to have no solution is one cube, so that solvers say that.
        cubes = ((),) if encoded.contradiction else found.cubes or ((),)
        _write(encoded, path, cubes, found.n_refuted)
        figures = {"variables": encoded.cnf.n_variables, "clauses": encoded.cnf.n_clauses, "cubes": len(cubes)}
        reason = "decide each of them" if found.cubes else "find no solution"
        note = f"fewer cubes than {wanted}, since naked and hidden singles {reason}"
        is_short = len(cubes) < wanted and not encoded.contradiction
        yield SavedModel(path, form.name, encoded.name, figures, encoded.contradiction, (note,) * is_short)


def _write(encoded: Encoding, path: str, cubes: Sequence[Cube], n_refuted: int) -> None:
    """Write the comments, from which answers are decoded, the clauses and the cubes."""
    about = f"cubes {len(cubes)}: no model is in two, each is in one; {n_refuted} without a solution were left out"
    comments = ("format icnf", *encoded.comments(), f"variables {encoded.cnf.n_variables}", about)
    at_header = True

    def without_header(piece: bytes | memoryview) -> None:
        nonlocal at_header
        write(bytes(piece).partition(b"\n")[2] if at_header else piece)
        at_header = False

    with files.writing(path) as write:
        write("".join(f"c {line}\n" for line in comments).encode("ascii"))
        write(b"p inccnf\n")
        dimacs.write(encoded.cnf, without_header)
        write("".join(f"a {' '.join(map(str, [*_literals(encoded, cube), 0]))}\n" for cube in cubes).encode("ascii"))


def _literals(encoded: Encoding, cube: Cube) -> list[int]:
    """Return the literals that say that the cells of a cube have its values."""
    if encoded.contradiction:
        return []
    found = [literal for cell, value in cube for literal in encoded.literals[cell, value - 1].tolist() if literal]
    return list(dict.fromkeys(found))
