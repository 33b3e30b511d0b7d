"""Hostile input: every reader gives something valid or one line, whatever it is given."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers.hostile_readers import READERS, accepts
from tests.helpers.valid_inputs import SEEDS, WORDS

NAMES = list(READERS)
QUICK = settings(derandomize=True, max_examples=30, deadline=None)


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hostile")


def seeds(name: str) -> list[bytes]:
    return list(SEEDS[name]())


def changed(data: bytes, chance: random.Random, words: list[str], other: bytes) -> bytes:
    """Valid input with a few faults: bytes flipped, cut, doubled, lines swapped, words put in, another's end."""
    for _ in range(chance.choice((1, 1, 2, 4, 8))):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((1, 2, 10, 100)))
        kind = chance.randrange(7)
        if kind == 0 and data:
            at = chance.randrange(len(data))
            data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:start] + data[end:]
        elif kind == 2:
            data = data[:end] + data[start:]
        elif kind == 3:
            lines = data.split(b"\n")
            one, two = chance.randrange(len(lines)), chance.randrange(len(lines))
            lines[one], lines[two] = lines[two], lines[one]
            data = b"\n".join(lines)
        elif kind == 4:
            data = data[:start] + chance.choice(words).encode() + data[start:]
        elif kind == 5:
            data = data[:start]
        else:
            data = data[:start] + other[chance.randrange(len(other) + 1) :]
    return data


@pytest.mark.parametrize("name", NAMES)
def test_seeds_accepted(name: str, at: Path) -> None:
    """Every reader takes some of its seeds."""
    found = [accepts(READERS[name], data, at) for data in seeds(name)]
    assert sum(found) >= len(found) // 5


@pytest.mark.parametrize("name", NAMES)
def test_random_bytes(name: str, at: Path) -> None:
    """Random bytes are refused or read."""

    @given(st.binary(max_size=300))
    @QUICK
    def run(data: bytes) -> None:
        accepts(READERS[name], data, at)

    run()


@pytest.mark.parametrize("name", NAMES)
def test_random_words(name: str, at: Path) -> None:
    """Random words of the format are refused or read."""
    letters = st.text("0123456789.,:-+=[]{}\"'abcdxrvs# \n\t\r\f\v\0\ufeff\u202e\u0661\u00b2", max_size=20)

    @given(st.integers(0, 20), st.lists(st.sampled_from(WORDS[name]) | letters, max_size=30))
    @QUICK
    def run(kind: int, words: list[str]) -> None:
        accepts(READERS[name], bytes([kind]) + "".join(words).encode(), at)

    run()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_changed_input(name: str, at: Path) -> None:
    """Changed valid input is refused or read."""
    valid = seeds(name)

    @given(st.randoms(use_true_random=False))
    @settings(QUICK, max_examples=50)
    def run(chance: random.Random) -> None:
        accepts(READERS[name], changed(chance.choice(valid), chance, WORDS[name], chance.choice(valid)), at)

    run()


