"""The records of the commands, one JSON object a line: what comes after the first keys, and with which status.

`scripts/schema` makes docs/records.schema.json from RECORDS, and a test compares both and every command with it.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

from sudoku_encode.puzzles.step import KINDS
from sudoku_encode.run.status import Status

# Whole numbers from 0, and from 1.
Natural = Annotated[int, 0]
Positive = Annotated[int, 1]
Grid = list[Natural | None]  # a value for each cell; None for a blank where values begin at 0
# The candidates of cells, by the names of the cells.
Marks = dict[str, list[Natural]]


# DIFFICULTIES of the table of techniques; a test compares both.
Difficulty = Literal["easy", "medium", "hard", "fiendish", "diabolical", "beyond"]


class FirstKeys(TypedDict):
    """The first keys of every record of a puzzle; `status` is in the rows of RECORDS."""

    file: str | None
    line: Natural | None
    puzzle: Natural | None
    name: str | None
    status: str
    method: str | None
    seconds: Annotated[float, 0] | None


class Reason(TypedDict):
    """Why there is no answer, or not a complete one."""

    reason: str | None


class BadInput(TypedDict):
    """The error in the place of an unreadable puzzle."""

    reason: str


class UntimedWork(TypedDict):
    """How much a SAT or CP solver worked on a puzzle, without its time."""

    solver: str
    variables: Natural  # of the model that the solver got, after the reduction
    clauses: Natural  # of that model; constraints of a CP model
    conflicts: Natural | None  # None where the solver does not report it
    decisions: Natural | None
    propagations: Natural | None
    restarts: Natural | None


class Work(UntimedWork):
    """How much a SAT or CP solver worked on a puzzle."""

    solver_seconds: Annotated[float, 0]  # inside the solver alone


class Solution(TypedDict):
    """A solution; with --compare how it compares with the one in the table."""

    solution: Grid | None
    compared: NotRequired[Literal["same", "another solution", "wrong", "none"]]
    reason: str | None
    chosen: list[str]  # the methods that `auto` chose
    work: NotRequired[Work | None]  # with --stats; None if no solver answered


class OptimumFields(TypedDict):
    """The best solution, with --objective."""

    solution: Grid | None
    objective: str
    value: int | None  # the sum of the cells, or the number of givens kept
    bound: int | None  # the proved bound of the value
    dropped: list[str]  # the cells of givens that are not kept
    reason: str | None


class CountFields(TypedDict):
    """A number of solutions."""

    count: Natural | None
    complete: bool
    reason: str | None
    estimate: NotRequired[Annotated[float, 0]]  # about how many solutions, if `auto` estimated and did not count them
    estimate_error: NotRequired[Annotated[float, 0]]  # its standard error
    estimate_log10: NotRequired[Annotated[float, 0]]  # instead of both: the decimal logarithm of an estimate over 1e308
    chosen: list[str]  # the methods that `auto` chose
    work: NotRequired[Work | None]  # with --stats; None if no solver answered


class KindsFields(TypedDict):
    """The number of solutions up to symmetry."""

    kinds: Natural | None
    count: Natural | None  # all solutions
    sizes: list[Positive] | None  # the number of solutions of each kind, the largest first
    order: Positive | None  # the number of symmetries
    complete: bool
    all_symmetries: bool | None  # whether constraints hide no symmetry
    reason: str | None


class RuleSetCount(TypedDict):
    """A set of rules with its number of solutions."""

    rules: list[str]
    count: Natural | None  # None for more solutions than asked for


class RuleSetsFields(TypedDict):
    """How many solutions a puzzle has under each set of its rules."""

    solutions: Natural | None  # the number that was asked for
    matching: list[list[str]] | None  # the sets of rules with this number of solutions
    sets: list[RuleSetCount] | None  # all sets, the largest first
    reason: str | None


class EstimateFields(TypedDict):
    """About how many solutions."""

    estimate: int
    tolerance: float
    confidence: float


class OneSolution(TypedDict):
    """One of all solutions."""

    solution: Grid


class ListFields(TypedDict):
    """The number of the solutions that were printed."""

    count: Natural | None
    complete: bool
    reason: str | None
    work: NotRequired[Work | None]  # with --stats; None if no solver answered


class CertificateFields(TypedDict, total=False):
    """The certificate of an answer."""

    folder: str
    lemmas: Natural
    checkers: list[str]


class Candidates(CertificateFields):
    """The values that each cell has in some solution; with --counts how many solutions have each."""

    candidates: list[list[Natural]] | None
    complete: bool
    total: NotRequired[Natural | None]
    counts: NotRequired[list[list[Natural]] | None]
    reason: str | None
    chosen: list[str]


class UniqueDetails(TypedDict):
    """A puzzle with one solution: what can go, each by itself."""

    solution: Grid
    redundant: list[str]  # names of cells
    undecided: list[str]
    redundant_constraints: NotRequired[list[str]]
    undecided_constraints: NotRequired[list[str]]
    minimal: bool | None
    minimized: Grid | None
    minimized_is_minimal: bool | None
    seed: Natural | None


class SeveralDetails(TypedDict):
    """A puzzle with several solutions: two of them, and givens that would leave one."""

    first: Grid
    second: Grid
    differing: list[str]
    count: Annotated[int, 2]
    complete: bool
    towards: Grid
    extra: dict[str, Natural]
    fewest: bool


class ClashParts(TypedDict):
    """Givens, units and constraints that together leave no solution; each is needed for that."""

    givens: list[str]
    units: list[str]
    constraints: list[str]


class NoneDetails(TypedDict):
    """A puzzle without a solution: givens that clash."""

    clash: list[str]
    irreducible: bool
    smallest: bool
    clashes: NotRequired[list[ClashParts]]  # with --clashes
    smallest_clash: NotRequired[bool]  # whether it is proved that no clash has fewer parts than the first
    all_clashes: NotRequired[bool]  # whether it is proved that there are no more
    certificate: str | None


class SampleFields(TypedDict):
    """Random solutions."""

    seed: Natural
    uniform: bool
    total: Natural | None
    complete: bool
    reason: str | None
    chosen: list[str]
    solutions: list[Grid] | None


class ModelWritten(TypedDict):
    """A model in a file."""

    path: str
    model: str
    options: dict[str, Any]
    variables: NotRequired[Natural | None]
    clauses: NotRequired[Natural | None]
    constraints: NotRequired[Natural | None]
    bytes: NotRequired[Natural | None]
    reason: str | None


class FollowedFields(TypedDict):
    """How the clauses of the puzzle or the file follow from the other; the ways add up to `clauses` if all do."""

    clauses: Natural
    unit_propagation: Natural
    counting: Natural
    cases: Natural
    solver: Natural
    auxiliary: Natural  # auxiliary variables of these clauses, defined as functions of the cells
    undecided: str | None  # a clause that was neither proved nor refuted
    tested: Natural  # solutions of the puzzle that were looked for in the file instead


class CheckedModel(TypedDict):
    """A CNF that was compared with its puzzle."""

    proved: bool
    reason: str | None
    board: str
    rules: list[str]
    too_many: FollowedFields
    lost: FollowedFields


class BenchFields(TypedDict):
    """A measured run of a method on a puzzle."""

    setup: str  # the method with its options
    question: str  # a digest of the puzzle and the limits
    count: Natural | None  # of solutions; 1 or 0 without --count
    complete: bool
    reason: str | None
    work: Work | None  # None if no solver answered


class DecodeFields(TypedDict):
    """The grid in a solver's answer, and the rules that it breaks."""

    solution: Grid
    faults: list[str]
    dropped: NotRequired[list[str]]  # with givens as soft clauses: names of the cells whose givens the model drops
    fewest: NotRequired[bool]  # whether the solver reports that no solution drops fewer


