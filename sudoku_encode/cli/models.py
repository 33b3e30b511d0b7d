"""Commands that write and read files: encode, decode, convert."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.reading import Source, remark
from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.formats.table import TEXT_FORMATS

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Puzzle

# What a file is by its suffix, where --to does not say; the suffix that a file gets in a folder.
_BY_SUFFIX = {".pbtxt": "cp-sat", ".txt": "cp-sat", ".pb": "cp-sat"}
_SUFFIX = {"cp-sat": ".pbtxt", "cp-sat-bool": ".pbtxt"}
# So many models in a row that are no solutions end the decoding.
_PATIENCE = 100
_FORMS = ("cnf", "cp-sat", "cp-sat-bool", "col", "opb", "dlx", "mzn", "mps", "lp", "smt2")


def encode(
    given: options.PuzzleOptions,
    *,
    to: Annotated[
        options.FormName | None,
        typer.Option(
            help="cnf (DIMACS), cp-sat or cp-sat-bool (protocol buffer), col (DIMACS graph), opb, dlx (Knuth's exact "
            "cover), mzn (MiniZinc), mps, lp, smt2. By default what the name of the output says, else cnf.",
            show_default=False,
        ),
    ] = None,
    encoding: Annotated[options.EncodingName, typer.Option(help="Of a CNF; see `sudoku-encode methods`.")] = "extended",
    reduce: options.Reduction = None,
    amo: options.AmoName = "pairwise",
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help="Write a pair once for each unit that has it, as textbooks count.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Write the projection (c p show) even without auxiliary variables.")
    ] = False,
    output: options.Output = "-",
) -> None:
    """Write each puzzle as a model: a CNF in DIMACS unless told otherwise.

    A name that ends in .gz, .xz or .zst is compressed. Of many puzzles each is a file of its own: give a folder.
    """
    from sudoku_encode.storage import files, outputs

    suffix = files.bare_suffix(output)
    form = to or _BY_SUFFIX.get(suffix) or (suffix[1:] if suffix[1:] in _FORMS else "cnf")
    source = Source(given)
    ending = _SUFFIX.get(form, "." + form)
    folder = outputs.folder(output) if output.endswith("/") or Path(output).is_dir() else None
    outputs.refuse_inputs(source.inputs, *(_numbered(folder, ending) if folder else [output]))
    for number, asked in source.puzzles():
        if source.many and not folder:
            raise SudokuError("there are many puzzles: give a folder to write to, such as -o models/")
        path = str(folder / f"{number}{ending}") if folder else output
        if form == "cnf":
            said = _write_cnf(asked, path, encoding, reduce, amo, duplicates, show)
        elif form in ("cp-sat", "cp-sat-bool"):
            said = _write_cp(asked, path, form, reduce)
        else:
            said = _write_form(asked, path, form, reduce)
        remark(f"{path}: {said}" if path != "-" else said)
    raise typer.Exit(Outcome().status(source))


def _numbered(folder: Path, ending: str) -> list[Path]:
    """Return the files of a folder that have such names as models get there.

    Raises:
        SudokuError: its files cannot be listed.
    """
    try:
        return [file for file in folder.iterdir() if re.fullmatch(rf"[0-9]+{re.escape(ending)}", file.name)]
    except OSError as error:
        raise SudokuError(f"{folder}: its files cannot be listed: {error.strerror}") from error


def _write_cnf(
    puzzle: "Puzzle", path: str, encoding: str, reduce: str | None, amo: str, duplicates: bool, show: bool
) -> str:
    from sudoku_encode import encoders
    from sudoku_encode.encoders import cnf_file

    encoded = encoders.encode(puzzle, encoding, reduction=reduce, amo=amo, duplicates=duplicates)
    cnf_file.save(encoded, path, show=show)
    said = f"{encoded.name}, {encoded.cnf.n_variables:,} variables, {encoded.cnf.n_clauses:,} clauses"
    return f"{said}; no solution: {encoded.contradiction}" if encoded.contradiction else said


def _write_cp(puzzle: "Puzzle", path: str, form: str, reduce: str | None) -> str:
    from sudoku_encode.encoders import cp
    from sudoku_encode.storage import files

    if path == "-":
        raise SudokuError("a CP-SAT model needs a file: -o NAME.pbtxt (text) or -o NAME.pb (binary)")
    encoded = cp.encode(puzzle, form, reduce or "none")
    with files.writing(path) as write:
        write(cp.exported(encoded, as_text=files.bare_suffix(path) in (".pbtxt", ".txt")))
    proto = encoded.model.proto
    return f"{form}, {len(proto.variables):,} variables, {len(proto.constraints):,} constraints"


def _write_form(puzzle: "Puzzle", path: str, form: str, reduce: str | None) -> str:
    from sudoku_encode.encoders.forms import FORMS
    from sudoku_encode.encoders.reduction import reduce as reduced
    from sudoku_encode.storage import files

    candidates = puzzle.candidates if reduce in (None, "none") else reduced(puzzle, reduce).candidates
    size = 0
    with files.writing(path) as write:
        for chunk in FORMS[form].write(puzzle, candidates):
            write(chunk)
            size += len(chunk)
    return f"{FORMS[form].description}, {size:,} bytes"


def decode(
    cnf: Annotated[str, typer.Argument(metavar="CNF", help="A file that `encode` wrote.")],
    output: Annotated[
        str, typer.Argument(metavar="[OUTPUT]", help="What the solver printed: a file, or - for standard input.")
    ] = "-",
    exit_status: Annotated[
        int | None,
        typer.Option(help="The solver's exit status. That there is no solution counts only with a 20 and the word."),
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="The format of the grid.", **options.one_of(TEXT_FORMATS))
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Turn a SAT solver's output back into the grid, and check it against the rules and the givens.

    OUTPUT has `s` and `v` lines, minisat's SAT and a line of literals, or a bare list of literals; with several models
    several grids come out. Each fault of a grid is a line on standard error, and the exit status is 1. It is 3 when
    there is no answer, or the last of several models is cut off.

    That there is no solution is believed only when the output says UNSATISFIABLE and the solver's exit status is 20;
    with a model, or an exit status that means the opposite, it is refused.
    """
    from sudoku_encode.encoders import cnf_file
    from sudoku_encode.formula import solver_output
    from sudoku_encode.storage import files

    encoding = cnf_file.load(cnf)
    source = "stdin" if output == "-" else output
    printed = solver_output.parse(files.read_lines(output), source)
    answer, reason = solver_output.believe(printed, exit_status, source)
    if not answer:
        status = "unknown" if answer is None else "no solution"
        if as_json:
            print(json.dumps({"status": status, "reason": reason}))
        remark(f"{'not known' if answer is None else 'no solution'}: {reason}")
        raise typer.Exit(3 if answer is None else 1)
    faulty, in_a_row = False, 0
    for model in printed.models:
        grid, faults = _decoded(encoding, model)
        faulty |= bool(faults)
        in_a_row = in_a_row + 1 if faults else 0
        if as_json:
            status = "not a solution" if faults else "solved"
            print(json.dumps({"status": status, "solution": grid.tolist(), "faults": faults}))
        elif not faults:
            _print_grid(encoding.puzzle, grid, to)
        for fault in faults:
            remark(f"not a solution: {fault}")
        if in_a_row == _PATIENCE:
            remark(f"the rest is not looked at, since {_PATIENCE} models in a row are no solutions")
            break
    if printed.cut_off:
        remark("the last model is cut off: it does not end with a 0")
    raise typer.Exit(3 if printed.cut_off else 1 if faulty else 0)


