"""Least images of 9x9 puzzles against published ones, against images drawn at random, and Python against compiled."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sudoku_encode as se
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.symmetry import minlex, minlex_kernel

BOARD = se.board("9x9")
# Of the published list of puzzles with 17 givens, which are in this form, and the grid with the most symmetries.
LEAST = [
    "000000001000000234000004560001070040040006005800900000030002006109080000700000000",
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
    "123456789456789123789123456234567891567891234891234567345678912678912345912345678",
]
GRIDS = [
    LEAST[1],
    LEAST[2],
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
]
SETTINGS = settings(derandomize=True, deadline=None, max_examples=12)


def values(text: str) -> Grids:
    return np.array([int(symbol) for symbol in text], np.uint8)


def drawn(grid: Grids, rng: np.random.Generator) -> Grids:
    """Return a random image of a puzzle, by rows, columns and names that are written out."""
    rows, columns = (np.concatenate([3 * b + rng.permutation(3) for b in rng.permutation(3)]) for _ in range(2))
    names = np.concatenate([[0], 1 + rng.permutation(9)]).astype(np.uint8)
    square = grid.reshape(9, 9).T if rng.random() < 0.5 else grid.reshape(9, 9)
    image: Grids = names[square[rows][:, columns]].ravel()
    return image


@pytest.mark.parametrize("text", [*LEAST, "0" * 81, "0" * 80 + "1", "0" * 78 + "123"])
def test_known(text: str) -> None:
    """Published least images are those of their images; few givens do not take many steps."""
    rng = np.random.default_rng(1)
    images = np.array([drawn(values(text), rng) for _ in range(4)])
    forms, is_form = minlex.least_images(BOARD, images)
    assert is_form.all()
    assert {"".join(map(str, form)) for form in forms} == {text}


@SETTINGS
@example(1, GRIDS[2], 81)
@given(st.integers(0, 10**6), st.sampled_from(GRIDS), st.sampled_from((2, 5, 17, 30, 50, 70, 78, 80, 81)))
def test_least_of_images(seed: int, text: str, n_givens: int) -> None:
    """The least image is an image, less than others, and the same for all of them."""
    rng = np.random.default_rng(seed)
    source = np.where(rng.permutation(81) < n_givens, values(text), 0).astype(np.uint8)
    others = [drawn(source, rng) for _ in range(40)]
    image, by = minlex.least_map(se.Puzzle(BOARD, source))
    assert np.array_equal(by.grid(source), image)
    assert bytes(image) <= min(map(bytes, others))
    assert np.array_equal(minlex.least_images(BOARD, np.array(others[:2]))[0], [image, image])
    map_between = se.same(se.Puzzle(BOARD, source), se.Puzzle(BOARD, others[0]))
    assert map_between is not None
    assert np.array_equal(map_between.grid(source), others[0])


def test_compiled_as_python() -> None:
    """The compiled kernel writes the same images and maps as Python, also where many choices are equal."""
    rng = np.random.default_rng(3)
    sources = [np.where(rng.permutation(81) < 3 * n, values(GRIDS[n % 3]), 0) for n in range(28)]
    # Two values of these are in the same places for many maps.
    sources += [np.where(values(text) % 8 == 1, values(text), 0) for text in GRIDS]
    givens, results = np.array(sources, np.uint8), []
    for kernel in (minlex_kernel, minlex.compiled_kernel()):
        images, maps = np.empty_like(givens), np.empty((len(givens), minlex_kernel.STATE), np.uint8)
        kernel.least_images(givens, images, maps)
        results.append((images, maps))
    assert np.array_equal(results[0][0], results[1][0])
    assert np.array_equal(results[0][1], results[1][1])


def test_which_puzzles() -> None:
    """Other rules, constraints, pencilmarks and clashes have another form; other names of the same rules have not."""
    marks = np.ones((81, 9), bool)
    puzzle = se.Puzzle(BOARD, pencilmarks=marks)
    assert minlex.fits(puzzle)
    assert minlex.fits(se.Puzzle(se.board("9x9:0-8")))
    marks[0, 0] = False
    assert not minlex.fits(se.Puzzle(BOARD, pencilmarks=marks))
    assert not minlex.fits(se.Puzzle(BOARD, constraints=["anti-knight"]))
    assert not minlex.fits(se.Puzzle(BOARD, values("11" + "0" * 79)))
    assert not any(minlex.is_9x9(se.board(name)) for name in ("latin:9x9", "9x9+diagonals", "9x9x9"))
    clash = se.canonical("11" + "0" * 79)
    assert clash == se.canonical("0" * 79 + "22")