class Fault(TypedDict):
    """An error of a method."""

    method: str
    kind: str
    text: str
    grid: Grid | None
    witness: str | None


class Smallest(TypedDict):
    """The smallest puzzle with a fault."""

    method: str
    kind: str
    text: str
    grid: NotRequired[Grid | None]
    witness: NotRequired[str | None]
    methods: list[str]
    tries: int
    board: str
    rules: list[str]
    givens: Grid
    command: str | None


class Run(TypedDict):
    """The answer of a method."""

    method: str
    family: str
    count: int
    complete: bool
    listed: bool
    stopped: str | None
    failure: str | None
    seconds: float
    memory: int
    work: NotRequired[Work | None]


class VerifyFields(TypedDict):
    """The answers of many methods, compared."""

    question: str
    count: Natural
    complete: bool
    independent: list[str]
    expected: Natural | None
    mismatch: str | None
    runs: list[Run]
    faults: list[Fault]
    smallest: list[Smallest]


class ProofFields(TypedDict):
    """A certificate that was checked."""

    proved: Literal[True]
    count: Natural
    folder: str
    board: str
    rules: list[str]
    lemmas: Natural
    states: NotRequired[Natural]
    checkers: list[str]
    checking: float
    constraints_compared: NotRequired[Natural]
    cubes: NotRequired[Positive]
    cubes_counted: NotRequired[Positive]
    proof_bytes: NotRequired[int]
    proving: NotRequired[float]


