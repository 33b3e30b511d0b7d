"""The robots of the block world: their moves, what the models prove, and the two faults of the printed definitions."""

import re
import time
from collections.abc import Iterable
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.calls import solutions as by_method
from sudoku_encode.papers import block_world, block_world_kernel
from sudoku_encode.papers.block_world import MODELS, Move, Run, explain, printed_conditions, run
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.puzzles.step import Step
from sudoku_encode.reproduce.block_world import FIGURE_4, FIGURE_5
from sudoku_encode.run.limits import Limits
from tests.helpers.known_puzzles import KNOWN, KnownCount, known
from tests.helpers.method_steps import said
from tests.helpers.puzzles import filled, puzzles
from tests.helpers.solution_sets import after, all_by_sat, different, never

COMPLETE = ("1", "4-sound+1")
FORCED = ("2", "3", "4", "4-sound")
BOARDS = ("4x4", "4x4", "6x6", "6x6:3x2", "8x8", "9x9", "9x9")
FIG_1 = known("papers/block-world-fig-1.opensudoku")
AI = [case for case in KNOWN if case.file.startswith("papers/inkala/")]


def cut(name: str, share: float, seed: int) -> Grids:
    """Givens of a full board with other labels, with a share of them blank."""
    chance = np.random.default_rng(seed)
    full = np.array([0, *(chance.permutation(board(name).n_values) + 1)], np.uint8)[filled(name)]
    return np.where(chance.random(len(full)) < share, 0, full).astype(np.uint8)


@st.composite
def unique(draw: st.DrawFn) -> tuple[Puzzle, Grids]:
    """A puzzle with one solution, and the solution."""
    name = draw(st.sampled_from(("6x6", "6x6:3x2", "9x9", "9x9", "9x9")))
    puzzle = Puzzle.of(board(name), cut(name, draw(st.floats(0.4, 0.62)), draw(st.integers(0, 10**6))))
    solved = all_by_sat(puzzle, 2)
    assume(solved)
    return puzzle, np.array(solved.pop(), np.uint8)


def n_wrong(done: Run, solution: Grids) -> int:
    return int(np.count_nonzero((done.grid != 0) & (done.grid != solution)))


def outcome(puzzle: Puzzle, model: str) -> tuple[set[tuple[int, ...]], str]:
    """The solutions that a model yields, and what stopped it."""
    found: list[Grids] = []
    try:
        for grids in block_world.solutions(puzzle, never, model):
            found.append(grids)
    except StoppedError as reason:
        return different(found), str(reason)
    return different(found), ""


# The same puzzles for each model.
known_by_sat = cache(all_by_sat)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
@given(puzzle=puzzles(BOARDS, most_open=1.0))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_ends_with_all_solutions(model: str, puzzle: Puzzle) -> None:
    """A model ends by itself only with all solutions."""
    expected = known_by_sat(puzzle)
    found, stopped = outcome(puzzle, model)

    assert found <= expected
    assert stopped or found == expected
    assert not (stopped and model in COMPLETE)


@pytest.mark.parametrize("model", COMPLETE)
@pytest.mark.parametrize(
    "name",
    ["papers/gtsps-fig-4.9.sdk", "small/4x4-empty.txt", "small/4x4-none.txt", "papers/block-world-fig-1.opensudoku"],
)
def test_known_solutions(name: str, model: str) -> None:
    """The complete models find all known solutions."""
    case = known(name)
    assert len(different(block_world.solutions(case.puzzle, never, model))) == case.count


@pytest.mark.slow
@pytest.mark.parametrize("model", COMPLETE)
@pytest.mark.parametrize("case", AI[:4], ids=lambda case: str(case.name))
def test_ai_puzzles(case: KnownCount, model: str) -> None:
    """The complete models solve the AI puzzles."""
    ((grid,),) = block_world.solutions(case.puzzle, never, model)
    assert {grid.tobytes()} == case.grids()
    assert not list(violations(case.puzzle, grid))


def test_model_1_order() -> None:
    """Model 1 finds solutions in the order of their values."""
    grids = np.concatenate(list(block_world.solutions(Puzzle.of(board("4x4")), never))).tolist()
    assert len(grids) == 288
    assert grids == sorted(grids)


