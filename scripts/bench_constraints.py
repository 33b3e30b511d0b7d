"""What is done with puzzles that have constraints, method beside method and another program: for `scripts/bench`.

The other program is the package pencilmark, where it is installed. It is given each puzzle as an f-puzzles link.
"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

# After this a piece of work is given up.
LIMIT_SECONDS = 10.0
# The same for all steps of a puzzle.
STEPS_SECONDS = 90.0
_PEER = "pencilmark"


class Timed(NamedTuple):
    """A piece of work on one puzzle.

    Attributes:
        seconds: that it took; None where it was given up, or declined.
        said: what came of it, which must be the same by all that count.
    """

    seconds: float | None
    said: str


def bench_constraints(paths: Sequence[str], rounds: int) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Time each piece of work on each puzzle of some files; print medians and the worst.

    Returns:
        By piece of work and puzzle what `Timed` says in each round.

    Raises:
        SystemExit: two methods disagree about a puzzle.
    """
    puzzles = dict(_puzzles(paths))
    works = _works()
    results: dict[str, dict[str, list[dict[str, Any]]]] = {name: {} for name in works}
    for name, puzzle in puzzles.items():
        for work, function in works.items():
            runs = [_timed(function, puzzle) for _ in range(rounds)]
            results[work][name] = [run._asdict() for run in runs]
    print(f"{len(puzzles)} puzzles, {LIMIT_SECONDS:g} s each")
    print(f"{'work':<34} {'median s':>9} {'worst s':>9} {'ended':>6}  the worst, and those that did not end")
    for work, found in results.items():
        print(_row(work, found), flush=True)
    for name in puzzles:
        if len(said := _counts(results, name)) > 1:
            raise SystemExit(f"{name}: methods disagree: {said}")
    return results


