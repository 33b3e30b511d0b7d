"""What the program answers to the puzzles of `oracle`, compared with their solutions; `scripts/fuzz oracle` runs it.

Only public names of the program are used: texts go in through its readers.
"""

import json
import random
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from ortools.sat.python import cp_model
from pysat.solvers import Solver

import sudoku_encode as se
from tests.helpers.oracle import Grid, Puzzle, random_puzzle
from tests.helpers.oracle_constraints import KINDS

# How often each is asked, of a hundred puzzles. Those that take longer are asked less often.
METHODS = {
    "search": 100,
    "auto": 60,
    "sat": 20,
    "sat:minimal": 10,
    "sat:efficient": 10,
    "sat:extended": 10,
    "sat:dual": 10,
    "sat:colouring": 10,
    "sat:triads": 10,
    "sat:order": 20,
    "sat:log": 20,
    "allsat": 30,
    "allsat:triads": 10,
    "allsat:order": 10,
    "allsat:log": 10,
    "cp-sat": 12,
    "cp-sat-bool": 12,
    "exact-cover": 30,
    "frontier": 30,
    "ganak": 30,
    "definitions": 15,
    "brute-force": 15,
    "norvig2006": 20,
}
# These try values cell by cell, and are asked only where so many are blank.
PLAIN, MOST_BLANKS = ("definitions", "brute-force"), 10
QUESTIONS = {"solve": 40, "check": 30, "candidates": 30, "cnf": 50, "cp-model": 25}
ENCODINGS = ["minimal", "efficient", "extended", "dual", "triads", "colouring", "order", "log"]
# How the fault begins where a text is not read, so that nothing can be asked.
REFUSED = "refuses the text"
AMO = ["pairwise", "pairwise", "sequential", "product", "commander", "bitwise", "ladder"]


def puzzles(seed: int) -> Iterator[tuple[Puzzle, set[Grid]]]:
    """Yield random puzzles with their solutions, without end; one seed makes the same puzzles."""
    chance = random.Random(seed)
    while True:
        if made := random_puzzle(chance, KINDS):
            yield made


def calls(chance: random.Random, puzzle: Puzzle) -> list[str]:
    """Return what is asked of a puzzle: methods, to list or to count, and questions with their options."""
    blanks = puzzle.givens.count(0)
    # Many methods decline constraints, and are asked the more often of puzzles without any.
    times = 1.0 if puzzle.kinds else 2.5
    chosen = [
        f"{'count' if chance.random() < 0.4 else 'list'} {name}"
        for name, often in METHODS.items()
        if chance.random() * 100 < often * times and (name not in PLAIN or blanks <= MOST_BLANKS)
    ]
    for name, often in QUESTIONS.items():
        if chance.random() * 100 < often:
            reduction = chance.choice(["none", "givens", "singles"])
            options = {
                "cnf": f" {chance.choice(ENCODINGS)} {reduction} {chance.choice(AMO)}",
                "cp-model": f" {chance.choice(['cp-sat', 'cp-sat-bool'])} {reduction}",
            }
            chosen.append(name + options.get(name, ""))
    return chosen


def judge(text: str, call: str, truth: set[Grid]) -> str:
    """Return what is wrong with an answer, `declined` where the program refuses the call, or an empty text."""
    question, *options = call.split()
    try:
        with warnings.catch_warnings():
            # Most random jigsaws have regions in several pieces.
            warnings.simplefilter("ignore", UserWarning)
            given = se.read(text)
    except se.SudokuError as error:
        # A number that no values have is refused, as documented: there is no solution then.
        return f"{REFUSED}: {error}" if truth or " never " not in str(error) else "declined"
    try:
        return _QUESTIONS[question](given, options, truth)
    except se.MethodError:
        return "declined"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def _listed(grids: list[Grid], truth: set[Grid]) -> str:
    """Compare a list of grids with the solutions."""
    if len(set(grids)) < len(grids):
        return f"lists {len(grids) - len(set(grids))} solutions again"
    if strange := set(grids) - truth:
        return f"lists {len(strange)} grids that are not solutions, such as {min(strange)}"
    return "" if len(grids) == len(truth) else f"lists {len(grids)} of {len(truth)} solutions"


def _list(given: se.Puzzle, options: list[str], truth: set[Grid]) -> str:
    if not se.METHODS[options[0]].lists:
        return _count(given, options, truth)
    return _listed([tuple(map(int, grid.values)) for grid in se.solutions(given, options[0])], truth)


def _count(given: se.Puzzle, options: list[str], truth: set[Grid]) -> str:
    answer = se.count(given, options[0])
    if not answer.complete:
        return f"stops at {answer.value}"
    return "" if answer.value == len(truth) else f"counts {answer.value}, not {len(truth)}"


def _solve(given: se.Puzzle, _: list[str], truth: set[Grid]) -> str:
    answer = se.solve(given)
    if answer is None:
        return "finds no solution" if truth else ""
    return "" if tuple(map(int, answer.values)) in truth else "solves it by a grid that is not a solution"


