"""Answer set programming: facts of the puzzle, a program that all boards share, and the output of clingo."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.answers import Answer, first_missing, from_truth
from sudoku_encode.encoders.forms.common import (
    cell_values,
    heading,
    joined,
    lines,
    numbered_rules,
    read_heading,
    region_clauses,
    sum_terms,
    unit_numbering,
)
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle, lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    Count,
    EqualSums,
    Primitive,
    Relation,
    SameCounts,
    Sum,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

_PROGRAM = """
% ---- Program ----

#defined given/2.
#defined unit/2.
candidate(C, V) :- given(C, V).

% Each cell holds one of its candidates.
{ holds(C, V) : candidate(C, V) } = 1 :- cell(C).

% No value is twice in a unit.
:- unit(U, _), value(V), { holds(C, V) : unit(U, C) } > 1.

% Each value is in each full unit. This follows from the rules above; with it solvers conclude more.
full(U) :- unit(U, _), { value(V) } = N, { unit(U, C) } = N.
:- full(U), value(V), { holds(C, V) : unit(U, C) } < 1.

#show holds/2.
"""

_AUTOMATA = """
% Automaton A reads cell C at place I, takes its step from a state to the next, and must end in state 0.
state(A, 0, 0) :- reads(A, 0, _).
state(A, I + 1, T) :- state(A, I, S), reads(A, I, C), holds(C, V), step(A, I, S, V, T).
:- reads(A, I, _), not reads(A, I + 1, _), not state(A, I + 1, 0).
"""


def asp(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write facts and a program whose answer sets are the solutions."""
    low = lower_puzzle(puzzle)
    board = low.puzzle.geometry
    meaning = "holds(C, V): cell C holds value V; cells from 0 in reading order, values from 1"
    yield heading("%", "asp", puzzle, meaning, f"unit(U, C): cell C is in unit U; {unit_numbering(board)}")
    yield b"\n% ---- Facts ----\n\n"
    yield f"cell(0..{board.n_cells - 1}).\nvalue(1..{board.n_values}).\n\n".encode("ascii")
    yield from joined(_candidates(puzzle.extended, candidates))
    yield b"\n"
    for first, rule in numbered_rules(board):
        template = f"unit(%d, ({';'.join(['%d'] * rule.units.shape[1])})).\n"
        yield from lines(template, np.insert(rule.units, 0, np.arange(first, first + len(rule.units)), axis=1))
    yield _PROGRAM.encode("ascii")
    if low.primitives:
        yield b"\n% ---- Constraints ----\n\n"
        yield from joined(_constraints(low, candidates))


def _candidates(puzzle: Puzzle, candidates: Candidates) -> Iterator[str]:
    """Yield the given of each cell, or its candidates; none for a cell without any."""
    n = puzzle.geometry.n_values
    for cell, (given, values) in enumerate(zip(puzzle.givens.tolist(), cell_values(candidates), strict=True)):
        if values == [given]:
            yield f"given({cell}, {given}).\n"
        elif values:
            text = f"1..{n}" if len(values) == n else f"({';'.join(map(str, values))})"
            yield f"candidate({cell}, {text}).\n"


def _constraints(low: LoweredPuzzle, candidates: Candidates) -> Iterator[str]:
    """Yield the constraints other than units: integrity constraints, automata and clauses of regions."""
    n = candidates.shape[1]
    primitives = expanded(low.primitives, n, (Count, SameCounts))
    yield from (_constraint(primitive, n) for primitive in primitives)
    automata = [primitive for primitive in primitives if isinstance(primitive, Automaton)]
    if automata:
        yield _AUTOMATA
    for number, automaton in enumerate(automata):
        for place, (cell, layer) in enumerate(zip(automaton.cells, automaton.layers, strict=True)):
            yield f"reads({number}, {place}, {cell}).\n"
            yield from (f"step({number}, {place}, {before}, {value}, {after}).\n" for before, value, after in layer)
    clauses, n_variables = region_clauses(low, candidates)
    first = candidates.size + 1
    if n_variables >= first:
        yield f"\n% Auxiliary: the cells determine them.\n{{ auxiliary({first}..{n_variables}) }}.\n"
    for clause in clauses:
        atoms = [(_holds(*divmod(abs(x) - 1, n)) if abs(x) < first else f"auxiliary({abs(x)})", x > 0) for x in clause]
        yield _excluded(atoms)


def _holds(cell: int, value: int) -> str:
    """Return the atom that a cell holds a value, which counts from 0."""
    return f"holds({cell}, {value + 1})"


def _excluded(atoms: Sequence[tuple[str, bool]]) -> str:
    """Return that at least one of some atoms, or of their negations where False, is true."""
    return f":- {', '.join(f'not {atom}' if positive else atom for atom, positive in atoms) or '#true'}.\n"


