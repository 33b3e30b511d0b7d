"""Constraints that users write themselves: relations, tables of pairs, expressions, automata, and alternatives."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.constraint import (
    LINE,
    NO_CELLS,
    BoundConstraint,
    Constraint,
    IssType,
    Look,
    Picture,
    Values,
)
from sudoku_encode.puzzles.constraints.disjunction import any_of, exactly_one_of
from sudoku_encode.puzzles.constraints.expression_automata import SYMBOLS, Derivatives, matches
from sudoku_encode.puzzles.constraints.expressions import table
from sudoku_encode.puzzles.constraints.pairs import Relations
from sudoku_encode.puzzles.constraints.parsing import bind, form_fault
from sudoku_encode.puzzles.constraints.primitives import Primitive, automaton, consecutive_pairs, require_small
from sudoku_encode.puzzles.constraints.templates import placed_templates
from sudoku_encode.puzzles.constraints.written_automata import MAX_CHARACTERS, one_more, too_many_values

_MIDDLE = "#6a6a66"


class Relation(Relations):
    name = "relation"
    summary = "the expression is true for neighbours a and b on the line (n is the largest value)"
    form = "relation EXPRESSION: CELLS"
    example = "relation |a-b| >= 3: r1c1-r1c4"
    n_cells = LINE
    repeats = True
    has_expression = True
    picture = Picture(
        "a thin grey arrow",
        "directed",
        Look(690, _MIDDLE, 0.06, round=True, opacity=0.7),
        "a relation of the user's own",
        legend="line",
    )
    iss = (IssType("Pair", "written-table"),)

    def violated(self, values: Values) -> bool:
        allowed = table(self.constraint.expression, self.n)
        return any(not allowed[values[a] - 1][values[b] - 1] for a, b in consecutive_pairs(self.cells))

    def allows(self, a: int, b: int) -> bool:
        first = self.board.first
        return table(self.constraint.expression, self.n, first)[a - first][b - first]

    def unfit(self) -> str:
        try:
            table(self.constraint.expression, self.n, self.board.first)
        except FormatError as error:
            return error.message
        return ""

    from_zero = Relations.table_from_zero


@lru_cache(maxsize=256)
def _pairs_of(expression: str) -> frozenset[tuple[int, int]]:
    """Return the pairs of values that the words of a table allow."""
    words = expression.split()
    return frozenset((SYMBOLS.index(word[0]) + 1, SYMBOLS.index(second) + 1) for word in words for second in word[1:])


class Pairs(Relations):
    """Pairs: each two consecutive cells of the line hold an allowed pair of values, from a table that you write.

    Each word of the table is a value and all values that may follow it: `134 25` allows 13, 14 and 25.
    """

    name = "pairs"
    summary = "each word is a value and all values that may follow it on the line"
    form = "pairs WORDS: CELLS"
    example = "pairs 134 25: r1c1 r1c2"
    n_cells = LINE
    repeats = True
    has_expression = True
    picture = Picture(
        "a thin dotted grey arrow",
        "directed",
        Look(700, _MIDDLE, 0.06, (0.04, 0.06), 0.7),
        "pairs of values of the user's own",
        legend="line",
    )
    iss = (IssType("Pair", "table"), IssType("PairX", "table"), IssType("Binary", "table"), IssType("BinaryX", "table"))

    def violated(self, values: Values) -> bool:
        allowed = _pairs_of(self.constraint.expression)
        return any((values[a], values[b]) not in allowed for a, b in consecutive_pairs(self.cells))

    def allows(self, a: int, b: int) -> bool:
        return (a, b) in _pairs_of(self.constraint.expression)

    def unfit(self) -> str:
        return _wrong_word(self.constraint.expression, SYMBOLS[: self.n])

    def from_zero(self) -> Iterator[Constraint]:
        yield replace(self.constraint, expression=one_more(self.constraint.expression))


@lru_cache(maxsize=256)
def _wrong_word(expression: str, symbols: str) -> str:
    """Return the fault of the first word that is not a value and values that may follow it; empty if all are."""
    for word in expression.split():
        if len(word) < 2:
            return f"{word!r} is not a pair; expected a value and all that may follow it, such as 134"
        wrong = next((symbol for symbol in word if symbol not in symbols), None)
        if wrong is not None:
            return f"not a value: {wrong!r} (1 to {symbols[-1]})"
    return ""


class Regex(BoundConstraint):
    name = "regex"
    summary = "the values along the line, written as symbols, match the regular expression"
    form = "regex EXPRESSION: CELLS"
    example = "regex [1-4]*9.*: r1c1-r1c9"
    repeats = True
    has_expression = True
    picture = Picture(
        "a thin dashed grey arrow",
        "directed",
        Look(680, _MIDDLE, 0.06, (0.14, 0.07), 0.7),
        "an expression of the user's own",
        legend="line",
    )
    iss = (IssType("Regex", "regex"),)

    def violated(self, values: Values) -> bool:
        return not matches(self.constraint.expression, self.n, self.in_list(values))

    def lower(self) -> Iterator[Primitive]:
        """Yield the automaton of the expression."""
        states = Derivatives(self.constraint.expression, self.n, len(self.cells))
        yield automaton(self.cells, self.n, 0, states.step, states.is_done)

    def unfit(self) -> str:
        if reason := too_many_values(self.board):
            return reason
        try:
            placed_templates(self)
        except FormatError as error:
            return error.message
        return ""

    def from_zero(self) -> Iterator[Constraint]:
        """Move the symbols of values, but not the numbers of repetitions; a letter is a value from 10 on."""
        moved, is_number = "", False
        for letter in self.constraint.expression:
            is_number = letter == "{" or (is_number and letter != "}")
            moved += letter if is_number else one_more(letter)
        yield replace(self.constraint, expression=moved)


MAX_STATES = 10_000
_MOVE = re.compile(r"([1-9A-Z]+|\.)>(\d{1,4})", re.ASCII)


class State(NamedTuple):
    """A state of an automaton that a user writes."""

    moves: dict[int, int]  # the number of the next state, for each allowed value
    is_end: bool  # whether the line may end there


class WrittenAutomaton(BoundConstraint):
    """Automaton: a deterministic finite automaton that you define accepts the values along the line.

    Each word is a state; states are numbered from 0, and the first is the start. `12>1,3>0` goes to state 1 on the
    values 1 and 2 and to state 0 on 3; no other value is allowed in that state. `.` means every value. The line may end
    in the states whose words begin with `!`.
    """

    name = "automaton"
    summary = (
        "a finite automaton accepts the values along the line; each word lists the moves of a state, the first is "
        "the start, and ! marks accepting states"
    )
    form = "automaton MOVES: CELLS"
    example = "automaton 1234>0,9>1 !.>1: r1c1-r1c9"
    repeats = True
    has_expression = True
    picture = Picture(
        "a thin grey arrow of dots and dashes",
        "directed",
        Look(670, _MIDDLE, 0.06, (0.14, 0.07, 0.03, 0.07), 0.7),
        "an automaton of the user's own",
        legend="line",
    )
    iss = (IssType("NFA", "automaton"),)

    def violated(self, values: Values) -> bool:
        states = _states(self.constraint.expression, self.n)
        state = 0
        for cell in self.cells:
            if values[cell] not in states[state].moves:
                return True
            state = states[state].moves[values[cell]]
        return not states[state].is_end

    def lower(self) -> Iterator[Primitive]:
        """Yield the automaton, unrolled over the cells of the line."""
        states = _states(self.constraint.expression, self.n)
        yield automaton(
            self.cells,
            self.n,
            0,
            lambda state, value: states[state].moves.get(value),
            lambda state: states[state].is_end,
        )

    def unfit(self) -> str:
        if reason := too_many_values(self.board):
            return reason
        try:
            _states(self.constraint.expression, self.n)
        except FormatError as error:
            return error.message
        return ""

    def from_zero(self) -> Iterator[Constraint]:
        yield replace(self.constraint, expression=one_more(self.constraint.expression))


@lru_cache(maxsize=256)
def _states(text: str, n: int) -> tuple[State, ...]:
    """Return the states of an automaton."""
    words = text.split()
    if len(text) > MAX_CHARACTERS or len(words) > MAX_STATES:
        raise FormatError(f"an automaton of more than {MAX_STATES:,} states or {MAX_CHARACTERS:,} characters")
    return tuple(State(_moves(word, n, len(words)), word.startswith("!")) for word in words)


def _moves(word: str, n: int, n_states: int) -> dict[int, int]:
    """Return the next state for each value of the word of a state."""
    moves: dict[int, int] = {}
    for part in word.removeprefix("!").split(",") if word != "!" else []:
        match = _MOVE.fullmatch(part)
        if match is None:
            raise FormatError(f"{short(part, 20)!r} is not a transition: expected values, > and a state, such as 12>1")
        symbols, to = SYMBOLS[:n] if match[1] == "." else match[1], int(match[2])
        if wrong := next((symbol for symbol in symbols if symbol not in SYMBOLS[:n]), ""):
            raise FormatError(f"not a value: {wrong!r} (1 to {SYMBOLS[n - 1]})")
        if to >= n_states:
            raise FormatError(f"{part!r} goes to state {to}, but the last state is {n_states - 1}")
        for symbol in symbols:
            if moves.setdefault(SYMBOLS.index(symbol) + 1, to) != to:
                raise FormatError(f"{short(word, 20)!r} has two transitions on {symbol}; at most one is allowed")
    return moves


class Alternatives(BoundConstraint):
    """A kind of constraints that consist of others: of alternatives, which are lists of constraints."""

    n_lists = NO_CELLS
    has_alternatives = True

    def primitives_of_each(self) -> list[list[Primitive]]:
        """Return the primitives of each alternative."""
        primitives: list[list[Primitive]] = []
        n_primitives = 0
        for together in self.placed():
            primitives.append([])
            for part in together:
                for primitive in part.primitives():
                    primitives[-1].append(primitive)
                    n_primitives += 1
                    require_small(n_primitives, 0)
        return primitives

    def scope(self) -> Iterator[int]:
        """Yield the cells of all alternatives."""
        for together in self.placed():
            for part in together:
                yield from part.scope()

    def unfit(self) -> str:
        """Return why there are too few alternatives, or one does not fit the board."""
        alternatives = self.constraint.alternatives
        if len(alternatives) < 2 or not all(alternatives):
            return "expected two alternatives or more, each with a constraint"
        # Why an alternative never holds, by one of its constraints; empty if it may.
        never: list[str] = []
        for together in alternatives:
            never.append("")
            for part in together:
                if reason := self._part_fault(part):
                    return reason
                if not never[-1] and (reason := bind(part, self.board).impossible()):
                    never[-1] = f"{part.kind}: {reason}"
        if all(never):
            return never[0]
        try:
            placed_templates(self)
        except FormatError as error:
            return error.message
        return ""

    def _part_fault(self, part: Constraint) -> str:
        """Return why a constraint cannot be in an alternative; an empty text if it can, even if it never holds."""
        if part.alternatives:
            return "an alternative must not contain alternatives; write each of these as an alternative of its own"
        if reason := form_fault(part, self.board):
            return f"{part.kind}: {reason}"
        bound = bind(part, self.board)
        if reason := bound.unfit():
            return f"{part.kind}: {reason}"
        if bound.own_hidden_cells():
            return f"{part.kind}: not a constraint for an alternative; expected it on a line of its own"
        return ""

    def from_zero(self) -> Iterator[Constraint]:
        """Yield the alternatives, each of constraints on values from 1."""
        together = ((part.constraint for one in bounds for part in one.from_one) for bounds in self.placed())
        yield replace(self.constraint, alternatives=tuple(map(tuple, together)))

    def placed(self) -> list[list[BoundConstraint]]:
        """Return the constraints of each alternative, as if the puzzle had no others."""
        return [[bind(part, self.board, together) for part in together] for together in self.constraint.alternatives]


class Either(Alternatives):
    name = "either"
    summary = (
        "at least one of the alternatives holds; `&` joins several constraints into one. Each alternative means the "
        "same as in a puzzle without other constraints"
    )
    form = "either CONSTRAINT & ... | CONSTRAINT & ... | ..."
    example = "either cage 7 r1c1 r1c2 | thermometer r1c1-r1c3 & values 2 r1c1"
    iss = (IssType("Or", "either"),)

    def violated(self, values: Values) -> bool:
        return all(any(part.violated(values) for part in together) for together in self.placed())

    def lower(self) -> Iterable[Primitive]:
        """Return clauses, a relation or an automaton; see `disjunction`."""
        return any_of(self.primitives_of_each(), self.n)


class ExactlyOne(Alternatives):
    name = "exactly-one"
    aliases = ("one-of",)
    summary = "exactly one of the alternatives holds; they are written as for `either`"
    form = "exactly-one CONSTRAINT & ... | CONSTRAINT & ... | ..."
    example = "exactly-one cage 7 r1c1 r1c2 | thermometer r1c1-r1c3 & values 2 r1c1"

    def violated(self, values: Values) -> bool:
        return sum(not any(part.violated(values) for part in together) for together in self.placed()) != 1

    def lower(self) -> Iterable[Primitive]:
        """Return a domain, a relation or an automaton; see `disjunction`."""
        return exactly_one_of(self.primitives_of_each(), self.n)


KINDS: tuple[type[BoundConstraint], ...] = (Either, ExactlyOne, Relation, Pairs, Regex, WrittenAutomaton)
