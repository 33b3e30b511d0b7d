"""What setters ask of a puzzle, beside how long it should take: for `scripts/bench`."""


def bench_questions(rounds: int) -> dict[str, list[float]]:
    return {}
