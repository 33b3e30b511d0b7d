"""Puzzles beside Interactive Sudoku Solver (ISS), from their strings to whether there is one solution: for `bench`.

Both sides count up to 2 solutions of the same strings, in two processes that live through all rounds, so what each
compiles or caches is warm after the first. ISS runs under node, through the solver of its sandbox.
"""

import json
import resource
import select
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

# A side that takes longer is not timed: it "did not end".
LIMIT_SECONDS = 10.0
# The program for node: for each line {"text", "limit"} it writes {"count", "ms", "error"}, ms of CPU time.
_DRIVER = """
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
// The globals that its modules expect of a browser.
globalThis.self = globalThis;
globalThis.VERSION_PARAM = '';
const path = resolve(process.argv[1], 'js', 'sandbox', 'simple_solver.js');
const { SimpleSolver } = await import(pathToFileURL(path).href);
const solver = new SimpleSolver();
for await (const line of createInterface({ input: process.stdin })) {
  const { text, limit } = JSON.parse(line);
  const answer = { count: null, error: '' };
  const begun = process.cpuUsage();
  try {
    answer.count = solver.countSolutions(text, limit);
  } catch (error) {
    answer.error = String(error.message);
  }
  const { user, system } = process.cpuUsage(begun);
  process.stdout.write(JSON.stringify({ ...answer, ms: (user + system) / 1000 }) + '\\n');
}
"""
# It is often this many times slower or faster that is asked about.
_MUCH = 2.0


class Run(NamedTuple):
    """A count of one side."""

    number: int | None  # up to 2; None where it did not end, or could not read the puzzle
    ms: float  # CPU time
    error: str


class Iss:
    """A process of ISS, which is started again after a puzzle that does not end."""

    def __init__(self, checkout: str) -> None:
        self.command = ["node", "--input-type=module", "-e", _DRIVER, checkout]
        self.process = self._started()

    def _started(self) -> "subprocess.Popen[str]":
        return subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def count(self, text: str) -> Run:
        """Count the solutions of a puzzle up to 2."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None
        assert stdout is not None
        print(json.dumps({"text": text, "limit": 2}), file=stdin, flush=True)
        if not select.select([stdout], [], [], LIMIT_SECONDS)[0]:
            self.close()
            self.process = self._started()
            return Run(None, 1000 * LIMIT_SECONDS, "did not end")
        line = stdout.readline()
        if not line:
            raise SystemExit("ISS ended; expected the path of a checkout of Interactive-Sudoku-Solver, and node 20")
        answer = json.loads(line)
        return Run(answer["count"], answer["ms"], answer["error"])

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


def bench_iss(checkout: str, paths: Sequence[str], rounds: int) -> dict[str, Any]:
    """Time both sides on each string, and print medians, their ratios and the worst puzzles.

    Args:
        checkout: the path of a checkout of ISS.
        paths: files with a string of ISS a line; a line `# name: ...` before it names it.
        rounds: how often each side counts each puzzle, after one count that is not timed.

    Returns:
        The versions, and by name the runs of each side in milliseconds.

    Raises:
        SystemExit: the two sides count differently.
    """
    iss, strings = Iss(checkout), dict(_named_strings(paths))
    for text in strings.values():
        _compile_for(text)
    results: dict[str, dict[str, list[Run]]] = {name: {"iss": [], "ours": []} for name in strings}
    for number in range(rounds + 1):
        for name, text in strings.items():
            both = {"iss": iss.count, "ours": _count}
            for side in ("iss", "ours") if number % 2 else ("ours", "iss"):
                results[name][side].append(both[side](text))
    iss.close()
    versions = _versions(checkout)
    print(" | ".join(f"{key} {value}" for key, value in versions.items()))
    wrong = {name: _counts(runs) for name, runs in results.items() if len(_counts(runs)) > 1}
    _print_table(results, rounds)
    if wrong:
        raise SystemExit(f"the two sides count differently: {wrong}")
    return {**versions, "puzzles": results}


def _named_strings(paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    for path in paths:
        name = ""
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("# name:"):
                name = line.removeprefix("# name:").strip()
            elif line.strip() and not line.startswith("#"):
                yield f"{Path(path).name}:{number} {name}".strip(), line.strip()
                name = ""


def _compile_for(text: str) -> None:
    """Compile search for the board of a puzzle; until that is done, `auto` would answer by a SAT solver."""
    import sudoku_encode as se
    from sudoku_encode.methods.limited_calls import warm_up_method
    from sudoku_encode.methods.table import METHODS

    # The count itself tells of puzzles that cannot be read.
    with suppress(se.SudokuError):
        warm_up_method(METHODS["search"], se.read(text))


def _count(text: str) -> Run:
    import sudoku_encode as se
    from sudoku_encode.puzzles.constraints import lowering

    # A puzzle is asked about once: the cache of whole puzzles would answer in the next round.
    lowering._lowered.cache_clear()
    begun = _cpu_ms()
    try:
        answer = se.count(text, limits=se.Limits(seconds=LIMIT_SECONDS, solutions=2))
    except se.SudokuError as error:
        return Run(None, _cpu_ms() - begun, str(error))
    ms = _cpu_ms() - begun
    return Run(answer.value, ms, "") if answer.complete or answer.value == 2 else Run(None, ms, "did not end")


def _cpu_ms() -> float:
    """Return the CPU time of this process and of those that it started and that ended, in milliseconds."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (time.process_time() + children.ru_utime + children.ru_stime)


