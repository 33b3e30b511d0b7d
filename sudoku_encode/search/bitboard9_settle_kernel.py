"""Singles and locked candidates on the plain 9x9 board, compiled; `bitboard9` says how the board is held."""

from sudoku_encode.run.compiling import compiled, inlined, lowest
from sudoku_encode.search.bitboard9 import (
    BOXES_OF_ROWS,
    DIRTY,
    FILLED,
    FIRSTS,
    KEPT,
    KEPT_ELSEWHERE,
    PLACES,
    SPARE,
    TURNS,
    TURNS_SWAPPED,
    Bitboards,
)


@inlined
def _columns(word: int) -> int:
    return (word | word >> 10 | word >> 20) & 511


@inlined
def rows_with(word: int) -> int:
    """Return all places of the rows in which a word has some."""
    some = (word + PLACES) & SPARE
    return some - (some >> 9)


@inlined
def _single(word: int) -> int:
    """Return the places that are the only ones of their row, in a word that has some in each row."""
    return word & ~rows_with(word & (word - FIRSTS))


@inlined
def _settle_words(frame: Bitboards, dirty: int) -> bool:
    """Apply locked candidates and hidden singles of rows until the words noted, and those they change, are settled."""
    while dirty:
        at = lowest(dirty)
        dirty &= dirty - 1
        band = at % 3
        word = frame[at]
        boxes = BOXES_OF_ROWS[word & 511] | BOXES_OF_ROWS[word >> 10 & 511] << 3 | BOXES_OF_ROWS[word >> 20 & 511] << 6
        word &= KEPT[boxes]
        if word == 0:
            return False
        elsewhere = KEPT_ELSEWHERE[_columns(word)]
        first = at + 1 if band == 0 else at - band
        second = at - 1 if band == 2 else at - band + 2
        for other in (first, second):
            old = frame[other]
            frame[other] = old & elsewhere
            dirty |= int(old & ~elsewhere != 0) << other
        new = _single(word) & ~frame[FILLED + band]
        if new:
            # The cells are filled: no other value may be there. (As a function of its own this is a fifth slower.)
            frame[FILLED + band] |= new
            for other in range(band, FILLED, 3):
                old = frame[other]
                frame[other] = old & ~new
                dirty |= int(old & new != 0) << other
            dirty &= ~(1 << at)
        frame[at] = word
    return True


@inlined
def _naked_singles(frame: Bitboards, band: int) -> tuple[int, int, int]:
    """Assign the cells of a band that have one candidate left.

    Returns:
        The words that this changed, or -1 on a contradiction; the cells with two candidates; those with more.
    """
    once = twice = thrice = 0
    for at in range(band, FILLED, 3):
        word = frame[at]
        thrice |= twice & word
        twice |= once & word
        once |= word
    if once != PLACES:
        return -1, 0, 0
    new = once & ~twice & ~frame[FILLED + band]
    changed = 0
    if new:
        for at in range(band, FILLED, 3):
            word = frame[at]
            here = word & new
            if here:
                rows = rows_with(here)
                # Two such cells of one row for one value.
                if here & (here - (rows & FIRSTS)):
                    return -1, 0, 0
                frame[at] = word & ~rows | here
                changed |= 1 << at
    return changed, twice & ~thrice, thrice


@compiled
def _stacks(frame: Bitboards) -> int:
    """Apply locked candidates of columns: in a stack a value takes three different columns in the three bands.

    Returns:
        The words that this changed.
    """
    changed = 0
    for at in range(0, FILLED, 3):
        words = frame[at], frame[at + 1], frame[at + 2]
        columns = _columns(words[0]), _columns(words[1]), _columns(words[2])
        for band in range(3):
            # A column is of use to a band if the other two columns of its stack can be had by the other two bands.
            both = TURNS[columns[(band + 1) % 3]] & TURNS_SWAPPED[columns[(band + 2) % 3]]
            left = words[band] & ((both | both >> 9) & 511) * FIRSTS
            if left != words[band]:
                frame[at + band] = left
                changed |= 1 << (at + band)
    return changed


@compiled
def settle(frame: Bitboards, careful: bool) -> tuple[bool, tuple[int, int, int], bool]:
    """Propagate what follows by singles and locked candidates.

    Returns:
        False on a contradiction; in each band the cells with two candidates; whether some cell has more.
    """
    dirty = frame[DIRTY]
    frame[DIRTY] = 0
    two0 = two1 = two2 = more0 = more1 = more2 = 0
    while True:
        if not _settle_words(frame, dirty):
            return False, (0, 0, 0), False
        changed0, two0, more0 = _naked_singles(frame, 0)
        changed1, two1, more1 = _naked_singles(frame, 1)
        changed2, two2, more2 = _naked_singles(frame, 2)
        dirty = changed0 | changed1 | changed2
        if dirty < 0:
            return False, (0, 0, 0), False
        if dirty == 0 and careful:
            dirty = _stacks(frame)
        if dirty == 0:
            return True, (two0, two1, two2), (more0 | more1 | more2) != 0
