"""From a command's arguments to puzzles, with bad ones reported on the way."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from sudoku_encode.cli.options import PuzzleOptions
from sudoku_encode.cli.remarks import complain, remark
from sudoku_encode.errors import FormatError, SudokuError

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import Found, Located
    from sudoku_encode.puzzles.puzzle import Puzzle


T = TypeVar("T")
Numbered = tuple[int, "Puzzle"]
Answered = tuple["Located", T | None]


@dataclass
class PuzzleInput:
    """The puzzles that a command works on.

    Attributes:
        given: the options that say where they are.
        bad: whether a puzzle was reported as bad.
        many: whether there is more than one; it is set before the first of several is yielded.
        waiting: by its number what is read and not yet answered; see `answered`.
    """

    given: PuzzleOptions
    bad: bool = False
    many: bool = False
    waiting: dict[int, "Located"] = field(default_factory=dict)

    @property
    def inputs(self) -> list[str]:
        """The names of the files that are read, `-` for standard input; the text of a puzzle may be among them."""
        board = (self.given.board or "").strip()
        maps = [board.removeprefix("jigsaw:")] if board.startswith("jigsaw:") else []
        return [*(self.given.puzzles or ()), *maps]

    def puzzles(self) -> Iterator["tuple[int, Puzzle]"]:
        """Yield the good puzzles with their numbers, from 1; the bad ones are reported on standard error.

        Raises:
            SudokuError: there is no puzzle at all, or the text is bad as a whole.
        """
        for one in self.entries():
            if not isinstance(one.entry.found, FormatError):
                yield one.number, one.entry.found

    def answered(
        self,
        ask: "Callable[[Iterator[Numbered]], Iterator[tuple[Numbered, T]]]",
        located: "Iterator[Located] | None" = None,
    ) -> "Iterator[Answered[T]]":
        """Yield what is read, one by one, with its answer; None is the answer of what is no puzzle.

        Args:
            ask: yields the answers for numbered puzzles, in their order.
            located: what `located` yields, where that was begun.
        """
        waiting = self.waiting
        entries = self.entries() if located is None else (one for some in located for one in some.singles())

        def puzzles() -> "Iterator[Numbered]":
            for one in entries:
                waiting[one.number] = one
                if not isinstance(one.entry.found, FormatError):
                    yield one.number, one.entry.found

        for (number, _), answer in ask(puzzles()):
            while (first := next(iter(waiting))) < number:
                yield waiting.pop(first), None
            yield waiting.pop(number), answer
        while waiting:
            yield waiting.pop(next(iter(waiting))), None

    def entries(self) -> Iterator["Located"]:
        """Yield the puzzles one by one with their places; what is no puzzle too; see `located`."""
        for located in self.located():
            yield from located.singles()

    def total(self) -> int | None:
        """Return how many puzzles there are, also bad ones; None where one cannot know before all is read."""
        from sudoku_encode.formats.entries import n_puzzles

        if not all(os.path.isfile(source) for source in self.given.puzzles or ()):  # noqa: PTH113
            # A folder has many, as standard input may have.
            many = any(source == "-" or os.path.isdir(source) for source in self.given.puzzles or ())  # noqa: PTH112
            return None if many else len(self.given.puzzles or "1")
        try:
            return sum(n_puzzles(found) for _, found in self._found())
        except SudokuError:
            # It is reported when the puzzles are read to be worked on.
            return None

    def located(self) -> Iterator["Located"]:
        """Yield what is read with its place; what is no puzzle is reported on standard error, and yielded too.

        Raises:
            SudokuError: there is no puzzle at all, or the only text is bad as a whole.
        """
        from sudoku_encode.formats.entries import Entry, Located, n_puzzles

        found = self._found()
        one = next(found, None)
        number = 1
        while one is not None:
            following = next(found, None)
            source, what = one
            self.many = self.many or following is not None or n_puzzles(what) > 1
            if isinstance(what, Entry) and isinstance(what.found, FormatError):
                self.bad = True
                complain(what.found)
            located = Located(number, source, what)
            for text in what.remarks if isinstance(what, Entry) else ():
                remark(f"{located.place.text}: {text}")
            yield located
            number, one = number + n_puzzles(what), following

    def _found(self) -> Iterator["tuple[str, Found]"]:
        """Yield what is found, with the name of its source."""
        from sudoku_encode.formats.entries import Entry
        from sudoku_encode.formats.reading import read_entries
        from sudoku_encode.formats.region_maps import pieces_remark
        from sudoku_encode.puzzles import boards
        from sudoku_encode.puzzles.puzzle import Puzzle

        given = self.given
        rules = None if given.rules is None else [name.strip() for name in given.rules.split(",") if name.strip()]
        if not given.puzzles:
            if given.board is None:
                raise SudokuError("no puzzle: give a file, - or the text itself, or --board for an empty board")
            board = boards.board(given.board, rules)
            remarks = tuple(filter(None, [pieces_remark(board)]))
            yield "board", Entry(Puzzle.of(board, constraints=given.constraints or ()), remarks=remarks)
            return
        for source in given.puzzles:
            # Texts may be longer than a name of a file may be.
            name = "stdin" if source == "-" else source if os.path.exists(source) else "argument"  # noqa: PTH110
            try:
                read = read_entries(
                    source,
                    board=given.board,
                    rules=rules,
                    alphabet=given.alphabet,
                    format=given.source_format,
                    constraints=given.constraints or (),
                )
            except FormatError as error:
                if len(given.puzzles) == 1:
                    raise
                # One bad file among many does not stop the others.
                yield name, Entry(error, error.line)
                continue
            try:
                for found in read:
                    yield name, found
            except FormatError as error:
                # What was read before is answered all the same.
                yield name, Entry(error, error.line)
