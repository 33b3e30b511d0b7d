"""The command prove: exactly N solutions, certified."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import status, stopped_status
from sudoku_encode.cli.remarks import remark
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
            "-o", "--output", metavar="FOLDER", help="The folder to write; each of many puzzles gets a folder in it."
        ),
    ] = _FOLDER,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Keep a certificate of the puzzle that is there already, if it is right, and only check it.",
        ),
    ] = False,
    cubes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=MAX_CUBES,
            help="Cut the puzzle into at least this number of cubes, such as 64, which are proved at a time. One "
            "that takes long is cut further; --resume goes on where a run ended.",
            show_default=False,
        ),
    ] = None,
    work: options.WorkOptions,
    check: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Write nothing, and check this folder, trusting nothing in it.", show_default=False
        ),
    ] = None,
    solver: Annotated[
        str,
        typer.Option("--sat-solver", help="A solver of PySAT whose proofs can be trusted.", **options.one_of(PROVERS)),
    ] = DEFAULT_PROVER,
    limit: Annotated[int, typer.Option(min=1, help="Give up a puzzle with this number of solutions.")] = _LIMIT,
    limits: options.LimitOptions,
    as_json: options.Json = False,
) -> None:
    """Certify that each puzzle has exactly N solutions: write a folder that anybody can check, and check it.

    The folder has the puzzle, its CNF, the N solutions, the CNF with their blocking clauses, and a proof that it has no
    model: LRAT, whose every step names the clauses that it follows from. The check compares the CNF clause by clause
    with one made from the puzzle by other code, each solution with the rules, and follows the proof; a DRAT proof of
    another program may stand in its place. The exit status is 1 when a certificate is refused or the number is 0.
    """
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving import in_cubes
    from sudoku_encode.proving.asking import certify_each
    from sudoku_encode.proving.cube_folder import is_in_cubes
    from sudoku_encode.proving.folder import WRITTEN
    from sudoku_encode.storage.outputs import refuse_inputs

    if check is not None:
        if given.puzzles or given.board:
            raise SudokuError("--check takes a folder and no puzzle; the folder has its own")
        if work.executor:
            raise SudokuError("--executor has no effect with --check, which is done here and trusts no other machine")
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
                puzzles, folder_of, limits.limits(limit), in_cubes.Wanted(cubes, solver), pool, resume=resume
            )
        return certify_each(puzzles, folder_of, limits.limits(limit), solver, pool, resume=resume)

    with progress("searching ...", total=source.total) as shown:
        for one, found in source.answered(certified):
            shown.advance(1)
            shown.hide()
            if found is None:
                _print_unproved(one.place.record("bad input"), getattr(one.entry.found, "message", ""), as_json)
            elif isinstance(found, StoppedError):
                outcome.incomplete = True
                _print_unproved(one.place.record(stopped_status(str(found)), solver), str(found), as_json)
                remark(f"{prefix(one.number, source)}not proved; stopped: {found}")
            else:
                certificate, checked = found
                outcome.negative |= not checked.count
                figures: dict[str, Any] = {}
                if certificate:
                    figures = {"proof_bytes": certificate.proof_bytes, "proving": round(certificate.seconds, 3)}
                _print(folder_of(one.number), checked, one.place, solver, figures, as_json)
    raise typer.Exit(outcome.status(source))


def _of_the_same(puzzles: "Iterator[Numbered]", folder_of: "Callable[[int], Path]") -> "Iterator[Numbered]":
    """Yield puzzles, each after a look at what an earlier run left in its folder.

    Raises:
        SudokuError: it is of another puzzle. One that cannot be read is made anew.
    """
    from sudoku_encode.proving import folder as files

    for number, puzzle in puzzles:
        folder = folder_of(number)
        try:
            earlier = files.puzzle(folder)
        except SudokuError:
            earlier = puzzle
        if earlier != puzzle:
            raise SudokuError(
                f"{folder / files.PUZZLE}: this is not the puzzle that --resume is given; leave --resume out to "
                "replace the certificate, or give -o another folder"
            )
        yield number, puzzle


def _print_unproved(record: dict[str, Any], reason: str, as_json: bool) -> None:
    """Print, as JSON, that nothing was proved; people read a remark."""
    if as_json:
        print(json.dumps(record | {"proved": False, "reason": reason}), flush=True)


def _check(folder: Path, limits: "Limits", processes: int | None, as_json: bool) -> int:
    """Check a certificate that is there, and return the exit status."""
    from sudoku_encode.api.evidence import check_certificate
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving import CertificateError

    place = Place(str(folder))
    try:
        with progress("checking ..."):
            found = check_certificate(folder, limits=limits, processes=processes)
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
    _print(folder, found, place, None, {}, as_json)
    return 0 if found.count else 1


def _print(
    folder: Path, found: "CheckedCount", place: Place, solver: str | None, figures: dict[str, Any], as_json: bool
) -> None:
    """Print what a certificate proves.

    Args:
        folder: the certificate's.
        found: what its check returned.
        place: where the puzzle is from.
        solver: that proved it, if that was in this run.
        figures: how large it is and how long it took, if it was written in this run.
        as_json: whether to print a JSON object.
    """
    n_constraints = len(found.puzzle.constraints)
    if as_json:
        board = found.puzzle.geometry
        seconds = found.seconds + figures.get("proving", 0.0)
        report = place.record(status(Count(found.count, True), False), solver, seconds) | {
            "proved": True,
            "count": found.count,
            "folder": str(folder),
            "board": board.name,
            "rules": list(board.rule_names),
            "lemmas": found.lemmas,
            **({"cubes": found.n_cubes} if found.n_cubes else {}),
            **({"constraints_compared": found.n_compared} if n_constraints else {}),
            "checkers": list(found.checkers),
            "checking": round(found.seconds, 3),
            **figures,
        }
        print(json.dumps(report), flush=True)
        return
    print(f"exactly {found.count} {plural('solution', found.count)}, proved", flush=True)
    size = f", {figures['proof_bytes']:,} bytes, made in {figures['proving']:.2f} s" if figures else ""
    lemmas, checkers = plural("lemma", found.lemmas), " and ".join(found.checkers)
    parts = f" in {found.n_cubes} {plural('cube', found.n_cubes)}" if found.n_cubes else ""
    remark(f"{folder}: {found.lemmas} {lemmas}{parts}{size}; checked by {checkers} in {found.seconds:.2f} s")
    if n_constraints:
        of = f"of {n_constraints} {plural('constraint', n_constraints)}"
        remark(f"{folder}: {found.n_compared} {of} compared with their definitions on all values")
