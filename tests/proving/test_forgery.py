"""No false certificate is accepted: forged ones, changed ones, and random proofs of formulas that have a model."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from sudoku_encode.errors import SudokuError
from sudoku_encode.proving import check, checkers, hints, rup
from sudoku_encode.proving import folder as certificate_folder
from sudoku_encode.proving.checking import CertificateError
from sudoku_encode.proving.numbers import Numbers, read
from tests.helpers import certificate_reader, forged_certificates
from tests.helpers.forged_certificates import (
    PUZZLES,
    Clause,
    Files,
    changed,
    clauses,
    forged,
    line,
    made,
    proved,
    truth,
    with_hints,
    written,
)
from tests.helpers.known_puzzles import known

LARGER = ("papers/gtsps-fig-4.9.sdk", "small/9x9-jigsaw.txt", "small/16x16.txt", "papers/jana-2023-table-2.txt")


@pytest.fixture(scope="module")
def true(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    """Certificates of all these kinds of puzzles."""
    return {name: made(puzzle(), tmp_path_factory.mktemp(name)) for name, puzzle in PUZZLES.items()}


@cache
def made_large(name: str) -> Files:
    """Return the true certificate of a larger puzzle."""
    with TemporaryDirectory() as folder:
        return made(known(name).puzzle, Path(folder))


def test_seeds_are_true(true: dict[str, Files], tmp_path: Path) -> None:
    """The certificates to be changed are true."""
    for files in true.values():
        found = proved(files, tmp_path / "true")
        assert found is not None
        assert found[1] == truth(found[0])


# Of a puzzle without solutions there is nothing to leave out.
@pytest.mark.parametrize("name", [name for name in PUZZLES if name not in ("4x4-none", "4x4-clash")])
def test_forged(name: str, true: dict[str, Files], tmp_path: Path) -> None:
    """A forged certificate is refused."""
    n = len(true[name]["solutions.txt"].split())
    for left_out in ([*range(n)], [*range(0, n, 2)], [n // 2]):
        false = forged(true[name], left_out)
        assert_refused(false, tmp_path, r"proof\.drat: .*(RUP|no contradiction)")
        assert_refused(with_hints(false), tmp_path, r"proof\.lrat: the plain checker does not")


# 16x16 and the 9x9x9 go the same way: compiled code looks for their hints. The smaller is enough.
@pytest.mark.slow
@pytest.mark.parametrize("name", LARGER[:2])
def test_forged_large(name: str, tmp_path: Path) -> None:
    """A forged certificate of a larger puzzle is refused."""
    files = made_large(name)
    n = len(files["solutions.txt"].split())
    for left_out in {n, min(7, n)}:
        false = forged(files, [*range(left_out)])
        assert_refused(false, tmp_path, r"proof\.drat: .*(RUP|no contradiction)")
        assert_refused(with_hints(false), tmp_path, r"proof\.lrat: the plain checker does not accept")


def assert_refused(files: Files, at: Path, reason: str) -> None:
    with pytest.raises(CertificateError, match=reason):
        check(written(files, at / "false"))


@pytest.mark.slow
def test_changed(true: dict[str, Files], tmp_path: Path) -> None:
    """No changed certificate is accepted for what is not so."""
    rng, accepted, tried = random.Random(14), 0, 0
    for _ in range(100):
        files, done = changed(rng, [*true.values()])
        found = proved(files, tmp_path / "changed")
        tried += 1
        if found is not None:
            accepted += 1
            assert found[1] == truth(found[0]), done
    # Some changes leave a certificate true, such as the order of its solutions; most do not.
    assert 0 < accepted < tried / 3


@pytest.mark.slow
def test_fuzzer_keeps_faults(true: dict[str, Files], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer keeps what is accepted and not so."""
    monkeypatch.setattr(forged_certificates, "changed", lambda rng, certificates: (true["4x4"], ["nothing"]))
    monkeypatch.setattr(forged_certificates, "truth", lambda puzzle: 999)
    runs, wrong = forged_certificates.compare(1, 0, tmp_path)
    assert (runs, wrong) == ({"wrong": 1}, ["6 for 999 (nothing)"])
    kept = next(tmp_path.iterdir())
    assert forged_certificates.rerun(kept).endswith("for 999")
    monkeypatch.undo()
    assert forged_certificates.rerun(kept) == ""


