"""The command encode: puzzles as files of models."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.options import one_of
from sudoku_encode.encoders.table import ALL, DEFAULT_ENCODING, DEFAULT_REDUCTION, ENCODINGS, MODEL_FORMATS
from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.report.model_folder import Writing, write_models
from sudoku_encode.report.reading import Outcome, PuzzleInput
from sudoku_encode.report.streams import remark
from sudoku_encode.storage.files import SUFFIXES

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle

_FORMATS = "; ".join(f"{form.name}: {form.summary}" for form in MODEL_FORMATS.values())


class EncodeOptions(NamedTuple):
    """Options for the model."""

    to: Annotated[
        str | None,
        typer.Option(
            help=f"The format; by default by the suffix, else cnf. All: sudoku-encode info --formats.\n\n{_FORMATS}.",
            show_default=False,
            **one_of(MODEL_FORMATS, SUFFIXES),
        ),
    ] = None
    encoding: Annotated[
        str | None,
        typer.Option(
            help=f"The encoding of a CNF, by default {DEFAULT_ENCODING}; all writes every encoding that fits.",
            show_default=False,
            **one_of([*ENCODINGS, ALL]),
        ),
    ] = None
    reduce: options.Reduction = None
    amo: Annotated[
        str | None,
        typer.Option(
            help="How at-most-one constraints become clauses of a CNF, by default pairwise; all writes every way.",
            show_default=False,
            **one_of([*AT_MOST_ONE, ALL]),
        ),
    ] = None
    duplicates: Annotated[
        bool,
        typer.Option("--duplicates", help="Repeat the clauses of two cells in each unit of both.\n\nTextbooks do so."),
    ] = False
    show: Annotated[
        bool,
        typer.Option(
            "--show",
            help="Write the projection (c p show) in any case.",
        ),
    ] = False
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**31 - 1,
            help="Shuffle a CNF: variables, polarities, clauses, literals.\n\n`decode` reads its answers.",
            show_default=False,
        ),
    ] = None
    cubes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000_000,
            help="The least number of cubes of an .icnf, by default 64.\n\n"
            "An .icnf is an incremental CNF. There are fewer cubes if singles decide all of them. Each solution is in "
            "exactly one cube.",
            show_default=False,
        ),
    ] = None
    assume: Annotated[
        list[str] | None,
        typer.Option(
            help="Add r1c1=5 or r1c1!=5 to a CNF; may be repeated.\n\n"
            "As clauses; in an incremental CNF each cube begins with r1c1=5. Several are separated by commas. An error "
            "if the puzzle, or another assumption, leaves the cell no value; the givens of a WCNF do not count.",
            show_default=False,
        ),
    ] = None
    block: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Exclude the solutions in a file from a CNF.\n\n"
            "In any format for puzzles, each solution by a clause. Each must be a solution of the puzzle, for a WCNF "
            "without its givens.",
            show_default=False,
        ),
    ] = None
    break_symmetry: Annotated[
        bool,
        typer.Option("--break-symmetry", help="Keep at least one solution of each kind."),
    ] = False
    check: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Check that a CNF has the solutions of PUZZLE."
            "\n\nBy default of the puzzle in its comments. It must have these and no others; nothing is written.",
            show_default=False,
        ),
    ] = None


def command(
    given: options.PuzzleOptions,
    *,
    own: EncodeOptions,
    to_file: options.OutputOptions,
    work: options.WorkOptions,
    timeout: options.Timeout = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print manifest.jsonl, or the result of --check.\n\nEach is a JSON object.",
        ),
    ] = False,
) -> None:
    """Write each puzzle as a model, by default a CNF in DIMACS.

    For many puzzles or all encodings give a folder, such as `-o models/`.

    Details:

    A model contains the whole puzzle, with givens as unit clauses or fixed variables, unless --reduce simplifies it.
    The remark on a single CNF also lists the number of variables and clauses that `--reduce singles` would leave.

    A file is compressed if its name ends in .gz, .xz or .zst; in a folder, `--to cnf.gz` compresses all files. They are
    named by the puzzle's number, and for `--encoding all` and `--amo all` also by the encoding. manifest.jsonl lists
    the puzzle, size and seconds of each. It is called manifest.jsonl.part until all files are written. To continue a
    stopped run, repeat the command with --resume.

    --break-symmetry names the values in order in one unit, if the puzzle does not tell them apart, and requires that
    some cells are smaller than others to which symmetries map them. The comments list both as givens and constraints. A
    remark, which a CNF has as a comment too, says which symmetry is broken and what share of the solutions is left. Two
    solutions are of one kind if a symmetry maps one to the other; see `info --symmetry`.

    --check accepts every encoding, also compressed, shuffled or changed by other programs. It believes the comments
    about the cells; for a CNF without comments give PUZZLE, --encoding, --reduce, --amo and --seed. The exit status is
    1 if the CNF has a solution too many or lost one, and 3 if that is not known.
    """
    from sudoku_encode.encoders.model_files import ModelOptions, model_format, refuse_options, save_model
    from sudoku_encode.storage import outputs

    name, _, compression = (own.to or "").partition(".")
    output = to_file.output
    chosen = ModelOptions(
        own.encoding,
        own.reduce,
        own.amo,
        own.duplicates,
        own.show,
        own.seed,
        own.cubes,
        assume=own.assume,
        blocked=own.block,
    )
    if own.check is not None:
        _refuse_with_check(own, to_file, work)
        raise typer.Exit(_checked(given, own, timeout, "json" if as_json else "text"))
    options.refuse_given({"--timeout": timeout is not None}, "without --check")
    source, in_folder = PuzzleInput(given), outputs.is_folder(output)
    if not in_folder:
        outputs.refuse_inputs([*source.inputs, own.block or ""], output)
    # The name of a folder does not tell the format.
    form = model_format("" if in_folder else output, name or None)
    refuse_options(form, chosen)
    if in_folder:
        for_one_puzzle = {"--break-symmetry": own.break_symmetry, "--assume": own.assume, "--block": own.block}
        options.refuse_given(for_one_puzzle, "with a folder; expected one file for one puzzle")
        suffix = form.suffixes[0] + (f".{compression}" if compression else "")
        how = Writing(to_file.resume, work.pool(), as_json)
        raise typer.Exit(write_models(Path(output), source, form.name, suffix, chosen, how))
    without = {"--resume": to_file.resume, "--json": as_json, **work.given}
    options.refuse_given(without, "without a folder to write to, such as -o models/")
    if compression and not output.endswith(f".{compression}"):
        raise SudokuError(
            f"--to {own.to}: a single file is compressed by its name, such as -o model{form.suffixes[0]}.gz"
        )
    for item in source.entries():
        puzzle = item.entry.content
        if isinstance(puzzle, FormatError):
            continue
        if source.many or ALL in (own.encoding, own.amo):
            several = "puzzles" if source.many else "models"
            raise SudokuError(f"there are many {several}: give a folder to write to, such as -o models/")
        if own.block is not None:
            chosen = replace(chosen, blocked=_solutions(own.block, puzzle, given))
        if own.break_symmetry:
            puzzle, about = _without_symmetry(puzzle)
        else:
            # The comments on a puzzle, such as its number of solutions, do not hold for a part of its solutions.
            about = () if chosen.adds_clauses else item.entry.about
        saved = save_model(puzzle, output, form.name, replace(chosen, about=about))
        remark(f"{output}: {saved}" if output != "-" else str(saved))
    raise typer.Exit(Outcome().status(source))


def _without_symmetry(puzzle: "Puzzle") -> "tuple[Puzzle, tuple[str, ...]]":
    """Return a puzzle with at least one solution of each kind, and the remark on that as a comment."""
    from sudoku_encode.api.symmetries import break_symmetry

    broken = break_symmetry(puzzle)
    remark(broken.text)
    return broken.puzzle, (broken.text,)


def _solutions(file: str, puzzle: "Puzzle", given: options.PuzzleOptions) -> "Grids":
    """Return the full grids in a file, on the board of a puzzle."""
    import numpy as np

    from sudoku_encode.errors import FormatError
    from sudoku_encode.formats.entries import Entry
    from sudoku_encode.formats.reading import read_entries

    if file == "-" and "-" in (given.puzzles or ()):
        raise SudokuError("--block - has no effect, since standard input is the puzzle; expected a file")
    rows: list[Grids] = []
    for item in read_entries(file, board=puzzle.geometry, alphabet=given.alphabet):
        if not isinstance(item, Entry):
            rows.append(item.givens)
        elif isinstance(item.content, FormatError):
            raise item.content
        else:
            rows.append(item.content.givens[None])
        if not rows[-1].all():
            raise SudokuError(f"{file}: expected full grids, got a puzzle with blanks")
    return np.concatenate(rows)


def _refuse_with_check(own: EncodeOptions, to_file: options.OutputOptions, work: options.WorkOptions) -> None:
    """Raise SudokuError for an option that has no effect with --check."""
    written = {
        "--to": own.to,
        "--break-symmetry": own.break_symmetry,
        "--duplicates": own.duplicates,
        "--show": own.show,
        "--cubes": own.cubes,
        "--assume": own.assume,
        "--block": own.block,
    }
    outputs = {"-o": to_file.output != "-", "--resume": to_file.resume, **work.given}
    options.refuse_given({**written, **outputs}, "with --check, which writes nothing")
    if ALL in (own.encoding, own.amo):
        raise SudokuError(f"--check checks one model; expected the name of an encoding instead of {ALL}")
    if own.check == "-":
        raise SudokuError("--check - is not possible, since the CNF is read twice; expected a file")


def _checked(given: options.PuzzleOptions, own: EncodeOptions, timeout: float | None, form: str) -> int:
    """Check a CNF, write the result, and return the exit status."""
    from sudoku_encode.api.encodings import check_encoding
    from sudoku_encode.report.encodings import EncodingReport
    from sudoku_encode.run.limits import Limits

    assert own.check is not None
    source, puzzle = PuzzleInput(given), None
    if given.puzzles or given.board:
        puzzles = [puzzle for _, puzzle in source.puzzles()]
        if source.bad:
            return 2
        if source.many or len(puzzles) != 1:
            raise SudokuError("--check compares a CNF with one puzzle; there are several")
        puzzle = puzzles[0]
    check = partial(
        check_encoding,
        own.check,
        puzzle,
        own.encoding or DEFAULT_ENCODING,
        reduction=own.reduce or DEFAULT_REDUCTION,
        amo=own.amo or "pairwise",
        seed=own.seed,
        limits=Limits(seconds=timeout),
    )
    return EncodingReport(source, form).write_checked(own.check, check)
