"""The command decode: grids from a solver's answer to a model."""

import json
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.encoders.table import (
    DEFAULT_ENCODING,
    DEFAULT_FORMAT,
    ENCODINGS,
    MODEL_FORMATS,
)
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats.place import Place
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import remark

if TYPE_CHECKING:
    from sudoku_encode.encoders.answers import Answer
    from sudoku_encode.encoders.encoding import Encoding
    from sudoku_encode.encoders.table import ModelFormat

# Decoding ends after this many wrong models in a row.
_MAX_FAULTY_IN_A_ROW = 100
# The answer to another model is wrong in nearly every cell; JSON contains all faults.
_MAX_FAULTS_SHOWN = 9


class NamedOptions(NamedTuple):
    """The puzzle and the encoding of a CNF that does not name them."""

    puzzle: Annotated[
        str | None,
        typer.Option(
            help="The puzzle of a CNF without comments: a file, or its text.\n\nWith --board alone it is the empty "
            "board.",
            rich_help_panel=options.PUZZLES,
            show_default=False,
        ),
    ] = None
    board: options.Board = None
    rules: options.Rules = None
    alphabet: options.Alphabet = None
    source_format: options.InputFormat = None
    constraints: options.Constraints = None
    encoding: Annotated[
        str | None,
        typer.Option(
            help=f"The encoding of a CNF without comments, by default {DEFAULT_ENCODING}.",
            show_default=False,
            **options.one_of(ENCODINGS),
        ),
    ] = None
    reduce: options.Reduction = None
    amo: Annotated[
        str | None,
        typer.Option(
            help="How at-most-one constraints are encoded in it, by default pairwise.",
            show_default=False,
            **options.one_of(AT_MOST_ONE),
        ),
    ] = None
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**31 - 1, help="The seed with which it was shuffled.", show_default=False)
    ] = None

    def named_encoding(self) -> "Encoding | None":
        """Return the encoding that is named; None if no puzzle is.

        Raises:
            SudokuError: not one puzzle, or an encoding without a puzzle.
        """
        from sudoku_encode.encoders.model_files import ModelOptions, encoding_of

        if self.puzzle is None and self.board is None:
            for name, value in self._asdict().items():
                if value is not None:
                    option = {"source_format": "from", "constraints": "constraint"}.get(name, name)
                    raise SudokuError(f"--{option} has no effect without --puzzle or --board")
            return None
        texts = None if self.puzzle is None else [self.puzzle]
        own = (self.board, self.rules, self.alphabet, self.source_format, self.constraints)
        source = PuzzleInput(options.PuzzleOptions(texts, *own))
        puzzles = [puzzle for _, puzzle in source.puzzles()]
        if len(puzzles) != 1 or source.bad:
            raise SudokuError(f"--puzzle: {len(puzzles)} puzzles where one is needed")
        return encoding_of(puzzles[0], ModelOptions(self.encoding, self.reduce, self.amo, seed=self.seed))


def command(
    model: Annotated[
        str | None,
        typer.Argument(
            metavar="[MODEL]",
            help="A file from `encode`, of any format; not needed with --puzzle.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Argument(
            metavar="[OUTPUT]",
            help="The solver's output, or the file that it wrote; by default standard input (-).",
            show_default=False,
        ),
    ] = None,
    *,
    named: NamedOptions,
    exit_status: Annotated[
        int | None,
        typer.Option(
            help="The exit status of a SAT, MaxSAT, OPB or ASP solver: 10 with a model, 20 without. "
            "UNSATISFIABLE is accepted only together with 20."
        ),
    ] = None,
    trust_status: Annotated[
        bool,
        typer.Option(
            "--trust-status",
            help="Accept UNSATISFIABLE from such a solver without an exit status, as in a pipe.",
        ),
    ] = False,
    to: options.TextFormat = None,
    as_json: options.Json = False,
) -> None:
    """Turn a solver's answer back into grids, and check each against the rules and the givens.

    OUTPUT can be: the s, v and o lines of a SAT, MaxSAT, pseudo-Boolean or XCSP3 solver, minisat's SAT and a line of
    literals, or a bare list of literals; CP-SAT's CpSolverResponse, binary or text; the output of MiniZinc, clingo,
    dlx1 or the program for CPMpy; a solution file of glpsol (-w or -o), CBC, HiGHS, SCIP or Gurobi; the answer to
    get-model or get-value; or `l` lines of a colouring. Several models give several grids. Each fault in a grid is a
    line on standard error, and the exit status is 1. It is 3 if there is no answer, or if the last of several models is
    cut off.

    Details:

    For a WCNF the givens that a model drops are named, with the solver's claim whether these are the fewest.

    If a SAT, MaxSAT, pseudo-Boolean or ASP solver reports that there is no solution, this is accepted only if it prints
    UNSATISFIABLE and its exit status is 20, or with --trust-status. For other solvers, whose exit status does not tell
    this, the output suffices. Contradictory evidence is refused.

    If another program dropped the comments of a CNF, the meaning of its variables is lost. Then name its puzzle with
    --puzzle, or --board for an empty board, and give --encoding, --reduce, --amo and --seed as for `encode`. MODEL may
    then be left out; if it is given, its number of variables is checked.
    """
    from sudoku_encode.encoders.answers import read_answer, recognise_format
    from sudoku_encode.formula.solver_output import verdict
    from sudoku_encode.storage.files import source_name

    options.record_form(as_json, as_csv=False, to=to)
    encoding = named.named_encoding()
    if encoding is None and model is None:
        raise SudokuError("no model: give the file that `encode` wrote, or name its puzzle with --puzzle or --board")
    if encoding is not None and output is None and model is not None and not _is_cnf(model):
        model, output = None, model
    output = output or "-"
    form = MODEL_FORMATS[DEFAULT_FORMAT] if encoding is not None or model is None else recognise_format(model)
    _refuse_statuses(form, exit_status, trust_status)
    answer = read_answer(model, output, encoding)
    is_solvable, reason = verdict(
        answer.claim,
        answer.n_models > 0,
        answer.cut_off,
        exit_status,
        source_name(output),
        by_exit_status=form.exit_status and not trust_status,
    )
    if not is_solvable:
        reason += f"; the model contains {answer.added}, so this applies to them too" if answer.added else ""
        status = "unknown" if is_solvable is None else "no solution"
        if as_json:
            print(json.dumps(Place(model or source_name(output)).record(status, form.name) | {"reason": reason}))
        remark(f"{'not known' if is_solvable is None else 'no solution'}: {reason}")
        raise typer.Exit(3 if is_solvable is None else 1)
    place = Place(model or source_name(output), None, None, answer.puzzle.name or None)
    faulty = _print_models(answer, place, form.name, to, as_json)
    if answer.cut_off:
        remark(f"the last model is cut off: {answer.cut_off}")
    raise typer.Exit(3 if answer.cut_off else 1 if faulty else 0)