def _constraint(primitive: Primitive, n: int) -> str:
    """Return the integrity constraints of a primitive other than `Unit`, `Domain`, automata and regions."""
    if isinstance(primitive, Sum | EqualSums):
        # A term is told from others of equal value by its cell.
        sums = (
            ("; ".join(f"{_times(factor)}V, {cell} : holds({cell}, V)" for cell, factor in terms.items()), total)
            for terms, total in sum_terms(primitive)
        )
        return "".join(f":- #sum {{ {terms} }} != {total}.\n" for terms, total in sums)
    if isinstance(primitive, Count):
        cells = "; ".join(f"{cell} : holds({cell}, {primitive.value})" for cell in primitive.cells)
        numbers = (k for k in range(len(primitive.cells) + 1) if not primitive.numbers >> k & 1)
        return "".join(f":- #count {{ {cells} }} = {number}.\n" for number in numbers)
    if isinstance(primitive, SameCounts):
        first, *others = primitive.parts
        return "".join(
            f":- #sum {{ {'; '.join(_same_terms(first, 1, value) + _same_terms(other, -1, value))} }} != 0.\n"
            for other, value in product(others, range(1, n + 1))
        )
    if isinstance(primitive, Relation):
        return "".join(
            _excluded(
                [(_holds(primitive.first, value), False)]
                + [(_holds(primitive.second, other - 1), True) for other in values_in(allowed)]
            )
            for value, allowed in enumerate(primitive.allowed)
            if allowed != (1 << n) - 1
        )
    if isinstance(primitive, Clause):
        return _excluded([(_holds(cell, abs(value) - 1), value > 0) for cell, value in primitive.literals])
    return ""


def _times(factor: int) -> str:
    return "" if factor == 1 else f"{factor}*"


def _same_terms(cells: Sequence[int], sign: int, value: int) -> list[str]:
    return [f"{sign}, {cell} : holds({cell}, {value})" for cell in cells]


# Output of clingo as text or, with --outf=2, as JSON; the atoms of an answer set are on a line.

_CLAIMS = {"SATISFIABLE": True, "OPTIMUM FOUND": True, "UNSATISFIABLE": False, "INCONSISTENT": False, "UNKNOWN": None}
_HOLDS = re.compile(r"holds\(([0-9]{1,8}),([0-9]{1,8})\)")
# An atom of this program or of another that was added to it.
_ATOM = re.compile(r'-?[a-z_][A-Za-z0-9_]*(?:\((?:[^()"]|"[^"]*"|\([^()]*\))*\))?\.?')
# Other lines: of programs and their files, remarks, titles, statistics.
_OTHER = re.compile(
    r"(?:py)?(?:clingo|clasp|gringo) version .*|Reading from .*|Solving\.\.\.|Answer: [0-9]+.*|ANSWER|%.*"
    r"|(?:\*\*\* )?(?:Info|Warn).*|\S+: info: .*|[A-Z][A-Za-z0-9 /.]*: .*|INTERRUPTED.*|TIME LIMIT.*|Optimization:.*"
)


def read(model: str, output: str) -> Answer:
    """Read the answer sets that clingo prints, and its claim.

    Raises:
        FormatError: an unexpected line, a cell or value that is not of the board, or two claims.
    """
    puzzle, source = read_heading(model, "%"), files.source_name(output)
    text = "".join(files.read_lines(output))
    claims: set[bool | None] = set()
    cut_off = ""
    answer_sets: list[str]
    if text.lstrip().startswith("{"):
        answer_sets, cut_off = _read_json(text, claims, source)
    else:
        answer_sets, cut_off = _read_text(text, claims, source)
    if len(claims) > 1:
        raise FormatError("the output contradicts itself: two different results", source)
    truths = [_truth(atoms, puzzle, source) for atoms in answer_sets]
    claim = claims.pop() if claims else None
    if truths and not cut_off and claim is None:
        # Nothing ends an answer set but the next one, or the result.
        missing = first_missing(puzzle, truths[-1], truths[-1])
        cut_off = f"it has no atom of {missing}" if missing else ""
        return from_truth(puzzle, claim, truths[:-1] if missing else truths, cut_off)
    return from_truth(puzzle, claim, truths, cut_off)


def _read_text(text: str, claims: set[bool | None], source: str) -> tuple[list[str], str]:
    """Return the lines of answer sets, and why the last is cut off, if it is."""
    answer_sets: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped in _CLAIMS:
            claims.add(_CLAIMS[stripped])
        elif all(map(_ATOM.fullmatch, stripped.split())):
            answer_sets += [stripped] if _HOLDS.search(stripped) else []
        elif _HOLDS.match(stripped):
            return answer_sets, f"line {number} ends within an atom"
        elif not _OTHER.fullmatch(stripped):
            raise FormatError(f"{short(stripped)!r} is not a line of clingo", source, number)
    return answer_sets, ""


def _read_json(text: str, claims: set[bool | None], source: str) -> tuple[list[str], str]:
    """Return the atoms of each witness; nothing of JSON without its end."""
    try:
        document = json.loads(text)
        claims.add(_CLAIMS[document["Result"]])
        witnesses = [witness for call in document.get("Call", ()) for witness in call.get("Witnesses", ())]
        return [" ".join(witness["Value"]) for witness in witnesses], ""
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()):
            return [], "the JSON does not end"
        raise FormatError(f"not the JSON of clingo: {error.msg}", source, error.lineno) from error
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FormatError(f"not the JSON of clingo: it lacks {short(str(error))}", source) from error


def _truth(atoms: str, puzzle: Puzzle, source: str) -> NDArray[np.bool_]:
    """Return the values of the cells in an answer set, bool (n_cells, n_values)."""
    truth = np.zeros_like(puzzle.candidates)
    for match in _HOLDS.finditer(atoms):
        cell, value = int(match[1]), int(match[2])
        if cell >= truth.shape[0] or not 1 <= value <= truth.shape[1]:
            raise FormatError(f"{match[0]} is not an atom of this program", source)
        truth[cell, value - 1] = True
    return truth