@pytest.mark.parametrize("name", PUZZLES)
def test_second_reader(name: str, true: dict[str, Files], tmp_path: Path) -> None:
    """A reader written from the page alone agrees."""
    assert certificate_reader.check(written(true[name], tmp_path / "true")) == truth(PUZZLES[name]())


@pytest.mark.slow
@pytest.mark.parametrize("name", [*LARGER, "papers/keck-cubic.txt", "papers/keck-sudoku-cube.txt"])
def test_second_reader_large(name: str, tmp_path: Path) -> None:
    """A reader written from the page alone agrees on larger puzzles."""
    assert certificate_reader.check(written(made_large(name), tmp_path / "true")) == known(name).count


@pytest.mark.slow
def test_second_reader_not_deceived(true: dict[str, Files], tmp_path: Path) -> None:
    """No changed certificate deceives that reader."""
    rng, both, ours = random.Random(15), 0, 0
    for _ in range(60):
        files, done = changed(rng, [*true.values()])
        found = proved(files, tmp_path / "changed")
        try:
            count = certificate_reader.check(tmp_path / "changed")
        except certificate_reader.Refused:
            ours += found is not None
            continue
        # It takes nothing that we refuse, and what both take they read alike.
        assert found is not None, done
        assert count == found[1] == truth(found[0]), done
        both += 1
    # We take DRAT too, and are less strict about headers and characters in comments.
    assert both > ours


def replaced(name: str, old: bytes, new: bytes) -> Callable[[Files], None]:
    """Return a change of a file, which must have the old text."""

    def change(files: Files) -> None:
        assert old in files[name]
        files[name] = files[name].replace(old, new, 1)

    return change


# What the page does not say that a file may have. Most of it a person would read as the same.
FORMS: dict[str, Callable[[Files], None]] = {
    "a zero in front in the name of a board": replaced("puzzle.json", b'"4x4"', b'"04x04"'),
    "a zero in front in its boxes": replaced("puzzle.json", b'"4x4"', b'"4x4:2x02"'),
    "a place with a zero in front": replaced("puzzle.json", b'"4x4"', b'"4x4@00,0"'),
    "a board in wide digits": replaced("puzzle.json", b'"4x4"', rb'"\uff14x\uff14"'),
    "a blank around it": replaced("puzzle.json", b'"4x4"', b'" 4x4"'),
    "0 with a sign": replaced("puzzle.json", b"0,", b"-0,"),
    "0 with a point": replaced("puzzle.json", b"0,", b"0.0,"),
    "0 with an exponent": replaced("puzzle.json", b"0,", b"0e0,"),
    "false for 0": replaced("puzzle.json", b"0,", b"false,"),
    "null for 0": replaced("puzzle.json", b"0,", b"null,"),
    "text for 0": replaced("puzzle.json", b"0,", b'"0",'),
    "0 twice": replaced("puzzle.json", b"0,", b"00,"),
    "a plus in front": replaced("puzzle.json", b"0,", b"+0,"),
    "an underscore": replaced("puzzle.json", b"0,", b"0_0,"),
    "a key twice": replaced("puzzle.json", b'{"board"', b'{"board": "4x4", "board"'),
    "an unknown key": replaced("puzzle.json", b'{"board"', b'{"id": 1, "board"'),
    "a solution beside it": replaced("puzzle.json", b'{"board"', b'{"solution": "", "board"'),
    "another name for the givens": replaced("puzzle.json", b'"givens"', b'"puzzle"'),
    "nested pencilmarks": replaced(
        "puzzle.json", b'"givens"', b'"pencilmarks": %s, "givens"' % str([[[1, 2, 3, 4]] * 4] * 4).encode()
    ),
    "two values": replaced("puzzle.json", b"{", b"{} {"),
    "a mark of the order of bytes": replaced("puzzle.json", b"{", b"\xef\xbb\xbf{"),
    "a vertical tab behind a solution": replaced("solutions.txt", b"\n", b"\x0b\n"),
    "a form feed before one": lambda files: files.update({"solutions.txt": b"\x0c" + files["solutions.txt"]}),
    "a carriage return before one": lambda files: files.update({"solutions.txt": b"\r" + files["solutions.txt"]}),
    "a separator of files behind one": replaced("solutions.txt", b"\n", b"\x1c\n"),
    "a solution with a comma": replaced("solutions.txt", b"\n", b",\n"),
    "a comment": lambda files: files.update({"solutions.txt": b"c\n" + files["solutions.txt"]}),
    "a number of solutions twice": replaced("certificate.json", b'"solutions"', b'"solutions": 1,\n"solutions"'),
    "a number with a point": replaced("certificate.json", b",", b".0,"),
    "a number as text": replaced("certificate.json", b'"clauses": ', b'"clauses": "1", "more": '),
    "something that is no number": replaced("certificate.json", b"{", b'{"more": NaN,'),
    "text behind the object": lambda files: files.update({"certificate.json": files["certificate.json"] + b"}"}),
    "zeros in front in a header": replaced("formula.cnf", b"p cnf ", b"p cnf 0"),
    "a zero in front in a clause": replaced("formula.cnf", b"\n1 ", b"\n01 "),
    "a plus in a clause": replaced("formula.cnf", b"\n1 ", b"\n+1 "),
    "an underscore in a clause": replaced("formula.cnf", b"\n13 ", b"\n1_3 "),
    "a vertical tab in a clause": replaced("formula.cnf", b"\n1 ", b"\n1\x0b "),
    "-0 at the end of a clause": replaced("blocked.cnf", b" 0\n", b" -0\n"),
    "a zero in front in a proof": replaced("proof.lrat", b" 0\n", b" 00\n"),
    "true candidates beside it": lambda files: files.update({"candidates.json": b"[]\n"}),
    "a proof of cubes beside it": lambda files: files.update({"cover.lrat": b"1 0 1 0\n"}),
    "another proof beside it": lambda files: files.update({"proof.drat": b"0\n"}),
}