def _is_cnf(path: str) -> bool:
    """Check whether a file has the header of a CNF, so that it is not a solver's answer."""
    from sudoku_encode.storage.files import read_bytes

    return path != "-" and b"\np " in b"\n" + read_bytes(path, 1 << 16, whole=False)


def _refuse_statuses(form: "ModelFormat", exit_status: int | None, trust_status: bool) -> None:
    if trust_status and exit_status is not None:
        raise SudokuError("--exit-status and --trust-status: give only one of them")
    if not form.exit_status and (trust_status or exit_status is not None):
        option = "--trust-status" if trust_status else "--exit-status"
        raise SudokuError(
            f"{option} is for SAT, MaxSAT, pseudo-Boolean and ASP solvers; the exit status of a solver for {form.name} "
            "models says nothing about its answer"
        )


def _print_models(answer: "Answer", place: Place, model_format: str, to: str | None, as_json: bool) -> bool:
    """Print the grids and their faults; return whether there is any fault."""
    from sudoku_encode.formats.writing import write

    geometry = answer.puzzle.geometry
    form = to or ("line" if geometry.n_values <= 35 else "csv")
    faulty, faulty_in_a_row = False, 0
    for grid, faults, dropped in answer.models:
        faulty |= bool(faults)
        faulty_in_a_row = faulty_in_a_row + 1 if faults else 0
        if as_json:
            status = "not a solution" if faults else "solved"
            solution = geometry.listed(grid)
            record = place.record(status, model_format) | {"solution": solution, "faults": faults}
            print(json.dumps(record | _dropped_givens(answer, dropped)))
        elif not faults:
            print(write(geometry, grid.astype("uint8"), form))
        if dropped is not None and not faults and answer.puzzle.givens.any():
            remark(_dropped_sentence(answer, dropped))
        for fault in faults[:_MAX_FAULTS_SHOWN]:
            remark(f"not a solution: {fault}")
        if len(faults) > _MAX_FAULTS_SHOWN:
            remark(f"not a solution: {len(faults) - _MAX_FAULTS_SHOWN} more faults")
        if faulty_in_a_row == _MAX_FAULTY_IN_A_ROW:
            remark(f"the rest is ignored, since {_MAX_FAULTY_IN_A_ROW} models in a row are not solutions")
            break
    return faulty


def _dropped_givens(answer: "Answer", dropped: tuple[int, ...] | None) -> dict[str, Any]:
    """Return the fields of a record about the givens that a model drops."""
    if dropped is None:
        return {}
    return {"dropped": [answer.puzzle.geometry.cell_name(cell) for cell in dropped], "fewest": answer.is_optimal}


def _dropped_sentence(answer: "Answer", dropped: tuple[int, ...]) -> str:
    """Return a sentence about the givens that a model drops."""
    board, n_givens = answer.puzzle.geometry, int((answer.puzzle.givens > 0).sum())
    if not dropped:
        return f"all {n_givens} givens stay"
    values = (f"{board.cell_name(cell)}={board.numbers[answer.puzzle.givens[cell]]}" for cell in dropped)
    claim = "the solver reports" if answer.is_optimal else "the solver does not report"
    return f"{len(dropped)} of {n_givens} givens dropped: {' '.join(values)}; {claim} that no solution drops fewer"
