"""The command prove: exactly N solutions, certified."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import Outcome, PuzzleInput
from sudoku_encode.cli.records import status, stopped_status
from sudoku_encode.cli.streams import remark
from sudoku_encode.errors import SudokuError, plural
from sudoku_encode.formats.place import Place
from sudoku_encode.run.counting import Count
from sudoku_encode.solvers.table import DEFAULT_PROVER, PROVERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sudoku_encode.cli.reading import Numbered
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving import CheckedCount
    from sudoku_encode.proving.making import Certificate
    from sudoku_encode.run.limits import Limits

    Proved = tuple[Certificate | None, CheckedCount] | StoppedError


# The same as in `proving.cube_folder`, which takes time to load.
MAX_CUBES = 20_000
_FOLDER, _LIMIT = "certificate", 100_000


def command(
    given: options.PuzzleOptions,
    *,
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="FOLDER", help="The folder to write; for many puzzles, with a folder for each."
        ),
    ] = _FOLDER,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Keep an existing certificate of the puzzle if it is right, and only check it.",
        ),
    ] = False,
    cubes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_CUBES,
            help="Split the puzzle into at least this number of cubes, such as 64, which are proved in parallel. A "
            "cube that takes long is split further; --resume continues a stopped run.",
            show_default=False,
        ),
    ] = None,
    work: options.WorkOptions,
    check: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Only check this folder, trusting nothing in it.", show_default=False),
    ] = None,
    solver: Annotated[
        str,
        typer.Option("--sat-solver", help="A solver of PySAT with trustworthy proofs.", **options.one_of(PROVERS)),
    ] = DEFAULT_PROVER,
    limit: Annotated[int, typer.Option(min=1, help="Give up a puzzle with this number of solutions.")] = _LIMIT,
    limits: options.LimitOptions,
    as_json: options.Json = False,
) -> None:
    """Certify that each puzzle has exactly N solutions: write a folder that anybody can check, and check it.

    The exit status is 1 if a certificate is refused or N is 0.

    Details:

    The folder contains the puzzle, its CNF, the N solutions, the CNF with their blocking clauses, and a proof that the
    latter has no model, in LRAT, where each step names the clauses from which it follows. The check compares the CNF
    clause by clause with one made from the puzzle by other code and each solution with the rules, and verifies the
    proof; another program's DRAT proof is accepted too.
    """
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving import in_cubes
    from sudoku_encode.proving.batches import certify_each
    from sudoku_encode.proving.cube_folder import is_in_cubes
    from sudoku_encode.proving.folder import WRITTEN
    from sudoku_encode.storage.outputs import refuse_inputs

    if check is not None:
        if given.puzzles or given.board:
            raise SudokuError("--check takes a folder but no puzzle: the folder contains the puzzle")
        if work.executor:
            raise SudokuError("--executor has no effect with --check, which runs here and trusts no other machine")
        changed = {"-o": output != _FOLDER, "--sat-solver": solver != DEFAULT_PROVER, "--limit": limit != _LIMIT}
        several = {} if is_in_cubes(Path(check)) else work.given
        for name, is_given in {**changed, "--resume": resume, "--cubes": cubes is not None, **several}.items():
            if is_given:
                raise SudokuError(f"{name} has no effect with --check, which writes nothing")
        raise typer.Exit(_check(Path(check), limits.limits(), work.processes, as_json))
    if cubes is not None and limits.memory is not None:
        raise SudokuError("--memory has no effect with --cubes, whose workers have their own")
    source, outcome, pool = PuzzleInput(given), Outcome(), work.pool()

    def folder_of(number: int) -> Path:
        folder = Path(output) / str(number) if source.many else Path(output)
        refuse_inputs(source.inputs, *(folder / name for name in WRITTEN))
        return folder

    def certified(
        puzzles: "Iterator[Numbered]",
    ) -> "Iterator[tuple[Numbered, tuple[Certificate | None, CheckedCount] | StoppedError]]":
        puzzles = _of_the_same(puzzles, folder_of) if resume else puzzles
        if cubes is not None:
            return in_cubes.certify_each(
                puzzles, folder_of, limits.limits(limit), in_cubes.CubeOptions(cubes, solver), pool, resume=resume
            )
        return certify_each(puzzles, folder_of, limits.limits(limit), solver, pool, resume=resume)

    with progress("searching ...", total=source.total) as shown:
        for item, answer in source.answered(certified):
            shown.advance(1)
            shown.hide()
            if answer is None:
                _print_unproved(item.place.record("bad input"), getattr(item.entry.content, "message", ""), as_json)
            elif isinstance(answer, StoppedError):
                outcome.incomplete = True
                _print_unproved(item.place.record(stopped_status(str(answer)), solver), str(answer), as_json)
                remark(f"{prefix(item.number, source)}not proved; stopped: {answer}")
            else:
                certificate, checked = answer
                outcome.negative |= not checked.count
                figures: dict[str, Any] = {}
                if certificate:
                    figures = {"proof_bytes": certificate.proof_bytes, "proving": round(certificate.seconds, 3)}
                _print(folder_of(item.number), checked, item.place, solver, figures, as_json)
    raise typer.Exit(outcome.status(source))


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


def _print_unproved(record: dict[str, Any], reason: str, as_json: bool) -> None:
    """Print as JSON that nothing was proved; for people there is a remark."""
    if as_json:
        print(json.dumps(record | {"proved": False, "reason": reason}), flush=True)


def _check(folder: Path, limits: "Limits", processes: int | None, as_json: bool) -> int:
    """Check a certificate, and return the exit status."""
    from sudoku_encode.api.evidence import check_certificate
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving import CertificateError

    place = Place(str(folder))
    try:
        with progress("checking ..."):
            checked = check_certificate(folder, limits=limits, processes=processes)
    except CertificateError as reason:
        if as_json:
            _print_unproved(place.record("refused"), str(reason), as_json)
        else:
            print("refused")
        remark(f"refused: {reason}")
        return 1
    except StoppedError as reason:
        _print_unproved(place.record(stopped_status(str(reason))), str(reason), as_json)
        remark(f"{folder}: not checked; stopped: {reason}")
        return 3
    _print(folder, checked, place, None, {}, as_json)
    return 0 if checked.count else 1


def _print(
    folder: Path, checked: "CheckedCount", place: Place, solver: str | None, figures: dict[str, Any], as_json: bool
) -> None:
    """Print the proved number of solutions; `figures` are the size and the time if this run wrote the certificate."""
    n_constraints = len(checked.puzzle.constraints)
    if as_json:
        board = checked.puzzle.geometry
        seconds = checked.seconds + figures.get("proving", 0.0)
        report = place.record(status(Count(checked.count, True), False), solver, seconds) | {
            "proved": True,
            "count": checked.count,
            "folder": str(folder),
            "board": board.name,
            "rules": list(board.rule_names),
            "lemmas": checked.lemmas,
            **({"cubes": checked.n_cubes} if checked.n_cubes else {}),
            **({"constraints_compared": checked.n_compared} if n_constraints else {}),
            "checkers": list(checked.checkers),
            "checking": round(checked.seconds, 3),
            **figures,
        }
        print(json.dumps(report), flush=True)
        return
    print(f"exactly {checked.count} {plural('solution', checked.count)}, proved", flush=True)
    size = f", {figures['proof_bytes']:,} bytes, made in {figures['proving']:.2f} s" if figures else ""
    lemmas, checkers = plural("lemma", checked.lemmas), " and ".join(checked.checkers)
    parts = f" in {checked.n_cubes} {plural('cube', checked.n_cubes)}" if checked.n_cubes else ""
    remark(f"{folder}: {checked.lemmas} {lemmas}{parts}{size}; checked by {checkers} in {checked.seconds:.2f} s")
    if n_constraints:
        of = f"of {n_constraints} {plural('constraint', n_constraints)}"
        remark(f"{folder}: {checked.n_compared} {of} compared with their definitions on all values")