class NoProofFields(TypedDict):
    """Why nothing is proved."""

    proved: Literal[False]
    reason: str | None


class GenerateFields(TypedDict):
    """A new puzzle."""

    seed: int
    board: str
    rules: list[str]
    reached: bool
    reason: str | None
    constraints: NotRequired[list[str]]
    clues: int
    family: NotRequired[str]
    evidence: NotRequired[str]
    solutions: int | None
    minimal: bool
    attempt: int
    uniform: bool
    rating: NotRequired[dict[str, float | None]]
    difficulty: NotRequired[Difficulty | None]
    givens: Grid
    solution: Grid
    command: NotRequired[str]


class NoPuzzleFields(TypedDict):
    """Why there is no new puzzle."""

    seed: int
    board: str
    rules: list[str]
    reached: Literal[False]
    reason: str | None
    command: NotRequired[str]


class LadderRow(TypedDict):
    """A line of the manifest of a folder of `generate`."""

    path: str
    givens: str
    clues: int
    propagations: int | None
    solver: str
    variables: Natural | None
    clauses: Natural | None
    family: NotRequired[str]
    expected: Literal["SATISFIABLE", "UNSATISFIABLE"]
    solutions: int | None
    evidence: str
    answered: NotRequired[bool]
    work: NotRequired[UntimedWork]
    board: str
    rules: list[str]
    seed: int
    generated: int


class Sizes(TypedDict):
    """The sizes of a model."""

    encoding: str
    amo: str | None
    variables: Natural | None
    clauses: Natural | None
    reduced_variables: Natural | None
    reduced_clauses: Natural | None
    reason: str | None


class Info(TypedDict):
    """Figures about a puzzle and its board."""

    board: str
    rules: list[str]
    cells: int
    values: int
    units: dict[str, int]
    unit_count: int
    edges: int
    pairs_with_duplicates: int
    degree: Annotated[list[int], 2]  # the least and the largest
    no_solution: NotRequired[str]
    givens: int
    blanks: int
    clash: NotRequired[str]
    blanks_after_singles: NotRequired[int]
    candidates_after_singles: NotRequired[int]
    contradiction: NotRequired[str]
    kind: NotRequired[Literal["uniform", "mixed"]]
    patterns: NotRequired[list[int]]
    patterns_left: NotRequired[list[int]]
    hidden_cells: NotRequired[Positive]
    constraints: NotRequired[dict[str, Positive]]  # by kind
    primitives: NotRequired[dict[str, Positive]]
    encodings: list[Sizes]