def _check(given: se.Puzzle, _: list[str], truth: set[Grid]) -> str:
    verdict = type(se.check(given)).__name__
    expected = ("NoSolution", "Unique", "Several")[min(len(truth), 2)]
    return "" if verdict == expected else f"says {verdict}, not {expected}"


def _candidates(given: se.Puzzle, _: list[str], truth: set[Grid]) -> str:
    answer = se.candidates(given)
    for cell in range(given.geometry.n_cells):
        expected = sorted({grid[cell] for grid in truth})
        if sorted(map(int, answer.values(cell))) != expected:
            return f"has candidates {answer.values(cell)} for cell {cell}, not {expected}"
    return ""


def _cnf(given: se.Puzzle, options: list[str], truth: set[Grid]) -> str:
    """Count the models of a saved CNF with a solver, and decode each by what its comments say."""
    encoding, reduction, amo = options
    if encoding in ("order", "log") and amo != "pairwise":
        amo = "pairwise"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "puzzle.cnf")
        se.encode(given, encoding, reduction=reduction, amo=amo).save(path)
        n_variables, shown, clauses = read_dimacs(path.read_text(encoding="ascii"))
        decoder = se.load_encoding(path)
    grids: list[Grid] = []
    with Solver("cadical153", bootstrap_with=clauses) as solver:
        while solver.solve():
            model = {abs(literal): literal for literal in solver.get_model()}
            every = [model.get(variable, -variable) for variable in range(1, n_variables + 1)]
            grids.append(tuple(decoder.decode(every).values.tolist()))
            if len(grids) > len(truth):
                break
            solver.add_clause([-every[variable - 1] for variable in shown])
    return _listed(grids, truth)


def read_dimacs(text: str) -> tuple[int, list[int], list[list[int]]]:
    """Return how many variables a formula has, those to project to, and its clauses."""
    n_variables, n_clauses, shown, clauses = 0, 0, [], []
    for line in text.splitlines():
        words = line.split()
        if words[:3] == ["c", "p", "show"]:
            shown = [int(word) for word in words[3:-1]]
        elif words[:2] == ["p", "cnf"]:
            n_variables, n_clauses = int(words[2]), int(words[3])
        elif words and words[0] != "c":
            clauses.append([int(word) for word in words[:-1]])
    if len(clauses) != n_clauses or any(abs(literal) > n_variables for clause in clauses for literal in clause):
        raise ValueError("the header does not fit the clauses")
    return n_variables, shown or list(range(1, n_variables + 1)), clauses


def _cp_model(given: se.Puzzle, options: list[str], truth: set[Grid]) -> str:
    """Solve a CP-SAT model by OR-Tools alone: is there a solution?"""
    made = se.cp_model(given, options[0], reduction=options[1])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(made.model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE):
        return f"makes a model that is {solver.status_name(status)}"
    if (status == cp_model.INFEASIBLE) == bool(truth):
        return f"makes a model that is {solver.status_name(status)}, of {len(truth)} solutions"
    return ""


Question = Callable[[se.Puzzle, list[str], set[Grid]], str]
_QUESTIONS: dict[str, Question] = {
    "list": _list,
    "count": _count,
    "solve": _solve,
    "check": _check,
    "candidates": _candidates,
    "cnf": _cnf,
    "cp-model": _cp_model,
}


def compare(seed: int, seconds: float, faults: Path) -> tuple[Counter[str], list[str]]:
    """Ask the program about random puzzles until the time is over, and save each fault in a folder.

    Returns:
        How many puzzles there were, by their number of solutions, and how many calls were right, declined or wrong; and
        what was wrong.
    """
    runs, wrong, chance, end = Counter[str](), list[str](), random.Random(seed), time.monotonic() + seconds
    now = faults / f"oracle-{seed}-now"
    for number, (puzzle, truth) in enumerate(puzzles(seed)):
        if time.monotonic() >= end:
            break
        runs[("unsolvable puzzles", "unique puzzles", "puzzles of several solutions")[min(len(truth), 2)]] += 1
        for call in calls(chance, puzzle):
            # Kept where the process hangs, or is killed.
            save(now, puzzle.text, call, truth, "no answer")
            fault = judge(puzzle.text, call, truth)
            runs[fault if fault == "declined" else "wrong" if fault else "right"] += 1
            if fault not in ("", "declined"):
                wrong.append(f"{call}: {fault}")
                name = f"oracle-{seed}-{number}-{call.replace(' ', '-').replace(':', '-')}"
                save(faults / name, puzzle.text, call, truth, fault)
            if fault.startswith(REFUSED):
                break
    now.unlink(missing_ok=True)
    return runs, wrong


def save(path: Path, text: str, call: str, truth: set[Grid], fault: str) -> None:
    """Save a fault in a file that `rerun` reads: the text of a puzzle, its solutions, what was asked, and the fault."""
    item = {"call": call, "fault": fault, "text": text, "solutions": sorted(truth)}
    path.write_text(json.dumps(item), encoding="utf-8")


def rerun(path: Path) -> str:
    """Ask the program of a saved fault once more; return what is wrong, or an empty text."""
    item = json.loads(path.read_text(encoding="utf-8"))
    fault = judge(item["text"], item["call"], {tuple(grid) for grid in item["solutions"]})
    return "" if fault == "declined" else fault