def fours(*cells: tuple[int, int], stands: tuple[tuple[int, int], ...] = ()) -> Puzzle:
    """A board with boxes 4 in some places, counted from 1, and boxes 1, 2, ... in others."""
    grid = np.zeros((9, 9), np.uint8)
    for row, column in cells:
        grid[row - 1, column - 1] = 4
    for number, (row, column) in enumerate(stands, start=1):
        grid[row - 1, column - 1] = number
    return Puzzle.of(board("9x9"), grid)


def positions(puzzle: Puzzle, robot: int = 4) -> dict[str, str]:
    """The lowest valid position of a robot in each model."""
    world = block_world_kernel.start(puzzle)
    rules = {"2": 2, "3": 3, "4": 4, "4-sound": block_world_kernel.SOUND_4}
    cells = {name: block_world_kernel.valid_position(world, rule, robot) for name, rule in rules.items()}
    return {name: puzzle.geometry.cell_name(cell) if cell >= 0 else "" for name, cell in cells.items()}


def test_figure_positions() -> None:
    """The positions of the paper's figures are valid."""
    # Fig. 4: rows 7 and 8 and columns 8 and 9 hold a 4.
    assert positions(fours((7, 1), (8, 6), (6, 8), (1, 9))) == dict.fromkeys(FORCED, "r9c7")
    # Fig. 5: row 7 holds none, but r7c7 is not empty.
    figure = positions(fours((8, 6), (6, 8), (1, 9), stands=((7, 7),)))
    assert figure == {"2": "", "3": "r9c7", "4": "r9c7", "4-sound": "r9c7"}
    # The same of a column: column 8 holds none, but r9c8 is not empty.
    figure = positions(fours((7, 1), (8, 6), (1, 9), stands=((9, 8),)))
    assert figure == {"2": "", "3": "r9c7", "4": "r9c7", "4-sound": "r9c7"}
    # Fig. 6, turned to this place: all cells of row 8 and of column 9 of the subblock are filled.
    stands = ((8, 7), (8, 8), (8, 9), (7, 9), (9, 9))
    figure = positions(fours((7, 1), (6, 8), stands=(*stands[:3], (1, 1), *stands[3:])))
    assert figure == {"2": "", "3": "r9c7", "4": "r9c7", "4-sound": "r9c7"}


def test_model_3_overlooks() -> None:
    """The rule of model 3 overlooks the rest of the subblock."""
    # r7c7 and r9c8 are filled, row 8 and column 9 hold a 4: r9c7 is as good a place as r7c8, and is never looked at.
    puzzle = fours((8, 1), (1, 9), stands=((7, 7), (9, 8)))
    assert positions(puzzle)["3"] == positions(puzzle)["4"] == "r7c8"
    assert positions(puzzle)["2"] == positions(puzzle)["4-sound"] == ""


def test_printed_models_3_and_4() -> None:
    """Models 3 and 4 as printed place wrong boxes on the paper's own puzzle."""
    solution = np.frombuffer(next(iter(FIG_1.grids())), np.uint8)
    wrong = {model: n_wrong(run(FIG_1.puzzle, never, model), solution) for model in MODELS}
    assert [wrong.pop(model) for model in ("3", "4", "4+1")] == [5, 5, 5]
    assert set(wrong.values()) == {0}
    for model in ("3", "4", "4+1"):
        assert outcome(FIG_1.puzzle, model) == (set(), "failed: a wrong box was placed, or there is no solution")


@pytest.mark.slow
@given(puzzle=puzzles(BOARDS, most_open=1.0))
@settings(derandomize=True, max_examples=25, deadline=None)
def test_model_4_is_model_3(puzzle: Puzzle) -> None:
    """Model 4 as printed is model 3."""
    three, four = ([step.places for step in explain(puzzle, never, model)] for model in "34")
    assert four == three
    assert outcome(puzzle, "4")[0] == outcome(puzzle, "3")[0]


@given(both=unique())
@settings(derandomize=True, max_examples=50, deadline=None)
def test_sound_models(both: tuple[Puzzle, Grids]) -> None:
    """Models 2 and 4 sound place no wrong box and each places more."""
    puzzle, solution = both
    two, sound = run(puzzle, never, "2"), run(puzzle, never, "4-sound")

    assert n_wrong(two, solution) == n_wrong(sound, solution) == 0
    assert two.filled <= sound.filled
    assert two.filled == np.count_nonzero(two.grid) - np.count_nonzero(puzzle.givens)


