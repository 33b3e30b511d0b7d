"""The command encode: puzzles as files of models."""

from pathlib import Path
from typing import Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.model_folder import Writing, write_models
from sudoku_encode.cli.options import one_of
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.encoders.table import ALL, DEFAULT_ENCODING, ENCODINGS, MODEL_FORMATS
from sudoku_encode.errors import SudokuError
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.storage.files import SUFFIXES

_FORMATS = "; ".join(f"{form.name}: {form.summary}" for form in MODEL_FORMATS.values())


def command(
    given: options.PuzzleOptions,
    *,
    to: Annotated[
        str | None,
        typer.Option(
            help=f"{_FORMATS}. By default what the name of the output says, else cnf.",
            show_default=False,
            **one_of(MODEL_FORMATS, SUFFIXES),
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
            help="How `at most one of these` becomes clauses of a CNF, by default pairwise; all is each way.",
            show_default=False,
            **one_of([*AT_MOST_ONE, ALL]),
        ),
    ] = None,
    duplicates: Annotated[
        bool,
        typer.Option(
            "--duplicates", help="Write the clauses of two cells once for each unit that has both, as textbooks count."
        ),
    ] = False,
    show: Annotated[
        bool,
        typer.Option(
            "--show", help="Write which variables a model counter should project to (c p show), even where that is all."
        ),
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
    cubes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000_000,
            help="Write at least this number of cubes into an incremental CNF (.icnf), by default 64; fewer where "
            "singles decide all of them. No solution is in two, and each is in one.",
            show_default=False,
        ),
    ] = None,
    to_file: options.OutputOptions,
    work: options.WorkOptions,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what manifest.jsonl in the folder says: a JSON object for each model.")
    ] = False,
) -> None:
    """Write each puzzle as a model: a CNF in DIMACS unless told otherwise.

    A model has the whole puzzle, its givens as unit clauses or fixed variables, unless --reduce leaves some of it out.
    The remark on a CNF says in addition how many variables and clauses --reduce singles would leave; that on a folder
    does not.

    A name that ends in .gz, .xz or .zst is compressed. Of many puzzles each is a file of its own: give a folder, such
    as -o models/. So is each encoding of `--encoding all` and each way of `--amo all`, in a file that is named after
    it. The names are numbers that sort, --to cnf.gz compresses the files, and manifest.jsonl says of each its puzzle,
    size and seconds. It is called manifest.jsonl.part until all are written; a run that was stopped goes on with
    --resume.
    """
    from sudoku_encode.encoders.saving import ModelOptions, model_format, refuse_options, save_model
    from sudoku_encode.storage import outputs

    name, _, compression = (to or "").partition(".")
    output, chosen = to_file.output, ModelOptions(encoding, reduce, amo, duplicates, show, seed, cubes)
    source, in_folder = PuzzleInput(given), outputs.is_folder(output)
    if not in_folder:
        outputs.refuse_inputs(source.inputs, output)
    # The name of a folder says nothing of what is in it.
    form = model_format("" if in_folder else output, name or None)
    refuse_options(form, chosen)
    if in_folder:
        suffix = form.suffixes[0] + (f".{compression}" if compression else "")
        how = Writing(to_file.resume, work.pool(), as_json)
        raise typer.Exit(write_models(Path(output), source, form.name, suffix, chosen, how))
    for text, is_given in {"--resume": to_file.resume, "--json": as_json, **work.given}.items():
        if is_given:
            raise SudokuError(f"{text} has no effect without a folder to write to, such as -o models/")
    if compression and not output.endswith(f".{compression}"):
        raise SudokuError(f"--to {to}: a single file is compressed by its name, such as -o model{form.suffixes[0]}.gz")
    for _, puzzle in source.puzzles():
        if source.many or ALL in (encoding, amo):
            several = "puzzles" if source.many else "models"
            raise SudokuError(f"there are many {several}: give a folder to write to, such as -o models/")
        saved = save_model(puzzle, output, form.name, chosen)
        remark(f"{output}: {saved}" if output != "-" else str(saved))
    raise typer.Exit(Outcome().status(source))
