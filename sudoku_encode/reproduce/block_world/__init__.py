"""Abednego & Nugraheni: robots that put boxes on a board. Its figures and its definitions of a valid position."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import block_world
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.block_world import tables
from sudoku_encode.reproduce.block_world.tables import (
    Reading,
    board_after_robots,
    definition_2,
    definition_3,
    definition_4,
    only_place,
    outcome,
    position,
    robots,
    sample,
    views,
)
from sudoku_encode.reproduce.finding import UNCHECKED, Check, Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.puzzles import Grids, no_tick

# Fig. 1b, and Fig. 1a as the scan has it, where some clues slipped sideways.
FIGURE_1B = "543897621816245937927361458165482793398756142274913586432679815659138274781524369"
FIGURE_1A_SCANNED = (
    ".4..76...",
    "864...3..",
    "27......8",
    "..48....3",
    ".976.4...",
    "2..13....",
    "4.....81.",
    ".5.3.2.4.",
    "..15...6.",
)
# Figs. 4 and 5; the scan has the 4 of row 8 one column to the right, in the subblock of the position itself.
FIGURE_4 = "020050014500809002006000900050000060600000003090000040408000300300904006060080020"
FIGURE_5 = "020050014500809002006000900050000060600000003090000040008000300300904006060080020"
# Section II: nine of each number.
BOXES = 81
# Section III names the classes twice: in a sentence and as the heads of a list.
CLASSES_SAID = 9
CLASSES = ("Sudoku", "Scheduler", "Robot", "Environment", "Position", "Box", "Cell", "List", "ListElement")
CLASSES_LISTED = ("Sudoku", "Scheduler", "Box", "Cells", "Environment", "position", "List", "ElementList", "Robot")


def the_example(work: Work) -> Finding:
    """Fig. 1: does the puzzle have the solution beside it, and no other?"""
    (puzzle,) = puzzles.read("papers/block-world-fig-1.opensudoku")
    grids = puzzles.solutions(puzzle)
    printed = np.array([int(number) for number in FIGURE_1B], np.uint8)
    scanned = "".join(FIGURE_1A_SCANNED)
    n_clues = int(np.count_nonzero(puzzle.givens))
    moved = sum(got != "." and int(got) != given for got, given in zip(scanned, puzzle.givens.tolist(), strict=True))
    same = [int(got) for got in scanned if got != "."] == puzzle.givens[puzzle.givens > 0].tolist()
    return Finding(
        "Fig. 1",
        "An example of a puzzle and its solution.",
        f"{n_clues} clues, {len(grids)} solution; it is the printed one.",
        verdict(
            len(grids) == 1 and bool((grids[0] == printed).all()) and not list(se.violations(puzzle, printed)) and same
        ),
        f"In the scan {moved} of the clues are in another column than in the solution; their order is right, so they "
        "were moved back.",
    )


def all_solutions_by_model_1(work: Work) -> Finding:
    """Section II-A: does model 1 search everything?"""
    several = [*puzzles.read("papers/gtsps-fig-4.9.sdk"), *puzzles.random("several", max(1, work.puzzles // 4))]
    by_robots, by_sat = (
        [puzzles.solution_set(puzzle, method) for puzzle in several] for method in ("block-world-1", "sat")
    )
    n_same = sum(one == other for one, other in zip(by_robots, by_sat, strict=True))
    (figure,) = puzzles.read("papers/block-world-fig-1.opensudoku")
    return Finding(
        "section II-A",
        "Model 1 goes through the whole space, until a solution is found or there is no other choice.",
        f"Continued after the first solution, it finds the same solutions as a SAT solver on {n_same} of "
        f"{len(several)} puzzles with 2 to {max(map(len, by_sat))} solutions.",
        verdict(n_same == len(several)),
        "The section lets robot 1 put any box that breaks no rule, and does not say that it remembers the boxes that "
        "it tried. Without such a memory the lowest box that fits comes back forever, on Fig. 1 from move "
        f"{_first_repeat(figure)} on. The class ElementList of section III, a box and the position that it once had, "
        "may be that memory.",
    )


def _first_repeat(puzzle: se.Puzzle) -> int:
    """The first move of model 1 after which it stands as before, if robot 1 takes the lowest box that fits."""
    steps = block_world.explain(puzzle, no_tick, "1")
    moves = (step for step in steps if step.kind in ("guess", "undo"))
    return next(number for number, step in enumerate(islice(moves, 1000), start=1) if step.kind == "undo") + 1


def the_position_of_figure_4(work: Work) -> Finding:
    """Fig. 4: is (9, 7) valid for robot 4 in model 2?"""
    return _figure("Fig. 4", "2", FIGURE_4, definition_2, "Rows 7 and 8 and columns 8 and 9 hold a 4")


def the_position_of_figure_5(work: Work) -> Finding:
    """Fig. 5: is (9, 7) valid for robot 4 in model 3?"""
    return _figure("Fig. 5", "3", FIGURE_5, definition_3, "Row 7 holds no 4, but (7, 7) is not empty")


def _figure(place: str, model: str, text: str, reading: Reading, says: str) -> Finding:
    puzzle = se.Puzzle.of(se.board("9x9"), [int(number) for number in text])
    grid = puzzle.givens.reshape(9, 9).tolist()
    cell = position(grid, 4, reading)
    forced = position(grid, 4, only_place) == cell
    with_another = puzzle.givens.copy()
    with_another[cell] = 4
    below = {name: position(grid, 4, one) == cell for name, one in (("2", definition_2), ("3", definition_3))}
    valid = ", ".join(f"{'' if is_valid else 'not '}by definition {name}" for name, is_valid in below.items())
    return Finding(
        place,
        f"(9, 7) is valid for robot 4 in model {model}. {says}.",
        f"The lowest position of robot 4 is {_name(cell)}: valid {valid}. A 4 fits in no other cell of the subblock: "
        f"{'yes' if forced else 'no'}.",
        verdict(cell == 8 * 9 + 6 and se.Puzzle.of(puzzle.geometry, with_another).clash is None),
        "In the scan the 4 of row 8 is in the position's own subblock, against condition 4; it was moved one column "
        "to the left, as some clues of Fig. 1 were. The figure already shows box 4 on (9, 7).",
    )


def _name(cell: int) -> str:
    return f"({cell // 9 + 1}, {cell % 9 + 1})" if cell >= 0 else "none"


def the_position_of_figure_6(work: Work) -> Finding:
    """Fig. 6: what the text says of it is enough to see whether it is an example of model 4."""
    # (7, 4) is the upper left cell; row 8 and column 6 hold no 5 and are filled in the subblock.
    fit = [
        view
        for view in views()
        if (view.x, view.y) == (0, 0)
        and not view.rows[1]
        and not view.columns[2]
        and all(view.filled[1])
        and all(view.filled[r][2] for r in range(3))
    ]
    by_3, by_4 = sum(map(definition_3, fit)), sum(map(definition_4, fit))
    return Finding(
        "Fig. 6",
        "(7, 4) is valid for robot 5 in model 4: row 8 and column 6 hold no 5, but all their cells in the subblock are "
        "not empty.",
        f"This leaves {len(fit)} cases for the rest of the subblock, row 9 and column 5. (7, 4) is valid by "
        f"definition 4 in {by_4} of them, by definition 3 in {by_3}.",
        verdict(by_4 > by_3),
        "If all cells of row 8 in the subblock are filled, so is (8, 4), and definition 3 requires no more. The "
        "picture itself is not in the scan.",
    )


def what_definition_4_adds(work: Work) -> Finding:
    """Definition 4 has one more "or" than definition 3; does it ever matter?"""
    seen = list(views())
    more = sum(definition_4(view) and not definition_3(view) for view in seen)
    less = sum(definition_3(view) and not definition_4(view) for view in seen)
    same = sum(
        list(robots(puzzle, definition_3)) == list(robots(puzzle, definition_4)) for puzzle, _ in sample(work.puzzles)
    )
    return Finding(
        "definition 4",
        'Model 4 improves model 3: "we put more constraints in the definition".',
        f"Over all {len(seen):,} states of a subblock, definition 4 accepts {more} positions that definition 3 "
        f"rejects, and rejects {less} that definition 3 accepts. On {same} of {len(sample(work.puzzles))} random "
        "puzzles both models make the same moves.",
        verdict(more + less > 0),
        'The third case of an "or" can only loosen the condition. Here it changes nothing: when all cells of row r '
        "in the subblock are filled, so is (r, y), which is the second case. Tables I and II cannot come from "
        "definitions 3 and 4 as printed, since the two models differ in the tables.",
    )


def model_2_puts_no_wrong_box(work: Work) -> Finding:
    """Definition 2 against what is true."""
    return _soundness("2", definition_2, work, "")


def model_3_puts_no_wrong_box(work: Work) -> Finding:
    """Definition 3 against what is true."""
    return _soundness(
        "3",
        definition_3,
        work,
        "The definition looks at the other cells of the position's own row and column, but never at the four cells "
        "of the subblock that are in neither, where the number may still fit.",
    )


def _soundness(model: str, reading: Reading, work: Work, why: str) -> Finding:
    accepted = [view for view in views() if reading(view)]
    open_elsewhere = sum(not only_place(view) for view in accepted)
    ours = outcome(model, work.puzzles)
    kernel = outcome(f"model {model}", work.puzzles)
    return Finding(
        f"definition {model}",
        "A position that meets the conditions is valid for a box, 'an appropriate cell'; no robot takes a box back.",
        f"In {open_elsewhere:,} of {len(accepted):,} states of a subblock that it accepts, the number also fits "
        f"elsewhere in the subblock. On {len(ours.grids)} random puzzles the robots put {ours.n_wrong} wrong boxes. "
        f"Our compiled version of the model leaves {'the same' if kernel.grids == ours.grids else 'other'} boards.",
        verdict(open_elsewhere == 0 and not any(ours.wrong)),
        why,
    )


def the_smallest_wrong_box(work: Work) -> Finding:
    """A puzzle as small as can be where model 3 goes wrong."""
    right = np.array([int(number) for number in FIGURE_1B], np.uint8)
    puzzle, robot, cell = next(_goes_wrong(right))
    blanks = [puzzle.geometry.cell_name(int(blank)) for blank in puzzle.blanks]
    (figure,) = puzzles.read("papers/block-world-fig-1.opensudoku")
    truth = puzzles.solution(figure)
    moves = list(robots(figure, definition_3))
    number, (first, place) = next(
        (number, move) for number, move in enumerate(moves, start=1) if truth[move[1]] != move[0]
    )
    n_wrong = int(
        np.count_nonzero(
            (board_after_robots(figure, definition_3) != truth) & (board_after_robots(figure, definition_3) > 0)
        )
    )
    return Finding(
        "definition 3",
        "A robot seeks 'an appropriate cell or a valid position' for its box, and puts the box there.",
        f"Fig. 1b with {len(blanks)} blanks, {', '.join(blanks)}, has one solution, but robot {robot} begins with "
        f"box {robot} on {puzzle.geometry.cell_name(cell)}, where {right[cell]} belongs. On Fig. 1a, box {number} is "
        f"the first wrong one: {first} on {figure.geometry.cell_name(place)} instead of {truth[place]}; {n_wrong} "
        "are wrong in the end.",
        verdict(n_wrong == 0),
        "With fewer than four blanks this cannot happen: the wrong position, the right place of the number in its "
        "subblock, and the places of the number in the row and column of the position must all be blank.",
    )


def _goes_wrong(grid: Grids) -> Iterator[tuple[se.Puzzle, int, int]]:
    """Yield puzzles of four blanks with one solution whose first box is wrong, with that box and its cell."""
    square = grid.reshape(9, 9)
    for cell in range(81):
        x, y = divmod(cell, 9)
        for r in range(x - x % 3, x - x % 3 + 3):
            for c in range(y - y % 3, y - y % 3 + 3):
                if r == x or c == y:
                    continue
                number = square[r, c]
                in_row, in_column = int(np.argmax(square[x] == number)), int(np.argmax(square[:, y] == number))
                givens = square.copy()
                givens[[x, r, x, in_column], [y, c, in_row, y]] = 0
                puzzle = se.Puzzle.of(se.board("9x9"), givens)
                first = next(robots(puzzle, definition_3), None)
                if first and grid[first[1]] != first[0] and len(puzzles.solution_set(puzzle, "sat")) == 1:
                    yield puzzle, *first


def the_classes(work: Work) -> Finding:
    """Section III counts its classes and lists them twice."""
    named, listed = ({name.lower().removesuffix("s") for name in names} for names in (CLASSES, CLASSES_LISTED))
    return Finding(
        "section III",
        "The solver consists of nine classes.",
        f"{len(CLASSES)} are named in the sentence and {len(CLASSES_LISTED)} in the list after it; "
        f"{', '.join(sorted(named - listed))} of the sentence is called {', '.join(sorted(listed - named))} in the "
        "list.",
        verdict(len(CLASSES) == len(CLASSES_LISTED) == CLASSES_SAID, own=True),
        "",
    )


def the_pictures(work: Work) -> Finding:
    """Figs. 2, 3, 6 and 7, which are not in the scan."""
    (puzzle,) = puzzles.read("papers/block-world-fig-1.opensudoku")
    piles = next(step for step in se.explain(puzzle, "block-world-1") if step.rule == "piles").data["piles"]
    outside, on_board = sum(piles), int(np.count_nonzero(puzzle.givens))
    rows = (
        ("Fig. 2", "an example of a block world problem", "nothing; the text gives no arrangement"),
        ("Fig. 3", f"{BOXES} boxes, nine of each number, in nine piles beside a board", "explain, the piles"),
        ("Fig. 6", "(7, 4), row 8 and column 6", "see the finding on Fig. 6"),
        ("Fig. 7", "the nine classes, each with a sentence", "see the finding on the classes"),
    )
    return Finding(
        "Figs. 2, 3, 6 and 7",
        f"Pictures. The text for Fig. 3 says that there are {BOXES} boxes, on the board or in nine piles.",
        f"They are not in the scan. On Fig. 1 {on_board} boxes lie on the board and {', '.join(map(str, piles))} in "
        f"the piles of 1 to 9, {on_board + outside} in all.",
        UNCHECKED,
        "`sudoku-encode explain --method block-world-4 --json` has the boards, the piles and each move as data.",
        side_by_side(("figure", "subject in the text", "counterpart here"), *rows),
    )


CHECKS: tuple[Check, ...] = (
    the_example,
    all_solutions_by_model_1,
    the_position_of_figure_4,
    the_position_of_figure_5,
    the_position_of_figure_6,
    model_2_puts_no_wrong_box,
    model_3_puts_no_wrong_box,
    the_smallest_wrong_box,
    what_definition_4_adds,
    the_classes,
    the_pictures,
    *tables.TABLE_CHECKS,
)
