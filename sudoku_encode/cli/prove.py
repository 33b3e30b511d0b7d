"""The command prove: exactly N solutions, certified."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import complain
from sudoku_encode.solvers.table import CERTIFICATE_FORMS, DEFAULT_PROVER, PROVERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_encode.report.certificates import Proof
    from sudoku_encode.run.asking import Answer, Numbered

# The same as in `proving.cube_folder`, which takes time to load.
MAX_CUBES = 20_000
_FOLDER, _LIMIT = "certificate", 100_000


class ProveOptions(NamedTuple):
    """Options for the certificate."""

    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FOLDER",
            help="The folder to write; for many puzzles, with a numbered folder for each.",
        ),
    ] = _FOLDER
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="If the folder contains a correct certificate of the puzzle, only check it.",
        ),
    ] = False
    cubes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_CUBES,
            help="Split the puzzle into at least this number of cubes, proved in parallel; --resume "
            "continues a stopped run.",
            show_default=False,
        ),
    ] = None
    recount: Annotated[
        bool,
        typer.Option(
            "--count",
            help="Certify a number of any size: how to count again.",
        ),
    ] = False
    to: Annotated[
        str | None,
        typer.Option(
            help="Also write files for other checkers: rocq, a theorem for Coq (a count), or veripb.",
            show_default=False,
            **options.one_of(CERTIFICATE_FORMS),
        ),
    ] = None
    check: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Only check the certificate in this folder, or those in its numbered folders, trusting nothing.",
            show_default=False,
        ),
    ] = None
    proved: Annotated[
        bool,
        typer.Option(
            "--proved",
            help="With --check: also by a program proved correct.",
        ),
    ] = False
    states: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="With --check, after --count: a layer of another program; name the first state that differs.",
            show_default=False,
        ),
    ] = None
    solver: Annotated[
        str,
        typer.Option("--sat-solver", help="A solver of PySAT with trustworthy proofs.", **options.one_of(PROVERS)),
    ] = DEFAULT_PROVER
    limit: Annotated[int, typer.Option(min=1, help="Give up on a puzzle with this number of solutions.")] = _LIMIT


def command(
    given: options.PuzzleOptions,
    *,
    own: ProveOptions,
    work: options.WorkOptions,
    limits: options.LimitOptions,
    as_json: options.Json = False,
) -> None:
    """Prove that each puzzle has exactly N solutions: write a certificate that anybody can check, and check it.

    The exit status is 1 if a certificate is refused or N is 0.

    Details:

    The certificate is a folder with the puzzle, its CNF, the N solutions, the CNF with their blocking clauses, and an
    LRAT proof that the latter has no model. The check compares the CNF clause by clause with one made from the puzzle
    by other code, compares each solution with the rules, and verifies the proof. A DRAT proof of another program is
    accepted too. With --cubes, a cube that takes long is split further. With --to, the folder also contains the puzzle
    and the proof in files for VeriPB and CakePB, which check all but that these are the puzzle.

    With --count the solutions are counted by the puzzle that is left after each cell, and the certificate has only
    the order of the cells and what each layer of the count adds up to; the check counts again. With --cubes too,
    only cubes with 100 solutions or more are counted. With --proved, programs that are proved correct, compiled here
    with Coq and OCaml, check it too.
    """
    from sudoku_encode.report.certificates import ProveReport

    form = "json" if as_json else "text"
    if own.check is not None:
        changed = {
            "-o": own.output != _FOLDER,
            "--sat-solver": own.solver != DEFAULT_PROVER,
            "--limit": own.limit != _LIMIT,
            "--resume": own.resume,
            "--cubes": own.cubes is not None,
            "--count": own.recount,
            "--to": own.to is not None,
        }
        _refuse_with_check(given, work, changed, Path(own.check))
        raise typer.Exit(_check(Path(own.check), own, PuzzleInput(given), form, work, limits))
    if own.proved:
        raise SudokuError("--proved needs --check")
    if own.states is not None:
        raise SudokuError("--states needs --check, and the folder of a certificate made with --count")
    is_count = own.recount or own.to == "rocq"
    if is_count:
        why = f"with --{'count' if own.recount else 'to rocq'}, which counts all solutions"
        options.refuse_given({"--limit": own.limit != _LIMIT, "--to veripb": own.to == "veripb"}, why)
        without_cubes = {"--sat-solver": own.solver != DEFAULT_PROVER and own.cubes is None}
        options.refuse_given(without_cubes, "with a count but without --cubes: no solver proves anything")
    if own.cubes is not None and limits.memory is not None:
        raise SudokuError("--memory has no effect with --cubes, whose workers have their own")
    if own.cubes is not None and own.to is not None:
        raise SudokuError("--to has no effect with --cubes: these files are about the whole puzzle")
    source, pool, within = PuzzleInput(given), work.pool(), limits.limits(None if is_count else own.limit)
    report = ProveReport(source, form, "recount" if is_count and own.cubes is None else own.solver)

    def folder_of(number: int) -> Path:
        return source.folder_of(Path(own.output), number)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, Answer[Proof]]]":
        from sudoku_encode.proving import in_cubes
        from sudoku_encode.proving.batches import certify_each

        puzzles = _of_the_same(puzzles, folder_of) if own.resume else puzzles
        if own.cubes is not None:
            options = in_cubes.CubeOptions(own.cubes, own.solver, may_count=own.recount)
            outcomes = in_cubes.certify_each(puzzles, folder_of, within, options, pool, resume=own.resume)
        else:
            outcomes = certify_each(
                puzzles, folder_of, within, own.solver, pool, resume=own.resume, count=own.recount, to=own.to
            )
        return ((item, report.answer(outcome, folder_of(item[0]))) for item, outcome in outcomes)

    raise typer.Exit(report.write(source.answered(ask)))


def _check(
    folder: Path,
    own: ProveOptions,
    source: PuzzleInput,
    form: str,
    work: options.WorkOptions,
    limits: options.LimitOptions,
) -> int:
    """Check certificates, or compare a layer of one; write the results, and return the exit status."""
    from sudoku_encode.api.evidence import check_certificate
    from sudoku_encode.report.certificates import ProveReport, write_difference

    if own.states is not None:
        changed = {
            "--proved": own.proved,
            "--timeout": limits.timeout is not None,
            "--memory": limits.memory is not None,
            "--json": form == "json",
        }
        options.refuse_given(changed, "with --states")
        return write_difference(folder, Path(own.states))
    report, folders = ProveReport(source, form, None), _certificates(folder)
    for path in folders:
        checking = partial(check_certificate, path, limits=limits.limits(), processes=work.processes, proved=own.proved)
        try:
            report.write_checked(path, checking)
        except FormatError as error:
            if len(folders) == 1:
                raise
            source.bad = True
            complain(error)
    return report.exit_status()


def _certificates(folder: Path) -> list[Path]:
    """Return the folder, or the folders in it that are named by numbers, as `prove` writes them of many puzzles."""
    from sudoku_encode.proving.folder import CANDIDATES, CERTIFICATE, COUNT

    if (folder / CANDIDATES).is_file():
        command = f"`sudoku-encode candidates --check {folder}`"
        raise SudokuError(f"{folder}: a certificate of true candidates; {command} checks it")
    names = (CERTIFICATE, COUNT)
    numbered = [path.parent for name in names for path in folder.glob(f"*/{name}") if path.parent.name.isdecimal()]
    if any((folder / name).exists() for name in names) or not numbered:
        return [folder]
    return sorted(numbered, key=lambda path: int(path.name))


def _refuse_with_check(
    given: options.PuzzleOptions, work: options.WorkOptions, changed: dict[str, bool], folder: Path
) -> None:
    """Raise SudokuError for an option that has no effect with --check."""
    from sudoku_encode.proving.cube_folder import is_in_cubes

    if given.puzzles or given.board:
        raise SudokuError("--check takes a folder but no puzzle: the folder contains the puzzle")
    if work.executor:
        raise SudokuError("--executor has no effect with --check, which runs here and trusts no other machine")
    several = {} if is_in_cubes(folder) else work.given
    options.refuse_given({**changed, **several}, "with --check, which writes nothing")


def _of_the_same(puzzles: "Iterator[Numbered]", folder_of: "Callable[[int], Path]") -> "Iterator[Numbered]":
    """Yield puzzles, but refuse a folder with the certificate of another puzzle; an unreadable one is replaced."""
    from sudoku_encode.proving import folder as files

    for number, puzzle in puzzles:
        folder = folder_of(number)
        try:
            earlier = files.puzzle(folder)
        except SudokuError:
            earlier = puzzle.from_one
        if earlier != puzzle.from_one:
            raise SudokuError(
                f"{folder / files.PUZZLE}: not the puzzle of this run; leave out --resume to replace the certificate, "
                "or give -o another folder"
            )
        yield number, puzzle
