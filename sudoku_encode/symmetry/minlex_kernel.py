"""The least of all images of puzzles and grids of the 9x9; `minlex` compiles this for many.

An image is read row by row, with 0 for a blank, and its values are named in the order in which they occur: the least
image is the same for all puzzles that symmetries of the board and names of values make from each other.

A puzzle gets its rows from the first to the last. All beginnings that give the least rows so far are stored, as a
state each. Columns that hold blanks in all rows so far stay together, in the first places of their boxes, and so do
boxes of such columns: without that, an empty row would multiply the states by 1,296.

A grid needs no states: its first row is 123456789, and the second begins with 456 if boxes of a row hold the values
of boxes of another, else with 457. Each choice that makes the second row the least fixes all columns.

Source: `minLexing.cpp` of gridchecker (Dobrichev) looks for the least rows in the same order.
Differs: columns of blanks stay together, instead of one state for each order of them.
"""

from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Grids

# A state, which is also the map to the least image: whether rows are columns of the puzzle; the row of the puzzle that
# comes to each place; the column; how many columns of each box are blank so far; how many boxes are; how many values
# have names; and the name of each value.
TURNED, ROWS, COLUMNS, OPEN_COLUMNS, OPEN_BOXES, N_NAMES, NAMES, STATE = 0, 1, 10, 19, 22, 23, 24, 34
# The first one, two or six are the orders of one, two or three things.
_ORDERS = np.array([[0, 1, 2], [1, 0, 2], [0, 2, 1], [1, 2, 0], [2, 0, 1], [2, 1, 0]], np.int64)
_FACTORIAL = np.array([1, 1, 2, 6], np.int64)
# Larger than the number of any row.
_NO_ROW = 10**9
# A value that gets the next name.
_NEW = 10


class _Plan(NamedTuple):
    """How a row of the puzzle that comes next puts columns and boxes in order, so that it becomes the least."""

    columns: Int64s  # (9,), box by box in their present places: blank ones first, then by the names of their values
    names: Int64s  # (9,) of the values in these columns: 0 for a blank, _NEW for a value without a name
    boxes: Int64s  # (3,), the present places of boxes that stay blank, of those that were blank so far, of the others
    counts: Int64s  # (2,), how many boxes are of the first kind, and of the second
    blank: Int64s  # (3,), how many columns of the box at each present place stay blank
    new: Int64s  # (3,), how many columns after these get new names, in an order that is free


