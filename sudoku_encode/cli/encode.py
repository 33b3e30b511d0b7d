"""The command encode: puzzles as files of models."""

import re
from pathlib import Path
from typing import Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.options import one_of
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.encoders.table import DEFAULT_ENCODING, ENCODINGS, MODEL_FORMATS
from sudoku_encode.errors import SudokuError
from sudoku_encode.formula.table import AT_MOST_ONE

_FORMATS = "; ".join(f"{form.name}: {form.summary}" for form in MODEL_FORMATS.values())


def command(
    given: options.PuzzleOptions,
    *,
    to: Annotated[
        str | None,
        typer.Option(
            help=f"{_FORMATS}. By default what the name of the output says, else cnf.",
            show_default=False,
            **one_of(MODEL_FORMATS),
        ),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            help=f"Of a CNF, by default {DEFAULT_ENCODING}; see `sudoku-encode methods`.",
            show_default=False,
            **one_of(ENCODINGS),
        ),
    ] = None,
    reduce: options.Reduction = None,
    amo: Annotated[
        str | None,
        typer.Option(
            help="How at-most-one becomes clauses of a CNF, by default pairwise.",
            show_default=False,
            **one_of(AT_MOST_ONE),
        ),
    ] = None,
    duplicates: Annotated[
        bool, typer.Option("--duplicates", help="Write a pair once for each unit that has it, as textbooks count.")
    ] = False,
    show: Annotated[
        bool, typer.Option("--show", help="Write the projection (c p show) even without auxiliary variables.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**31 - 1,
            help="Shuffle a CNF: variables, polarities, clauses and the literals in each. `decode` reads its answers.",
            show_default=False,
        ),
    ] = None,
    output: options.Output = "-",
) -> None:
    """Write each puzzle as a model: a CNF in DIMACS unless told otherwise.

    A name that ends in .gz, .xz or .zst is compressed. Of many puzzles each is a file of its own: give a folder.
    """
    from sudoku_encode.encoders.saving import ModelOptions, model_format, save_model
    from sudoku_encode.storage import outputs

    form, chosen = model_format(output, to), ModelOptions(encoding, reduce, amo, duplicates, show, seed)
    source = PuzzleInput(given)
    folder = outputs.folder(output) if output.endswith("/") or Path(output).is_dir() else None
    outputs.refuse_inputs(source.inputs, *(_numbered(folder, form.suffixes[0]) if folder else [output]))
    for number, puzzle in source.puzzles():
        if source.many and not folder:
            raise SudokuError("there are many puzzles: give a folder to write to, such as -o models/")
        path = str(folder / f"{number}{form.suffixes[0]}") if folder else output
        saved = save_model(puzzle, path, form.name, chosen)
        remark(f"{path}: {saved}" if path != "-" else str(saved))
    raise typer.Exit(Outcome().status(source))


def _numbered(folder: Path, suffix: str) -> list[Path]:
    """Return the files of a folder whose names are a number with a suffix, as models get them.

    Raises:
        SudokuError: its files cannot be listed.
    """
    try:
        return [file for file in folder.iterdir() if re.fullmatch(rf"[0-9]+{re.escape(suffix)}", file.name)]
    except OSError as error:
        raise SudokuError(f"{folder}: its files cannot be listed: {error.strerror}") from error
