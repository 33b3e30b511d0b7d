"""The command decode: what a SAT solver printed, back to the grid."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import SudokuError

if TYPE_CHECKING:
    from sudoku_encode.encoders.encoding import Encoding
    from sudoku_encode.formula.solver_output import Output

# Decoding ends after this many models in a row that are no solutions.
_MAX_FAULTY_IN_A_ROW = 100


def command(
    cnf: Annotated[str, typer.Argument(metavar="CNF", help="A file that `encode` wrote.")],
    output: Annotated[
        str, typer.Argument(metavar="[OUTPUT]", help="What the solver printed: a file, or - for standard input.")
    ] = "-",
    exit_status: Annotated[
        int | None,
        typer.Option(help="The solver's exit status. That there is no solution counts only with a 20 and the word."),
    ] = None,
    trust_status: Annotated[
        bool,
        typer.Option(
            "--trust-status", help="Believe UNSATISFIABLE in the output without an exit status, as in a pipe."
        ),
    ] = False,
    to: options.TextFormat = None,
    as_json: options.Json = False,
) -> None:
    """Turn a SAT solver's output back into the grid, and check it against the rules and the givens.

    OUTPUT has `s` and `v` lines, minisat's SAT and a line of literals, or a bare list of literals; with several models
    several grids come out. Each fault of a grid is a line on standard error, and the exit status is 1. It is 3 when
    there is no answer, or the last of several models is cut off.

    That there is no solution is believed only when the output says UNSATISFIABLE and the solver's exit status is 20, or
    with --trust-status; with a model, or an exit status that means the opposite, it is refused.
    """
    from sudoku_encode.encoders.cnf_file import load_encoding
    from sudoku_encode.formula import solver_output
    from sudoku_encode.storage import files

    encoding = load_encoding(cnf)
    source = "stdin" if output == "-" else output
    printed = solver_output.parse(files.read_lines(output), source)
    if trust_status:
        if exit_status is not None:
            raise SudokuError("--exit-status and --trust-status: give one of them")
        exit_status = 20 if printed.claim is False else None
    answer, reason = solver_output.verdict(printed, exit_status, source)
    if not answer:
        status = "unknown" if answer is None else "no solution"
        if as_json:
            print(json.dumps({"status": status, "reason": reason}))
        remark(f"{'not known' if answer is None else 'no solution'}: {reason}")
        raise typer.Exit(3 if answer is None else 1)
    faulty = _print_models(encoding, printed, to, as_json)
    if printed.cut_off:
        remark("the last model is cut off: it does not end with a 0")
    raise typer.Exit(3 if printed.cut_off else 1 if faulty else 0)


def _print_models(encoding: "Encoding", printed: "Output", to: str | None, as_json: bool) -> bool:
    """Print the grids, and what is wrong with them; return whether anything is."""
    from sudoku_encode.formats.writing import write

    geometry = encoding.puzzle.geometry
    form = to or ("line" if geometry.n_values <= 35 else "csv")
    faulty, faulty_in_a_row = False, 0
    for model in printed.models:
        grid, faults = encoding.decode_with_faults(model)
        faulty |= bool(faults)
        faulty_in_a_row = faulty_in_a_row + 1 if faults else 0
        if as_json:
            status = "not a solution" if faults else "solved"
            print(json.dumps({"status": status, "solution": grid.tolist(), "faults": faults}))
        elif not faults:
            print(write(geometry, grid, form))
        for fault in faults:
            remark(f"not a solution: {fault}")
        if faulty_in_a_row == _MAX_FAULTY_IN_A_ROW:
            remark(f"the rest is not looked at, since {_MAX_FAULTY_IN_A_ROW} models in a row are no solutions")
            break
    return faulty