class MapRecord(TypedDict):
    """A map: the image of each cell, from 0, and of each value, from 1."""

    cells: list[Natural]
    values: list[Positive]


class SymmetryFields(TypedDict):
    """The symmetries of a puzzle, and generators of them; order = cell_maps * renamings."""

    order: Positive
    cell_maps: Positive
    renamings: Positive
    complete: bool
    generators: list[MapRecord]


class SameFields(TypedDict):
    """A map from a puzzle to another, if there is one."""

    map: MapRecord | None


class BoardRow(TypedDict):
    """A form of a board's name."""

    board: str
    cells: Positive | None
    values: Positive | None
    rules: list[str] | None
    summary: str


class FormatRow(TypedDict):
    """A format."""

    format: str
    of: Literal["puzzles", "models"]
    summary: str


class ExecutorRow(TypedDict):
    """A form of an executor's text."""

    executor: str
    summary: str


class ShownStep(TypedDict):
    """A step of a method."""

    step: Positive
    kind: Annotated[str, tuple(KINDS)]
    rule: str
    because: list[str]
    places: Marks
    removes: Marks
    text: str
    data: dict[str, Any]


class ShownEnd(TypedDict):
    """How the steps of a method end."""

    steps: Natural
    # Of the board.
    rules: list[str]
    reason: str | None


class HintStep(TypedDict):
    """A step by hand."""

    step: Positive
    technique: str
    family: str
    cells: list[str]
    pattern: Marks
    removes: Marks
    places: Marks
    text: str


class HintEnd(TypedDict):
    """How the steps by hand end."""

    steps: Natural
    hardest: str | None
    blanks: Natural | None
    reason: str | None


class TechniqueRow(TypedDict):
    """A technique of `hint --techniques`."""

    technique: str
    number: Annotated[float, 1]
    difficulty: Difficulty
    weight: Positive
    family: str
    summary: str
    of_constraints: bool
    assumes_unique: bool


class FigureRecord(TypedDict):
    """A figure: the value, why it is not known, and how it was measured."""

    value: Annotated[float, 0] | None
    reason: str | None
    technique: NotRequired[str | None]
    difficulty: NotRequired[Difficulty | None]
    blanks: NotRequired[Natural]
    least: NotRequired[Natural]
    quartiles: NotRequired[list[float]]
    most: NotRequired[Natural]
    copies: NotRequired[Positive]
    different_copies: NotRequired[Positive]
    solver: NotRequired[str]
    encoding: NotRequired[str]
    reduction: NotRequired[str]
    exact: NotRequired[bool]
    cells: NotRequired[list[str] | None]


class RatingFields(TypedDict):
    """Figures of difficulty by their names."""

    solutions: Literal["unique", "several", "no solution"] | None
    difficulty: Difficulty | None
    figures: dict[str, FigureRecord] | None
    reason: str | None


class MethodRow(TypedDict):
    """A method."""

    method: str
    finds: str
    summary: str
    source: str
    explains: bool
    refuses: str | None
    group: Literal["solvers", "counters", "papers"]
    options: list[Literal["reduce", "amo", "sat-solver", "seed", "workers"]]


class Record(NamedTuple):
    """A kind of record.

    Attributes:
        fields: what comes after the first keys, a TypedDict.
        statuses: those that it may have; empty for a record without the first keys.
    """

    fields: type[Any]
    statuses: tuple[str, ...] = ()


_STOPPED = (Status.TIMEOUT, Status.MEMORY, Status.INTERRUPTED, Status.STOPPED)
_INCOMPLETE = (Status.LIMIT, *_STOPPED)
_COUNTS = (Status.UNIQUE, Status.SEVERAL, Status.NO_SOLUTION)
_BAD = Record(BadInput, (Status.BAD_INPUT,))

