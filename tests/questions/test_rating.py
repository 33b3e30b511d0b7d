"""Figures of how hard a puzzle is: each against the same worked out slowly, by other code."""

import json
from itertools import combinations
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import SudokuError
from sudoku_encode.papers import logic
from sudoku_encode.papers.marks import Marks
from sudoku_encode.papers.techniques import SINGLES
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.questions.copies import copies, symmetries
from sudoku_encode.questions.figures import (
    REDUCTION,
    SOLVER,
    FigureContext,
    backdoor,
    conflicts_of,
    smallest,
    technique,
    tree_size,
)
from sudoku_encode.questions.table import FIGURES
from sudoku_encode.questions.techniques.table import BEYOND, DIFFICULTIES, TECHNIQUES, last_number, numbers_of
from sudoku_encode.report.types import Difficulty
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.solvers.sat import IncrementalSolver
from tests.helpers.command import Command
from tests.helpers.technique_puzzles import NEEDED

NO_DEADLINE = Deadline()
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
# Of the 17-clue puzzles the first: singles are not enough.
SEVENTEEN = ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962...7..."
HARD = "........8..3...4...9..2..6.....79.......612...6.5.2.7...8...5...1.....2.4.5.....3"
SEVERAL, NONE = "..." + EASY[3:], "55" + EASY[2:]


def unique_puzzles(boards: tuple[str, ...], many: int) -> list[tuple[Puzzle, Grids]]:
    """Return minimal puzzles with their solutions."""
    made = [one for board in boards for one in se.generate(board, seed=5, many=many)]
    return [(one.puzzle, one.solution) for one in made]


def singles_fill(puzzle: Puzzle) -> bool:
    """Return whether naked and hidden singles solve a puzzle, by the reference that solves on pencil marks."""
    marks = Marks.of(puzzle)
    for _ in logic.steps(marks, lambda: None, SINGLES):
        pass
    return logic.ended(marks) == "solved"


def smallest_by_brute_force(puzzle: Puzzle, solution: Grids, most: int) -> int:
    """Return the size of a smallest backdoor, by trying all sets of blanks; `most` + 1 where none is as small."""
    for size in range(most + 1):
        for cells in combinations(puzzle.blanks.tolist(), size):
            givens = puzzle.givens.copy()
            givens[list(cells)] = solution[list(cells)]
            if singles_fill(Puzzle.of(puzzle.geometry, givens, puzzle.pencilmarks)):
                return size
    return most + 1


@pytest.mark.parametrize("board", ["6x6", "latin:6x6", "9x9"])
def test_smallest_backdoor(board: str) -> None:
    """No smaller set of blanks is a backdoor."""
    puzzles = unique_puzzles((board,), 4)
    sizes = []
    for puzzle, solution in puzzles:
        cells = smallest(puzzle, solution, NO_DEADLINE)
        assert cells is not None
        sizes.append(len(cells))
        assert len(cells) == smallest_by_brute_force(puzzle, solution, len(cells))
        givens = puzzle.givens.copy()
        givens[list(cells)] = solution[list(cells)]
        assert singles_fill(Puzzle.of(puzzle.geometry, givens))


@pytest.mark.parametrize(("text", "size"), [(EASY, 0), (SEVENTEEN, 1), (HARD, 2)])
def test_backdoor_sizes(text: str, size: int) -> None:
    """Known puzzles have backdoors of every size."""
    found = se.rate(text, figures=["backdoor"]).figures["backdoor"]
    assert (found.value, found.data["exact"], len(found.data["cells"])) == (size, True, size)


def test_three_cells() -> None:
    """A puzzle may need three cells."""
    puzzle = se.read("..4..3....7..8....2.81....6..3....9..8..2....1..7....3......45....8..9....9..5..8")
    solution = next(iter(se.solutions(puzzle)))
    cells = smallest(puzzle, np.asarray(solution.array).ravel(), NO_DEADLINE)
    assert cells is not None
    assert len(cells) == 3
    assert smallest_by_brute_force(puzzle, np.asarray(solution.array).ravel(), 2) == 3
    givens = puzzle.givens.copy()
    givens[list(cells)] = np.asarray(solution.array).ravel()[list(cells)]
    assert singles_fill(Puzzle.of(puzzle.geometry, givens))


