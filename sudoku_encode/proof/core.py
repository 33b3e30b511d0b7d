"""The clauses of a formula that a refutation needs, besides what it learns: unit propagation throws out the rest.

Who shows that some of the clauses have no model has shown it for all of them, so nothing here has to be trusted.
"""

from collections.abc import Sequence

from sudoku_encode.proof.plain import Clause


def core(clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses that unit propagation uses, and those that it does not satisfy."""
    places: dict[int, list[int]] = {}
    for number, clause in enumerate(clauses):
        for literal in clause:
            places.setdefault(literal, []).append(number)
    left = [len(clause) for clause in clauses]
    satisfied, used = bytearray(len(clauses)), bytearray(len(clauses))
    true: set[int] = set()
    queue = [number for number, clause in enumerate(clauses) if len(clause) <= 1]
    for number in queue:
        if satisfied[number]:
            continue
        used[number] = 1
        (literal,) = [literal for literal in clauses[number] if -literal not in true] or [0]
        if not literal:
            # A conflict needs nothing else.
            return [clause for clause, chosen in zip(clauses, used, strict=True) if chosen]
        true.add(literal)
        for other in places[literal]:
            satisfied[other] = 1
        for other in places.get(-literal, ()):
            left[other] -= 1
            if left[other] == 1 or not left[other]:
                queue.append(other)
    return [clause for clause, chosen, done in zip(clauses, used, satisfied, strict=True) if chosen or not done]
