"""Partial MaxSAT, WCNF: the rules are hard clauses, each given is a soft clause; and the output of MaxSAT solvers.

A solution of the formula keeps as many givens as possible. So the formula of a puzzle without a solution asks for the
fewest givens whose removal leaves a solution, and that of any other puzzle has a solution that drops none.

Since the MaxSAT Evaluation of 2022 a line is `h LITERALS 0` or `WEIGHT LITERALS 0`, without a header. Before, it was
`WEIGHT LITERALS 0` after `p wcnf VARIABLES CLAUSES TOP`, where the weight TOP meant a hard clause.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sudoku_encode.encoders.answers import Answer, DecodedModel
from sudoku_encode.encoders.batch_encoding import encode_many
from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.model_comments import FORMAT, cnf_comments, with_about
from sudoku_encode.encoders.model_files import ModelOptions, SavedModel, with_own_clauses
from sudoku_encode.encoders.table import DEFAULT_ENCODING, ModelFormat
from sudoku_encode.errors import FormatError, short
from sudoku_encode.formula import dimacs
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.storage import files

# The name of the format with a header.
_WITH_HEADER = "wcnf-old"


def save_wcnfs(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write WCNFs; see `model_files.save_models`."""
    encodings = encode_many(
        [_without_givens(puzzle) for puzzle in puzzles],
        options.encoding or DEFAULT_ENCODING,
        amo=options.amo or "pairwise",
        duplicates=options.duplicates,
    )
    for puzzle, plain, path in zip(puzzles, encodings, paths, strict=True):
        encoded = with_own_clauses(plain, options)
        soft, linking, n_variables = _soft_literals(puzzle.extended, encoded)
        with files.writing(path) as write:
            comments = with_about(_comments(puzzle.extended, encoded, form, n_variables), options.about)
            write("".join(f"c {line}\n" for line in comments).encode("ascii"))
            n_clauses = encoded.cnf.n_clauses + len(linking) + len(soft)
            hard = f"{len(soft) + 1}" if form.name == _WITH_HEADER else "h"
            if form.name == _WITH_HEADER:
                write(f"p wcnf {n_variables} {n_clauses} {hard}\n".encode("ascii"))
            dimacs.write_clauses(encoded.cnf, _with_prefix(f"{hard} ".encode("ascii"), write))
            write("".join(f"{hard} {first} {second} 0\n" for first, second in linking).encode("ascii"))
            write("".join(f"1 {literal} 0\n" for literal in soft).encode("ascii"))
        figures = {"variables": n_variables, "clauses": n_clauses}
        note = f"{len(soft)} of the clauses are soft, the givens"
        yield SavedModel(path, form.name, encoded.name, figures, encoded.contradiction, (note,))


