"""Write puzzles as model files, in all formats; the table of formats names the function for each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from sudoku_encode.encoders.batch_encoding import encode_many
from sudoku_encode.encoders.cubes import N_CUBES, Cube, split
from sudoku_encode.encoders.encoding import Choice, Encoding, refuse_unused
from sudoku_encode.encoders.reduction import Reduction, reduce, reduce_all
from sudoku_encode.encoders.table import (
    DEFAULT_ENCODING,
    DEFAULT_FORMAT,
    DEFAULT_REDUCTION,
    ENCODINGS,
    MODEL_FORMATS,
    Loader,
    ModelFormat,
)
from sudoku_encode.errors import MethodError, SudokuError, plural, short
from sudoku_encode.formula import dimacs
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files
from sudoku_encode.storage.outputs import file_name


@dataclass(frozen=True)
class SavedModel:
    """A written model; its text is a remark for people."""

    path: str  # of the file; `-` is standard output
    form: str  # the name of the model format
    description: str  # of the model, such as the encoding and its options
    figures: dict[str, int]  # its size: variables and clauses or constraints, or bytes
    contradiction: str = ""  # why the puzzle has no solution, if singles or a reduction show that
    notes: tuple[str, ...] = ()  # further remarks, such as the size of a CNF after singles

    def __str__(self) -> str:
        """Return a remark for people."""
        reasons = (f"no solution: {self.contradiction}",) if self.contradiction else ()
        if self.figures.get("variables") == 0 and not reasons:
            reasons = ("nothing is left for a solver, since the reduction solves the puzzle",)
        return "; ".join([f"{self.description}, {_in_words(self.figures)}", *reasons, *self.notes])


def _in_words(figures: dict[str, int]) -> str:
    """Return figures as text, such as `729 variables, 1 clause`."""
    return ", ".join(f"{number:,} {plural(name.removesuffix('s'), number)}" for name, number in figures.items())


@dataclass(frozen=True)
class ModelOptions:
    """The options of a model besides its format; None and False mean not given."""

    encoding: str | None = None  # of a CNF; a key of ENCODINGS, by default `extended`
    reduction: str | None = None  # a key of REDUCTIONS; by default `none`
    amo: str | None = None  # of a CNF; a key of AT_MOST_ONE, by default `pairwise`
    duplicates: bool = False  # of a CNF; write a pair of cells once for every unit that contains both
    show: bool = False  # of a CNF; write the projection even if there is no auxiliary variable
    seed: int | None = None  # of a CNF; shuffle it
    # Of an incremental CNF; least number, by default 64; fewer if singles decide all cubes before.
    cubes: int | None = None
    # Of a CNF; further comments, after that of the program. Not an option of a user.
    about: tuple[str, ...] = ()

    @property
    def given(self) -> dict[str, str | int | bool]:
        """The given options, by name."""
        options = {name: value for name, value in vars(self).items() if name != "about"}
        return {name: value for name, value in options.items() if value is not None and value is not False}


_NO_OPTIONS = ModelOptions()


class Save(Protocol):
    """The function that writes models of a format."""

    def __call__(
        self, puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions, /
    ) -> Iterator[SavedModel]:
        """Write puzzles on one board, at least one, each to a file, and yield the written models."""


class WriteModel(Protocol):
    """The function that returns the text of a model of a format."""

    def __call__(self, puzzle: Puzzle, candidates: Candidates, /) -> Iterator[bytes]:
        """Return the file in chunks; candidates: bool (n_cells, n_values), the values that each cell may hold."""


_load_save: Loader[Save] = Loader()
_load_chunks: Loader[WriteModel] = Loader()


def model_format(path: str | Path, form: str | None = None) -> ModelFormat:
    """Return the format of that name; by default the first with the suffix of the path, or CNF without a suffix.

    Raises:
        MethodError: no format has that name or suffix.
    """
    if form is not None and form not in MODEL_FORMATS:
        raise MethodError(f"no model format is called {form!r}; choose from {', '.join(MODEL_FORMATS)}")
    suffix = files.bare_suffix(str(path))
    by_suffix = [row for row in MODEL_FORMATS.values() if suffix in row.suffixes]
    if suffix and not form and not by_suffix:
        suffixes = ", ".join(dict.fromkeys(end for row in MODEL_FORMATS.values() for end in row.suffixes))
        raise MethodError(f"{path}: no model format ends in {suffix}; name the format, or end the name in {suffixes}")
    return MODEL_FORMATS[form] if form else [*by_suffix, MODEL_FORMATS[DEFAULT_FORMAT]][0]


def save_model(
    puzzle: Puzzle,
    path: str | Path,
    form: str | None = None,
    options: ModelOptions = _NO_OPTIONS,
) -> SavedModel:
    """Write a puzzle as a model, compressed if the name ends in .gz, .xz or .zst; `-` is standard output.

    The form is a key of MODEL_FORMATS, by default that of the suffix of the path, else `cnf`.

    Raises:
        MethodError: an unknown name, or a board or an option that is not supported.
        SudokuError: the file cannot be written.
    """
    name = file_name(path)
    chosen = model_format(name, form)
    (saved,) = save_models([puzzle], [name], chosen.name, options)
    encoding = options.encoding or DEFAULT_ENCODING
    is_whole = (options.reduction or DEFAULT_REDUCTION) == "none"
    if not (is_whole and {"encoding", "reduce"} <= chosen.options and "reduce" in ENCODINGS[encoding].options):
        return saved
    from sudoku_encode.encoders.puzzle_sizes import after_singles

    # Reducing and counting takes less time than writing the whole model, on all boards.
    variables, clauses, contradiction = after_singles(
        puzzle, Choice(encoding, options.amo or "pairwise", options.duplicates)
    )
    if contradiction:
        return replace(saved, contradiction=contradiction)
    reduced_sizes = {"variables": variables, "clauses": clauses}
    if reduced_sizes == {name: saved.figures.get(name) for name in reduced_sizes}:
        return saved
    size = _in_words(reduced_sizes)
    solved = "" if variables else ", since singles solve the puzzle"
    return replace(saved, notes=(*saved.notes, f"--reduce singles would leave {size}{solved}"))


def save_models(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: str, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write puzzles on one board, at least one, as models, each to a file; see `save_model`.

    Raises:
        MethodError: as `save_model`; the puzzles before have been written.
        SudokuError: a file cannot be written.
    """
    chosen = MODEL_FORMATS[form]
    refuse_options(chosen, options)
    return _load_save(chosen.save)(puzzles, paths, chosen, options)


