"""The command encode: puzzles as files of models."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.options import one_of
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.encoders.table import ALL, DEFAULT_ENCODING, ENCODINGS, MODEL_FORMATS
from sudoku_encode.errors import MethodError, SudokuError
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
            help=f"Of a CNF, by default {DEFAULT_ENCODING}; all is each that fits. See `sudoku-encode methods`.",
            show_default=False,
            **one_of([*ENCODINGS, ALL]),
        ),
    ] = None,
    reduce: options.Reduction = None,
    amo: Annotated[
        str | None,
        typer.Option(
            help="How at-most-one becomes clauses of a CNF, by default pairwise; all is each.",
            show_default=False,
            **one_of([*AT_MOST_ONE, ALL]),
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

    A name that ends in .gz, .xz or .zst is compressed. Of many puzzles each is a file of its own: give a folder. So is
    each encoding of `--encoding all` and each way of `--amo all`, in a file that is named after it.
    """
    from sudoku_encode.encoders.saving import ModelOptions, model_format, refuse_options, save_model
    from sudoku_encode.encoders.variants import unfit, variants
    from sudoku_encode.storage import outputs

    form, chosen = model_format(output, to), ModelOptions(encoding, reduce, amo, duplicates, show, seed)
    refuse_options(form, chosen)
    source, suffix, spread = PuzzleInput(given), form.suffixes[0], ALL in (encoding, amo)
    folder = outputs.folder(output) if output.endswith("/") or Path(output).is_dir() else None
    outputs.refuse_inputs(source.inputs, *(_models(folder, suffix) if folder else [output]))
    n_written = 0
    for number, puzzle in source.puzzles():
        if (source.many or spread) and not folder:
            several = "puzzles" if source.many else "models"
            raise SudokuError(f"there are many {several}: give a folder to write to, such as -o models/")
        for name, reason in unfit(puzzle.geometry).items() if encoding == ALL else ():
            remark(f"no {name}: {reason}")
        for variant in variants(encoding, amo, puzzle.geometry):
            stem = [str(number)] * (source.many or not spread) + [variant.name] * spread
            path = str(folder / f"{'-'.join(stem)}{suffix}") if folder else output
            try:
                saved = save_model(puzzle, path, form.name, replace(chosen, encoding=variant.encoding, amo=variant.amo))
            except MethodError as error:
                if not spread:
                    raise
                # An option that one encoding does not take is one that others do.
                remark(f"no {variant.name}: {error}")
                continue
            n_written += 1
            remark(f"{path}: {saved}" if path != "-" else str(saved))
    if spread and not n_written:
        raise SudokuError("no model was written")
    raise typer.Exit(Outcome().status(source))


def _models(folder: Path, suffix: str) -> list[Path]:
    """Return the files of a folder whose names are as models get them: a number, an encoding, or both.

    Raises:
        SudokuError: its files cannot be listed.
    """
    name = re.compile(rf"([0-9]+|([0-9]+-)?({'|'.join(ENCODINGS)})(-({'|'.join(AT_MOST_ONE)}))?){re.escape(suffix)}")
    try:
        return [file for file in folder.iterdir() if name.fullmatch(file.name)]
    except OSError as error:
        raise SudokuError(f"{folder}: its files cannot be listed: {error.strerror}") from error
