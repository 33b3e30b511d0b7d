"""Listing, counting, batches and start-up beside what a user would pick instead: for `scripts/bench`.

Peers that are not installed are left out with a note. Each run is a process of its own; the two sides take turns.
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

# By their numbers of solutions.
PUZZLES = {
    10_810: "000000000000000002003004050000006000000012000070000080000300940200700000650000000",
    943_676: "000000000000000012003045000000003000060000000120000000000200006007000400000807000",
    89_223_005: "051000403000008000000000000605000200000200000002700005000000070020000050008500000",
    4_520_394_642: "051000403000008000000000000005000200000200000002000005000000070020000050008500000",
    73_660_309_404: "051000000000008000000000000605000200000200000002700005000000070020000000008000000",
    967_618_585_952: "051000400000000000000000000605000200000000000002700005000000000020000050008000000",
}
# Empty boards, and what they have.
BOARDS = {"6x6": 28_200_960, "8x8": 29_136_487_207_403_520}
# What PySAT cannot list in the time of a bench.
MANY = 100_000
SHELL_PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


# "Lines" in instances/variants/iss.txt.
THERMOMETERS = (
    ".~R1C2_4~R1C8_1~R2C1_2~R2C9_6~R8C1_9~R8C9_2~R9C2_1~R9C8_9.Thermo~R9C4~R8C3~R7C2~R6C1~R5C2~R4C3"
    ".Thermo~R4C1~R3C2~R2C3~R1C4~R2C5~R3C6.Thermo~R1C6~R2C7~R3C8~R4C9~R5C8~R6C7.Thermo~R6C9~R7C8~R8C7~R9C6~R8C5~R7C4"
)


def puzzle_of(text: str) -> Any:
    from sudoku_encode.formats.reading import read
    from sudoku_encode.puzzles import boards
    from sudoku_encode.puzzles.puzzle import Puzzle

    return Puzzle.of(boards.board(text)) if "x" in text else read(text, board="9x9")


def cpu() -> float:
    """CPU seconds of this process and its ended children."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def timed(work: Callable[[], int]) -> dict[str, float]:
    """Time some work, that of its child processes too, at full processor clock."""
    begin = time.perf_counter()
    while time.perf_counter() - begin < 0.5:
        pass
    start, wall = cpu(), time.perf_counter()
    found = work()
    return {"cpu": cpu() - start, "wall": time.perf_counter() - wall, "solutions": found}


def by_method(method: str, count: bool) -> Callable[[str], dict[str, float]]:
    def run(text: str) -> dict[str, float]:
        from sudoku_encode.methods import calls

        # What is compiled is loaded here, and the processor gets to its full clock.
        for warm in (PUZZLES[10_810], "4x4"):
            calls.count(puzzle_of(warm), method)
        puzzle = puzzle_of(text)
        if count:
            return timed(lambda: calls.count(puzzle, method).value)
        return timed(lambda: sum(len(batch) for batch in list(calls.solutions(puzzle, method))))

    return run


def clauses(text: str) -> tuple[list[list[int]], list[int]]:
    from sudoku_encode.encoders.encoding import encode

    encoding = encode(puzzle_of(text))
    return [c for chunk in encoding.cnf.chunks() for c in chunk.tolist()], encoding.projection.tolist()


def pysat(text: str) -> dict[str, float]:
    """The loop that anybody would write, blocking the variables that are true and tell solutions apart."""
    from pysat.solvers import Solver

    formula, projection = clauses(text)
    wanted = set(projection)

    def work() -> int:
        found = 0
        with Solver("cadical195", bootstrap_with=formula) as solver:
            while solver.solve():
                found += 1
                solver.add_clause([-literal for literal in solver.get_model() if literal in wanted])
        return found

    return timed(work)


