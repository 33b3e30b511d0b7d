"""Expressions about two values, such as `|a-b| >= 3 or a == 2*b`, for constraints that users define.

Python's parser reads them, but they are evaluated here, with integers and few operations: a text can do nothing else.
"""

import ast
import operator
import re
from collections.abc import Callable
from functools import lru_cache

from sudoku_encode.errors import FormatError, short

NAMES = ("a", "b", "n")
MAX_CHARACTERS = 200
# The largest number that may occur in an expression or as a result.
_LARGEST = 1_000_000

_BARS = re.compile(r"\|([^|]*)\|")
_OPERATIONS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARISONS: dict[type[ast.AST], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_FUNCTIONS: dict[str, Callable[..., int]] = {"abs": abs, "min": min, "max": max}
_HELP = "write integers, a, b, n, + - * // % |x| min max, == != < <= > >=, and or not"


# Needed for each pair of values, and when a puzzle is read and again at each use of it.
@lru_cache(maxsize=256)
def table(expression: str, n_values: int, first: int = 1) -> tuple[tuple[bool, ...], ...]:
    """Return whether an expression is true, for each value of a, and then of b, from the first on; n is the last.

    Raises:
        FormatError: the text is not an expression, or cannot be evaluated for some values.

    >>> table("a == 2 * b", 4)[1]
    (True, False, False, False)
    """
    tree = _parsed(expression)
    try:
        values = range(first, first + n_values)
        rows = [[_value(tree, {"a": a, "b": b, "n": values[-1]}) for b in values] for a in values]
    except ZeroDivisionError as error:
        raise FormatError(f"{short(expression)!r} divides by 0") from error
    return tuple(tuple(bool(value) for value in row) for row in rows)


@lru_cache(maxsize=256)
def _parsed(expression: str) -> ast.AST:
    if len(expression) > MAX_CHARACTERS:
        raise FormatError(f"an expression of more than {MAX_CHARACTERS} characters")
    text = _BARS.sub(r"abs(\1)", expression)
    # Many people write a single `=`.
    text = re.sub(r"(?<![=!<>])=(?!=)", "==", text)
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise FormatError(f"{short(expression)!r} cannot be read; {_HELP}") from error


def _value(node: ast.AST, values: dict[str, int]) -> int:
    """Return the value of a part of an expression; 1 or 0 for a condition."""
    number = _computed(node, values)
    if abs(number) > _LARGEST:
        raise FormatError(f"a number above {_LARGEST:,}")
    return int(number)


def _computed(node: ast.AST, values: dict[str, int]) -> int:
    match node:
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id=name) if name in values:
            return values[name]
        case ast.BinOp(left=left, op=operation, right=right) if type(operation) in _OPERATIONS:
            return _OPERATIONS[type(operation)](_value(left, values), _value(right, values))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, values)
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_value(part, values) for part in parts)
        case ast.BoolOp(op=ast.Or(), values=parts):
            return any(_value(part, values) for part in parts)
        case ast.Compare(left=left, ops=operations, comparators=others):
            terms = [_value(term, values) for term in (left, *others)]
            if all(type(operation) in _COMPARISONS for operation in operations):
                pairs = zip(operations, terms, terms[1:], strict=False)
                return all(_COMPARISONS[type(operation)](one, other) for operation, one, other in pairs)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as parts, keywords=[]) if name in _FUNCTIONS:
            if (name == "abs") == (len(parts) == 1):
                return _FUNCTIONS[name](*(_value(part, values) for part in parts))
    raise FormatError(f"{short(ast.unparse(node))!r} is not understood; {_HELP}")