@pytest.mark.parametrize("change", FORMS.values(), ids=FORMS)
def test_unknown_form(change: Callable[[Files], None], true: dict[str, Files], tmp_path: Path) -> None:
    """A form that the page does not have is refused by both readers."""
    files = dict(true["4x4"])
    change(files)
    assert files != true["4x4"]
    folder = written(files, tmp_path / "changed")
    with pytest.raises(SudokuError) as caught:
        check(folder)
    assert "\n" not in str(caught.value)
    with pytest.raises(certificate_reader.Refused):
        certificate_reader.check(folder)


def test_known_forms(true: dict[str, Files], tmp_path: Path) -> None:
    """Forms that the page has are taken by both readers."""
    files = {
        name: text if name.endswith(".json") else text.replace(b"\n", b"\r\n\n") for name, text in true["4x4"].items()
    }
    files["solutions.txt"] = files["solutions.txt"].replace(b"\r", b" \t\r").removesuffix(b"\n")
    files["formula.cnf"] = files["formula.cnf"].replace(b" ", b" \t ")
    folder = written(files, tmp_path / "same")
    assert check(folder).count == certificate_reader.check(folder) == truth(PUZZLES["4x4"]())


def satisfiable(formula: list[Clause], n: int) -> bool:
    worlds = (set(world) for world in product(*((v, -v) for v in range(1, n + 1))))
    return any(all(world & set(clause) for clause in formula) for world in worlds)


def random_proofs(seed: int, number: int) -> Iterator[tuple[int, list[Clause], list[tuple[bool, Clause]]]]:
    """Yield small satisfiable formulas with lemmas and deletions, many of which are RAT once clauses are deleted."""
    rng = random.Random(seed)
    while number:
        n = rng.randint(2, 5)
        formula = [
            [v * rng.choice((1, -1)) for v in rng.sample(range(1, n + 1), rng.randint(1, min(3, n)))]
            for _ in range(rng.randint(1, 8))
        ]
        if not satisfiable(formula, n):
            continue
        number -= 1
        live, proof = [*formula], list[tuple[bool, Clause]]()
        for _ in range(rng.randint(1, 8)):
            if live and rng.random() < 0.6:
                proof.append((False, live.pop(rng.randrange(len(live)))))
            else:
                clause = [v * rng.choice((1, -1)) for v in rng.sample(range(1, n + 1), rng.randint(1, min(2, n)))]
                live.append(clause)
                proof.append((True, clause))
        yield n, formula, [*proof, (True, [])]