@given(puzzle=puzzles(BOARDS, most_open=1.0))
@settings(derandomize=True, max_examples=60, deadline=None)
def test_sound_model_stops(puzzle: Puzzle) -> None:
    """The sound model stops only where no number has one cell left in a subblock."""
    assume(puzzle.clash is None)
    grid, geometry = run(puzzle, never, "4-sound").grid, puzzle.geometry
    fits = puzzle.candidates & (grid == 0)[:, None]
    for cell in np.flatnonzero(grid).tolist():
        fits[geometry.peers[cell], grid[cell] - 1] = False
    for unit in geometry.rules[2].units:
        assert not (np.count_nonzero(fits[unit], axis=0) == 1).any()


def test_unknown_endings() -> None:
    """What the models say when they do not know."""
    empty = Puzzle.of(board("4x4"))
    for model in FORCED:
        assert outcome(empty, model) == (set(), "stuck: 16 blanks left")
    givens = filled("9x9").copy()
    givens[[0, 40, 80]] = 0
    nearly = Puzzle.of(board("9x9"), givens)
    doubt = "not proved: the rule of model {} is unsound"
    said = {model: outcome(nearly, model) for model in MODELS}
    assert {len(found) for found, _ in said.values()} == {1}
    assert {model: reason for model, (_, reason) in said.items() if reason} == {
        "3": doubt.format(3),
        "4": doubt.format(4),
        "4+1": doubt.format(4),
    }


def test_dead_end_proof() -> None:
    """A dead end in the givens is proof for every model."""
    dead = Puzzle.of(board("4x4"), [1, 2, 0, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0])
    assert all_by_sat(dead) == set()
    for model in MODELS:
        assert outcome(dead, model) == (set(), "")


def test_printed_model_places_nothing() -> None:
    """A printed model that places nothing leaves the proof to model 1."""
    found, stopped = outcome(Puzzle.of(board("4x4")), "4+1")
    assert (len(found), stopped) == (288, "")


@pytest.mark.parametrize("model", MODELS)
def test_clash(model: str) -> None:
    """A clash is no solution."""
    clash = Puzzle.of(board("4x4"), [1, 1] + [0] * 14)
    assert outcome(clash, model) == (set(), "")
    assert run(clash, never, model).filled == 0


def boxes(steps: Iterable[Step]) -> list[Step]:
    """The steps that put a box on the board or take one back."""
    return [step for step in steps if step.places or step.removes]


def test_robots_take_turns() -> None:
    """The robots of the numbers take turns."""
    steps = list(explain(FIG_1.puzzle, never, "4-sound"))
    moves = boxes(steps)
    turns = [(step.data["round"], step.data["robot"]) for step in moves]

    assert str(steps[-1]) == "the board is full"
    assert str(moves[0]).startswith("round 1: robot 2 puts box 2 on (7, 3) = r7c3: fits in no other empty cell of the ")
    # One box per robot and round, in the order of the robots, each its own number.
    assert turns == sorted(set(turns))
    assert all(step.places[0][1] == step.data["robot"] for step in moves)
    done = run(FIG_1.puzzle, never, "4-sound")
    assert (done.put, done.taken, done.rounds) == (51, 0, turns[-1][0] + 1)
    assert str(steps[-3]) == f"the robots put 51 boxes in {done.rounds} rounds; in the last one they put none"


@pytest.mark.parametrize("model", COMPLETE)
def test_moves_to_solution(model: str) -> None:
    """The moves lead from the givens to the solution."""
    case = known("papers/gtsps-fig-4.9.sdk") if model == "1" else FIG_1
    steps = list(explain(case.puzzle, never, model))
    grid, n_put = case.puzzle.givens.copy(), 0
    for step in boxes(steps):
        for cell, box in step.removes:
            assert grid[cell] == box
            grid[cell] = 0
        for cell, box in step.places:
            assert grid[cell] == 0
            grid[cell], n_put = box, n_put + 1

    assert str(steps[-1]) == "the board is full"
    assert steps[-2].data["grid"] == grid.tolist()
    done = run(case.puzzle, never, model)
    assert grid.tolist() == done.grid.tolist()
    assert (done.put, done.put - done.taken) == (n_put, done.filled)
    assert tuple(grid.tolist()) in different(block_world.solutions(case.puzzle, never))
    assert len(said(steps)) < 70


