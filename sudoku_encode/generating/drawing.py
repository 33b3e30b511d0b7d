"""Ranks of solutions drawn by whole numbers alone, each as likely as the others, and the solutions that have them."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.random import PCG64

from sudoku_encode.frontier.ranks import Ranked
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline

_WORD_BITS = 64
# How many ranks are looked up at a time, where not all of them have a solution and where they do, which takes a pass
# over all tables; and how many words are drawn at a time.
_RANKS_AT_A_TIME, _MOST_RANKS, _WORDS_AT_A_TIME = 4096, 1 << 18, 1024


def drawn(ranked: Ranked, many: int, seed: int | list[int], deadline: Deadline) -> Grids:
    """Return solutions of ranks drawn with a seed, uint8 (many, n_cells).

    Raises:
        StoppedError: by the deadline.
    """
    numbers, found, size = ranks(ranked.total, seed), list[Grids](), 0
    while size < many:
        some = min(many - size, _MOST_RANKS) if ranked.every else _RANKS_AT_A_TIME
        found.append(ranked.at(list(islice(numbers, some)), deadline))
        size += len(found[-1])
        # One may be drawn again, so that they are no bound on how many there are.
        emit(Progress(f"{size:,} solutions so far ..."))
    return np.concatenate(found)[:many]


def ranks(total: int, seed: int | list[int]) -> Iterator[int]:
    """Yield whole numbers from 0 to `total` - 1 without end, each as likely as the others.

    As many random bits are taken as the largest has, and what is too large is drawn again, so that nothing is rounded.
    The words are those of PCG64, which are the same on every machine and with every version of numpy.
    """
    bits = (total - 1).bit_length()
    n_words = max(1, -(-bits // _WORD_BITS))
    random, shift = PCG64(seed), n_words * _WORD_BITS - bits
    while True:
        data = random.random_raw(_WORDS_AT_A_TIME * n_words).astype("<u8").tobytes()
        for start in range(0, len(data), 8 * n_words):
            number = int.from_bytes(data[start : start + 8 * n_words], "little") >> shift
            if number < total:
                yield number
