"""A puzzle as a file, in any of the model formats; the table says which function here writes which."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from pkgutil import resolve_name

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.encoding import Choice, refuse_unused
from sudoku_encode.encoders.many import encode_many
from sudoku_encode.encoders.reduction import Reduction, reduce, reduce_all
from sudoku_encode.encoders.table import (
    DEFAULT_ENCODING,
    DEFAULT_FORMAT,
    DEFAULT_REDUCTION,
    ENCODINGS,
    MODEL_FORMATS,
    ModelFormat,
)
from sudoku_encode.errors import MethodError, SudokuError, plural
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files
from sudoku_encode.storage.outputs import file_name


@dataclass(frozen=True)
class SavedModel:
    """What was written; its text is a remark for people.

    Attributes:
        path: where; `-` is standard output.
        form: the name of the model format.
        description: what the model is, such as the encoding and its options.
        figures: its size: variables and clauses or constraints, or bytes.
        contradiction: why the puzzle has no solution, where singles or a reduction found that out.
        notes: further remarks, such as what singles would leave of a CNF.
    """

    path: str
    form: str
    description: str
    figures: dict[str, int]
    contradiction: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return a remark for people."""
        reasons = (f"no solution: {self.contradiction}",) if self.contradiction else ()
        if self.figures.get("variables") == 0 and not reasons:
            reasons = ("nothing is left for a solver, since the reduction solves the puzzle",)
        return "; ".join([f"{self.description}, {_in_words(self.figures)}", *reasons, *self.notes])


def _in_words(figures: dict[str, int]) -> str:
    """Return figures as people read them, such as `729 variables, 1 clause`."""
    return ", ".join(f"{number:,} {plural(name.removesuffix('s'), number)}" for name, number in figures.items())


@dataclass(frozen=True)
class ModelOptions:
    """What a user may choose besides the format; None and False are not given.

    Attributes:
        encoding: of a CNF; a key of ENCODINGS, by default `extended`.
        reduction: a key of REDUCTIONS; by default `none`.
        amo: of a CNF; a key of AT_MOST_ONE, by default `pairwise`.
        duplicates: of a CNF; write a pair of cells once for every unit that has both.
        show: of a CNF; write the projection even where there is no auxiliary variable.
        seed: of a CNF; shuffle it.
        cubes: of an incremental CNF; how many at least, by default 64, if singles do not decide all cubes before.
    """

    encoding: str | None = None
    reduction: str | None = None
    amo: str | None = None
    duplicates: bool = False
    show: bool = False
    seed: int | None = None
    cubes: int | None = None

    @property
    def given(self) -> dict[str, str | int | bool]:
        """What was chosen, by name."""
        return {name: value for name, value in vars(self).items() if value is not None and value is not False}


_NO_OPTIONS = ModelOptions()
# Writes some puzzles on one board, at least one, to files of these names.
Save = Callable[[Sequence[Puzzle], Sequence[str], ModelFormat, ModelOptions], Iterator[SavedModel]]


def model_format(path: str | Path, form: str | None = None) -> ModelFormat:
    """Return the format of that name, else the first that has the suffix of the path, else CNF where it has none.

    Raises:
        MethodError: there is no format of that name, or none that has the suffix.
    """
    if form is not None and form not in MODEL_FORMATS:
        raise MethodError(f"no model format is called {form!r}; choose from {', '.join(MODEL_FORMATS)}")
    suffix = files.bare_suffix(str(path))
    by_suffix = [row for row in MODEL_FORMATS.values() if suffix in row.suffixes]
    if suffix and not form and not by_suffix:
        known = ", ".join(dict.fromkeys(end for row in MODEL_FORMATS.values() for end in row.suffixes))
        raise MethodError(f"{path}: no model format ends in {suffix}; name the format, or end the name in {known}")
    return MODEL_FORMATS[form] if form else [*by_suffix, MODEL_FORMATS[DEFAULT_FORMAT]][0]


def save_model(
    puzzle: Puzzle,
    path: str | Path,
    form: str | None = None,
    options: ModelOptions = _NO_OPTIONS,
) -> SavedModel:
    """Write a puzzle as a model, compressed if the name ends in .gz, .xz or .zst.

    Args:
        puzzle: any board; some encodings and formats refuse some boards.
        path: where to; `-` is standard output.
        form: a key of MODEL_FORMATS; by default what the suffix of the path stands for, else `cnf`.
        options: what else is chosen.

    Raises:
        MethodError: an unknown name, a board that does not fit, an option that the format does not take.
        SudokuError: the file cannot be written.
    """
    name = file_name(path)
    chosen = model_format(name, form)
    (saved,) = save_models([puzzle], [name], chosen.name, options)
    encoding = options.encoding or DEFAULT_ENCODING
    is_whole = (options.reduction or DEFAULT_REDUCTION) == "none"
    if not (is_whole and "encoding" in chosen.options and "reduce" in ENCODINGS[encoding].options):
        return saved
    from sudoku_encode.encoders.sizes import after_singles

    # To reduce and count takes less time than the whole model did, on small boards and large ones.
    variables, clauses, contradiction = after_singles(
        puzzle, Choice(encoding, options.amo or "pairwise", options.duplicates)
    )
    if contradiction:
        return replace(saved, contradiction=contradiction)
    left = {"variables": variables, "clauses": clauses}
    if left == {name: saved.figures.get(name) for name in left}:
        return saved
    size = _in_words(left)
    solved = "" if variables else ", since singles solve the puzzle"
    return replace(saved, notes=(*saved.notes, f"--reduce singles would leave {size}{solved}"))


