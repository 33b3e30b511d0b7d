"""Scales of plots: where a value lies on an axis, which values are marked there, and how numbers are written."""

import math
from collections.abc import Iterable
from typing import NamedTuple

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# An axis has about as many ticks.
_TICKS = 5
# Values that span more than this are drawn on a logarithmic axis.
_WIDE = 50


class Scale(NamedTuple):
    """An axis from its lowest to its highest value.

    Attributes:
        low, high: the ends; both above 0 where it is logarithmic.
        log: whether equal steps are equal factors.
    """

    low: float
    high: float
    log: bool

    def share(self, value: float) -> float:
        """Return how far along the axis a value is, from 0 to 1; what lies outside is at an end.

        >>> Scale(1, 100, True).share(10)
        0.5
        """
        if self.log:
            value = max(value, self.low)
            along = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            along = (value - self.low) / (self.high - self.low)
        return min(max(along, 0.0), 1.0)

    def ticks(self) -> list[tuple[float, str]]:
        """Return the values that are marked, each with its text.

        >>> Scale(0, 7, False).ticks()
        [(0.0, '0'), (2.0, '2'), (4.0, '4'), (6.0, '6')]
        """
        if not self.log:
            step = _nice((self.high - self.low) / _TICKS)
            first, last = math.ceil(self.low / step), math.floor(self.high / step)
            return [(at * step, number(at * step)) for at in range(first, last + 1)]
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        if last - first < 2:
            values = [many * 10.0**power for power in range(first - 1, last + 1) for many in (1, 2, 5)]
            return [(value, number(value)) for value in values if self.low <= value <= self.high]
        every = math.ceil((last - first) / (_TICKS + 1))
        return [(10.0**power, _power_of_ten(power)) for power in range(first, last + 1, every)]


def scale(values: Iterable[float], log: bool, *, bars: bool = False) -> Scale:
    """Return a scale on which some values fit; a linear one has 0 on it.

    Args:
        values: at least one; those that are not above 0 have no place of their own on a logarithmic scale.
        log: whether it is logarithmic, which needs a value above 0: without one it is linear.
        bars: whether a bar leads to each value: then the smallest has one that is seen.
    """
    some = list(values)
    above = [value for value in some if value > 0]
    if log and above:
        power = math.log10(min(above))
        low = 10.0 ** (math.ceil(power) - 1 if bars else math.floor(power))
        return Scale(low, max(above) if bars else max(10.0 ** math.ceil(math.log10(max(above))), 10 * low), True)
    low, high = min(0.0, *some), max(0.0, *some)
    return Scale(low, high if high > low else low + 1, False)


def spans_decades(values: Iterable[float]) -> bool:
    """Say whether values are told apart on a logarithmic axis only.

    >>> spans_decades([0, 2, 140]), spans_decades([2, 20])
    (True, False)
    """
    above = [value for value in values if value > 0]
    return bool(above) and max(above) >= _WIDE * min(above)


def number(value: float) -> str:
    """Write a number in few characters.

    >>> number(1234567), number(0.00051), number(6.45529e26), number(12.5), number(40.0)
    ('1,234,567', '5.1·10⁻⁴', '6.46·10²⁶', '12.5', '40')
    """
    size = abs(value)
    if size and (size >= 1e9 or size < 1e-3):
        digits, _, power = f"{value:.2e}".partition("e")
        return f"{digits.rstrip('0').rstrip('.')}·10{str(int(power)).translate(_SUPERSCRIPTS)}"
    if size >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _power_of_ten(power: int) -> str:
    return number(10.0**power) if -3 <= power <= 4 else f"10{str(power).translate(_SUPERSCRIPTS)}"


def _nice(least: float) -> float:
    """Return the smallest of 1, 2 or 5 times a power of ten that is not below a step."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(many * power for many in (1, 2, 5, 10) if many * power >= least * (1 - 1e-9))