def least_images(givens: Grids, images: Grids, maps: Grids) -> None:
    """Write the least image of each puzzle or grid, and a map to it; puzzles with clashes are not allowed."""
    room = np.empty((2, 1024, STATE), np.uint8)
    boards, filled = np.empty((2, 9, 9), np.uint8), np.empty((2, 9), np.int64)
    plan = _Plan(
        np.empty(9, np.int64),
        np.empty(9, np.int64),
        np.empty(3, np.int64),
        np.empty(2, np.int64),
        np.empty(3, np.int64),
        np.empty(3, np.int64),
    )
    for number in range(len(givens)):
        n_givens = 0
        for cell in range(81):
            value = givens[number, cell]
            n_givens += value > 0
            boards[0, cell // 9, cell % 9] = boards[1, cell % 9, cell // 9] = value
        if n_givens == 81:
            _least_grid(boards, images[number], maps[number])
            continue
        for turned in range(2):
            for row in range(9):
                filled[turned, row] = (boards[turned, row] > 0).sum()
        room = _least_puzzle(boards, filled, plan, images[number], maps[number], room)


def _least_puzzle(boards: Grids, filled: Int64s, plan: _Plan, image: Grids, by: Grids, room: Grids) -> Grids:
    """Write the least image of a puzzle and a map to it, and return the memory of states, which may be larger."""
    _begin(room[0])
    size = 2
    for level in range(9):
        least, n_next = _NO_ROW, 0
        for number in range(size):
            turned = int(room[level % 2, number, TURNED])
            for row in range(9):
                state = room[level % 2, number]
                if not _may_follow(state, level, row, filled[turned]):
                    continue
                _arrange(state, boards[turned, row], plan)
                for order in range(_FACTORIAL[plan.counts[1]]):
                    digits = _digits(state, plan, order)
                    if digits > least:
                        continue
                    if digits < least:
                        least, n_next = digits, 0
                    if n_next + 216 > room.shape[1]:
                        larger = np.empty((2, 2 * room.shape[1], STATE), np.uint8)
                        larger[:, : room.shape[1]] = room
                        room = larger
                        state = room[level % 2, number]
                    n_next = _add(state, level, row, boards[turned, row], plan, order, room[1 - level % 2], n_next)
        size = n_next
        _write_row(least, image[9 * level : 9 * level + 9])
    by[:] = room[1, 0]
    return room


def _begin(states: Grids) -> None:
    """Write the two states without a row."""
    states[:2] = 0
    for turned in range(2):
        states[turned, TURNED] = turned
        states[turned, OPEN_COLUMNS : OPEN_BOXES + 1] = 3
        for place in range(9):
            states[turned, COLUMNS + place] = place


def _write_row(digits: int, row: Grids) -> None:
    """Write the digits of a number of nine digits."""
    for place in range(8, -1, -1):
        row[place] = digits % 10
        digits //= 10


def _may_follow(state: Grids, level: int, row: int, filled: Int64s) -> bool:
    """Check whether a row may come next; of blank rows of a band, and of blank bands, only the first may."""
    used, band = 0, row // 3
    for place in range(level):
        used |= 1 << int(state[ROWS + place])
    if used >> row & 1 or (level % 3 > 0 and band != int(state[ROWS + level - 1]) // 3):
        return False
    if level % 3 == 0 and used >> 3 * band & 7:
        return False
    if filled[row] == 0:
        for other in range(3 * band, row):
            if filled[other] == 0 and not used >> other & 1:
                return False
        if level % 3 == 0 and filled[3 * band] + filled[3 * band + 1] + filled[3 * band + 2] == 0:
            for start in range(0, 3 * band, 3):
                if not used >> start & 7 and filled[start] + filled[start + 1] + filled[start + 2] == 0:
                    return False
    return True


def _arrange(state: Grids, row: Grids, plan: _Plan) -> None:
    """Write how a row puts columns and boxes in order."""
    plan.counts[:] = 0
    n_open = int(state[OPEN_BOXES])
    for box in range(3):
        start, free = 3 * box, 3 * box + int(state[OPEN_COLUMNS + box])
        n_blank = n_new = n_given = 0
        for place in range(start, start + 3):
            column = int(state[COLUMNS + place])
            value = int(row[column])
            name = 0 if value == 0 else int(state[NAMES + value])
            if value > 0 and name == 0:
                name = _NEW
            n_given += value > 0
            end = place
            if place < free:
                n_blank += name == 0
                n_new += name == _NEW
                while end > start and plan.names[end - 1] > name:
                    plan.columns[end], plan.names[end] = plan.columns[end - 1], plan.names[end - 1]
                    end -= 1
            plan.columns[end], plan.names[end] = column, name
        plan.blank[box], plan.new[box] = n_blank, n_new
        if box < n_open and n_given == 0:
            # Before the boxes that are blank no longer.
            for place in range(box, plan.counts[0], -1):
                plan.boxes[place] = plan.boxes[place - 1]
            plan.boxes[plan.counts[0]] = box
            plan.counts[0] += 1
        else:
            plan.boxes[box] = box
            plan.counts[1] += box < n_open


def _source(plan: _Plan, order: int, box: int) -> int:
    """Return the present place of the box that comes to a place."""
    first = plan.counts[0]
    if first <= box < first + plan.counts[1]:
        box = int(first + _ORDERS[order, box - first])
    return int(plan.boxes[box])


def _digits(state: Grids, plan: _Plan, order: int) -> int:
    """Return the row as a number of nine digits, with its blank boxes that are so no longer in one of their orders."""
    digits, name = 0, int(state[N_NAMES])
    for box in range(3):
        start = 3 * _source(plan, order, box)
        for place in range(start, start + 3):
            digit = plan.names[place]
            if digit == _NEW:
                name += 1
                digit = name
            digits = 10 * digits + digit
    return digits


def _add(state: Grids, level: int, row: int, values: Grids, plan: _Plan, order: int, states: Grids, size: int) -> int:
    """Add a state with one more row for each order of the columns that get new names, and return the new size."""
    sources = (_source(plan, order, 0), _source(plan, order, 1), _source(plan, order, 2))
    n_first, n_second, n_third = (
        _FACTORIAL[plan.new[sources[0]]],
        _FACTORIAL[plan.new[sources[1]]],
        _FACTORIAL[plan.new[sources[2]]],
    )
    for number in range(n_first * n_second * n_third):
        numbers = (number % n_first, number // n_first % n_second, number // n_first // n_second)
        other = states[size]
        for field in range(STATE):
            other[field] = state[field]
        size += 1
        other[ROWS + level] = row
        other[OPEN_BOXES] = plan.counts[0]
        for box in range(3):
            source = sources[box]
            n_blank, n_new = plan.blank[source], plan.new[source]
            other[OPEN_COLUMNS + box] = n_blank
            for place in range(3):
                # After the blank columns come those with named values, then those whose order is free.
                free = place - (int(state[OPEN_COLUMNS + source]) - n_new)
                start = 3 * source + place
                if 0 <= free < n_new:
                    start += _ORDERS[numbers[box], free] - free
                column = plan.columns[start]
                other[COLUMNS + 3 * box + place] = column
                value = int(values[column])
                if value > 0 and other[NAMES + value] == 0:
                    other[N_NAMES] += 1
                    other[NAMES + value] = other[N_NAMES]
    return size


def _least_grid(boards: Grids, image: Grids, by: Grids) -> None:
    """Write the least image of a grid, and a map to it."""
    choices = np.empty((648, 12), np.int64)
    size = _second_rows(boards, choices)
    rows, names = np.empty(9, np.int64), np.zeros(10, np.int64)
    lines, least = np.empty(9, np.int64), np.full(9, _NO_ROW, np.int64)
    for number in range(size):
        choice = choices[number]
        board, columns, first, second = boards[choice[0]], choice[3:], choice[1], choice[2]
        for place in range(9):
            names[board[first, columns[place]]] = place + 1
        lines[2] = _line(board[first // 3 * 9 + 3 - first - second], columns, names)
        if lines[2] > least[2]:
            continue
        _order_rows(board, choice, names, rows)
        is_less = lines[2] < least[2]
        for level in range(3, 9):
            lines[level] = _line(board[rows[level]], columns, names)
            is_less = is_less or lines[level] < least[level]
            if not is_less and lines[level] > least[level]:
                break
        if is_less:
            least[:] = lines
            by[TURNED] = choice[0]
            by[OPEN_COLUMNS:NAMES] = 0
            for place in range(9):
                by[ROWS + place], by[COLUMNS + place] = rows[place], columns[place]
            for value in range(10):
                by[NAMES + value] = names[value]
    board = boards[int(by[TURNED])]
    for cell in range(81):
        image[cell] = by[NAMES + int(board[int(by[ROWS + cell // 9]), int(by[COLUMNS + cell % 9])])]


def _line(row: Grids, columns: Int64s, names: Int64s) -> int:
    """Return the names of a row's values, in an order of the columns, as a number of nine digits."""
    digits = 0
    for place in range(9):
        digits = 10 * digits + names[row[columns[place]]]
    return digits


def _order_rows(board: Grids, choice: Int64s, names: Int64s, rows: Int64s) -> None:
    """Write the rows of a grid in order: two are chosen, and the others follow by the names in the first column."""
    first, second, column = choice[1], choice[2], choice[3]
    band = first // 3
    rows[0], rows[1], rows[2] = first, second, 9 * band + 3 - first - second
    size = 3
    for other in range(3):
        if other == band:
            continue
        start = size
        for row in range(3 * other, 3 * other + 3):
            end = size
            while end > start and names[board[rows[end - 1], column]] > names[board[row, column]]:
                rows[end] = rows[end - 1]
                end -= 1
            rows[end] = row
            size += 1
    if names[board[rows[6], column]] < names[board[rows[3], column]]:
        for place in range(3, 6):
            rows[place], rows[place + 3] = rows[place + 3], rows[place]


def _second_rows(boards: Grids, choices: Int64s) -> int:
    """Write the choices that make the second row of a grid the least, and return how many they are."""
    # A choice is whether the grid is turned, its first and second row, and its columns.
    pairs, names = np.empty((36, 4), np.int64), np.empty(9, np.int64)
    tops = np.empty((2, 9, 10), np.int64)
    least, size = _NO_ROW, 0
    for number in range(_pairs_of_rows(boards, tops, pairs)):
        turned, first, second, n_shared = pairs[number]
        row, top = boards[turned, second], tops[turned, first]
        for box in range(3):
            for order in range(6):
                choice = choices[size]
                choice[0], choice[1], choice[2], columns = turned, first, second, choice[3:]
                if not _order_columns(row, top, box, order, n_shared, columns):
                    continue
                for place in range(9):
                    names[columns[place]] = place + 1
                # The first three names are 4, 5 and 6, or 4, 5 and 7, in all choices.
                digits = 0
                for place in range(3, 9):
                    digits = 10 * digits + names[top[row[columns[place]]]]
                if digits < least:
                    least, size = digits, 1
                    choices[0] = choice
                elif digits == least:
                    size += 1
    return size


def _pairs_of_rows(boards: Grids, tops: Int64s, pairs: Int64s) -> int:
    """Write the columns of the values in all rows, and the pairs of rows that may come first; return their number."""
    # A pair is whether the grid is turned, the rows, and how many values the first box of the second row shares with
    # the second box of the first. If that is 0 or 3, boxes of the one hold the values of boxes of the other, and the
    # second row begins with 456.
    boxes = np.zeros((2, 9, 3), np.int64)
    for turned in range(2):
        for row in range(9):
            for column in range(9):
                value = int(boards[turned, row, column])
                tops[turned, row, value] = column
                boxes[turned, row, column // 3] |= 1 << value
    size, has_equal = 0, False
    for turned in range(2):
        for first in range(9):
            for second in range(first // 3 * 3, first // 3 * 3 + 3):
                shared, n_shared = boxes[turned, second, 0] & boxes[turned, first, 1], 0
                while shared:
                    shared &= shared - 1
                    n_shared += 1
                is_equal = n_shared % 3 == 0
                if first == second or (has_equal and not is_equal):
                    continue
                if is_equal and not has_equal:
                    size, has_equal = 0, True
                pairs[size, 0], pairs[size, 1], pairs[size, 2], pairs[size, 3] = turned, first, second, n_shared
                size += 1
    return size


def _order_columns(row: Grids, top: Int64s, box: int, order: int, n_shared: int, columns: Int64s) -> bool:
    """Write the columns that make a second row the least after a box in an order; return False for a bad order."""
    # `top` is the column of each value in the first row. The second box is the one whose values in the first row are
    # two or all values of the first box in the second row.
    second = (box + 1) % 3 if n_shared > 1 else (box + 2) % 3
    for place in range(3):
        columns[place] = 3 * box + _ORDERS[order, place]
        columns[3 + place] = top[row[columns[place]]]
    if n_shared % 3 == 0:
        for place in range(3):
            columns[6 + place] = top[row[columns[3 + place]]]
        return True
    # Names 4, 5 and 7 are in the first box; 6 is in the other column of the second; 8 and 9 are after 1, 2 or 3.
    if columns[3] // 3 != second or columns[4] // 3 != second:
        return False
    columns[6] = columns[5]
    columns[5] = 9 * second + 3 - columns[3] - columns[4]
    size = 7
    for place in range(3, 6):
        column = top[row[columns[place]]]
        if column // 3 != box:
            columns[size] = column
            size += 1
    return True