def _decoded(encoding: Any, model: tuple[int, ...]) -> tuple[Any, list[str]]:
    """Return the grid of a model and what is wrong with it."""
    import numpy as np

    from sudoku_encode.puzzles.puzzle import violations

    n, literals = encoding.cnf.n_variables, set(model)
    for literal in model:
        if abs(literal) > n:
            raise FormatError(f"literal {literal} is none of this CNF, which has {n} variables")
        if -literal in literals:
            raise FormatError(f"the model has both {literal} and {-literal}")
    truth = np.zeros((1, n + 1), bool)
    truth[0, [literal for literal in model if literal > 0]] = True
    holds = encoding.holds(truth)[0]
    grid = encoding.decode(truth)[0]
    board = encoding.puzzle.geometry
    several = [
        f"{board.cell_name(cell)} holds {' and '.join(map(str, (np.flatnonzero(holds[cell]) + 1).tolist()))}"
        for cell in np.flatnonzero(holds.sum(axis=1) > 1).tolist()
    ]
    none = [f"{board.cell_name(cell)} holds no value" for cell in np.flatnonzero(~holds.any(axis=1)).tolist()]
    return grid, several + none or list(violations(encoding.puzzle, grid))


def _print_grid(puzzle: "Puzzle", grid: Any, to: str | None) -> None:
    from sudoku_encode.formats.writing import write

    print(write(puzzle.geometry, grid, to or ("line" if puzzle.geometry.n_values <= 35 else "csv")))


def convert(
    given: options.PuzzleOptions,
    *,
    to: Annotated[
        str,
        typer.Option(
            help="The format to write.\n\n"
            + "\n\n".join(f"{name}: {row.summary}." for name, row in TEXT_FORMATS.items()),
            **options.one_of(TEXT_FORMATS),
        ),
    ] = "line",
    output: options.Output = "-",
) -> None:
    """Write puzzles in another text format."""
    from sudoku_encode.formats.writing import write_all
    from sudoku_encode.storage import files
    from sudoku_encode.storage.outputs import refuse_inputs

    source = Source(given)
    refuse_inputs(source.inputs, output)

    def good() -> "Iterator[Puzzle]":
        for _, asked in source.puzzles():
            yield asked

    with files.writing(output) as write:
        for piece in write_all(good(), to):
            write(piece.encode())
    raise typer.Exit(Outcome().status(source))
