# Written by scripts/stub from the table in __init__.py.

from sudoku_encode.api.answers import count as count
from sudoku_encode.api.answers import explain as explain
from sudoku_encode.api.answers import is_unique as is_unique
from sudoku_encode.api.answers import solve as solve
from sudoku_encode.api.constraints import automaton as automaton
from sudoku_encode.api.constraints import relation as relation
from sudoku_encode.api.drawing import draw as draw
from sudoku_encode.api.encodings import check_encoding as check_encoding
from sudoku_encode.api.evidence import check_certificate as check_certificate
from sudoku_encode.api.evidence import prove as prove
from sudoku_encode.api.evidence import verify as verify
from sudoku_encode.api.generation import generate as generate
from sudoku_encode.api.generation import sample as sample
from sudoku_encode.api.listing import Solutions as Solutions
from sudoku_encode.api.listing import model_solutions as model_solutions
from sudoku_encode.api.listing import read_solutions as read_solutions
from sudoku_encode.api.listing import save_solutions as save_solutions
from sudoku_encode.api.listing import solutions as solutions
from sudoku_encode.api.many import candidates_all as candidates_all
from sudoku_encode.api.many import check_all as check_all
from sudoku_encode.api.many import count_all as count_all
from sudoku_encode.api.many import hints_all as hints_all
from sudoku_encode.api.many import rate_all as rate_all
from sudoku_encode.api.many import sample_all as sample_all
from sudoku_encode.api.many import solve_all as solve_all
from sudoku_encode.api.models import cp_model as cp_model
from sudoku_encode.api.models import encode as encode
from sudoku_encode.api.models import load_encoding as load_encoding
from sudoku_encode.api.models import save_model as save_model
from sudoku_encode.api.puzzles import PuzzleLike as PuzzleLike
from sudoku_encode.api.puzzles import board as board
from sudoku_encode.api.puzzles import read as read
from sudoku_encode.api.puzzles import read_all as read_all
from sudoku_encode.api.puzzles import violations as violations
from sudoku_encode.api.puzzles import write as write
from sudoku_encode.api.setters import check as check
from sudoku_encode.api.setters import hint as hint
from sudoku_encode.api.setters import hints as hints
from sudoku_encode.api.setters import rate as rate
from sudoku_encode.api.setters import rules_with as rules_with
from sudoku_encode.api.symmetries import break_symmetry as break_symmetry
from sudoku_encode.api.symmetries import canonical as canonical
from sudoku_encode.api.symmetries import kinds as kinds
from sudoku_encode.api.symmetries import same as same
from sudoku_encode.api.symmetries import symmetries as symmetries
from sudoku_encode.api.true_candidates import candidates as candidates
from sudoku_encode.api.true_candidates import check_candidates as check_candidates
from sudoku_encode.api.true_candidates import prove_candidates as prove_candidates
from sudoku_encode.encoders.cp import CpModel as CpModel
from sudoku_encode.encoders.encoding import Encoding as Encoding
from sudoku_encode.encoders.table import ENCODINGS as ENCODINGS
from sudoku_encode.encoders.table import MODEL_FORMATS as MODEL_FORMATS
from sudoku_encode.errors import FormatError as FormatError
from sudoku_encode.errors import GeometryError as GeometryError
from sudoku_encode.errors import IncompleteError as IncompleteError
from sudoku_encode.errors import InternalError as InternalError
from sudoku_encode.errors import MethodError as MethodError
from sudoku_encode.errors import StoppedError as StoppedError
from sudoku_encode.errors import SudokuError as SudokuError
from sudoku_encode.formats.table import TEXT_FORMATS as TEXT_FORMATS
from sudoku_encode.formula.cnf import Cnf as Cnf
from sudoku_encode.generating.making import GeneratedPuzzle as GeneratedPuzzle
from sudoku_encode.methods.options import Options as Options
from sudoku_encode.methods.table import METHODS as METHODS
from sudoku_encode.proving import Certificate as Certificate
from sudoku_encode.proving import CertificateError as CertificateError
from sudoku_encode.proving import CheckedCount as CheckedCount
from sudoku_encode.proving.candidates import CheckedCandidates as CheckedCandidates
from sudoku_encode.proving.encoded import CheckedEncoding as CheckedEncoding
from sudoku_encode.proving.encoded import EncodingError as EncodingError
from sudoku_encode.puzzles.geometry import Geometry as Geometry
from sudoku_encode.puzzles.geometry import Rule as Rule
from sudoku_encode.puzzles.grid import Grid as Grid
from sudoku_encode.puzzles.puzzle import Puzzle as Puzzle
from sudoku_encode.puzzles.rules import EXTRA_RULES as EXTRA_RULES
from sudoku_encode.puzzles.step import Step as Step
from sudoku_encode.questions.checking import NoSolution as NoSolution
from sudoku_encode.questions.checking import Several as Several
from sudoku_encode.questions.checking import Unique as Unique
from sudoku_encode.questions.checking import Unknown as Unknown
from sudoku_encode.questions.figures import Figure as Figure
from sudoku_encode.questions.hinting import Hint as Hint
from sudoku_encode.questions.hinting import SolvePath as SolvePath
from sudoku_encode.questions.rating import Rating as Rating
from sudoku_encode.questions.rule_sets import RuleSets as RuleSets
from sudoku_encode.questions.sampling import Samples as Samples
from sudoku_encode.questions.table import FIGURES as FIGURES
from sudoku_encode.questions.techniques.table import DIFFICULTIES as DIFFICULTIES
from sudoku_encode.questions.techniques.table import TECHNIQUES as TECHNIQUES
from sudoku_encode.questions.true_candidates import TrueCandidates as TrueCandidates
from sudoku_encode.render.drawing import Drawing as Drawing
from sudoku_encode.render.table import DRAWINGS as DRAWINGS
from sudoku_encode.reproduce.table import PAPERS as PAPERS
from sudoku_encode.run.counting import Count as Count
from sudoku_encode.run.events import Event as Event
from sudoku_encode.run.events import MethodChosen as MethodChosen
from sudoku_encode.run.events import Progress as Progress
from sudoku_encode.run.events import Remark as Remark
from sudoku_encode.run.events import SolverFigures as SolverFigures
from sudoku_encode.run.limits import Limits as Limits
from sudoku_encode.solvers.table import SAT_SOLVERS as SAT_SOLVERS
from sudoku_encode.symmetry.breaking import BrokenSymmetry as BrokenSymmetry
from sudoku_encode.symmetry.groups import Symmetry as Symmetry
from sudoku_encode.symmetry.kinds import Kinds as Kinds
from sudoku_encode.symmetry.structure import SymmetryMap as SymmetryMap
from sudoku_encode.verifying import Report as Report