def bare_cp_sat(text: str) -> dict[str, float]:
    """CP-SAT's own enumeration of the model that anybody would write, an integer per cell; every value is read."""
    from ortools.sat.python import cp_model

    model, cells = plain_cp_model(puzzle_of(text))

    class Read(cp_model.CpSolverSolutionCallback):
        def __init__(self) -> None:
            super().__init__()
            self.found: list[list[int]] = []

        def on_solution_callback(self) -> None:
            self.found.append([self.value(cell) for cell in cells])

    def work() -> int:
        solver, read = cp_model.CpSolver(), Read()
        solver.parameters.enumerate_all_solutions, solver.parameters.num_workers = True, 1
        solver.solve(model, read)
        return len(read.found)

    return timed(work)


def plain_cp_model(puzzle: Any) -> tuple[Any, list[Any]]:
    """Return a model with an integer per cell and AllDifferent per unit, and its variables."""
    from ortools.sat.python import cp_model

    model, n = cp_model.CpModel(), puzzle.geometry.n_values
    cells = [model.new_int_var(given or 1, given or n, "") for given in puzzle.givens.tolist()]
    for rule in puzzle.geometry.rules:
        for unit in rule.units.tolist():
            model.add_all_different([cells[cell] for cell in unit])
    return model, cells


def miniexact(text: str) -> dict[str, float]:
    from sudoku_encode.solvers import dancing_links

    puzzle = puzzle_of(text)
    return timed(lambda: dancing_links.count(puzzle, lambda: None))


def clingo(text: str) -> dict[str, float]:
    import clingo as library

    formula, _ = clauses(text)
    control = library.Control(["0"])
    with control.backend() as backend:
        atoms = {v: backend.add_atom() for v in sorted({abs(x) for clause in formula for x in clause})}
        backend.add_rule(list(atoms.values()), [], True)
        for clause in formula:
            backend.add_rule([], [-atoms[x] if x > 0 else atoms[-x] for x in clause])

    def work() -> int:
        control.solve()
        return int(control.statistics["summary"]["models"]["enumerated"])

    return timed(work)


def ganak(text: str) -> dict[str, float]:
    import pyganak

    formula, projection = clauses(text)
    counter = pyganak.Counter()
    counter.add_clauses(formula)
    counter.set_sampling_set(projection)
    return timed(lambda: int(counter.count()))


SIDES: dict[str, Callable[[str], dict[str, float]]] = {
    "search, list": by_method("search", False),
    "search, count": by_method("search", True),
    "frontier, count": by_method("frontier", True),
    "sat, list": by_method("sat", False),
    "cp-sat, list": by_method("cp-sat", False),
    "norvig2006, list": by_method("norvig2006", False),
    "miniexact, count": miniexact,
    "clingo, list": clingo,
    "PySAT, blocking": pysat,
    "CP-SAT, bare": bare_cp_sat,
    "ganak, count": ganak,
}
PACKAGES = {"miniexact, count": "miniexact", "clingo, list": "clingo", "ganak, count": "pyganak"}


def installed(side: str) -> bool:
    return side not in PACKAGES or find_spec(PACKAGES[side]) is not None


def in_own_process(side: str, text: str, seconds: float) -> dict[str, float] | None:
    """Run one side in a process of its own; None if it does not end in time."""
    command = [sys.executable, str(Path(__file__).parent / "bench"), "side", side, text]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None
    return {key: float(value) for key, value in json.loads(done.stdout.splitlines()[-1]).items()}


def compare(texts: dict[str, int], sides: Iterable[str], rounds: int, seconds: float) -> dict[str, Any]:
    """Print the rate of each side on each puzzle, and how many times as fast our fastest one is."""
    results: dict[str, Any] = {}
    for text, truth in texts.items():
        print(f"\n{text}: {truth:,} solutions")
        runs: dict[str, list[float]] = {}
        for _ in range(rounds):
            for side in sides:
                if not installed(side) or (side in runs and not runs[side]):
                    continue
                found = in_own_process(side, text, seconds)
                runs.setdefault(side, [])
                if found is None:
                    print(f"    {side:<24} does not end in {seconds:.0f} s")
                elif found["solutions"] != truth:
                    raise SystemExit(f"{side} finds {found['solutions']:.0f} solutions, not {truth}")
                else:
                    runs[side].append(found["cpu"])
        for side, cpu in runs.items():
            if cpu:
                median = statistics.median(cpu)
                spread = f"{min(cpu):.3f}-{max(cpu):.3f}"
                print(f"    {side:<24} {median:9.3f} s ({spread}) {truth / median:>22,.0f}/s", flush=True)
        results[text] = runs
    for side, package in PACKAGES.items():
        if side in sides and not installed(side):
            print(f"left out, not installed: {side} (package {package})")
    return results