def test_second_robot() -> None:
    """The second robot takes the last box back."""
    # 3 on r1c3 leaves nothing to r1c4.
    marks = np.ones((16, 4), bool)
    marks[3] = [False, False, True, False]
    puzzle = Puzzle.of(board("4x4"), [1, 2] + [0] * 14, pencilmarks=marks)
    steps = list(explain(puzzle, never))

    moves = [(step.kind, *(step.places or step.removes)) for step in boxes(steps)]
    assert moves[:4] == [("guess", (2, 3)), ("undo", (2, 3)), ("guess", (2, 4)), ("guess", (3, 3))]
    failure = next(step for step in steps if step.rule == "first failure")
    assert failure.text.startswith(
        "robot 1 finds no box for (1, 4) = r1c4 after 1 boxes, and gives the turn to robot 2:"
    )
    assert failure.data["grid"] == [1, 2, 3, 0, *[0] * 12]


def test_piles() -> None:
    """The piles are what is not on the board."""
    piles = next(step for step in explain(FIG_1.puzzle, never, "2") if step.rule == "piles")
    assert piles.data["piles"] == [6, 6, 5, 3, 7, 5, 6, 5, 8]
    assert sum(piles.data["piles"]) == 51


@pytest.mark.parametrize(
    ("model", "figure", "conditions"),
    [
        ("2", FIGURE_4, ["5) row 7 holds 4, row 8 holds 4", "6) column 8 holds 4, column 9 holds 4"]),
        ("3", FIGURE_5, ["5) (7, 7) is not empty, row 8 holds 4", "6) column 8 holds 4, column 9 holds 4"]),
    ],
)
def test_position_reasons(model: str, figure: str, conditions: list[str]) -> None:
    """The positions of the figures are valid for the reasons of the paper."""
    puzzle = Puzzle.of(board("9x9"), list(map(int, figure)))
    found, cells = printed_conditions(puzzle.geometry, block_world_kernel.start(puzzle), Move(4, 4, 78, 1), model)

    assert found == conditions
    assert all(puzzle.givens[cells])


def test_figure_6() -> None:
    """The position of figure 6 is valid for the reason of the paper."""
    # (7, 4) for robot 5: row 8 and column 6 hold no 5, but all their cells in the subblock are filled.
    grid = np.zeros((9, 9), np.uint8)
    grid[7, 3:6], grid[6:9, 5], grid[8, 0], grid[0, 4] = [1, 2, 3], [4, 3, 6], 5, 5
    puzzle = Puzzle.of(board("9x9"), grid.ravel())
    world = block_world_kernel.start(puzzle)
    found, _ = printed_conditions(puzzle.geometry, world, Move(5, 5, 57, 1), "4")

    assert found == [
        "5) (8, 4) is not empty, as are all cells of row 8 in the subblock, row 9 holds 5",
        "6) column 5 holds 5, (7, 6) is not empty, as are all cells of column 6 in the subblock",
    ]
    assert block_world_kernel.valid_position(world, 4, 5) == 57


@given(both=unique(), model=st.sampled_from(["2", "3", "4", "4-sound"]))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_boxes_in_place(both: tuple[Puzzle, Grids], model: str) -> None:
    """The cells that make a position valid hold boxes by then."""
    puzzle, _ = both
    grid = puzzle.givens.copy()
    for step in boxes(explain(puzzle, never, model)):
        ((cell, box),) = step.places
        assert all(grid[other] for other in step.because)
        grid[cell] = box


def test_failed_ends() -> None:
    """The ends that are no solution are explained."""
    none = known("small/4x4-none.txt").puzzle
    nothing = "no solution: robot 2 has no box left to take back, and every box was tried on (1, 1) = r1c1"
    assert said(explain(none, never, "1"))[-1] == nothing
    empty = said(explain(Puzzle.of(board("4x4")), never, "2"))
    assert empty[-1] == "no robot has a valid position: 16 blanks left"


def test_stopped() -> None:
    """What is stopped says how far it came."""
    steps: list[Step] = []
    with pytest.raises(StoppedError, match="enough"):
        steps.extend(explain(FIG_1.puzzle, after(100)))
    assert re.fullmatch(r"robot 1 puts \d+ boxes, robot 2 takes \d+ of them back", str(steps[-2]))
    assert steps[-1].kind == "grid"


@pytest.mark.parametrize(("moves", "room"), [(1, 1), (3, 7), (10**6, 288)])
def test_resumed(moves: int, room: int) -> None:
    """A search may stop and go on at any move."""
    world = block_world_kernel.start(Puzzle.of(board("4x4")), room)
    world.counts[block_world_kernel.TURN] = 1
    found, goes_on = [], True
    while goes_on:
        goes_on = block_world_kernel.search(world, 16, moves)
        found += world.out[: world.counts[block_world_kernel.FOUND]].tolist()
        world.counts[block_world_kernel.FOUND] = 0
    assert len(found) == len({tuple(grid) for grid in found}) == 288