RECORDS: Mapping[str, tuple[Record, ...]] = {
    "solve": (
        Record(Solution, (Status.SOLVED, Status.NO_SOLUTION, Status.BAD_INPUT, *_INCOMPLETE)),
        Record(OptimumFields, (Status.SOLVED, Status.NO_SOLUTION, Status.BAD_INPUT, *_INCOMPLETE)),
    ),
    "count": (
        Record(CountFields, (*_COUNTS, Status.BAD_INPUT, *_INCOMPLETE)),
        Record(KindsFields, (*_COUNTS, Status.BAD_INPUT, *_INCOMPLETE)),
        Record(RuleSetsFields, (Status.SHOWN, Status.BAD_INPUT, Status.REFUSED, *_INCOMPLETE)),
        Record(EstimateFields, (Status.ESTIMATED,)),
        Record(Reason, _INCOMPLETE),
        _BAD,
    ),
    "enumerate": (Record(OneSolution, ("solution",)), Record(ListFields, (*_COUNTS, *_INCOMPLETE)), _BAD),
    "candidates": (Record(Candidates, (*_COUNTS, Status.BAD_INPUT, Status.REFUSED, *_STOPPED)),),
    "check": (
        Record(Reason, (*_COUNTS, *_INCOMPLETE)),
        Record(UniqueDetails, (Status.UNIQUE,)),
        Record(SeveralDetails, (Status.SEVERAL,)),
        Record(NoneDetails, (Status.NO_SOLUTION,)),
        _BAD,
    ),
    "sample": (Record(SampleFields, (Status.DRAWN, Status.NO_SOLUTION, Status.BAD_INPUT, *_STOPPED)),),
    "encode": (
        Record(ModelWritten, ("written",)),
        Record(CheckedModel, (Status.PROVED, Status.STOPPED)),
        Record(NoProofFields, (Status.REFUSED,)),
        Record(BadInput, (Status.REFUSED,)),
        _BAD,
    ),
    "decode": (
        Record(DecodeFields, (Status.SOLVED, "not a solution")),
        Record(Reason, (Status.NO_SOLUTION, "unknown")),
    ),
    "bench": (
        Record(BenchFields, (Status.SOLVED, *_COUNTS, Status.REFUSED, *_INCOMPLETE)),
        _BAD,
    ),
    "verify": (Record(VerifyFields, ("confirmed", "unconfirmed", "disagree")), _BAD),
    "prove": (
        Record(ProofFields, _COUNTS),
        Record(NoProofFields, (Status.REFUSED, Status.BAD_INPUT, *_INCOMPLETE)),
    ),
    "generate": (
        Record(GenerateFields, ("made", "missed")),
        Record(NoPuzzleFields, (Status.NO_SOLUTION, *_INCOMPLETE)),
    ),
    "ladder": (Record(LadderRow, ("written",)),),
    "sizes": (Record(Sizes),),
    "info": (
        Record(Info, ("read",)),
        Record(Sizes, ("read", Status.REFUSED)),
        Record(SymmetryFields, (Status.SHOWN,)),
        Record(SameFields, (Status.SAME, Status.DIFFERENT)),
        Record(BadInput, (Status.REFUSED,)),
        _BAD,
        *map(Record, (BoardRow, FormatRow, ExecutorRow)),
    ),
    "explain": (
        Record(ShownStep, (Status.STEP,)),
        Record(ShownEnd, ("shown", Status.NO_SOLUTION, *_STOPPED)),
        _BAD,
    ),
    "hint": (
        Record(HintStep, (Status.STEP,)),
        Record(HintEnd, (Status.SOLVED, Status.STUCK, Status.NO_SOLUTION, *_STOPPED)),
        Record(TechniqueRow),
        _BAD,
    ),
    "rate": (Record(RatingFields, (*_COUNTS, *_STOPPED)), _BAD),
    "methods": (Record(MethodRow),),
}