def bench_enumerate(rounds: int) -> dict[str, Any]:
    fast = ("search, list", "norvig2006, list", "miniexact, count", "clingo, list")
    slow = ("cp-sat, list", "CP-SAT, bare", "sat, list", "PySAT, blocking")
    return {
        **compare({PUZZLES[10_810]: 10_810}, (*fast, *slow), rounds, 60),
        **compare({PUZZLES[943_676]: 943_676}, fast, rounds, 120),
    }


def bench_count(rounds: int) -> dict[str, Any]:
    ours = ("search, count", "frontier, count")
    both = {PUZZLES[number]: number for number in (10_810, 943_676)}
    return {
        **compare(both, (*ours, "miniexact, count", "ganak, count"), rounds, 120),
        **compare({PUZZLES[89_223_005]: 89_223_005}, ours, rounds, 120),
        **compare({text: number for number, text in PUZZLES.items() if number > 10**9}, ours[1:], rounds, 120),
        **compare(BOARDS, ("frontier, count",), rounds, 120),
    }


def bench_startup(rounds: int) -> dict[str, Any]:
    """Time a command on one 9x9 from the shell beside the imports that it cannot do without."""
    program = str(Path(sys.executable).parent / "sudoku-encode")
    ours, sat = [program, "solve", SHELL_PUZZLE], "import typer, numpy, pysat.solvers"
    pairs = {
        "--help": ([program, "--help"], "import typer"),
        "show": ([program, "show", SHELL_PUZZLE], "import typer, numpy"),
        **{command: ([program, command, SHELL_PUZZLE], sat) for command in ("count", "check", "candidates")},
        "hint": ([program, "hint", SHELL_PUZZLE], "import typer, numpy"),
        "sat": ([*ours, "--method", "sat"], sat),
        "cp-sat": ([*ours, "--method", "cp-sat"], "import typer, ortools.sat.python.cp_model"),
        "search": ([*ours, "--method", "search"], "import typer, numba"),
    }
    results: dict[str, Any] = {}
    for method, (command, imports) in pairs.items():
        sides = {"ours": command, "imports": [sys.executable, "-c", imports]}
        times: dict[str, list[float]] = {side: [] for side in sides}
        for _ in range(3 * rounds + 1):
            for side, words in sides.items():
                start = time.perf_counter()
                subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                times[side].append(time.perf_counter() - start)
        ratio = statistics.median(one / other for one, other in zip(*times.values(), strict=True))
        middle = {side: 1000 * statistics.median(values) for side, values in times.items()}
        imported = f"python -c '{imports}' {middle['imports']:.0f} ms"
        print(f"{method:<10} {middle['ours']:5.0f} ms; {imported}; ratio {ratio:.2f}")
        results[method] = times
    return results


def bare_pysat_batch(puzzles: list[Any]) -> Callable[[], int]:
    """Solve puzzles as anybody would: one solver that has the empty board's clauses, the givens as assumptions."""
    from pysat.solvers import Solver

    from sudoku_encode.encoders.encoding import encode
    from sudoku_encode.puzzles.puzzle import Puzzle

    n, givens = puzzles[0].geometry.n_values, [puzzle.givens.tolist() for puzzle in puzzles]
    formula = encode(Puzzle.of(puzzles[0].geometry), reduction="none").cnf.clauses

    def work() -> int:
        solved = 0
        with Solver("cadical195", bootstrap_with=formula) as solver:
            for values in givens:
                solved += solver.solve([cell * n + value for cell, value in enumerate(values) if value])
                _ = [(literal - 1) % n + 1 for literal in solver.get_model() if literal > 0]
        return solved

    return work


