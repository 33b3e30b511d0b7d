"""A puzzle as a file, in any of the model formats; the table says which function here writes which."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.encoding import refuse_unused
from sudoku_encode.encoders.many import encode_many
from sudoku_encode.encoders.reduction import reduce, reduce_all
from sudoku_encode.encoders.table import DEFAULT_ENCODING, DEFAULT_FORMAT, MODEL_FORMATS, ModelFormat
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
        contradiction: why a CNF has no model, where encoding found that out.
    """

    path: str
    form: str
    description: str
    figures: dict[str, int]
    contradiction: str = ""

    def __str__(self) -> str:
        """Return a remark for people."""
        sizes = (f"{number:,} {plural(name.removesuffix('s'), number)}" for name, number in self.figures.items())
        text = ", ".join([self.description, *sizes])
        if self.contradiction:
            return f"{text}; no solution: {self.contradiction}"
        decided = self.figures.get("variables") == 0
        return f"{text}; nothing is left for a solver: reduce `none` writes the whole" if decided else text


@dataclass(frozen=True)
class ModelOptions:
    """What a user may choose besides the format; None and False are not given.

    Attributes:
        encoding: of a CNF; a key of ENCODINGS, by default `extended`.
        reduction: a key of REDUCTIONS; by default `singles` for a CNF whose encoding takes one, else `none`.
        amo: of a CNF; a key of AT_MOST_ONE, by default `pairwise`.
        duplicates: of a CNF; write a pair of cells once for every unit that has both.
        show: of a CNF; write the projection even where there is no auxiliary variable.
        seed: of a CNF; shuffle it.
        cubes: of an incremental CNF; how many at least, by default 64.
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
    (saved,) = save_models([puzzle], [name], model_format(name, form).name, options)
    return saved


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
        reduction=options.reduction,
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
        encoded = cp_model(puzzle, form.name, options.reduction or "none")
        with files.writing(path) as write:
            write(exported(encoded, as_text=files.bare_suffix(path) == ".pbtxt"))
        proto = encoded.model.proto
        figures = {"variables": len(proto.variables), "constraints": len(proto.constraints)}
        yield SavedModel(path, form.name, form.name, figures)


def save_chunks(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write what the format's function makes of the puzzles; see `save_models`."""
    level = options.reduction or "none"
    for puzzle, candidates, path in zip(puzzles, _left(puzzles, level), paths, strict=True):
        size = 0
        with files.writing(path) as write:
            for chunk in chunks(puzzle, form.name, candidates):
                write(chunk)
                size += len(chunk)
        yield SavedModel(path, form.name, form.summary, {"bytes": size})


def _left(puzzles: Sequence[Puzzle], level: str) -> Iterable[Candidates]:
    """Return what a reduction leaves to the cells of each puzzle."""
    if any(puzzle.constraints for puzzle in puzzles):
        # Their units, and so their boards, are not the same.
        lows = [lowered(puzzle).puzzle for puzzle in puzzles]
        return [low.candidates if level == "none" else reduce(low, level).candidates for low in lows]
    return [puzzle.candidates for puzzle in puzzles] if level == "none" else reduce_all(puzzles, level).candidates


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