def refuse_options(form: ModelFormat, options: ModelOptions) -> None:
    """Raise an error for the first given option that a format does not support.

    Raises:
        MethodError: a given option is not supported.
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
    others = {name: row.options for name, row in MODEL_FORMATS.items()}
    refuse_unused(given, form.options, f"model format {form.name}", others)


def _encodings(puzzles: Sequence[Puzzle], options: ModelOptions) -> Iterator[Encoding]:
    encoding, reduction = options.encoding or DEFAULT_ENCODING, options.reduction or DEFAULT_REDUCTION
    amo = options.amo or "pairwise"
    return encode_many(puzzles, encoding, reduction=reduction, amo=amo, duplicates=options.duplicates)


def encoding_of(puzzle: Puzzle, options: ModelOptions) -> Encoding:
    """Return the encoding of a puzzle whose CNF these options write.

    Raises:
        MethodError: as `save_model`.
    """
    return _shuffled(next(_encodings([puzzle], options)), options)


def _shuffled(encoded: Encoding, options: ModelOptions) -> Encoding:
    """Return an encoding as it is written, shuffled if the options have a seed."""
    if options.seed is None:
        return encoded
    from sudoku_encode.encoders.changes import shuffle

    return shuffle(encoded, options.seed)


def save_cnfs(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write CNFs; see `save_models`."""
    for plain, path in zip(_encodings(puzzles, options), paths, strict=True):
        encoded = _shuffled(plain, options)
        encoded.save(path, show=options.show, about=options.about)
        figures = {"variables": encoded.cnf.n_variables, "clauses": encoded.cnf.n_clauses}
        description = encoded.name if options.seed is None else f"{encoded.name}, seed {options.seed}"
        yield SavedModel(path, form.name, description, figures, encoded.contradiction)


