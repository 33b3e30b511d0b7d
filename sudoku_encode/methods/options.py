"""What a user may choose besides the method."""

from dataclasses import dataclass, fields

from sudoku_encode.errors import MethodError
from sudoku_encode.methods.method import Method


@dataclass(frozen=True)
class Options:
    """What a user may choose besides the method; None is the method's own choice.

    A method refuses an option that it does not use.

    Attributes:
        reduction: a key of REDUCTIONS.
        amo: a key of AT_MOST_ONE.
        sat_solver: a key of SAT_SOLVERS.
        seed: of CP-SAT.
        workers: of CP-SAT, where one solution is wanted.

    >>> Options(sat_solver="glucose4").chosen
    {'sat_solver': 'glucose4'}
    """

    reduction: str | None = None
    amo: str | None = None
    sat_solver: str | None = None
    seed: int | None = None
    workers: int | None = None

    @property
    def chosen(self) -> dict[str, object]:
        """The options that are chosen."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None}

    def for_method(self, method: Method) -> dict[str, object]:
        """Return the options that are chosen, if the method uses them.

        Raises:
            MethodError: it does not.
        """
        unused = [name for name in self.chosen if name not in method.options]
        if unused:
            uses = f"it uses {', '.join(method.options)}" if method.options else "it uses none"
            raise MethodError(f"method {method.name} does not use the option {unused[0]}; {uses}")
        return self.chosen
