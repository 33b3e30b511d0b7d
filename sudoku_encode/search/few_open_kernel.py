"""The number of ways to fill the last open cells of a board, on any board, compiled; see `FewOpen` in `state`.

A search that counts asks it where few cells are open. A set of open cells is one word, so a guess and the naked singles
that it leads to take few instructions, however large the board is. Nothing is listed: open cells that share no
candidate within a unit, directly or through others, fall into parts, and the numbers of the parts are multiplied.
Within a part a cell is tried, which often makes it fall into smaller parts.
"""

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.compiling import bit_count, compiled, inlined, lowest
from sudoku_encode.search.state import MOST_FEW, FewOpen

# Places in a row of `FewOpen.fields`: the open cells in no part yet; the product of the parts that are counted; the
# cells of the part that is being counted, the cell that is tried there, the values to try, and the sum so far.
_REST, _PRODUCT, _PART, _CELL, _VALUES, _SUM = range(6)
# A larger number is left to the search, so that no product is too large for a word.
_MOST_WAYS = 2**28
# After the last of these numbers of guesses the search goes on instead. It asks about fewer cells after many guesses,
# and about more cells after few: asking costs as much as a few guesses, and a search sees contradictions sooner where
# many cells are open.
_FEW_GUESSES, _MANY_GUESSES, _MOST_GUESSES = 64, 128, 512
# Up to how many open cells are counted at once, in eighths of a cell: at first, and at least.
FIRST_EIGHTHS, _LEAST_EIGHTHS = 192, 64


@inlined
def _begin(few: FewOpen, n_open: int) -> None:
    """Write down for each value its open cells, and which open cells share a unit and a candidate."""
    values, masks, members = few.values[0], few.masks[0], few.members
    values[:] = 0
    for number in range(n_open):
        mask = masks[number]
        while mask:
            values[lowest(mask)] |= 1 << number
            mask &= mask - 1
        for rule in range(few.units.shape[1]):
            members[few.units[few.cells[number], rule]] |= 1 << number
    # Cells that have no unit of a rule share nothing.
    members[len(members) - 1] = 0
    for number in range(n_open):
        beside = sharing = 0
        for rule in range(few.units.shape[1]):
            beside |= members[few.units[few.cells[number], rule]]
        mask = masks[number]
        while mask:
            sharing |= values[lowest(mask)]
            mask &= mask - 1
        few.near[number] = beside & sharing & ~(1 << number)
    for number in range(n_open):
        for rule in range(few.units.shape[1]):
            members[few.units[few.cells[number], rule]] = 0


@inlined
def _fill(near: Int64s, values: Int64s, masks: Int64s, part: int, cell: int, value: int) -> int:
    """Give a cell of a part a value, and fill the naked singles; return the open cells, or -1 on a contradiction."""
    others = masks[cell] ^ (1 << value)
    while others:
        values[lowest(others)] ^= 1 << cell
        others &= others - 1
    masks[cell] = 1 << value
    is_open, waiting = part, 1 << cell
    while waiting:
        cell = lowest(waiting)
        waiting &= waiting - 1
        is_open ^= 1 << cell
        only = masks[cell]
        value = lowest(only)
        places = values[value] ^ (1 << cell)
        losing = places & near[cell]
        values[value] = places ^ losing
        while losing:
            loser = lowest(losing)
            losing &= losing - 1
            mask = masks[loser] ^ only
            masks[loser] = mask
            if mask & (mask - 1) == 0:
                if mask == 0:
                    return -1
                waiting |= 1 << loser
    return is_open


@inlined
def _part_of(near: Int64s, rest: int) -> int:
    """Return the cells that are joined with the first of the rest."""
    part = waiting = rest & -rest
    while waiting and part != rest:
        # Two cells at a time; behind the last cell there is one that is near none.
        others = waiting & (waiting - 1)
        more = (near[lowest(waiting)] | near[lowest(others)]) & rest & ~part
        waiting = (others & (others - 1)) | more
        part |= more
    return part


@inlined
def _cell_of(masks: Int64s, part: int) -> int:
    """Return the first cell of a part with two candidates, or else its first cell."""
    untried = part
    while untried:
        cell = lowest(untried)
        untried &= untried - 1
        if bit_count(masks[cell]) == 2:
            return cell
    return lowest(part)


@inlined
def _next_part(few: FewOpen, level: int) -> None:
    """Begin the next part of a frame; one and two cells are counted at once."""
    masks, fields = few.masks[level], few.fields[level]
    rest, product = fields[_REST], fields[_PRODUCT]
    fields[_VALUES], fields[_SUM] = 0, 1
    while rest and product <= _MOST_WAYS:
        part = _part_of(few.near, rest)
        rest ^= part
        mask, other = masks[lowest(part)], part & (part - 1)
        if other == 0:
            product *= bit_count(mask)
        elif other & (other - 1) == 0:
            second = masks[lowest(other)]
            product *= bit_count(mask) * bit_count(second) - bit_count(mask & second)
        else:
            cell = _cell_of(masks, part)
            fields[_PART], fields[_CELL], fields[_VALUES], fields[_SUM] = part, cell, masks[cell], 0
            break
    fields[_REST], fields[_PRODUCT] = rest, product


@compiled
def count_few(few: FewOpen, n_open: int) -> tuple[int, int]:
    """Return in how many ways `n_open` cells can be filled, and how many guesses that took."""
    # `few.cells` and the first row of `few.masks` say which cells, and their candidates. The number is -1 if it is
    # large, or if it takes many guesses.
    _begin(few, n_open)
    first = few.fields[0]
    first[_REST], first[_PRODUCT] = (1 << n_open) - 1, 1
    _next_part(few, 0)
    level = guesses = 0
    while True:
        fields = few.fields[level]
        untried = fields[_VALUES]
        if untried:
            guesses += 1
            if guesses > _MOST_GUESSES:
                return -1, guesses
            fields[_VALUES] = untried & (untried - 1)
            values, masks = few.values[level + 1], few.masks[level + 1]
            for value in range(len(values)):
                values[value] = few.values[level, value]
            for number in range(n_open):
                masks[number] = few.masks[level, number]
            rest = _fill(few.near, values, masks, fields[_PART], fields[_CELL], lowest(untried))
            if rest == 0:
                fields[_SUM] += 1
            elif rest > 0:
                level += 1
                few.fields[level, _REST], few.fields[level, _PRODUCT] = rest, 1
                _next_part(few, level)
            continue
        if fields[_PRODUCT] > _MOST_WAYS:
            return -1, guesses
        ways = fields[_PRODUCT] * fields[_SUM]
        fields[_PRODUCT] = ways
        if ways and fields[_REST]:
            _next_part(few, level)
        elif level:
            level -= 1
            few.fields[level, _SUM] += ways
        else:
            return (ways if ways <= _MOST_WAYS else -1), guesses


@inlined
def count_if_few(few: FewOpen, n_open: int, eighths: int) -> tuple[int, int, int]:
    """Return `count_few` of cells that a search has noted, -1 if there are many; the next `eighths`; and the work."""
    if n_open == 0 or n_open > eighths // 8:
        return -1, eighths, 0
    ways, guesses = count_few(few, n_open)
    if ways < 0:
        eighths -= 32
    elif guesses > _MANY_GUESSES:
        eighths -= 8
    elif guesses < _FEW_GUESSES:
        eighths += 1
    return ways, min(max(eighths, _LEAST_EIGHTHS), 8 * MOST_FEW), n_open + guesses