def bench_steps(paths: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Solve puzzles by steps alone, and print how many are solved, by the hardest technique and by kind of constraint.

    Returns:
        By puzzle how the steps end, the hardest technique, the kinds of constraints and the CPU seconds.
    """
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.questions.hinting import SOLVED, solve_by_hand
    from sudoku_encode.questions.techniques.table import TECHNIQUES
    from sudoku_encode.run.limits import Limits

    results: dict[str, dict[str, Any]] = {}
    for name, puzzle in _puzzles(paths):
        start = time.process_time()
        try:
            path = solve_by_hand(puzzle, tick=Limits(seconds=STEPS_SECONDS).start())
            ended, hardest = path.ended, path.hardest
        except StoppedError:
            ended, hardest = "stopped", ""
        kinds = sorted({constraint.kind for constraint in puzzle.constraints})
        row = {"ended": ended, "hardest": hardest, "kinds": kinds, "seconds": time.process_time() - start}
        results[name] = row
    rows = results.values()
    solved = [row for row in rows if row["ended"] == SOLVED]
    seconds = [row["seconds"] for row in rows]
    print(f"{len(solved)} of {len(results)} solved by steps; CPU s: median {statistics.median(seconds):.2f}, ", end="")
    print(f"worst {max(seconds):.1f}, all {sum(seconds):.0f}")
    for technique in TECHNIQUES.values():
        if n := sum(row["hardest"] == technique.name for row in solved):
            print(f"  {technique.difficulty:<10} {technique.name:<26} {n}")
    for kind in sorted({kind for row in rows for kind in row["kinds"]}):
        with_kind = [row for row in rows if kind in row["kinds"]]
        print(f"  {kind:<22} {sum(row['ended'] == SOLVED for row in with_kind)} of {len(with_kind)}")
    return results


def bench_lowering(paths: Sequence[str], rounds: int) -> dict[str, list[list[float]]]:
    """Time how long puzzles take to be read and lowered, each the first time in this process and again; print both.

    Args:
        paths: files with a puzzle a line.
        rounds: how often each puzzle is read and lowered again; the medians count.

    Returns:
        The CPU seconds to read and to lower each puzzle, by `first` and `again`.
    """
    lines = [line for path in paths for line in Path(path).read_text(encoding="utf-8").splitlines()]
    texts = [line for line in lines if line.strip() and not line.startswith("#")]
    # Modules are loaded with the first puzzle that has constraints.
    _read_and_lower(texts[0])
    results = {"first": [_read_and_lower(text) for text in texts]}
    again = [[_read_and_lower(text) for _ in range(rounds)] for text in texts]
    results["again"] = [[statistics.median(times) for times in zip(*runs, strict=True)] for runs in again]
    print(f"{len(texts)} puzzles; CPU ms: median, worst and sum")
    for name, times in results.items():
        read, lowered = zip(*times, strict=True)
        columns = {"read": read, "lowered": lowered, "both": [sum(both) for both in times]}
        figures = (
            f"{work} {1000 * statistics.median(each):.2f} {1000 * max(each):.1f} {1000 * sum(each):.0f}"
            for work, each in columns.items()
        )
        print(f"{name:<6} {' | '.join(figures)}")
    return results


def _read_and_lower(text: str) -> list[float]:
    """Return the CPU seconds that the puzzle of a text takes to be read, and to be lowered."""
    from sudoku_encode.formats.reading import read_all
    from sudoku_encode.puzzles.constraints import lowering

    begun = time.process_time()
    (puzzle,) = read_all(text)
    read = time.process_time()
    # Past the cache of whole puzzles, which would answer again.
    lowering._lowered.__wrapped__(puzzle)
    return [read - begun, time.process_time() - read]


def _puzzles(paths: Sequence[str]) -> Iterator[tuple[str, Any]]:
    import sudoku_encode as se

    for path in paths:
        for number, puzzle in enumerate(se.read_all(path), 1):
            if isinstance(puzzle, se.Puzzle):
                yield f"{Path(path).name}:{number} {puzzle.name}".strip(), puzzle


def _works() -> dict[str, Callable[[Any], str]]:
    """Return the pieces of work by what they are called."""
    from functools import partial

    works: dict[str, Callable[[Any], str]] = {"encode (sat, all that decides)": _encoded, "solve by sat": _solved}
    works |= {f"unique by {method}": partial(_unique, method) for method in ("sat", "search", "auto", "cp-sat")}
    works |= {"certificate made and checked": _certified, "true candidates": _candidates}
    if find_spec(_PEER):
        works[f"unique by {_PEER}"] = _unique_by_peer
    return works


def _timed(work: Callable[[Any], str], puzzle: Any) -> Timed:
    from sudoku_encode.errors import StoppedError, SudokuError
    from sudoku_encode.puzzles.constraints import lowering

    # What another piece of work left would not be there for a user who asks for this one alone.
    lowering.forget()
    begun = time.perf_counter()
    try:
        said = work(puzzle)
    except (SudokuError, StoppedError) as error:
        return Timed(None, f"no answer: {error}")
    taken = time.perf_counter() - begun
    return Timed(None if said.startswith("at least") or taken > LIMIT_SECONDS else taken, said)


def _encoded(puzzle: Any) -> str:
    from sudoku_encode.encoders.encoding import encode

    cnf = encode(puzzle).cnf
    return f"{cnf.n_variables} variables, {cnf.n_clauses} clauses"


def _solved(puzzle: Any) -> str:
    import sudoku_encode as se

    return "none" if se.solve(puzzle, "sat", limits=se.Limits(seconds=LIMIT_SECONDS)) is None else "solved"


def _unique(method: str, puzzle: Any) -> str:
    import sudoku_encode as se

    found = se.count(puzzle, method, limits=se.Limits(seconds=LIMIT_SECONDS, solutions=2))
    return f"count {found.value}" if found.complete or found.value == 2 else f"at least {found.value}"


def _certified(puzzle: Any) -> str:
    import sudoku_encode as se

    with tempfile.TemporaryDirectory() as folder:
        limits = se.Limits(seconds=LIMIT_SECONDS)
        se.prove(puzzle, Path(folder) / "certificate", limits=limits)
        checked = se.check_certificate(Path(folder) / "certificate", limits=limits)
    return f"exactly {checked.count}"


def _candidates(puzzle: Any) -> str:
    import sudoku_encode as se

    found = se.candidates(puzzle, limits=se.Limits(seconds=LIMIT_SECONDS))
    return "all" if not found.stopped else "at least"


def _unique_by_peer(puzzle: Any) -> str:
    import pencilmark
    from pencilmark import puzzle_json, sources

    from sudoku_encode.formats.writing import write_all

    link = "".join(write_all([puzzle], "f-puzzles-link")).strip()
    try:
        pencilmark.solve(puzzle_json.from_json(sources.load(link, fetch=False)))
    except Exception as error:  # Whatever it raises, this puzzle is not among those that it proved.
        return f"at least 0: {type(error).__name__}: {error}"
    return "count 1"


def _row(work: str, found: dict[str, list[dict[str, Any]]]) -> str:
    medians = {
        name: statistics.median(run["seconds"] for run in runs)
        for name, runs in found.items()
        if all(run["seconds"] is not None for run in runs)
    }
    missing = [name for name in found if name not in medians]
    if not medians:
        return f"{work:<34} {'':>9} {'':>9} {0:>6}"
    worst = max(medians, key=medians.__getitem__)
    middle = statistics.median(medians.values())
    names = "; ".join([worst, *missing[:5], *([f"and {len(missing) - 5} more"] if len(missing) > 5 else [])])
    return f"{work:<34} {middle:>9.3f} {medians[worst]:>9.2f} {len(medians):>6}  {names}"


def _counts(results: dict[str, dict[str, list[dict[str, Any]]]], name: str) -> set[str]:
    """Return the numbers of solutions, up to 2, that were found of a puzzle."""
    runs = [run for work in results.values() for run in work[name]]
    return {run["said"] for run in runs if run["said"].startswith("count ")}