__version__: str
_HOME_OF: dict[str, str]

__all__ = [  # noqa: RUF022  -- in the order of the table
    "board",
    "read",
    "read_all",
    "write",
    "violations",
    "automaton",
    "relation",
    "solve",
    "solutions",
    "count",
    "is_unique",
    "solve_all",
    "count_all",
    "check_all",
    "candidates_all",
    "sample_all",
    "hints_all",
    "rate_all",
    "candidates",
    "check",
    "hint",
    "hints",
    "rate",
    "sample",
    "explain",
    "generate",
    "kinds",
    "rules_with",
    "save_solutions",
    "read_solutions",
    "symmetries",
    "canonical",
    "same",
    "break_symmetry",
    "draw",
    "encode",
    "load_encoding",
    "cp_model",
    "model_solutions",
    "save_model",
    "verify",
    "prove",
    "check_certificate",
    "check_encoding",
    "prove_candidates",
    "check_candidates",
    "METHODS",
    "ENCODINGS",
    "MODEL_FORMATS",
    "TEXT_FORMATS",
    "SAT_SOLVERS",
    "EXTRA_RULES",
    "PAPERS",
    "DIFFICULTIES",
    "TECHNIQUES",
    "FIGURES",
    "DRAWINGS",
    "Puzzle",
    "PuzzleLike",
    "Geometry",
    "Rule",
    "Grid",
    "Solutions",
    "Count",
    "Limits",
    "Options",
    "Encoding",
    "Cnf",
    "CpModel",
    "Report",
    "Certificate",
    "CheckedCount",
    "CheckedEncoding",
    "GeneratedPuzzle",
    "Event",
    "MethodChosen",
    "Progress",
    "Remark",
    "SolverFigures",
    "Step",
    "TrueCandidates",
    "CheckedCandidates",
    "Samples",
    "Unique",
    "Several",
    "NoSolution",
    "Unknown",
    "Hint",
    "SolvePath",
    "Rating",
    "Symmetry",
    "SymmetryMap",
    "BrokenSymmetry",
    "Kinds",
    "RuleSets",
    "Figure",
    "Drawing",
    "SudokuError",
    "FormatError",
    "GeometryError",
    "MethodError",
    "IncompleteError",
    "CertificateError",
    "EncodingError",
    "InternalError",
    "StoppedError",
]
