"""`search` on vectors beside tdoku, and beside our kernel for any board: for `scripts/bench vectors`.

tdoku is called through ctypes from a library that the environment variable TDOKU names; without it that part is left
out. Such a library is made in tdoku's folder by

    sed 's/\\${[A-Z_]*}//' src/build_info.h.in > include/build_info.h
    g++ -O3 -march=native -std=c++17 -fPIC -shared -Iinclude -Isrc -o libtdoku.so \\
        src/solver_dpll_triad_simd.cc src/util.cc
"""

import ctypes
import os
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from bench_speed import PUZZLES

ROUNDS = 7
# How many puzzles of each kind of larger board, and up to how many solutions they are counted.
LARGER = {"16x16": (0.36, 12, 20_000), "9x9x9": (51 / 729, 12, 2_000)}


def in_turn(works: Mapping[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Return the CPU seconds of each work in each round; all must give the same answer."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(rounds):
        answers = []
        for name, work in works.items():
            start = time.process_time()
            answers.append(work())
            taken[name].append(time.process_time() - start)
        if any(answer != answers[0] for answer in answers):
            raise SystemExit(f"{', '.join(works)} answered {answers}")
    return taken


def report(row: str, taken: dict[str, list[float]], n: int) -> str:
    """Return a line: what each side does in a second, and how many times as fast the first one is, round by round."""
    first, *others = taken
    text = f"{row:<44}" + "".join(f"{name} {n / statistics.median(taken[name]):>12,.0f}/s  " for name in taken)
    for other in others:
        ratios = [theirs / ours for theirs, ours in zip(taken[other], taken[first], strict=True)]
        text += f"{statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f}) times {other}"
    return text


def beside_tdoku(files: list[str], rounds: int) -> dict[str, Any]:
    """Prove puzzles of files unique, and count some, by `search` and by tdoku."""
    from sudoku_encode import search
    from sudoku_encode.formats.reading import read_all
    from sudoku_encode.puzzles import boards
    from sudoku_encode.puzzles.puzzle import Puzzle

    library = ctypes.CDLL(os.environ["TDOKU"])
    solve = library.TdokuSolverDpllTriadSimd
    solve.restype = ctypes.c_size_t
    solve.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint32, ctypes.c_char_p, ctypes.c_void_p]
    solution, guesses = ctypes.create_string_buffer(82), ctypes.c_size_t()
    nine, table = boards.board("9x9"), {}

    def theirs(texts: list[bytes], limit: int) -> int:
        return sum(solve(text, limit, 0, solution, ctypes.byref(guesses)) for text in texts)

    def ours(rows: Any, limit: int) -> int:
        return int(search.batch(nine, rows, limit, lambda: None).counts.sum())

    jobs = {str(count): ([text], 2**62, count) for count, text in PUZZLES.items() if count < 10**6}
    for file in files:
        puzzles = [entry for entry in read_all(file, board="9x9") if isinstance(entry, Puzzle)]
        jobs[Path(file).name] = (["".join(map(str, puzzle.givens)) for puzzle in puzzles], 2, len(puzzles))
    for name, (texts, limit, n) in jobs.items():
        rows = np.array([[int(symbol) for symbol in text.replace(".", "0")] for text in texts], np.uint8)
        lines = [text.replace("0", ".").encode() for text in texts]
        ours(rows[:2], 2)
        works = {
            "search": lambda rows=rows, limit=limit: ours(rows, limit),
            "tdoku": lambda lines=lines, limit=limit: theirs(lines, limit),
        }
        table[name] = in_turn(works, rounds)
        what = f"count {n:,}" if limit > 2 else f"unique? {name}, {n:,}"
        print(report(what, table[name], n), flush=True)
    return table


def beside_any_board(rounds: int) -> dict[str, Any]:
    """Count solutions of larger boards by the kernel on vectors and by the one for any board."""
    from sudoku_encode import search
    from sudoku_encode.generating.grids import pattern, shuffled
    from sudoku_encode.puzzles import boards
    from sudoku_encode.search import any_kernel
    from sudoku_encode.search.state import any_state

    table = {}
    for name, (share, n, limit) in LARGER.items():
        board = boards.board(name)
        regular = pattern(board)
        assert regular is not None
        rows = np.zeros((n, board.n_cells), np.uint8)
        for seed, row in enumerate(rows):
            chance = np.random.RandomState(seed)
            row[:] = shuffled(board, regular, chance)
            row[chance.permutation(board.n_cells)[round(share * board.n_cells) :]] = 0
        state = any_state(board, np.zeros(board.n_cells, np.int64))

        def plain(rows: Any = rows, state: Any = state, limit: int = limit) -> list[int]:
            found = np.zeros(len(rows), np.int64)
            at = np.zeros(2, np.int64)
            while at[0] < len(rows):
                any_kernel.run_all(state, rows, limit, np.zeros_like(rows), found, at, 2**24)
            return list(found.tolist())

        def vectors(rows: Any = rows, board: Any = board, limit: int = limit) -> list[int]:
            return list(search.batch(board, rows, limit, lambda: None).counts.tolist())

        plain(rows[:1], limit=1), vectors(rows[:1], limit=1)
        table[name] = in_turn({"vectors": vectors, "words": plain}, rounds)
        print(report(f"{name}, {n} puzzles, counted to {limit:,}", table[name], sum(vectors())), flush=True)
    return table


def bench_vectors(rounds: int, files: list[str]) -> dict[str, Any]:
    """Run both parts."""
    table = beside_tdoku(files, rounds) if "TDOKU" in os.environ else {}
    if not table:
        print("tdoku is left out: TDOKU names no library of it")
    return {**table, **beside_any_board(rounds)}