def numbers(found: list[Clause]) -> Numbers:
    return read("\n".join(map(line, found)).encode(), "")


def test_lemmas_of_satisfiable() -> None:
    """No lemmas refute a formula that has a model."""
    for n, formula, proof in random_proofs(7, 700):
        lemmas = numbers([clause for added, clause in proof if added])
        with pytest.raises(hints.NotRupError):
            hints.find(numbers(formula), lemmas, n, lambda: None)


def test_hints_of_satisfiable() -> None:
    """No hints refute a formula that has a model."""
    rng = random.Random(8)
    for n, formula, proof in random_proofs(8, 700):
        names, steps, last = {}, [], len(formula)
        for at, clause in enumerate(formula, 1):
            names[tuple(clause)] = at
        for added, clause in proof:
            if added:
                last += 1
                names[tuple(clause)] = last
                wanted = rng.choices(range(1, last), k=rng.randint(0, 4)) if last > 1 else []
                steps.append(f"{last} {line(clause)} {line(wanted)}")
            else:
                steps.append(f"{last} d {names[tuple(clause)]} 0")
        assert not refutes(formula, steps, n)


def refutes(formula: list[Clause], steps: list[str], n: int) -> bool:
    """Ask the plain and the compiled checker, which must agree."""
    text = "\n".join(["p cnf 0 0", *map(line, formula)]).encode()
    as_read = certificate_folder.Formula(Path("formula"), text, numbers(formula))
    refutation = checkers.Refutation(as_read, n, read("\n".join(steps).encode(), ""))
    answers = []
    for checker in checkers.CHECKERS[:2]:
        try:
            checker.run(refutation)
            answers.append(True)
        except rup.ProofError:
            answers.append(False)
    assert answers[0] == answers[1], (formula, steps)
    return answers[0]


@pytest.mark.slow
def test_checkers_agree(true: dict[str, Files]) -> None:
    """The checkers agree on proofs with changed steps."""
    rng, refuted = random.Random(9), 0
    formula, steps = clauses(true["4x4"]["blocked.cnf"]), true["4x4"]["proof.lrat"].decode().splitlines()
    assert refutes(formula, steps, 64)
    for _ in range(300):
        words = [step.split() for step in steps]
        row = rng.randrange(len(words))
        words[row][rng.randrange(len(words[row]))] = str(rng.randint(-64, len(formula)))
        refuted += refutes(formula, [" ".join(row) for row in words], 64)
    assert 0 < refuted < 300


def test_smallest_false_drat() -> None:
    """The smallest proof that a checker of DRAT took for true is refused."""
    formula = numbers([[-2], [1, 2]])
    with pytest.raises(hints.NotRupError, match=r"lemma 1 \(-1\) does not follow"):
        hints.find(formula, numbers([[-1], []]), 2, lambda: None)


def test_hints_are_refutation() -> None:
    """What hints are found for is a refutation."""
    rng, found = random.Random(10), 0
    for _ in range(700):
        n = rng.randint(2, 6)
        formula = [
            [v * rng.choice((1, -1)) for v in rng.choices(range(1, n + 1), k=rng.randint(1, 3))]
            for _ in range(rng.randint(4, 24))
        ]
        lemmas = [
            [v * rng.choice((1, -1)) for v in rng.choices(range(1, n + 1), k=rng.randint(0, 3))] for _ in range(6)
        ]
        try:
            proof = hints.find(numbers(formula), numbers(lemmas), n, lambda: None)
        except hints.NotRupError:
            continue
        found += 1
        assert not satisfiable(formula, n)
        ends = np.flatnonzero(proof == 0)[1::2]
        steps = [" ".join(map(str, step)) for step in np.split(proof, ends + 1)[:-1]]
        assert refutes(formula, steps, n), (formula, lemmas)
    assert found > 100
