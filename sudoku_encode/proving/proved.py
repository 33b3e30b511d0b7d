"""The proved programs: compiled from `rocq/` with Coq and OCaml, and run on puzzles in numbers.

`docs/internals/proved.md` states what is proved, and what is left to believe.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from types import MappingProxyType

import numpy as np

from sudoku_encode.errors import InternalError, MethodError, SudokuError
from sudoku_encode.proving import counts, cube_folder
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.checking import CertificateError
from sudoku_encode.run.events import Progress, emit

SOURCES = Path(__file__).parent / "rocq"
# The files of the proved counter, and of the program and all its proofs, in the order in which they need each other.
THEORY = ("Rules", "Automata", "Constraints", "States", "Symmetries", "Counter", "Recount")
PROGRAM = (*THEORY, "Clauses", "Listed", "Extract")
# Theorems about boards, and what all theorems assume.
THEOREMS = ("Boards", "Assumptions")
_OCAML = ("whole.ml", "proved.mli", "proved.ml", "advice.ml", "certificate.ml", "main.ml")
_INSTALL = "apt-get install coq ocaml libzarith-ocaml-dev ocaml-findlib"
CLOSED = "Closed under the global context"


def build(folder: Path | None = None) -> Path:
    """Compile the proofs and the program, unless an earlier call did, and return the program; the proofs are beside it.

    Args:
        folder: where to keep them; by default a folder of the user's cache.

    Raises:
        SudokuError: Coq, OCaml or zarith is not installed, or the folder cannot be written.
        InternalError: they do not accept the sources.
    """
    home = (folder or _cache()) / f"proved-{_digest()}"
    if not home.exists():
        require_compilers()
        emit(Progress("compiling the proved programs, once on this machine ..."))
        try:
            home.parent.mkdir(parents=True, exist_ok=True)
            scratch = Path(mkdtemp(dir=home.parent))
            try:
                prove(PROGRAM, scratch)
                _compile_program(scratch)
                with suppress(OSError):  # if another process was quicker
                    scratch.rename(home)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)
        except OSError as error:
            raise SudokuError(f"cannot write the proved program to {home}: {error.strerror}") from None
    return home / "proved"


def missing_compilers() -> str:
    """Return why the program cannot be compiled here, "" if it can."""
    missing = [name for name in ("coqc", "ocamlfind", "ocamlopt") if not shutil.which(name)]
    if not missing and subprocess.run(["ocamlfind", "query", "zarith"], capture_output=True, check=False).returncode:
        missing = ["zarith"]
    return f"not installed: {', '.join(missing)} ({_INSTALL})" if missing else ""


def require_compilers() -> None:
    """Check that the program can be compiled here.

    Raises:
        SudokuError: it cannot; the message says what must be installed.
    """
    if missing := missing_compilers():
        raise SudokuError(f"the proved program cannot be compiled: {missing}")


def prove(names: Iterable[str], scratch: Path) -> str:
    """Have Coq check some files of proofs, in a folder that contains those that they need; return what it prints.

    Raises:
        InternalError: Coq refuses one.
    """
    printed = ""
    for name in names:
        if not (scratch / f"{name}.v").exists():
            shutil.copy(SOURCES / f"{name}.v", scratch)
        printed += _run(["coqc", "-q", "-Q", ".", "Proved", f"{name}.v"], scratch)
    return printed


def unproved_theorems(scratch: Path, names: Sequence[str] = (*PROGRAM, *THEOREMS)) -> list[str]:
    """Have Coq check the files of proofs, by default all, in a folder; return the theorems that assume something.

    Raises:
        InternalError: Coq refuses a proof.
    """
    text = (SOURCES / "Assumptions.v").read_text("ascii")
    theorems = re.findall(r"^Print Assumptions (\w+)\.$", text, re.MULTILINE)
    # Each theorem prints either the one line, or "Axioms:" and lines about each.
    answers = re.findall(rf"^(?:{CLOSED}|Axioms:.*?)$", prove(names, scratch), re.MULTILINE)
    if len(answers) != len(theorems):
        raise InternalError(f"Coq printed {len(answers)} answers for {len(theorems)} theorems")
    return [theorem for theorem, answer in zip(theorems, answers, strict=True) if answer != CLOSED]


def count(
    rules: str,
    order: Sequence[int],
    symmetries: Mapping[int, Sequence[Sequence[int]]] = MappingProxyType({}),
) -> int:
    """Return the number of solutions of a puzzle in numbers, counted by the proved program.

    Args:
        rules: the puzzle, as the text of rules.txt.
        order: the cells, in the order in which they are filled.
        symmetries: for some layers, by the number of filled cells, permutations of the open cells that keep which of
            them share a unit: lists of the images of the open cells, in the order of `order`.

    Raises:
        SudokuError: the program refuses the rules, the order or a symmetry; or it cannot be compiled here.
    """
    lines = [("order", *order)]
    lines += [("symmetry", layer, *images) for layer, several in symmetries.items() for images in several]
    return int(_answer("count", rules, lines))


def clauses(rules: str, given: Iterable[int]) -> list[tuple[int, ...]]:
    """Return the clauses of a puzzle in numbers, as the theorems define them.

    Args:
        rules: the puzzle, as the text of rules.txt.
        given: the cells whose only allowed value is a given; other cells have pencilmarks.

    Raises:
        SudokuError: the program refuses the rules, or it cannot be compiled here.
    """
    text = _answer("clauses", rules, [("given", *given)])
    return [tuple(int(literal) for literal in line.split()[:-1]) for line in text.splitlines()]


def check_listed(folder: Path) -> int:
    """Return the number of solutions that a certificate lists, after the proved program has checked that they are all.

    Args:
        folder: what `prove` wrote, with `proof.lrat`; its `certificate.json` and `formula.cnf` are not needed.

    Raises:
        FormatError: the puzzle cannot be read.
        MethodError: the puzzle has constraints.
        SudokuError: the program refuses the certificate, or it cannot be compiled here.
    """
    puzzle = files.puzzle(folder)
    names = [str(folder / name) for name in (files.SOLUTIONS, files.BLOCKED, files.PROOF)]
    if puzzle.constraints:
        raise MethodError("the proved checker supports no constraints")
    given = ("given", *np.flatnonzero(puzzle.givens).tolist())
    return int(_answer("listed", counts.rules_text(puzzle), [given], names))


def check_count(folder: Path) -> int:
    """Return the number of solutions of a certificate of a count by cells, counted again by the proved program.

    Args:
        folder: of the certificate; of its `count.json` the order and the symmetries are taken.

    Raises:
        FormatError: a file is missing or invalid.
        MethodError: the count is by bands.
        SudokuError: the program refuses the order or a symmetry, or it cannot be compiled here.
    """
    puzzle = files.puzzle(folder)
    plan = counts.plan_of(folder, puzzle)
    if plan is None:
        raise MethodError("the proved counter counts by cells, and this certificate by bands")
    rules = counts.rules_text(puzzle)
    return count(rules, plan.order, plan.symmetries)


def check(folder: Path) -> tuple[int, str]:
    """Check a certificate of a count or of a list; return the number of solutions, and which program checked it.

    Raises:
        FormatError: a file is missing or invalid.
        MethodError: the programs support no certificate of this kind.
        SudokuError: the program refuses it, or it cannot be compiled here.
    """
    if counts.is_count(folder):
        return check_count(folder), "proved recount"
    if cube_folder.is_in_cubes(folder):
        raise MethodError("the proved programs support no certificates in cubes")
    return check_listed(folder), "proved checker"


def _answer(command: str, rules: str, lines: Iterable[Sequence[object]], arguments: Iterable[str] = ()) -> str:
    """Run a command of the program on rules and the lines that follow them."""
    done = subprocess.run(
        [build(), command, *arguments], input=rules + _text(lines), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CertificateError(f"refused by the proved program: {done.stderr.strip() or f'status {done.returncode}'}")
    return done.stdout


def _text(lines: Iterable[Sequence[object]]) -> str:
    return "".join(" ".join(str(word) for word in line) + "\n" for line in lines)


def _compile_program(scratch: Path) -> None:
    """Compile the program in a folder in which Coq has written it."""
    for name in _OCAML:
        if (SOURCES / name).exists():
            shutil.copy(SOURCES / name, scratch)
    options = ["-package", "zarith", "-linkpkg", "-w", "-a", "-inline", "200", "-o", "proved"]
    _run(["ocamlfind", "ocamlopt", *options, *_OCAML], scratch)


def _run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InternalError(f"{command[0]} refuses {command[-1]}: {' '.join(done.stderr.split())[:300]}")
    return done.stdout


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "sudoku_encode")


def _digest() -> str:
    """Return a name for the state of the sources."""
    digest = hashlib.sha256()
    for path in sorted(SOURCES.iterdir()):
        if path.suffix in (".v", ".ml"):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
