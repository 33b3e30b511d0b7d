"""Vectors of sixteen numbers of sixteen bits, for compiled code: each operation is one machine instruction, or a few.

If the processor lacks an instruction, the compiler uses others, so that this runs anywhere. Importing it
loads numba; outside compiled functions there are no vectors.

Source: the idea, a board in nine vectors, one instruction for all boxes, is that of tdoku (T. Dillon) and of the
vector solvers of the enjoysudoku forum.
"""

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

LANES = 16
_LANE, _INDEX = ir.IntType(16), ir.IntType(32)
_VECTOR = ir.VectorType(_LANE, LANES)
# The bits of a whole vector as one number, and a bit for each lane.
_ALL_BITS, _LANE_BITS = ir.IntType(16 * LANES), ir.IntType(LANES)


class _VectorType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Vector16x16")


_vector = _VectorType()


@register_model(_VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of: Any) -> None:
        super().__init__(manager, of, _VECTOR)  # type: ignore[no-untyped-call]


if TYPE_CHECKING:

    class Vector:
        """A vector in compiled code. The operators work lane by lane; + drops what does not fit a lane."""

        def __and__(self, other: "Vector") -> "Vector": ...
        def __or__(self, other: "Vector") -> "Vector": ...
        def __xor__(self, other: "Vector") -> "Vector": ...
        def __add__(self, other: "Vector") -> "Vector": ...
        def __invert__(self) -> "Vector": ...


def _constant(numbers: Sequence[int]) -> Any:
    return ir.Constant(_VECTOR, [ir.Constant(_LANE, number) for number in numbers])


_ZERO = _constant([0] * LANES)


def _of_one(emit: Callable[[Any, Any], Any], result: Any = _vector) -> Any:
    @intrinsic
    def function(typing: Any, x: Any) -> Any:
        return result(_vector), lambda context, builder, signature, given: emit(builder, *given)

    return function


def _of_two(emit: Callable[[Any, Any, Any], Any]) -> Any:
    @intrinsic
    def function(typing: Any, x: Any, y: Any) -> Any:
        return _vector(_vector, _vector), lambda context, builder, signature, given: emit(builder, *given)

    return function


def _as_operator(symbol: Any, emit: Callable[[Any, Any, Any], Any]) -> None:
    function = _of_two(emit)
    # numba wants two functions whose arguments have the same names, and no annotations.
    overload(symbol)(lambda x, y: (lambda x, y: function(x, y)) if x == y == _vector else None)  # noqa: PLW0108


_as_operator(operator.and_, lambda builder, x, y: builder.and_(x, y))
_as_operator(operator.or_, lambda builder, x, y: builder.or_(x, y))
_as_operator(operator.ior, lambda builder, x, y: builder.or_(x, y))
_as_operator(operator.xor, lambda builder, x, y: builder.xor(x, y))
_as_operator(operator.add, lambda builder, x, y: builder.add(x, y))
_inverted = _of_one(lambda builder, x: builder.not_(x))
overload(operator.invert)(lambda x: (lambda x: _inverted(x)) if x == _vector else None)  # noqa: PLW0108


def _called(name: str, result: Any) -> Callable[[Any, Any], Any]:
    """Return a function that emits a call of a function of LLVM on one vector."""

    def emit(builder: Any, x: Any) -> Any:
        kind = ir.FunctionType(result, [_VECTOR])
        declared: Any = cgutils.get_or_insert_function  # numba has no types.
        return builder.call(declared(builder.module, kind, f"llvm.{name}.v{LANES}i16"), [x])

    return emit


_largest = _called("vector.reduce.umax", _LANE)


def _is_zero(builder: Any, x: Any) -> Any:
    return builder.icmp_unsigned("==", x, _ZERO)


def _splat(typing: Any, number: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        undefined = ir.Constant(_VECTOR, ir.Undefined)
        first = builder.insert_element(undefined, builder.trunc(given[0], _LANE), ir.Constant(_INDEX, 0))
        return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(_INDEX, LANES), [0] * LANES))

    return _vector(types.int64), generated


def _where_zero(typing: Any, condition: Any, x: Any, y: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.select(_is_zero(builder, given[0]), given[1], given[2])

    return _vector(_vector, _vector, _vector), generated


def _address(context: Any, builder: Any, signature: Any, given: Any) -> Any:
    array = context.make_array(signature.args[0])(context, builder, given[0])
    return builder.bitcast(builder.gep(array.data, [given[1]]), _VECTOR.as_pointer())


def _load(typing: Any, array: Any, index: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.load(_address(context, builder, signature, given), align=2)

    return _vector(array, types.int64), generated


def _store(typing: Any, array: Any, index: Any, x: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        builder.store(given[2], _address(context, builder, signature, given), align=2)
        return context.get_dummy_value()

    return types.void(array, types.int64, _vector), generated


def reordering(order: Sequence[int]) -> "Callable[[Vector], Vector]":
    """Return a function of compiled code whose lane i is lane `order[i]` of its argument."""
    places = ir.Constant(ir.VectorType(_INDEX, LANES), list(order))
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    return cast("Callable[[Vector], Vector]", _of_one(lambda builder, x: builder.shuffle_vector(x, undefined, places)))


def constant(numbers: Sequence[int]) -> "Callable[[], Vector]":
    """Return a function of compiled code that returns a vector of these numbers."""

    @intrinsic
    def function(typing: Any) -> Any:
        return _vector(), lambda context, builder, signature, given: _constant(numbers)

    return cast("Callable[[], Vector]", function)


# The number in all lanes.
splat = cast("Callable[[int], Vector]", intrinsic(_splat))
# Sixteen numbers of an int16 array from a place on, and back. It is not checked that the array is that long.
load = cast("Callable[[Any, int], Vector]", intrinsic(_load))
store = cast("Callable[[Any, int, Vector], None]", intrinsic(_store))
# Lane by lane: x where the condition is 0, else y.
where_zero = cast("Callable[[Vector, Vector, Vector], Vector]", intrinsic(_where_zero))
# Lane by lane: without the lowest bit; the number of bits; the smaller and the larger, without a sign; times 256.
without_lowest: "Callable[[Vector], Vector]" = _of_one(
    lambda builder, x: builder.and_(x, builder.add(x, _constant([-1] * LANES)))
)
bit_counts: "Callable[[Vector], Vector]" = _of_one(_called("ctpop", _VECTOR))
smaller: "Callable[[Vector, Vector], Vector]" = _of_two(
    lambda builder, x, y: builder.select(builder.icmp_unsigned("<", x, y), x, y)
)
larger: "Callable[[Vector, Vector], Vector]" = _of_two(
    lambda builder, x, y: builder.select(builder.icmp_unsigned(">", x, y), x, y)
)
times_256: "Callable[[Vector], Vector]" = _of_one(lambda builder, x: builder.shl(x, _constant([8] * LANES)))
# Whether any bit is set; the lanes that are 0, a bit each; the largest number, without a sign.
any_bit: "Callable[[Vector], bool]" = _of_one(
    lambda builder, x: builder.icmp_unsigned("!=", builder.bitcast(x, _ALL_BITS), ir.Constant(_ALL_BITS, 0)),
    types.boolean,
)
zero_lanes: "Callable[[Vector], int]" = _of_one(
    lambda builder, x: builder.zext(builder.bitcast(_is_zero(builder, x), _LANE_BITS), ir.IntType(64)), types.int64
)
largest: "Callable[[Vector], int]" = _of_one(
    lambda builder, x: builder.zext(_largest(builder, x), ir.IntType(64)), types.int64
)
