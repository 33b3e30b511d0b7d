"""Certificates with something wrong in them: forged ones, and true ones that were changed at random.

A certificate is a dict of the bytes of its files here. The tests try some of the changes, `scripts/fuzz forgery`
as many as one likes.
"""

import json
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sudoku_encode.errors import SudokuError
from sudoku_encode.methods import calls
from sudoku_encode.proving import check, prove
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.counting import tally
from sudoku_encode.run.limits import Deadline

Files = dict[str, bytes]
Clause = list[int]
# A change to a certificate; it says what it did. It may look at certificates of other puzzles.
Change = Callable[[random.Random, Files, Sequence[Files]], str]

# More than any certificate here claims.
_MANY = 1_000

# Constraints that are written as sets of values, as supports, as an automaton and as equal sums.
LINES = ("cage 5 r2c2 r3c3", "thermometer r1c1-r1c3", "sandwich 0 r4c1-r4c4", "equal-sums r1c3 r2c4 / r2c3 r1c4")

PUZZLES: dict[str, Callable[[], Puzzle]] = {
    "4x4": lambda: Puzzle.of(board("4x4"), [int(value) for value in "1000000000000034"]),
    "4x4-empty": lambda: Puzzle.of(board("4x4")),
    "4x4-none": lambda: Puzzle.of(board("4x4"), [int(value) for value in "1200000300000000"]),
    "4x4-clash": lambda: Puzzle.of(board("4x4"), [int(value) for value in "1100000000000000"]),
    "4x4-complete": lambda: Puzzle.of(board("4x4"), [int(value) for value in "1234341221434321"]),
    "4x4-diagonals": lambda: Puzzle.of(board("4x4+diagonals")),
    "4x4-marks": lambda: Puzzle.of(
        board("4x4"), None, [[(cell // 4 + 2 * cell) % 4 != v for v in range(4)] for cell in range(16)]
    ),
    "4x4-jigsaw": lambda: Puzzle.of(board("jigsaw:aaabacbbccbdcddd")),
    "4x4-rules": lambda: Puzzle.of(board("4x4", ["row", "box"]), [int(value) for value in "1234000021430000"]),
    "4x4-constraints": lambda: Puzzle.of(board("4x4"), constraints=LINES),
    "4x4x4": lambda: Puzzle.of(board("4x4x4"), [{56: 1, 38: 2, 12: 4}.get(cell, 0) for cell in range(64)]),
}


def made(puzzle: Puzzle, at: Path) -> Files:
    """Make a true certificate."""
    prove(puzzle, at, Deadline())
    return {path.name: path.read_bytes() for path in sorted(at.iterdir())}


def written(files: Files, at: Path) -> Path:
    """Write a certificate to a folder, which has nothing else afterwards."""
    at.mkdir(exist_ok=True)
    for path in at.iterdir():
        path.unlink()
    for name, text in files.items():
        (at / name).write_bytes(text)
    return at


def proved(files: Files, at: Path) -> tuple[Puzzle, int] | None:
    """Return the puzzle and the number that a certificate is taken to prove, or None where it is refused."""
    try:
        found = check(written(files, at))
    except SudokuError:
        return None
    return found.puzzle, found.count


@lru_cache(maxsize=10_000)
def _truth(puzzle: str, rules: tuple[str, ...], givens: bytes, marks: bytes | None, lines: tuple[str, ...]) -> int:
    import numpy as np

    geometry = board(puzzle, rules)
    shape = (geometry.n_cells, geometry.n_values)
    pencilmarks = None if marks is None else np.frombuffer(marks, bool).reshape(shape)
    asked = Puzzle.of(geometry, np.frombuffer(givens, np.uint8), pencilmarks, constraints=lines)
    return tally(calls.solutions(asked, "cp-sat" if lines else "norvig2006", Deadline(_MANY))).value


def truth(puzzle: Puzzle) -> int:
    """Return how many solutions a puzzle has, up to a thousand: by a method that knows nothing of certificates."""
    marks = None if puzzle.pencilmarks is None else puzzle.pencilmarks.tobytes()
    lines = tuple(constraint.text(puzzle.geometry) for constraint in puzzle.constraints)
    return _truth(puzzle.geometry.name, puzzle.geometry.rule_names, puzzle.givens.tobytes(), marks, lines)


def clauses(text: bytes) -> list[Clause]:
    """Return the clauses of a CNF."""
    lines = text.decode("latin-1").splitlines()
    return [[*map(int, line.split()[:-1])] for line in lines if line and line[0] not in "cp"]


def cnf(found: Sequence[Clause], n_variables: int) -> bytes:
    """Return a CNF with an exact header."""
    return "\n".join([f"p cnf {n_variables} {len(found)}", *map(line, found), ""]).encode()


def line(numbers: Sequence[int]) -> str:
    return " ".join(map(str, [*numbers, 0]))


def n_variables(files: Files) -> int:
    found = re.search(rb"p cnf (\d+)", files["formula.cnf"])
    assert found
    return int(found[1])


def steps(files: Files) -> list[str]:
    return files["proof.lrat"].decode().splitlines()


def recounted(files: Files) -> Files:
    """Bring the figures of the certificate up to date with its files, so that only those are wrong."""
    proof = files.get("proof.lrat", files.get("proof.drat", b"")).decode("latin-1").splitlines()
    figures = {
        "solutions": len(files.get("solutions.txt", b"").split()),
        "clauses": len(clauses(files["formula.cnf"])),
        "lemmas": sum("d" not in step for step in proof if step.strip()),
    }
    return files | {"certificate.json": json.dumps(figures).encode()}


def forged(files: Files, left_out: Sequence[int]) -> Files:
    """Return a certificate that leaves some solutions out, with the proof that an unsound checker of DRAT accepts.

    It deletes the clauses that a literal of the root follows from. Where the literal stays true all the same, its
    opposite passes as RAT, since no clause is left to disagree, and contradicts it.
    """
    kept = [at for at in range(len(files["solutions.txt"].split())) if at not in left_out]
    formula, both = clauses(files["formula.cnf"]), clauses(files["blocked.cnf"])
    blocking = both[len(formula) :]
    blocked = [*formula, *(blocking[at] for at in kept)]
    true = root(blocked)
    units = {clause[0] for clause in blocked if len(clause) == 1}
    literal = next((literal for literal in sorted(true, key=abs) if literal not in units), None)
    if literal is None:
        proof = [f"d {line(clause)}" for clause in blocked if {1, 2} & set(map(abs, clause))]
        proof += ["-2 0", "1 2 0", "d 1 2 0", "-1 0", "0"]
    else:
        proof = [*(f"d {line(clause)}" for clause in blocked if literal in clause), f"{-literal} 0", "0"]
    grids = files["solutions.txt"].split()
    changed = {name: text for name, text in files.items() if name != "proof.lrat"} | {
        "solutions.txt": b"".join(grids[at] + b"\n" for at in kept),
        "blocked.cnf": cnf(blocked, n_variables(files)),
        "proof.drat": "".join(f"{step}\n" for step in proof).encode(),
    }
    return recounted(changed)


def with_hints(files: Files) -> Files:
    """Turn a forged DRAT proof into steps without hints, as LRAT writes a lemma by RAT without candidates."""
    number, found = len(clauses(files["blocked.cnf"])), []
    for step in files["proof.drat"].decode().splitlines():
        if step[0] != "d":
            number += 1
            found.append(f"{number} {step} 0\n")
    changed = {name: text for name, text in files.items() if name != "proof.drat"}
    return recounted(changed | {"proof.lrat": "".join(found).encode()})


def root(formula: Sequence[Clause]) -> set[int]:
    """Return the literals that unit propagation finds."""
    true: set[int] = set()
    places: dict[int, list[Clause]] = {}
    for clause in formula:
        for literal in clause:
            places.setdefault(literal, []).append(clause)
    queue = [clause for clause in formula if len(clause) == 1]
    for clause in queue:
        free = [literal for literal in clause if -literal not in true]
        if len(free) == 1 and free[0] not in true:
            true.add(free[0])
            queue += places.get(-free[0], [])
    return true


def _literal(rng: random.Random, highest: int) -> int:
    return rng.choice((1, -1)) * rng.randint(1, highest)


def _in_clause(rng: random.Random, clause: Clause, highest: int) -> list[Clause]:
    """Return what a clause becomes: none, it, another, or two."""
    other = [*clause]
    at = rng.randrange(len(clause)) if clause else 0
    match rng.randrange(8):
        case 0:
            return []
        case 1 if clause:
            other[at] *= -1
        case 2 if clause:
            other.pop(at)
        case 3 if clause:
            other[at] += 1 if other[at] > 0 else -1
        case 4:
            other.append(_literal(rng, highest))
        case 5:
            return [clause, clause]
        case 6:
            return [clause, []]
        case _:
            return [clause, [_literal(rng, highest) for _ in range(rng.randint(1, 4))]]
    return [other]


def change_clause(rng: random.Random, files: Files, others: Sequence[Files]) -> str:
    names = rng.choice((("formula.cnf",), ("blocked.cnf",), ("formula.cnf", "blocked.cnf")))
    found = clauses(files[names[0]])
    at = rng.randrange(len(found))
    old, new = found[at], _in_clause(rng, found[at], n_variables(files))
    for name in names:
        all_ = clauses(files[name])
        if old in all_:
            where = all_.index(old)
            files[name] = cnf([*all_[:where], *new, *all_[where + 1 :]], n_variables(files))
    return f"clause of {' and '.join(names)}"


def change_order(rng: random.Random, files: Files, others: Sequence[Files]) -> str:
    found = clauses(files["blocked.cnf"])
    if rng.random() < 0.5:
        rng.shuffle(found)
    else:
        one, other = rng.randrange(len(found)), rng.randrange(len(found))
        found[one], found[other] = found[other], found[one]
    files["blocked.cnf"] = cnf(found, n_variables(files))
    return "order of clauses"


def change_solutions(rng: random.Random, files: Files, others: Sequence[Files]) -> str:
    grids, both = files["solutions.txt"].decode().split(), clauses(files["blocked.cnf"])
    if not grids:
        files["solutions.txt"] = b"1234341221434321\n"
        return "solution invented"
    at = rng.randrange(len(grids))
    what = rng.choice(("lost", "lost and not blocked", "again", "shuffled", "edited", "all lost", "blank"))
    match what:
        case "lost" | "lost and not blocked":
            if what != "lost":
                both.pop(len(both) - len(grids) + at)
            grids.pop(at)
        case "again":
            grids.append(grids[at])
        case "shuffled":
            rng.shuffle(grids)
        case "all lost":
            both, grids = both[: len(both) - len(grids)], []
        case "edited":
            cells = list(grids[at])
            one, other = rng.randrange(len(cells)), rng.randrange(len(cells))
            cells[one], cells[other] = cells[other], cells[one]
            grids[at] = "".join(cells)
        case _:
            grids[at] = "." + grids[at][1:]
    files["solutions.txt"] = "".join(f"{grid}\n" for grid in grids).encode()
    files["blocked.cnf"] = cnf(both, n_variables(files))
    return f"solution {what}"


def change_blocking(rng: random.Random, files: Files, others: Sequence[Files]) -> str:
    found = clauses(files["blocked.cnf"])
    another = clauses(rng.choice(others)["blocked.cnf"])
    new = rng.choice((_in_clause(rng, found[-1], n_variables(files)), [found[-1], another[-1]]))
    files["blocked.cnf"] = cnf([*found[:-1], *new], n_variables(files))
    return "blocking clause"


def change_proof(rng: random.Random, files: Files, others: Sequence[Files]) -> str:
    """Change which steps the proof has."""
    found = steps(files)
    at = rng.randrange(len(found))
    name = found[at].split()[0]
    known = len(clauses(files["blocked.cnf"])) + len(found)
    some = line(rng.sample(range(1, known), min(known - 1, rng.randint(0, 4))))
    what = rng.choice(("dropped", "again", "shuffled", "cut", "empty", "deletes", "unit", "renumbered", "of another"))
    match what:
        case "dropped":
            del found[at]
        case "again":
            found.append(found[at])
        case "shuffled":
            rng.shuffle(found)
        case "cut":
            found = found[:at]
        case "empty":
            found.insert(at, f"{name} 0 {some}")
        case "deletes":
            found.insert(at, f"{max(1, int(name) - 1)} d {some}")
        case "unit":
            found.insert(at, f"{name} {_literal(rng, n_variables(files))} 0 {some}")
        case "renumbered":
            found = [f"{int(step.split()[0]) + 1} {step.split(None, 1)[1]}" for step in found]
        case _:
            found = rng.choice(others)["proof.lrat"].decode().splitlines()
    files["proof.lrat"] = "".join(f"{step}\n" for step in found).encode()
    return f"proof {what}"


def change_step(rng: random.Random, files: Files, others: Sequence[Files]) -> str:
    """Change a step of the proof: its number, its literals or its hints."""
    found = steps(files)
    at = rng.randrange(len(found))
    name, *rest = (int(word) for word in found[at].split())
    clause, hints = rest[: rest.index(0)], rest[rest.index(0) + 1 : -1]
    other = rng.randrange(1, len(clauses(files["blocked.cnf"])) + len(found))
    what = rng.choice(("lost", "other", "more", "negative", "shuffled", "none", "literals", "number"))
    match what:
        case "lost":
            hints.pop(rng.randrange(len(hints)))
        case "other":
            hints[rng.randrange(len(hints))] = other
        case "more":
            hints.insert(rng.randint(0, len(hints)), other)
        case "negative":
            hints.append(-other)
        case "shuffled":
            rng.shuffle(hints)
        case "none":
            hints = []
        case "number":
            name = rng.choice((name - 1, name + 1, 1, 0, -name, name + 10**6))
        case _:
            clause = (_in_clause(rng, clause, n_variables(files)) or [[]])[-1]
    found[at] = f"{name} {line(clause)} {line(hints)}"
    files["proof.lrat"] = "".join(f"{step}\n" for step in found).encode()
    return f"step {what}"


def change_to_drat(rng: random.Random, files: Files, others: Sequence[Files]) -> str:
    """Put lemmas in place of the proof, with deletions and lemmas by RAT among them."""
    lemmas = [[int(word) for word in step.split()[1:]] for step in steps(files) if "d" not in step]
    proof = [line(lemma[: lemma.index(0)]) for lemma in lemmas if 0 in lemma]
    del files["proof.lrat"]
    both, highest = clauses(files["blocked.cnf"]), n_variables(files)
    if rng.random() < 0.7:
        proof = ["0"] if rng.random() < 0.7 else rng.sample(proof, len(proof) // 2)
        for _ in range(rng.randint(1, 3)):
            literal = _literal(rng, highest)
            proof[:0] = [*(f"d {line(clause)}" for clause in both if literal in clause), f"{-literal} 0"]
    files["proof.drat"] = "".join(f"{step}\n" for step in proof).encode()
    return "DRAT"


def change_puzzle(rng: random.Random, files: Files, others: Sequence[Files]) -> str:
    item = json.loads(files["puzzle.json"])
    rows = item["givens"]
    while isinstance(rows[0][0], list):
        rows = rows[rng.randrange(len(rows))]
    row = rows[rng.randrange(len(rows))]
    match rng.randrange(6):
        case 5 if "constraints" in item:
            lines = item["constraints"]
            at = rng.randrange(len(lines))
            if rng.random() < 0.5:
                del lines[at]
            else:
                lines[at] = re.sub("[0-9]", str(rng.randint(1, 4)), lines[at], count=1)
        case 0:
            item["board"] = rng.choice(("4x4", "4x4+diagonals", "4x4+windoku", "4x4:1x4", "4x4x4", "4x4x4:literal"))
        case 1:
            item["rules"] = rng.choice((["row"], ["row", "column"], ["column", "box"], ["row-x", "row-y"]))
        case 2:
            item.pop("rules", item.pop("pencilmarks", None))
        case 3 if "pencilmarks" in item:
            rng.shuffle(item["pencilmarks"])
        case _:
            row[rng.randrange(len(row))] = rng.randint(0, 4)
    files["puzzle.json"] = json.dumps(item).encode()
    return "puzzle"


def change_file(rng: random.Random, files: Files, others: Sequence[Files]) -> str:
    name = rng.choice(list(files))
    text = files[name]
    what = rng.choice(("removed", "of another", "copied", "cut", "byte"))
    match what:
        case "removed":
            del files[name]
        case "of another":
            files[name] = rng.choice(others).get(name, b"")
        case "copied":
            files[name] = files[rng.choice(list(files))]
        case "cut":
            files[name] = text[: rng.randint(0, len(text))]
        case _ if text:
            at = rng.randrange(len(text))
            files[name] = text[:at] + bytes([rng.choice(b"0123456789- dcp\n\0\xff,.\r\t\v{}[]")]) + text[at + 1 :]
    return f"{name} {what}"


CHANGES: tuple[Change, ...] = (
    *(change_clause, change_order, change_solutions, change_blocking, change_proof, change_step, change_step),
    *(change_to_drat, change_puzzle, change_file),
)


def changed(rng: random.Random, true: Sequence[Files]) -> tuple[Files, list[str]]:
    """Return a true certificate with one to three changes, and what they are."""
    files, done = dict(rng.choice(true)), []
    for _ in range(rng.choice((1, 1, 2, 3))):
        # Some changes need a file as it was, and an earlier one may have taken it away.
        try:
            done.append(rng.choice(CHANGES)(rng, files, true))
        except (KeyError, IndexError, ValueError, AssertionError):
            done.append("nothing")
    if rng.random() < 0.8 and "formula.cnf" in files:
        try:
            files = recounted(files)
        except ValueError:
            done.append("not counted again")
    return files, done


def compare(seed: int, seconds: float, faults: Path) -> tuple[Counter[str], list[str]]:
    """Change certificates at random until the time is over, and keep those that are accepted for what is not so.

    Returns:
        How many were refused, accepted and wrong; and what was wrong.
    """
    rng, runs, wrong = random.Random(seed), Counter[str](), list[str]()
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        true = [made(puzzle(), Path(folder, name)) for name, puzzle in PUZZLES.items()]
        end = time.monotonic() + seconds
        while not runs or time.monotonic() < end:
            files, done = changed(rng, true)
            what = fault(files, Path(folder, "changed"))
            runs["refused" if what is None else "wrong" if what else "accepted"] += 1
            if what:
                wrong.append(f"{what} ({', '.join(done)})")
                written(files, faults / f"forgery-{seed}-{runs.total()}")
    return runs, wrong


def fault(files: Files, at: Path) -> str | None:
    """Return what is wrong with a verdict, nothing if the certificate proves the truth; None where it is refused."""
    try:
        found = proved(files, at)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    if found is None:
        return None
    return "" if found[1] == truth(found[0]) else f"{found[1]} for {truth(found[0])}"


def rerun(path: Path) -> str:
    """Check a kept certificate once more; return what is wrong, or nothing."""
    with TemporaryDirectory() as folder:
        return fault({file.name: file.read_bytes() for file in path.iterdir()}, Path(folder, "again")) or ""