def _without_givens(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle without its givens; as in the puzzle, pencilmarks of their cells have no effect."""
    marks = puzzle.pencilmarks
    if marks is not None:
        marks = marks | (puzzle.givens > 0)[:, None]
    return replace(puzzle, givens=np.zeros_like(puzzle.givens), pencilmarks=marks)


def _soft_literals(puzzle: Puzzle, encoded: Encoding) -> tuple[list[int], list[tuple[int, int]], int]:
    """Return a literal for each given, hard clauses of two literals for new variables, and the number of variables."""
    # In the encodings order and log a cell holds a value if all of several literals are true. A new variable, which
    # implies them, then stands for the given.
    soft: list[int] = []
    linking: list[tuple[int, int]] = []
    n_variables = encoded.cnf.n_variables
    for cell in np.flatnonzero(puzzle.givens).tolist():
        literals = [literal for literal in encoded.literals[cell, puzzle.givens[cell] - 1].tolist() if literal]
        if len(literals) > 1:
            n_variables += 1
            linking += [(-n_variables, literal) for literal in literals]
            literals = [n_variables]
        soft += literals
    return soft, linking, n_variables


def _comments(puzzle: Puzzle, encoded: Encoding, form: ModelFormat, n_variables: int) -> Iterator[str]:
    """Yield the comments, from which answers are decoded."""
    program, *others = cnf_comments(
        puzzle, encoded.name, encoded.kind, encoded.candidates, encoded.literals, encoded.contradiction, None, None
    )
    yield from (program, f"{FORMAT} {form.name}", *others)
    yield f"variables {n_variables}"


def _with_prefix(prefix: bytes, write: Callable[[bytes], object]) -> dimacs.Write:
    """Return a function that writes lines with a prefix; its chunks may end within a line."""
    is_start = True

    def write_prefixed(chunk: bytes | memoryview) -> None:
        nonlocal is_start
        text = bytes(chunk)
        write(prefix * is_start + text[:-1].replace(b"\n", b"\n" + prefix) + text[-1:])
        is_start = text.endswith(b"\n")

    return write_prefixed


# Output of MaxSAT solvers, as in the evaluations: `o` the weight of the soft clauses that the model breaks, `s` the
# status, `v` the model as literals or, since 2020, as a digit 0 or 1 for each variable.

_CLAIMS = {"OPTIMUM FOUND": True, "SATISFIABLE": True, "UNSATISFIABLE": False, "UNKNOWN": None}
_DIGITS, _LITERAL = re.compile("[01]+"), re.compile("-?[0-9]{1,10}")


@dataclass
class _Output:
    """The content of the output, as far as it is read."""

    statuses: set[str] = field(default_factory=set)
    weight: int | None = None  # the last one
    models: list[list[int]] = field(default_factory=list)
    cut_off: str = ""


def read(model: str, output: str) -> Answer:
    """Read the models of a MaxSAT solver; each is checked against the rules, and the givens that it drops are named.

    Raises:
        FormatError: an unexpected line, two statuses, a literal that is not of the formula; or the solver reports
            another number of dropped givens than its last model has.
    """
    encoding, source = load_encoding(model), files.source_name(output)
    puzzle = encoding.puzzle
    checked = replace(encoding, puzzle=_without_givens(puzzle))
    printed = _printed(output, encoding.cnf.n_variables, source)
    models = [_decoded(checked, puzzle, literals, source) for literals in printed.models]
    status = printed.statuses.pop() if printed.statuses else "UNKNOWN"
    is_optimal = status == "OPTIMUM FOUND"
    if models and not models[-1].faults and is_optimal and printed.weight not in (None, len(models[-1].dropped or ())):
        n_dropped = len(models[-1].dropped or ())
        message = f"the solver reports {printed.weight} broken soft clauses, but its model drops {n_dropped} givens"
        raise FormatError(message, source)
    return Answer(puzzle, _CLAIMS[status], len(models), models, printed.cut_off, is_optimal=is_optimal)


def _decoded(checked: Encoding, puzzle: Puzzle, literals: list[int], source: str) -> DecodedModel:
    """Return a model as a grid, with the givens that it drops."""
    try:
        grid, faults = checked.decode_with_faults(literals)
    except FormatError as error:
        raise FormatError(error.message, source) from error
    dropped = np.flatnonzero((puzzle.givens > 0) & (grid != puzzle.givens))
    return DecodedModel(grid, faults, tuple(dropped.tolist()))


def _printed(output: str, n_variables: int, source: str) -> _Output:
    """Return the parsed output."""
    printed, literals = _Output(), list[int]()
    for number, line in enumerate(files.read_lines(output), 1):
        kind, *words = line.split() or ["c"]
        if kind == "s" and " ".join(words) in _CLAIMS:
            printed.statuses.add(" ".join(words))
        elif kind == "o" and len(words) == 1 and words[0].isdigit():
            printed.weight = int(words[0])
        elif kind == "v":
            # A number with more digits than that of the last variable is a digit for each variable.
            if len(words) == 1 and _DIGITS.fullmatch(words[0]) and len(words[0]) > len(str(n_variables)):
                _add_digits(printed, words[0], n_variables)
                words = []
            for word in words:
                if not _LITERAL.fullmatch(word):
                    raise FormatError(f"{short(word)!r} is not a literal", source, number)
                literals += [int(word)] * (word != "0")
                # A 0 ends a model, but not every solver prints it.
                if literals and (word == "0" or len(literals) == n_variables):
                    printed.models.append(literals)
                    literals = []
        elif kind != "c":
            raise FormatError(f"{short(line.strip())!r} is not a line of a MaxSAT solver", source, number)
    if literals:
        printed.cut_off = f"it has {len(literals)} of {n_variables} literals"
    if len(printed.statuses) > 1:
        raise FormatError("the s lines of the solver contradict each other", source)
    return printed


def _add_digits(printed: _Output, word: str, n_variables: int) -> None:
    """Add a model of digits, or the reason why it is cut off."""
    if len(word) < n_variables:
        printed.cut_off = f"it has {len(word)} of {n_variables} digits"
    else:
        values = enumerate(word, 1)
        printed.models.append([variable if digit == "1" else -variable for variable, digit in values])
