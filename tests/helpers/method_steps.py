"""What tests look at in the steps of a method that shows its working."""

from collections.abc import Iterable

from sudoku_encode.puzzles.step import KINDS, Step


def said(steps: Iterable[Step]) -> list[str]:
    """Return the steps with a text as they are printed; every step is of a known kind."""
    some = list(steps)
    assert {step.kind for step in some} <= KINDS.keys()
    return [str(step) for step in some if step.text]