def save_cp_models(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write CP-SAT models, as text if the names end in .pbtxt; see `save_models`."""
    from sudoku_encode.encoders.cp import cp_model, export_model

    for puzzle, path in zip(puzzles, paths, strict=True):
        if path == "-":
            raise SudokuError("a CP-SAT model needs a file: -o NAME.pbtxt (text) or -o NAME.pb (binary)")
        encoded = cp_model(puzzle, form.name, options.reduction or DEFAULT_REDUCTION)
        with files.writing(path) as write:
            write(export_model(encoded, as_text=files.bare_suffix(path) == ".pbtxt"))
        proto = encoded.model.proto
        figures = {"variables": len(proto.variables), "constraints": len(proto.constraints)}
        yield SavedModel(path, form.name, form.name, figures, encoded.contradiction)


def save_chunks(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write the chunks of the format's function; see `save_models`."""
    reductions = _reductions(puzzles, options.reduction or DEFAULT_REDUCTION)
    for puzzle, (candidates, contradiction), path in zip(puzzles, reductions, paths, strict=True):
        size = 0
        with files.writing(path) as write:
            for chunk in chunks(puzzle, form.name, candidates):
                write(chunk)
                size += len(chunk)
        yield SavedModel(path, form.name, form.summary, {"bytes": size}, contradiction)


def _reductions(puzzles: Sequence[Puzzle], level: str) -> Iterator[tuple[Candidates, str]]:
    """Yield the candidates of each puzzle after a reduction, and why there is no solution, if it shows that."""
    if level == "none":
        yield from ((lower_puzzle(puzzle).puzzle.candidates, "") for puzzle in puzzles)
        return
    if any(puzzle.constraints for puzzle in puzzles):
        # Their units, and so their boards, differ.
        reductions: Iterable[Reduction] = (reduce(lower_puzzle(puzzle).puzzle, level) for puzzle in puzzles)
    else:
        reductions = reduce_all(puzzles, level)
    yield from ((reduction.candidates, reduction.contradiction) for reduction in reductions)


def chunks(puzzle: Puzzle, form: str, candidates: Candidates) -> Iterator[bytes]:
    """Return the text of a model, in chunks; the row of the format must name a function for that."""
    if puzzle.constraints:
        candidates = candidates & lower_puzzle(puzzle).puzzle.candidates
    return _load_chunks(MODEL_FORMATS[form].chunks)(puzzle, candidates)


# Incremental CNFs (iCNF), with cubes that solvers such as CaDiCaL and paracooba go through.
#
# After `p inccnf`, which has no sizes, come the clauses as in DIMACS, and then a line `a LITERALS 0` for each cube: all
# clauses with these literals. Each model is in exactly one cube, so the numbers of models of all cubes add up.
#
# Source: Wieringa, Niemenmaa & Heljanko 2009 (www.siert.nl/icnf).


def save_icnfs(
    puzzles: Sequence[Puzzle], paths: Sequence[str], form: ModelFormat, options: ModelOptions
) -> Iterator[SavedModel]:
    """Write incremental CNFs; see `saving.save_models`.

    Raises:
        MethodError: the number of cubes is not a whole number, at least 1.
    """
    n_cubes = N_CUBES if options.cubes is None else options.cubes
    if not isinstance(n_cubes, int) or n_cubes < 1:
        raise MethodError(f"cubes={short(repr(n_cubes))}: it must be a whole number, at least 1")
    for encoded, path in zip(_encodings(puzzles, options), paths, strict=True):
        # The cubes use only the units and domains of constraints; the clauses contain the rest.
        cubes_of_puzzle = split(lower_puzzle(encoded.puzzle).puzzle, n_cubes)
        # A refuted puzzle is one cube, so that solvers report it.
        cubes = ((),) if encoded.contradiction else cubes_of_puzzle.cubes or ((),)
        _write_icnf(encoded, path, cubes, cubes_of_puzzle.n_refuted, options.about)
        figures = {"variables": encoded.cnf.n_variables, "clauses": encoded.cnf.n_clauses, "cubes": len(cubes)}
        reason = "decide each of them" if cubes_of_puzzle.cubes else "find no solution"
        note = f"fewer cubes than {n_cubes}, since naked and hidden singles {reason}"
        is_short = len(cubes) < n_cubes and not encoded.contradiction
        yield SavedModel(path, form.name, encoded.name, figures, encoded.contradiction, (note,) * is_short)


def _write_icnf(
    encoded: Encoding, path: str, cubes: Sequence[Cube], n_refuted: int, about_puzzle: Sequence[str]
) -> None:
    """Write the comments, from which answers are decoded, the clauses and the cubes."""
    about = f"cubes {len(cubes)}: no model is in two, each is in one; {n_refuted} without a solution were left out"
    comments = ("format icnf", *about_puzzle, *encoded.comments(), f"variables {encoded.cnf.n_variables}", about)
    with files.writing(path) as write:
        write("".join(f"c {line}\n" for line in comments).encode("ascii"))
        write(b"p inccnf\n")
        dimacs.write_clauses(encoded.cnf, write)
        write(
            "".join(f"a {' '.join(map(str, [*_cube_literals(encoded, cube), 0]))}\n" for cube in cubes).encode("ascii")
        )


def _cube_literals(encoded: Encoding, cube: Cube) -> list[int]:
    """Return the literals of the cells and values of a cube."""
    if encoded.contradiction:
        return []
    literals = [literal for cell, value in cube for literal in encoded.literals[cell, value - 1].tolist() if literal]
    return list(dict.fromkeys(literals))