def test_more_than_three() -> None:
    """Where three cells are not enough that is all that is said."""
    board = se.board("9x9")
    solution = next(se.generate(board, blanks=0, seed=1)).solution
    # No three cells fill an empty board.
    assert smallest(Puzzle.of(board), solution, NO_DEADLINE) is None
    found = backdoor(FigureContext(Puzzle.of(board), solution, 1, 0), NO_DEADLINE)
    assert (found.value, found.text, found.data["exact"]) == (4, "more than 3", False)


def tree_by_hand(puzzle: Puzzle) -> int:
    """Return how many nodes a tree of singles and guesses has, guessing as the search says it does."""
    marks = Marks.of(puzzle)
    return nodes_below(marks)


def nodes_below(marks: Marks) -> int:
    for _ in logic.steps(marks, lambda: None, SINGLES):
        pass
    if marks.broken(range(len(marks.masks))):
        return 1
    cells = [cell for cell, mask in enumerate(marks.masks) if mask.bit_count() > 1]
    if not cells:
        return 1
    cell = min(cells, key=lambda one: (marks.masks[one].bit_count(), one))
    bit = marks.masks[cell] & -marks.masks[cell]
    total = 1
    for mask in (bit, marks.masks[cell] ^ bit):
        child = Marks(marks.layout, list(marks.masks), set(marks.blanks))
        child.masks[cell] = mask
        total += nodes_below(child)
    return total


@pytest.mark.parametrize("text", [EASY, SEVENTEEN])
def test_single_node_trees(text: str) -> None:
    """A tree has one node exactly where singles are enough."""
    puzzle = se.read(text)
    size = tree_size(puzzle, NO_DEADLINE)
    assert size % 2 == 1
    assert (size == 1) == singles_fill(puzzle)


def test_tree_by_recursion() -> None:
    """The tree is that of plain recursion where a cell with two candidates is left."""
    # With two candidates somewhere the search guesses in the first such cell; these puzzles always have one.
    sizes = []
    for puzzle, _ in unique_puzzles(("6x6",), 60):
        sizes.append(tree_size(puzzle, NO_DEADLINE))
        assert sizes[-1] == tree_by_hand(puzzle)
    assert max(sizes) > 1


def test_tree_of_unsolvable() -> None:
    """The tree of a puzzle without a solution is the whole proof."""
    assert tree_size(se.read(NONE), NO_DEADLINE) == 1
    found = se.rate(NONE)
    assert found.status == "no solution"
    known = {name for name, one in found.figures.items() if one.value is not None}
    assert known == {name for name, row in FIGURES.items() if row.of_none} == {"nodes", "conflicts"}


@pytest.mark.parametrize("board", ["9x9", "6x6", "4x4x4", "9x9+diagonals", "latin:5x5", "isodoku:321211111"])
def test_copied_solutions(board: str) -> None:
    """Solutions of a copy are those of the puzzle moved and renamed."""
    made = next(se.generate(board, seed=3))
    for copy in copies(made.puzzle, 5, seed=1):
        assert np.count_nonzero(copy.givens) == made.clues
        solution = se.solve(copy)
        assert solution is not None
        assert next(violations(copy, solution.array), "") == ""
        assert se.is_unique(copy)


def test_copied_pencilmarks() -> None:
    """Pencilmarks are copied with their cells and values."""
    puzzle = se.read("1234341221434...", board="4x4")
    marks = np.ones((16, 4), bool)
    marks[13] = [True, False, False, True]
    marked = Puzzle.of(puzzle.geometry, puzzle.givens, marks)
    # The solution has a 3 in that cell, which its pencilmarks do not allow.
    for copy in copies(marked, 10, seed=2):
        assert se.solve(copy) is None
        assert copy.pencilmarks is not None
        assert sorted(copy.pencilmarks.sum(axis=1).tolist()) == sorted(marks.sum(axis=1).tolist())


def test_symmetries() -> None:
    """A square has the symmetries of its bands and lines."""
    board = se.board("9x9")
    assert len({copy.givens.tobytes() for copy in copies(se.read(HARD), 100, seed=0)}) == 100
    moves = {move.tobytes() for move in symmetries(board)}
    rows = np.arange(81).reshape(9, 9)
    within, across = rows[[1, 0, 2, 3, 4, 5, 6, 7, 8]].ravel(), rows[[0, 1, 3, 2, 4, 5, 6, 7, 8]].ravel()
    assert within.tobytes() in moves
    assert across.tobytes() not in moves
    assert rows.T.ravel().tobytes() in moves