def save_models(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: str, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write some puzzles on one board, at least one, as models, each to a file of its own; see `save_model`.

    Raises:
        MethodError: as `save_model`; the puzzles before have been written.
        SudokuError: a file cannot be written.
    """
    chosen = MODEL_FORMATS[form]
    refuse_options(chosen, options)
    save: Save = resolve_name(chosen.save)
    return save(puzzles, paths, chosen, options)


def refuse_options(form: ModelFormat, options: ModelOptions) -> None:
    """Refuse the first option that a format does not take.

    Raises:
        MethodError: an option is given that is not taken.
    """
    given = {
        "encoding": options.encoding is not None,
        "reduce": options.reduction is not None,
        "amo": options.amo is not None,
        "duplicates": options.duplicates,
        "show": options.show,
        "seed": options.seed is not None,
        "cubes": options.cubes is not None,
    }
    refuse_unused(given, form.options, f"model format {form.name}")


def save_cnfs(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write CNFs; see `save_models`."""
    encodings = encode_many(
        puzzles,
        options.encoding or DEFAULT_ENCODING,
        reduction=options.reduction or DEFAULT_REDUCTION,
        amo=options.amo or "pairwise",
        duplicates=options.duplicates,
    )
    for plain, path in zip(encodings, paths, strict=True):
        encoded = plain
        if options.seed is not None:
            from sudoku_encode.encoders.shuffling import shuffled

            encoded = shuffled(plain, options.seed)
        encoded.save(path, show=options.show)
        figures = {"variables": encoded.cnf.n_variables, "clauses": encoded.cnf.n_clauses}
        description = encoded.name if options.seed is None else f"{encoded.name}, seed {options.seed}"
        yield SavedModel(path, form.name, description, figures, encoded.contradiction)


def save_cp_models(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write CP-SAT models, as text where the names end so; see `save_models`."""
    from sudoku_encode.encoders.cp import cp_model, exported

    for puzzle, path in zip(puzzles, paths, strict=True):
        if path == "-":
            raise SudokuError("a CP-SAT model needs a file: -o NAME.pbtxt (text) or -o NAME.pb (binary)")
        encoded = cp_model(puzzle, form.name, options.reduction or DEFAULT_REDUCTION)
        with files.writing(path) as write:
            write(exported(encoded, as_text=files.bare_suffix(path) == ".pbtxt"))
        proto = encoded.model.proto
        figures = {"variables": len(proto.variables), "constraints": len(proto.constraints)}
        yield SavedModel(path, form.name, form.name, figures, encoded.contradiction)


def save_chunks(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write what the format's function makes of the puzzles; see `save_models`."""
    reductions = _reductions(puzzles, options.reduction or DEFAULT_REDUCTION)
    for puzzle, (candidates, contradiction), path in zip(puzzles, reductions, paths, strict=True):
        size = 0
        with files.writing(path) as write:
            for chunk in chunks(puzzle, form.name, candidates):
                write(chunk)
                size += len(chunk)
        yield SavedModel(path, form.name, form.summary, {"bytes": size}, contradiction)


def _reductions(puzzles: Sequence[Puzzle], level: str) -> Iterator[tuple[Candidates, str]]:
    """Yield for each puzzle the candidates that a reduction leaves, and why there is no solution, if it shows that."""
    if level == "none":
        yield from ((lowered(puzzle).puzzle.candidates, "") for puzzle in puzzles)
        return
    if any(puzzle.constraints for puzzle in puzzles):
        # Their units, and so their boards, are not the same.
        reductions: Iterable[Reduction] = (reduce(lowered(puzzle).puzzle, level) for puzzle in puzzles)
    else:
        reductions = reduce_all(puzzles, level)
    yield from ((reduction.candidates, reduction.contradiction) for reduction in reductions)


def chunks(puzzle: Puzzle, form: str, candidates: Candidates) -> Iterator[bytes]:
    """Return the text of a model, in chunks, in a format whose row names a function for that.

    Args:
        puzzle: its board.
        form: a key of MODEL_FORMATS.
        candidates: bool (n_cells, n_values), what each cell may hold.
    """
    if puzzle.constraints:
        candidates = candidates & lowered(puzzle).puzzle.candidates
    written: Iterator[bytes] = resolve_name(MODEL_FORMATS[form].chunks)(puzzle, candidates)
    return written