def bare_cp_sat_batch(puzzles: list[Any]) -> Callable[[], int]:
    """Solve puzzles as anybody would: a model with an integer per cell for each, one worker."""
    from ortools.sat.python import cp_model

    def work() -> int:
        solved = 0
        for puzzle in puzzles:
            model, cells = plain_cp_model(puzzle)
            solver = cp_model.CpSolver()
            solver.parameters.num_workers = 1
            solved += solver.solve(model) == cp_model.OPTIMAL
            _ = [solver.value(cell) for cell in cells]
        return solved

    return work


def bench_commands(path: str, rounds: int) -> dict[str, Any]:
    """Time whole commands on a file of puzzles, and as many plain writes of the same bytes as `encode` does."""
    program = str(Path(sys.executable).parent / "sudoku-encode")
    results: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as name:
        for number in range(rounds):
            models, copies = Path(name, f"models{number}"), Path(name, f"copies{number}")
            commands = {
                "info": [program, "info", path],
                "encode": [program, "encode", path, "-o", f"{models}/", "-q"],
                "solve, sat": [program, "solve", path, "--method", "sat", "-o", f"{name}/sat{number}.txt", "-q"],
            }
            for what, words in commands.items():
                start, begun = cpu(), time.perf_counter()
                subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
                results.setdefault(what, []).append((time.perf_counter() - begun, cpu() - start))
            contents = [file.read_bytes() for file in models.iterdir()]
            copies.mkdir()
            start, begun = cpu(), time.perf_counter()
            for row, content in enumerate(contents):
                Path(copies, str(row)).write_bytes(content)
            results.setdefault("plain writes", []).append((time.perf_counter() - begun, cpu() - start))
    for what, runs in results.items():
        wall, taken = (statistics.median(some) for some in zip(*runs, strict=True))
        lowest, highest = min(run[1] for run in runs), max(run[1] for run in runs)
        print(f"{what:<14} {wall:7.2f} s, {taken:7.2f} CPU s ({lowest:.2f}-{highest:.2f})")
    return results


def bench_first(rounds: int) -> dict[str, Any]:
    """Time commands where nothing is compiled yet: alone, and some when they are called twenty times at once."""
    questions = {
        "solve easy 9x9": ["solve", SHELL_PUZZLE],
        "count easy 9x9": ["count", SHELL_PUZZLE],
        "enumerate easy 9x9": ["enumerate", SHELL_PUZZLE],
        "count 943,676 solutions": ["count", PUZZLES[943_676]],
        "count empty 4x4": ["count", "--board", "4x4"],
        "count empty 6x6": ["count", "--board", "6x6"],
        "rate easy 9x9": ["rate", SHELL_PUZZLE],
        "sample empty 9x9": ["sample", "--board", "9x9"],
        "count 9x9 with thermometers": ["count", THERMOMETERS],
    }
    alone = ("count 943,676 solutions", "rate easy 9x9", "sample empty 9x9", "count 9x9 with thermometers")
    results: dict[str, Any] = {}
    print(f"{'':<28} {'processes':>9} {'s, the last one':>16} {'CPU s, all':>11}")
    for name, words in questions.items():
        for processes in (1,) if name in alone else (1, 20):
            runs = [first_run(words, processes) for _ in range(rounds)]
            wall, cpu = (statistics.median(some) for some in zip(*runs, strict=True))
            print(f"{name:<28} {processes:>9} {wall:>16.2f} {cpu:>11.2f}", flush=True)
            results[f"{name}, {processes}"] = runs
    return results


def first_run(words: list[str], processes: int) -> tuple[float, float]:
    """Call a command several times at once with an empty cache; return the time until all ended, and CPU seconds."""
    command = [str(Path(sys.executable).parent / "sudoku-encode"), *words]
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        running = [
            subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(processes)
        ]
        if {process.wait() for process in running} != {0}:
            raise SystemExit(f"{' '.join(words)} failed")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, cpu