def test_seeded_copies() -> None:
    """The same seed measures the same copies."""
    one, same, other = (se.rate(SEVENTEEN, figures=["nodes"], copies=30, seed=seed) for seed in (1, 1, 2))
    first = dict(one.figures["nodes"].data)
    assert first == dict(same.figures["nodes"].data)
    assert first != dict(other.figures["nodes"].data)


def test_conflicts() -> None:
    """Conflicts are counted until uniqueness is proved."""
    assert conflicts_of(se.read(EASY), NO_DEADLINE) <= 1
    hard = se.read(HARD)
    with IncrementalSolver(encode(hard, reduction=REDUCTION), SOLVER) as solver:
        assert solver.solve([], NO_DEADLINE)
        until_the_first = solver.conflicts
    assert conflicts_of(hard, NO_DEADLINE) > until_the_first
    data = se.rate(SEVENTEEN, figures=["conflicts"], copies=3).figures["conflicts"].data
    assert (data["solver"], data["encoding"], data["reduction"]) == ("minisat22", "extended", "givens")


def test_by_hand() -> None:
    """Solving by hand is as hint says."""
    found, hinted = se.rate(SEVENTEEN, figures=["technique", "steps"]), se.hints(SEVENTEEN)
    assert found.figures["technique"].data["technique"] == hinted.hardest
    assert found.figures["steps"].value == len(hinted.steps)


@pytest.mark.slow
def test_harder_sets() -> None:
    """Harder sets have higher figures."""
    easy, hard = (se.rate(text, copies=20) for text in (EASY, HARD))
    for name in FIGURES:
        assert easy.figures[name].value < hard.figures[name].value  # type: ignore[operator]


def test_several_solutions() -> None:
    """Nothing is guessed of a puzzle with several solutions."""
    found = se.rate(SEVERAL)
    assert found.status == "several"
    assert [one.value for one in found.figures.values()] == [None] * len(FIGURES)


def test_timeout() -> None:
    """What is not known in time has no value."""
    with pytest.raises(se.StoppedError):
        se.rate(Puzzle.of(se.board("16x16")), limits=Limits(seconds=0))


@pytest.mark.parametrize("wrong", [{"figures": ["magic"]}, {"figures": []}, {"copies": 0}, {"seed": -1}])
def test_bad_arguments(wrong: dict[str, object]) -> None:
    """Wrong arguments are refused."""
    with pytest.raises(SudokuError):
        se.rate(EASY, **wrong)  # type: ignore[arg-type]


# The command.


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    path = tmp_path / "batch"
    path.write_text(f"{HARD}\n{EASY}\nbad\n{SEVERAL}\n{SEVENTEEN}\n")
    return path


def test_records(run: Command, batch: Path) -> None:
    """Each puzzle has its record in its place."""
    ran = run("rate", batch, "--figure", "nodes", "--figure", "backdoor", "--copies", 5, "--json")
    records = [json.loads(line) for line in ran.lines]
    assert ran.status == 2
    assert [one["puzzle"] for one in records] == [1, 2, 3, 4, 5]
    assert [one["status"] for one in records] == ["unique", "unique", "bad input", "several", "unique"]
    assert [one["figures"]["backdoor"]["value"] for one in records if "figures" in one] == [2, 0, None, 1]


def test_sorted_batch(run: Command, batch: Path) -> None:
    """A batch is sorted by a figure and what has none comes last."""
    ran = run("rate", batch, "--figure", "backdoor", "--sort", "backdoor", "--json")
    assert [json.loads(line)["puzzle"] for line in ran.lines] == [2, 5, 1, 3, 4]


@pytest.mark.parametrize(
    ("text", "status", "first"), [(EASY, 0, "unique"), (SEVERAL, 1, "several"), (NONE, 1, "no solution")]
)
def test_text(run: Command, text: str, status: int, first: str) -> None:
    """People read each figure on a line."""
    ran = run("rate", text, "--copies", 3)
    assert (ran.status, ran.lines[0]) == (status, first)
    assert [line.split()[0] for line in ran.lines[1:]] == [*(["difficulty"] if first == "unique" else []), *FIGURES]