@pytest.mark.slow
@pytest.mark.parametrize("model", COMPLETE)
@pytest.mark.parametrize("name", ["9x9", "49x49"])
def test_deadline(name: str, model: str) -> None:
    """The deadline holds."""
    started = time.process_time()
    with pytest.raises(StoppedError, match="time limit"):
        for _ in block_world.solutions(Puzzle.of(board(name)), Limits(None, 0.2).start(), model):
            pass
    assert time.process_time() - started < 2


def test_large_board() -> None:
    """A large board is done."""
    puzzle = Puzzle.of(board("25x25"), cut("25x25", 0.3, 1))
    expected = different(by_method(puzzle, "sat"))
    assert len(expected) > 1
    for model in COMPLETE:
        assert different(block_world.solutions(puzzle, never, model)) == expected
    assert outcome(puzzle, "4-sound") == (set(), "stuck: 4 blanks left")


@pytest.mark.parametrize("name", ["9x9+diagonals", "7x7", "9x9x9", "64x64"])
def test_misfit_boards(name: str) -> None:
    """Boards that do not fit are refused."""
    assert block_world.unsupported_reason(board(name))


def test_fitting_boards() -> None:
    """Boards with rows columns and boxes are accepted."""
    assert [block_world.unsupported_reason(board(name)) for name in (*BOARDS, "49x49")] == [""] * (len(BOARDS) + 1)
    assert block_world.unsupported_reason(board("9x9", ["row", "column"]))


@pytest.mark.parametrize("model", ["3", "4", "4+1"])
def test_first_wrong_box(model: str) -> None:
    """The first wrong box of a printed model is named."""
    steps = list(explain(FIG_1.puzzle, never, model))
    (compared,) = (step for step in steps if step.rule == "wrong boxes")
    (solution,) = FIG_1.grids()
    puts = [step.places[0] for step in steps if step.rule.startswith("definition")]
    wrong = [number for number, (cell, box) in enumerate(puts, start=1) if solution[cell] != box]

    assert str(compared) == "the first wrong box: 2 on (1, 5) = r1c5, put in round 2: the solution has 9 there"
    assert compared.data == {"solutions": 1, "wrong": wrong[0]}
    assert "no box fits on (2, 4) = r2c4" in str(steps[-1])
    assert str(steps[-1]).endswith("a wrong box was put, see above")
    # The board at the end shows what is said of it: these cells are empty, and no box fits on the first.
    grid = next(step for step in reversed(steps) if step.kind == "grid").data["grid"]
    assert all(grid[cell] == 0 for cell in steps[-1].because)
    assert {grid[peer] for peer in FIG_1.puzzle.geometry.peers[steps[-1].because[0]]} >= set(range(1, 10))
    # That the method failed proves nothing of the puzzle.
    assert "solutions" not in steps[-1].data


@given(both=unique(), model=st.sampled_from(["3", "4"]))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_wrong_box_definition(both: tuple[Puzzle, Grids], model: str) -> None:
    """A box is called wrong exactly if the solution has another."""
    puzzle, solution = both
    steps = list(explain(puzzle, never, model))
    puts = [step.places[0] for step in steps if step.rule.startswith("definition")]
    wrong = [number for number, (cell, box) in enumerate(puts, start=1) if solution.ravel()[cell] != box]
    compared = [step.data["wrong"] for step in steps if step.rule == "wrong boxes"]
    assert compared == ([wrong[0] if wrong else None] if puts else [])


@pytest.mark.parametrize(
    ("figure", "model", "robot", "cell"),
    [(4, "2", 4, "r9c7"), (5, "4-sound", 4, "r9c7"), (6, "4", 5, "r7c4")],
)
def test_boards_of_figures(figure: int, model: str, robot: int, cell: str) -> None:
    """On the boards of Figs. 4 to 6 the robot of the figure first puts its box where the figure has it."""
    puzzle = known(f"papers/block-world-fig-{figure}.txt").puzzle
    steps = [step for step in explain(puzzle, never, model) if step.data.get("robot") == robot]
    (place,) = steps[0].places
    assert (puzzle.geometry.cell_name(place[0]), place[1]) == (cell, robot)
