"""The command prove: exactly N solutions, certified."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import Answers, Source, remark
from sudoku_encode.errors import SudokuError


def prove(
    puzzle: options.PuzzleArgument = "",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    output: Annotated[
        str, typer.Option("-o", "--output", help="The folder to write; each of many puzzles gets a folder in it.")
    ] = "certificate",
    check: Annotated[
        str | None,
        typer.Option(help="Write nothing, and check this folder, trusting nothing in it.", show_default=False),
    ] = None,
    solver: Annotated[str, typer.Option("--sat-solver", help="A solver of PySAT whose proofs can be trusted.")] = (
        "glucose4"
    ),
    limit: Annotated[int, typer.Option(min=1, help="Give up a puzzle with so many solutions.")] = 100_000,
    timeout: options.Timeout = None,
    as_json: options.Json = False,
) -> None:
    """Certify that each puzzle has exactly N solutions: write a folder that anybody can check, and check it.

    The folder has the puzzle, its CNF, the N solutions, the CNF with their blocking clauses, and a DRAT proof that it
    has no model. The check compares the CNF clause by clause with one made from the puzzle by other code, each solution
    with the rules, and has the proof checked by dratify. The exit status is 1 when a certificate is refused or the
    number is 0.
    """
    from sudoku_encode.proof.checking import Refused

    if check is not None:
        if puzzle or board:
            raise SudokuError("--check takes a folder and no puzzle; the folder has its own")
        try:
            count = _checked(Path(check), {}, as_json)
        except Refused as reason:
            _refused(reason, as_json)
            raise typer.Exit(1) from reason
        raise typer.Exit(0 if count else 1)
    source = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format})
    answers = Answers()
    for number, asked in source.puzzles():
        folder = Path(output) / str(number) if source.many else Path(output)
        answers.negative |= not _certified(number, asked, folder, source, answers, solver, limit, timeout, as_json)
    raise typer.Exit(source.exit_status(answers))


def _certified(
    number: int,
    puzzle: Any,
    folder: Path,
    source: Source,
    answers: Answers,
    solver: str,
    limit: int,
    timeout: float | None,
    as_json: bool,
) -> bool:
    """Write and check one certificate; say whether there is a solution."""
    from sudoku_encode.errors import Stopped
    from sudoku_encode.proof import prove
    from sudoku_encode.result import Budget

    try:
        with progress("searching ...") as watch:
            made = prove(puzzle, folder, Budget.of(limit, timeout), solver, watch)
    except Stopped as reason:
        answers.incomplete = True
        remark(f"{prefix(number, source)}not proved; stopped: {reason}")
        return True
    figures = {"puzzle": number, "solver": solver, "proof_bytes": made.proof_bytes, "proving": round(made.seconds, 3)}
    return bool(_checked(folder, figures, as_json))


def _checked(folder: Path, figures: dict[str, Any], as_json: bool) -> int:
    """Check a certificate and print what it proves; return the number of solutions."""
    from sudoku_encode.proof import check

    with progress("checking ...") as watch:
        found = check(folder, watch)
    report = {
        **figures,
        "folder": str(folder),
        "board": found.puzzle.geometry.name,
        "rules": list(found.puzzle.geometry.rule_names),
        "solutions": found.count,
        "proved": True,
        "lemmas": found.lemmas,
        "checkers": list(found.checkers),
        "checking": round(found.seconds, 3),
    }
    if as_json:
        print(json.dumps(report), flush=True)
        return found.count
    solutions = "solution" if found.count == 1 else "solutions"
    print(f"exactly {found.count} {solutions}, proved", flush=True)
    size = f", {figures['proof_bytes']:,} bytes, made in {figures['proving']:.2f} s" if figures else ""
    lemmas = "lemma" if found.lemmas == 1 else "lemmas"
    checkers = " and ".join(found.checkers)
    remark(f"{folder}: {found.lemmas} {lemmas}{size}; checked by {checkers} in {found.seconds:.2f} s")
    return found.count


def _refused(reason: Exception, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"proved": False, "refused": str(reason)}))
    else:
        print("refused")
    remark(f"refused: {reason}")
