"""Low, middle and high values."""


def rank(value: int, n: int) -> int:
    """Return 0 for a low value of those from 1 to n, 1 for a middle one and 2 for a high one.

    There are as many low as high ones. Where n is no multiple of 3, low and high take n / 3, rounded to the nearest.

    >>> [rank(value, 9) for value in range(1, 10)], [rank(value, 4) for value in range(1, 5)]
    ([0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 1, 2])
    """
    third = (n + 1) // 3
    return 0 if value <= third else 2 if value > n - third else 1