def _versions(checkout: str) -> dict[str, str]:
    import sudoku_encode as se

    def output_of(*command: str) -> str:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "unknown"

    commit = output_of("git", "-C", checkout, "rev-parse", "--short", "HEAD")
    return {"ours": se.__version__, "ISS": commit, "node": output_of("node", "--version")}


def _counts(runs: dict[str, list[Run]]) -> set[int]:
    return {run.number for side in runs.values() for run in side if run.number is not None}


def _median_ms(runs: list[Run]) -> float:
    """Return the median of all runs but the first."""
    return statistics.median(run.ms for run in runs[1:])


def _print_table(results: dict[str, dict[str, list[Run]]], rounds: int) -> None:
    """Print the medians of the puzzles that both sides end, and the puzzles that one of them does not end."""
    medians: dict[str, tuple[float, float]] = {}
    for name, runs in results.items():
        if all(run.number is not None for side in runs.values() for run in side):
            medians[name] = _median_ms(runs["iss"]), _median_ms(runs["ours"])
    for name, runs in results.items():
        for side, errors in ((side, {run.error for run in runs[side]} - {""}) for side in runs):
            if errors:
                print(f"  {name}: {side}: {', '.join(sorted(errors))[:100]}")
    print(f"{len(results)} puzzles, {len(medians)} of them ended by both; limit {LIMIT_SECONDS:g} s")
    if not medians:
        return
    ratios = {name: ours / theirs for name, (theirs, ours) in medians.items()}
    theirs, ours = zip(*medians.values(), strict=True)
    print(f"CPU ms, medians of {rounds} rounds: ISS {statistics.median(theirs):.2f}, sum {sum(theirs):.0f}; ", end="")
    print(f"ours {statistics.median(ours):.2f}, sum {sum(ours):.0f}")
    slower = sum(ratio > _MUCH for ratio in ratios.values())
    faster = sum(ratio < 1 / _MUCH for ratio in ratios.values())
    print(f"median of the ratios ours/ISS {statistics.median(ratios.values()):.2f}; more than {_MUCH:g} times ", end="")
    print(f"slower: {slower}, faster: {faster}")
    for name in sorted(ratios, key=ratios.__getitem__, reverse=True)[:10]:
        print(f"  {ratios[name]:>8.2f} {medians[name][1]:>9.2f} ms, ISS {medians[name][0]:>9.2f} ms  {name}")
