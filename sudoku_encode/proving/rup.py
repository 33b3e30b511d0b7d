"""The checker of a proof, to be read in five minutes. It needs nothing but Python, and no other file of this project.

A proof derives clauses from those of a CNF until it derives the empty one, which nothing satisfies: then the CNF has no
model. Each step of the proof is `NUMBER LITERALS 0 HINTS 0`: a clause, and the numbers of the clauses that it follows
from. The clauses of the CNF are numbered from 1 in their order, and the numbers of steps go up from there.
`NUMBER d NUMBERS 0` says that some clauses are not used any more. This is LRAT without its rule RAT.

Why a clause follows: suppose that all its literals are false. Then, hint by hint, all literals of the hint's clause
but one are false, so that this one must be true; until all literals of a clause are false, a contradiction.

    python rup.py CNF PROOF
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

Clauses = dict[int, list[int]]


class ProofError(Exception):
    """The proof is wrong; the message says where and why."""


def until_zero(words: Iterator[str]) -> list[str]:
    """Take the words up to the next 0, which is taken too."""
    taken: list[str] = []
    for word in words:
        if word == "0":
            return taken
        taken.append(word)
    raise ValueError("the last 0 is missing")


def clauses(cnf: Iterable[str]) -> Iterator[list[int]]:
    """Yield the clauses of a CNF in DIMACS."""
    words = (word for line in cnf if line[:1] not in ("c", "p") for word in line.split())
    for first in words:
        clause = [] if first == "0" else [first, *until_zero(words)]
        yield [int(word) for word in clause]


def follows(clause: list[int], hints: list[int], clauses: Clauses) -> bool:
    """Return whether the hints lead from `all literals of the clause are false` to a contradiction."""
    true = {-literal for literal in clause}
    for hint in hints:
        possible = {literal for literal in clauses[hint] if -literal not in true}
        if not possible:
            return True
        if len(possible) > 1:
            return False
        true |= possible
    return False


def refute(cnf: Iterable[str], proof: Iterable[str]) -> int:
    """Check that a proof derives the empty clause from a CNF; return how many clauses it derives.

    Raises:
        ProofError: it does not.
        ValueError: a word of the CNF or the proof is not a number, or the last 0 is missing.
    """
    numbered: Clauses = dict(enumerate(clauses(cnf), start=1))
    last, derived = len(numbered), 0
    highest = max((abs(literal) for clause in numbered.values() for literal in clause), default=0)
    words = (word for line in proof if line[:1] != "c" for word in line.split())
    for name in words:
        parts = until_zero(words)
        if int(name) < 1:
            raise ProofError(f"step {name}: its number is not above 0")
        try:
            if parts[:1] == ["d"]:
                for unused in parts[1:]:
                    del numbered[int(unused)]
                continue
            clause, hints = [int(part) for part in parts], [int(word) for word in until_zero(words)]
            if any(abs(literal) > highest for literal in clause):
                raise ProofError(f"step {name}: no clause has a variable above {highest}, and this one does")
            if not follows(clause, hints, numbered):
                raise ProofError(f"step {name}: {clause} does not follow from its hints")
        except KeyError as error:
            raise ProofError(f"step {name}: there is no clause {error}") from error
        if int(name) <= last:
            raise ProofError(f"step {name}: its number is not above {last}")
        last, derived = int(name), derived + 1
        numbered[last] = clause
        if not clause:
            return derived
    raise ProofError("it does not end in the empty clause")


if __name__ == "__main__":
    texts = [Path(name).read_bytes().decode("ascii").split("\n") for name in sys.argv[1:]]
    print("VERIFIED:", refute(*texts), "clauses derived")
