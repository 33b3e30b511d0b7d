"""The folder of `generate --ladder`: puzzles of growing hardness, their CNFs, and the manifest that lists them."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sudoku_encode.cli.model_folder import MANIFEST
from sudoku_encode.cli.printing import progress
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import Stopped, SudokuError, plural
from sudoku_encode.formats.place import Place
from sudoku_encode.storage.outputs import is_folder

if TYPE_CHECKING:
    from sudoku_encode.generating.request import Request
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.run.pools import Pool

# All puzzles of a ladder, one a line, the easiest first.
PUZZLES = "puzzles.txt"


def write_ladder(folder: str, inputs: Iterable[str], request: "Request", n: int, pool: "Pool", print_seed: bool) -> int:
    """Generate puzzles, choose n of growing hardness and write them; return the exit status.

    Args:
        folder: made if there is none.
        inputs: the files that are read, which are not written over.
        request: which puzzles; how many follows from n.
        n: how many rungs.
        pool: where puzzles are generated, and how many at a time.
        print_seed: whether the seed is a remark, since it was not given.

    Raises:
        SudokuError: a file cannot be written.
    """
    from sudoku_encode.encoders.batch import numbered_name
    from sudoku_encode.encoders.saving import ModelOptions, save_model
    from sudoku_encode.formats.writing import write
    from sudoku_encode.generating.ladder import PUZZLES_PER_RUNG, REDUCTION, SOLVER, ladder
    from sudoku_encode.storage import files, outputs

    home = outputs.folder(folder)
    names = [PUZZLES, MANIFEST, *(f"{numbered_name(number, n)}.cnf" for number in range(1, n + 1))]
    outputs.refuse_inputs(inputs, *(home / name for name in names))
    if print_seed:
        remark(f"seed {request.seed}")
    try:
        rungs = ladder(_reached(request, n * PUZZLES_PER_RUNG, pool), n)
    except (Stopped, KeyboardInterrupt) as reason:
        remark(f"stopped: {reason or 'interrupted'}; nothing is written")
        return 3
    if not rungs:
        remark("no puzzle came out as it was wanted; nothing is written")
        return 3
    heads = [f"# board: {request.board.name}", f"# rules: {','.join(request.board.rule_names)}"]
    lines, records = [], []
    form = "line" if request.board.n_values <= 35 else "csv"
    for number, rung in enumerate(rungs, 1):
        name = f"{numbered_name(number, n)}.cnf"
        saved = save_model(rung.puzzle, home / name, options=ModelOptions(reduction=REDUCTION))
        givens = write(request.board, rung.puzzle.givens, form).splitlines()[-1]
        lines.append(givens)
        figures = {"propagations": rung.propagations, "solver": SOLVER, **saved.figures}
        place = Place(PUZZLES, len(heads) + number, number).record("written", "cnf")
        heading = place | {"path": name, "givens": givens, "clues": int((rung.puzzle.givens > 0).sum())}
        made = {"board": request.board.name, "rules": list(request.board.rule_names)}
        records.append({**heading, **figures, **made, "seed": request.seed, "generated": rung.number})
    # The manifest comes last: where it is, all else is.
    for file, text in ((PUZZLES, [*heads, *lines]), (MANIFEST, [json.dumps(record) for record in records])):
        with files.writing(str(home / file)) as out:
            out("".join(f"{line}\n" for line in text).encode())
    steps = f"{rungs[0].propagations:,} to {rungs[-1].propagations:,} propagations of {SOLVER}"
    remark(f"{home}/: {len(rungs)} {plural('puzzle', len(rungs))}, {steps}; {MANIFEST} lists them")
    if len(rungs) < n:
        remark(f"there are no {n} of different hardness among {n * PUZZLES_PER_RUNG} puzzles")
        return 3
    return 0


def refuse_ladder(output: str, given: dict[str, bool]) -> None:
    """Refuse a ladder without a folder, or with options that have no effect on it.

    Args:
        output: the name of the folder.
        given: by the name of an option, whether it is given.

    Raises:
        SudokuError: it is so.
    """
    if output == "-" or not is_folder(output):
        raise SudokuError("a ladder needs a folder to write to, such as -o ladder/")
    for option, is_given in given.items():
        if is_given:
            raise SudokuError(f"{option} has no effect on a ladder")


def _reached(request: "Request", n: int, pool: "Pool") -> "Iterator[tuple[int, Puzzle]]":
    """Yield the puzzles that came out as wanted, with their numbers."""
    with progress("making puzzles ...", total=lambda: n) as shown:
        for number, generated in enumerate(request.puzzles(range(1, n + 1), pool), 1):
            if generated is None:
                return
            shown.advance(1)
            if generated.reached:
                yield number, generated.puzzle