DEEP = 100_000
WRONG = {
    "JSON nested deep": ("puzzles", b"\0" + b"[" * DEEP),
    "JSON nested deep in a value": ("puzzles", b'\0{"givens": [' + b'{"a":' * 900 + b"1" + b"}" * 900 + b"]}"),
    "JSON with a huge number": ("puzzles", b'\0{"givens": [' + b"9" * DEEP + b"]}"),
    "JSON with numbers that are none": ("puzzles", b'\0{"board": "4x4", "givens": [NaN, Infinity, 1e999]}'),
    "JSON of half a character": ("puzzles", b'\0{"board": "\\ud800", "givens": [1]}'),
    "entities": (
        "puzzles",
        b'\0<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]><opensudoku>&c;</opensudoku>',
    ),
    "an external entity": (
        "puzzles",
        b'\0<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><opensudoku>&b;</opensudoku>',
    ),
    "XML nested deep": ("puzzles", b"\0<opensudoku>" + b"<a>" * DEEP),
    "XML with half a character": ("puzzles", b"\2<opensudoku \x80"),
    "a NUL": ("puzzles", b"\0" + b"." * 80 + b"\0"),
    "UTF-16": ("puzzles", b"\0" + ("." * 81).encode("utf-16-le")),
    "Roman digits": ("puzzles", b"\0" + "\u2160".encode() * 81),
    "raised digits": ("puzzles", b"\0" + b"\n".join(["\u00b2 ".encode() * 9] * 9)),
    "a board too large": ("puzzles", b"\0# board: 1000000x1000000\n" + b"." * 81),
    "a board that names a file": ("puzzles", b"\0# board: jigsaw:/etc/passwd\n" + b"." * 81),
    "an alphabet of many letters": ("puzzles", b"\0# alphabet: " + b"x" * DEEP),
    "too many boards": (
        "puzzles",
        b"\0" + b"".join(b"# board: 99x99:%s1x99\n" % (b"0" * (n % 90)) * (n % 2 + 1) for n in range(4000)),
    ),
    "a board without end": ("puzzles", b"\0# board: 9x8" + b"+a" * DEEP + b"\n" + b"." * 81),
    "digits without end": ("boards", b"9" * DEEP + b"x9"),
    "a board of two sides, and rules without end": ("boards", b"9x8" + b"+a" * DEEP),
    "a rule again and again": ("boards", b"9x9" + b"+diagonals" * 1000),
    "a rule with a long name": ("boards", b"9x9\0" + b"x" * DEEP),
    "raised digits in a board": ("boards", "\u00b2x\u00b2".encode()),
    "a map of two sides": ("boards", b"jigsaw:" + b"a" * DEEP),
    "a map that is no text": ("boards", b"\n" + bytes(range(256)) * 1000),
    "a comment cut off": ("dimacs", b"c board 4x4\nc givens\np cnf 64 1\n"),
    "a given too large": ("dimacs", b"c board 4x4\nc givens r1c1 99999999999999999999 . . .\np cnf 64 1\n"),
    "a given with a stroke": ("dimacs", b"c board 4x4\nc givens r1c1 0_1 . . .\np cnf 64 1\n"),
    "givens past the end": ("dimacs", b"c board 4x4\nc givens r4c4 1 1\np cnf 64 1\n"),
    "variables without end": ("dimacs", b"c board 4x4\np cnf 2147483648 1\n"),
    "more variables than anybody has": ("dimacs", b"c board 4x4\np cnf 999999999 1\n"),
    "fewer variables than none": ("dimacs", b"c board 4x4\nc contradiction: x\np cnf -5 1\n"),
    "variables in words": ("dimacs", b"c board 4x4\np cnf " + b"1" * 5000 + b" 1\n"),
    "a second board": ("dimacs", b"c board 4x4\nc board 9x9\np cnf 729 1\n"),
    "a second set of rules": ("dimacs", b"c board 4x4\nc rules row\nc rules row\np cnf 64 1\n"),
    "a board that is a file": ("dimacs", b"c board jigsaw:/etc/passwd\np cnf 64 1\n"),
    "a kind without end": ("dimacs", b"c board 4x4\nc kind " + b"x" * DEEP + b"\np cnf 64 1\n"),
    "a literal without end": ("output", b"\0v " + b"1" * DEEP + b" 0\n"),
    "a literal with a stroke": ("output", b"\0v 1_0 0\n"),
    "an answer without end": ("output", b"\0s " + b"x" * DEEP),
    "a damaged gz": ("compressed", b"\1\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff"),
    "a damaged xz": ("compressed", b"\2\xfd7zXZ\0\0\4\xff\xff\xff\xff"),
    "a damaged zst": ("compressed", b"\3\x28\xb5\x2f\xfd\xff\xff\xff\xff"),
    "TOML nested deep": ("known", b"known = " + b"[" * DEEP),
    "TOML with a huge number": ("known", b"known = " + b"1" * DEEP),
    "a key of many parts": ("known", b"a" + b".a" * DEEP + b" = 1\n"),
    "a key of many parts in quotes": ("known", b'"a"' + b" . 'a'" * DEEP + b" = 1\n"),
    "a value nested by its key": ("known", b"[[known]]\nfile" + b".a" * 90 + b" = 1\n"),
    "another type": ("known", b"[[known]]\nfile = 1979-05-27\n"),
    "a table that is none": ("known", b"known = [1, 2]\n"),
    "a key without end": ("known", b"[[known]]\n" + b"x" * DEEP + b" = 1\n"),
    "a header without end": ("certificates", b"\2p cnf " + b"1" * 5000 + b" 1\n"),
    "a literal of twelve digits": ("certificates", b"\5999999999999 0\n0\n"),
    "figures nested deep": ("certificates", b"\0" + b"[" * DEEP),
    "figures with a huge number": ("certificates", b'\0{"solutions": ' + b"1" * DEEP + b"}"),
    "another board": ("certificates", b'\1{"board": "100x100", "givens": ' + b"[" + b"0," * 9999 + b"0]}"),
    "another large board": ("certificates", b'\1{"board": "36x36", "givens": ' + b"[" + b"0," * 1295 + b"0]}"),
    "many puzzles": ("certificates", b"\1[" + b", ".join([b'{"board": "2x2", "givens": [0, 0, 0, 0]}'] * 2) + b"]"),
    "two lines changed": ("resume", b"0000\n0002\n"),
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.thorough
def test_wrong_input(case: str, at: Path) -> None:
    """What is wrong is refused in one line."""
    name, data = WRONG[case]
    assert not accepts(READERS[name], data, at)


STRANGE = {
    "a BOM and CRLF": ("puzzles", b"\0\xef\xbb\xbf# board: 4x4\r\n1...............\r\n"),
    "form feeds": ("puzzles", b"\3\f1...\n....\f\n....\n....\f"),
    "a name of half a character": (
        "puzzles",
        b'\0{"name": "a\\ud800\\u001b[2J\\n", "board": "2x2", "givens": [0, 0, 0, 0]}',
    ),
    "a name that turns around": ("puzzles", b'\0{"name": "a\\u202e", "board": "2x2", "givens": [0, 0, 0, 0]}'),
    "Arabic digits in a board": ("boards", "\u0669x\u0669".encode()),
    "a word that is no directive": ("puzzles", "\0# rule\u017f: none\n1...............\n".encode()),
    "an empty model": ("output", b"\0v 0\n"),
}


@pytest.mark.parametrize("case", STRANGE)
def test_strange_input(case: str, at: Path) -> None:
    """What is strange and plain enough is read."""
    name, data = STRANGE[case]
    assert accepts(READERS[name], data, at)


@pytest.mark.parametrize("comment", [b"# a\rb", b"# a\0", b"# \xff", b"# \x1b[2J", b"# \x0b"])
def test_bulk_as_single(comment: bytes, at: Path) -> None:
    """Many grids at once are read as one by one is."""
    # A line may end within the comment, or the file be binary: no fast way takes what the slow one refuses.
    accepts(READERS["puzzles"], b"\0" + comment + b"\n" + (b"." * 81 + b"\n") * 2, at)


FUZZ = Path(__file__).resolve().parents[2] / "scripts" / "fuzz"


def fuzz(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(FUZZ), *map(str, words)], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.slow
@pytest.mark.thorough
def test_fuzzer_replays(tmp_path: Path) -> None:
    """The fuzzer knows the readers and replays what it kept."""
    assert [line.split()[0] for line in fuzz("--list").stdout.splitlines()] == [
        *NAMES,
        "methods",
        "forgery",
        "second-readers",
        "oracle",
    ]
    assert fuzz("no-reader").returncode == 2
    kept = tmp_path / "kept"
    kept.write_bytes(WRONG["a board too large"][1])
    again = fuzz("puzzles", "--replay", kept)
    assert (again.returncode, again.stdout[:8]) == (0, "refused:")