def test_unknown_figures(run: Command) -> None:
    """Figures that are not known in time are said to be so."""
    ran = run("rate", "--board", "16x16", "--timeout", 0)
    assert ran.status == 3
    assert "time limit" in ran.out + ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--figure", "magic"], "'magic' is not one of"),
        (["--figure", "backdoor", "--sort", "nodes"], "this figure is not computed"),
        (["--figure", "backdoor", "--copies", "3"], "--copies has no effect on backdoor"),
        (["--figure", "steps", "--seed", "3"], "--seed has no effect on steps"),
    ],
)
def test_unused_option(run: Command, options: list[str], said: str) -> None:
    """An option without effect is refused."""
    ran = run("rate", EASY, *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


# generate --rating.


@pytest.mark.parametrize(
    ("aim", "name"),
    [
        ("backdoor:1-2", "backdoor"),
        pytest.param("3-40", "nodes", marks=pytest.mark.slow),
        pytest.param("conflicts:2-", "conflicts", marks=pytest.mark.slow),
    ],
)
def test_generate_by_figure(aim: str, name: str) -> None:
    """What is generated has the figure that was aimed at."""
    low, _, high = aim.rpartition(":")[2].partition("-")
    for made in se.generate("9x9", rating=aim, seed=2, many=2):
        again = se.rate(made.puzzle, figures=[name]).figures[name].value
        assert made.reached
        assert again == made.rating
        assert again is not None
        assert float(low) <= again <= float(high or "inf")


def test_unreachable_figure(run: Command) -> None:
    """A figure that cannot be reached is missed after all attempts."""
    ran = run("generate", "--board", "4x4", "--rating", "backdoor:2-3", "--seed", 1, "--attempts", 4, "--json")
    record = json.loads(ran.out)
    assert (ran.status, record["status"], record["rating"]) == (3, "missed", {"backdoor": 0.0})
    assert "not reached in 4 attempts" in record["reason"]
    assert "its figure is 0, not backdoor:2-3" in record["reason"]


@pytest.mark.parametrize("text", ["magic:1-2", "5-3", "nodes:", "nodes:-", "1-2-3", "nodes:a-b"])
def test_bad_range(run: Command, text: str) -> None:
    """What is no range is refused."""
    ran = run("generate", "--rating", text)
    assert (ran.status, ran.out) == (2, "")
    assert f"--rating {text}" in ran.err


def test_only_unique(run: Command) -> None:
    """Only unique puzzles can be aimed at."""
    assert run("generate", "--rating", "3-9", "--solutions", 2).status == 2


def test_figures_with_constraints() -> None:
    """Of all figures those that are not for constraints say so; one that is named alone is refused."""
    givens = se.read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79").givens
    puzzle = Puzzle.of(se.board("9x9"), givens, constraints=["thermometer r1c3 r1c4"])
    rating = se.rate(puzzle)
    values = {name: figure.value for name, figure in rating.figures.items()}
    known = {"technique": 1, "steps": 51, "score": 51 * 4}
    assert values == {**dict.fromkeys(FIGURES), **known}
    assert rating.difficulty == "easy"
    assert rating.figures["nodes"].reason == "the puzzle has constraints (thermometer)"
    with pytest.raises(SudokuError, match="figure nodes of rate supports only units; the puzzle has constraints"):
        se.rate(puzzle, figures=["nodes"])


# Words for difficulty.


@pytest.mark.parametrize(
    ("puzzle", "word"),
    [
        (EASY, "easy"),
        (NEEDED["claiming"], "medium"),
        (NEEDED["X-wing"], "hard"),
        (NEEDED["XY-chain"], "fiendish"),
        (NEEDED["forcing chain"], "diabolical"),
    ],
)
def test_word(run: Command, puzzle: str, word: str) -> None:
    """A puzzle has the word of its hardest technique in every form."""
    rating = se.rate(puzzle, figures=["technique"])
    assert rating.difficulty == word == rating.figures["technique"].data["difficulty"]
    assert f"difficulty  {word}" in run("rate", puzzle, "--figure", "technique").lines
    record = json.loads(run("rate", puzzle, "--figure", "technique", "--json").out)
    assert record["difficulty"] == record["figures"]["technique"]["difficulty"] == word
    header, row = run("rate", puzzle, "--figure", "technique", "--csv").lines
    assert dict(zip(header.split(","), row.split(","), strict=True))["difficulty"] == word


def test_word_beyond() -> None:
    """A puzzle that the techniques do not solve is beyond them, and a full grid has no word."""
    clues = ["skyscraper 4 r1c1-r1c6", "skyscraper 2 r6c1-r1c1", "skyscraper 3 r1c2-r6c2"]
    stuck = Puzzle.of(se.board("6x6"), constraints=clues)
    figure = technique(FigureContext(stuck, None, 1, 0), NO_DEADLINE)
    assert (figure.value, figure.data["difficulty"]) == (last_number() + 1, "beyond")
    full = se.rate("1234341221434321", board="4x4")
    assert (full.figures["technique"].value, full.difficulty) == (0, None)
    assert se.rate(SEVERAL).difficulty is None


def test_words_and_numbers() -> None:
    """Words follow each other from simple to hard, and constraints do not shift numbers."""
    rows = list(TECHNIQUES.values())
    words = [DIFFICULTIES.index(row.difficulty) for row in rows]
    assert words == sorted(words)
    assert [row.number for row in rows] == sorted({row.number for row in rows})
    plain = [row.number for row in rows if not row.of_constraints]
    assert plain == list(range(1, last_number() + 1))
    assert get_args(Difficulty) == DIFFICULTIES
    last_of_each = ("hidden single", "hidden triple", "BUG+1", "AIC", "nested forcing net")
    assert (*(TECHNIQUES[name].difficulty for name in last_of_each), BEYOND) == DIFFICULTIES
    # All ranges together have every technique once.
    ends = [numbers_of(word, word) for word in DIFFICULTIES]
    assert [sum(low <= row.number <= high for low, high in ends) for row in rows] == [1] * len(rows)


def test_score_adds_weights() -> None:
    """The score is the sum of the weights of the steps."""
    path = se.hints(HARD)
    figure = se.rate(HARD, figures=["score"]).figures["score"]
    assert figure.value == sum(TECHNIQUES[step.technique].weight for step in path.steps)


@pytest.mark.parametrize(
    ("difficulty", "words"), [("hard", {"hard"}), ("medium-hard", {"medium", "hard"}), ("-easy", {"easy"})]
)
def test_generate_by_word(difficulty: str, words: set[str]) -> None:
    """What is generated has the difficulty that was asked for."""
    for made in se.generate("9x9", difficulty=difficulty, seed=4, many=2):
        assert made.reached
        assert se.rate(made.puzzle, figures=["technique"]).difficulty in words


def test_generate_word_is_range(run: Command) -> None:
    """A word makes the same puzzles as its range of numbers, and the record says both."""
    low, high = numbers_of("hard", "hard")
    by_word = json.loads(run("generate", "--difficulty", "hard", "--seed", 3, "--json").out)
    by_range = json.loads(run("generate", "--rating", f"technique:{low}-{high}", "--seed", 3, "--json").out)
    assert by_word.pop("difficulty") == "hard"
    assert by_word | {"command": ""} == by_range | {"command": ""}


def test_generate_constrained_by_word() -> None:
    """Puzzles with constraints have a difficulty too."""
    made = next(se.generate("6x6", placed=["thermometer:2"], difficulty="medium-", seed=3))
    assert made.reached
    assert se.rate(made.puzzle, figures=["technique"]).difficulty not in (None, "easy")


def test_word_missed(run: Command) -> None:
    """A difficulty that no attempt reaches is missed, and the message says how many there were."""
    ran = run("generate", "--board", "4x4", "--difficulty", "diabolical", "--seed", 1, "--attempts", 4)
    assert (ran.status, ran.out) == (3, "")
    assert "not reached in 4 attempts" in ran.err
    assert "(easy), not technique:29-32 (diabolical)" in ran.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--difficulty", "tough"], "--difficulty tough: not a difficulty: 'tough'; choose from easy, medium, hard"),
        (["--difficulty", "hard-easy"], "hard is harder than easy"),
        (["--difficulty", ""], "write a word or a range of easy"),
        (["--difficulty", "-"], "write a word or a range of easy"),
        (["--difficulty", "hard-medium-easy"], "not a difficulty: 'medium-easy'"),
        (["--difficulty", "hard", "--rating", "3-9"], "--rating and --difficulty: give only one of them"),
        (["--difficulty", "hard", "--solutions", "2"], "a puzzle with 2 solutions has no rating"),
        (["--difficulty", "hard", "--blanks", "0"], "difficulty hard: a full grid has none"),
        (["--difficulty", "easy", "--ladder", "3", "-o", "made/"], "--difficulty has no effect on a ladder"),
        (["--rating", "nodes:1-3", "--with", "cage"], "a rating by nodes does not support constraints: cage"),
    ],
)
def test_impossible_word(run: Command, options: list[str], said: str) -> None:
    """A difficulty that cannot be is refused."""
    ran = run("generate", *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
