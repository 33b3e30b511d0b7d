"""The options of methods."""

from dataclasses import dataclass, fields

from sudoku_encode.errors import MethodError, repr_of_fields, short, whole_number
from sudoku_encode.methods.method import Method
from sudoku_encode.methods.table import OPTIONS


@dataclass(frozen=True, repr=False)
class Options:
    """Options of methods; None is the default of the method.

    A method refuses an option that it does not use.

    Attributes:
        reduction: a key of REDUCTIONS.
        amo: a key of AT_MOST_ONE.
        sat_solver: a key of SAT_SOLVERS.
        seed: of CP-SAT or of annealing.
        workers: of CP-SAT, when it finds one solution.

    >>> Options(sat_solver="glucose4").chosen
    {'sat_solver': 'glucose4'}
    """

    reduction: str | None = None
    amo: str | None = None
    sat_solver: str | None = None
    seed: int | None = None
    workers: int | None = None

    def __post_init__(self) -> None:
        """Check the options.

        Raises:
            MethodError: an unknown name, or a number out of range.
        """
        for name, row in OPTIONS.items():
            value = getattr(self, name)
            if value is None:
                continue
            if row.choices:
                if not (isinstance(value, str) and value in row.choices):
                    raise MethodError(
                        f"no {row.what} is called {short(repr(value))}; choose from {', '.join(row.choices)}"
                    )
                continue
            number = whole_number(value, row.least, row.most)
            if number is None:
                raise MethodError(f"{name} {short(repr(value))}: it is a whole number from {row.least} to {row.most}")
            object.__setattr__(self, name, number)

    def __repr__(self) -> str:
        """Return the options that are chosen."""
        return repr_of_fields(self)

    @property
    def chosen(self) -> dict[str, object]:
        """The options that are not None."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name)) is not None}

    def for_method(self, method: Method) -> dict[str, object]:
        """Return the options that are chosen.

        Raises:
            MethodError: the method does not use one of them.
        """
        unused = [name for name in self.chosen if name not in method.options]
        if unused:
            names = [OPTIONS[name].name for name in method.options]
            uses = f"it uses {', '.join(names)}" if names else "it uses none"
            raise MethodError(f"method {method.name} does not use the option {OPTIONS[unused[0]].name}; {uses}")
        return self.chosen
