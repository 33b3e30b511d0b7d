"""The compiled loops of `component_cache` for the keys of parts, their cache, and large numbers."""

import numpy as np

from sudoku_encode.frontier.problem import Cache, Search
from sudoku_encode.puzzles.arrays import Uint32s, Uint64s
from sudoku_encode.run.compiling import compiled, lowest, subroutine

_DIGIT = np.uint64(32)
_LOW = np.uint64(2**32 - 1)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
# An entry of the table of the cache: the place in the pool, above it some bits of the hash.
_PLACE_BITS = np.uint64(40)
PLACE = np.uint64(2**40 - 1)
# The place in `Search.progress` of the words of a row of the current part.
WIDTH = 4


@compiled
def write_key(search: Search, first: int, last: int, start: int) -> tuple[int, int]:
    """Write the key of a part: its cells, and the sorted sets of cells of its values; return its end, and how many."""
    # Sets that are sorted need no names: nothing but the cells that may hold them tells values apart.
    n, masks, cells, keys = search.rows.shape[0], search.masks, search.cells, search.keys
    width = (last - first + 31) // 32
    rows = search.rows
    search.progress[WIDTH] = width
    for value in range(n):
        for word in range(width):
            rows[value, word] = 0
    low, high = cells[first] // 32, cells[last - 1] // 32
    end = start + 1
    for word in range(high - low + 1):
        keys[end + word] = 0
    for index in range(first, last):
        cell, bit = cells[index], np.uint64(1) << np.uint64((index - first) % 32)
        keys[end + cell // 32 - low] |= np.uint32(1) << np.uint32(cell % 32)
        mask, word = masks[cell], (index - first) // 32
        while mask:
            rows[lowest(int(mask)), word] |= bit
            mask &= mask - 1
    size = _sort_rows(search, width)
    keys[start] = np.uint32(size) | np.uint32(low) << np.uint32(8) | np.uint32(high - low) << np.uint32(20)
    end += high - low + 1
    return _pack_rows(search, size, last - first, end), size


@subroutine
def _sort_rows(search: Search, width: int) -> int:
    """Write the numbers of the rows that are not empty, sorted by the rows; return how many there are."""
    order, size = search.order, 0
    for value in range(search.rows.shape[0]):
        filled = False
        for word in range(width):
            if search.rows[value, word]:
                filled = True
                break
        if not filled:
            continue
        to = size
        while to and compare_rows(search.rows, order[to - 1], value, width) > 0:
            order[to] = order[to - 1]
            to -= 1
        order[to] = value
        size += 1
    return size


@subroutine
def compare_rows(rows: Uint64s, first: int, second: int, width: int) -> int:
    """Return 0 if two rows are equal, else which comes first, -1 or 1."""
    for word in range(width):
        if rows[first, word] != rows[second, word]:
            return -1 if rows[first, word] < rows[second, word] else 1
    return 0


@subroutine
def _pack_rows(search: Search, size: int, n_cells: int, end: int) -> int:
    """Write the rows without gaps behind a key; return its new end."""
    buffer, n_bits = np.uint64(0), 0
    for number in range(size):
        n_more = n_cells
        for word in range((n_cells + 31) // 32):
            buffer |= search.rows[search.order[number], word] << np.uint64(n_bits)
            n_bits += min(32, n_more)
            n_more -= 32
            if n_bits >= 32:
                search.keys[end] = np.uint32(buffer & _LOW)
                end += 1
                buffer >>= _DIGIT
                n_bits -= 32
    if n_bits:
        search.keys[end] = np.uint32(buffer)
        end += 1
    return end


@compiled
def hash_of(words: Uint32s, start: int, end: int) -> np.uint64:
    """Return a hash of some words."""
    mixed = np.uint64(end - start)
    for word in range(start, end):
        mixed = (mixed ^ np.uint64(words[word])) * _FACTOR
        mixed ^= mixed >> _SHIFT
    return mixed


@compiled
def slot_of(keys: Uint32s, start: int, end: int, cache: Cache) -> int:
    """Return the place of a key in the table, or the free place where it belongs."""
    mixed = hash_of(keys, start, end)
    slot = int(np.int64(mixed & np.uint64(len(cache.table) - 1)))
    while cache.table[slot]:
        if cache.table[slot] >> _PLACE_BITS == mixed >> _PLACE_BITS:
            place = np.int64(cache.table[slot] & PLACE)
            # The hash only says where to look: the keys themselves are compared.
            same = np.int64(cache.pool[place] & np.uint32(0xFFFF)) == end - start
            word = 0
            while same and word < end - start:
                same = cache.pool[place + 1 + word] == keys[start + word]
                word += 1
            if same:
                break
        slot = (slot + 1) & (len(cache.table) - 1)
    return slot


@subroutine
def enter(search: Search, cache: Cache, slot: int, place: int, start: int, end: int) -> None:
    """Write a key into the pool, and its place into the table."""
    cache.table[slot] = np.uint64(place) | hash_of(search.keys, start, end) >> _PLACE_BITS << _PLACE_BITS
    cache.pool[place] = np.uint32(end - start)
    for word in range(start, end):
        cache.pool[place + 1 + word - start] = search.keys[word]


@compiled
def rebuild(cache: Cache, place: int, used: int, work: int) -> int:
    """Enter the entries of the pool from a place on in a table that does not contain them; return the next place."""
    while place < used and work > 0:
        size = int(np.int64(cache.pool[place] & np.uint32(0xFFFF)))
        mixed = hash_of(cache.pool, place + 1, int(place + 1 + size))
        slot = np.int64(mixed & np.uint64(len(cache.table) - 1))
        while cache.table[slot]:
            slot = (slot + 1) & (len(cache.table) - 1)
        cache.table[slot] = np.uint64(place) | mixed >> _PLACE_BITS << _PLACE_BITS
        place += 1 + size + int(np.int64(cache.pool[place] >> np.uint32(16)))
        work -= 1
    return place


@subroutine
def add(total: Uint64s, size: int, number: Uint64s, length: int, times: np.uint64) -> int:
    """Add a number, multiplied by a small one, to a total of `size` digits; return its digits."""
    carry, digit = np.uint64(0), 0
    while digit < length or carry:
        if digit == size:
            total[size] = 0
            size += 1
        carry += total[digit]
        if digit < length:
            carry += number[digit] * times
        total[digit] = carry & _LOW
        carry >>= _DIGIT
        digit += 1
    return size


@subroutine
def multiply(product: Uint64s, size: int, pool: Uint32s, start: int, length: int, scratch: Uint64s) -> int:
    """Multiply a product of `size` digits by the number of `length` digits in the pool; return its digits."""
    for digit in range(size + length):
        scratch[digit] = 0
    for place in range(length):
        factor, carry = np.uint64(pool[start + place]), np.uint64(0)
        for digit in range(size):
            carry += scratch[place + digit] + product[digit] * factor
            scratch[place + digit] = carry & _LOW
            carry >>= _DIGIT
        scratch[place + size] = carry
    total = size + length if size and length else 0
    while total and not scratch[total - 1]:
        total -= 1
    for digit in range(total):
        product[digit] = scratch[digit]
    return total
