"""The command count: the number of solutions."""

from functools import partial
from typing import Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import SudokuError
from sudoku_encode.report.reading import Outcome, PuzzleInput
from sudoku_encode.report.records import Records
from sudoku_encode.report.streams import STATS, Choices
from sudoku_encode.report.table_output import FIELDS, opened
from sudoku_encode.run.events import MethodChosen


def command(
    given: options.PuzzleOptions,
    *,
    method: options.AutoMethod = "auto",
    limit: options.Limit = None,
    up_to_symmetry: Annotated[
        bool, typer.Option("--up-to-symmetry", help="Count solutions once that a symmetry maps to each other.")
    ] = False,
    rules_with: Annotated[
        int | None,
        typer.Option(
            "--rules-with",
            min=0,
            metavar="N",
            help="Print the sets of rules under which the puzzle has exactly N solutions.",
            show_default=False,
        ),
    ] = None,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    stats: options.Stats = False,
    add: options.Add = None,
    to_file: options.OutputOptions,
    work: options.WorkOptions,
) -> None:
    """Print the number of solutions of each puzzle.

    A bare number is complete: the method ended without a limit (`prove` certifies it). If a limit stops the count, `at
    least N` is printed, where N is the largest number found, or `not known` if no solution was found, and then the
    estimate of `auto`, if there is one. A method that estimates prints `about N`. The exit status is 3 unless the
    number is complete. To test whether a puzzle is unique, use `--limit 2`.

    Details:

    The output file (-o) is called FILE.part until all puzzles are done. To continue a stopped run, repeat the command
    with --resume. This needs --json, --csv or --add, since a bare number does not identify its puzzle.

    --up-to-symmetry prints the number of kinds of solutions, and lists the solutions for that, but not those that only
    have other names of the values; there may be a hundred million cells of them. The exit status is 3 if there are
    more. The symmetries are those of `info --symmetry`.

    --rules-with N prints a line for each set of the puzzle's rules that leaves exactly N solutions; --rules gives the
    rules of which sets are made, by default all. With --json each set comes with its number of solutions, or null for
    more than N.

    With --executor, a puzzle that takes long is counted in parts. Finished parts are stored in FILE.parts until the
    puzzle is done, so that --resume counts only the missing parts, on any executor.
    """
    from sudoku_encode.methods.answers import BatchQuestion
    from sudoku_encode.methods.calls import find_method
    from sudoku_encode.methods.limited_calls import EstimateQuestion
    from sudoku_encode.report.solutions import EstimateReport
    from sudoku_encode.run.asking import ask_each

    if up_to_symmetry or rules_with is not None:
        unused = {"--limit": limit is not None, "--add": add is not None, "-o": to_file.output != "-"}
        unused |= {"--resume": to_file.resume, "--rules-with": up_to_symmetry and rules_with is not None}
        options.refuse_given(unused, "with --up-to-symmetry" if up_to_symmetry else "with --rules-with")
        form = options.record_form(as_json, as_csv)
        if rules_with is not None:
            raise typer.Exit(_rule_sets(given, rules_with, method, limits, solver, form, work))
        raise typer.Exit(_kinds(given, method, limits, solver, form, work))
    source, outcome, form = PuzzleInput(given), Outcome(), options.record_form(as_json, as_csv, add=add)
    parts_file = to_file.parts_file(work, method, limit)
    stats = options.has_stats(stats, method, add)
    question = BatchQuestion(
        method, limits.limits(limit), solver.options(), pool=work.pool(), parts_file=parts_file, stats=stats
    )
    if find_method(method).finds == "estimate":
        question.options.for_method(find_method(method))
        if to_file.output != "-" or to_file.resume or any(work.given.values()) or add is not None:
            options_ = "-o, --resume, -j, --executor and --add"
            raise SudokuError(f"{options_} have no effect with method {method}, which estimates")
        report = EstimateReport(source, form)
        ask = partial(ask_each, EstimateQuestion(method), limits=question.limits)
        raise typer.Exit(report.write(source.answered(ask)))

    def is_told(event: MethodChosen) -> bool:
        # With many puzzles, a remark for each quick one would only disturb.
        return not (source.many and (event.method.startswith("search") or event.why.startswith("which finished")))

    choices = Choices(is_told, stats)
    fields = FIELDS | {"count": int, "complete": bool, "reason": str} | STATS
    with opened(add, fields, source, to_file, parts_file) as (journal, table):
        records = Records(source, outcome, False, form, None, journal, table=table, stats=stats)
        records.write_all(source.located(), question, choices)
    raise typer.Exit(outcome.status(source))


def _kinds(
    given: options.PuzzleOptions,
    method: str,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    form: str,
    work: options.WorkOptions,
) -> int:
    """Write the number of kinds of solutions of each puzzle, and return the exit status."""
    from sudoku_encode.questions.kinds import KindsQuestion
    from sudoku_encode.report.symmetries import KindsReport
    from sudoku_encode.run.asking import ask_each

    report = KindsReport(PuzzleInput(given), form)
    question = KindsQuestion(method, solver.options())
    return report.write(report.answered(partial(ask_each, question, limits=limits.limits(), pool=work.pool())))


def _rule_sets(
    given: options.PuzzleOptions,
    solutions: int,
    method: str,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    form: str,
    work: options.WorkOptions,
) -> int:
    """Write the sets of rules with a number of solutions, and return the exit status."""
    from sudoku_encode.questions.rule_sets import RuleSetsQuestion
    from sudoku_encode.report.solutions import RuleSetsReport
    from sudoku_encode.run.asking import ask_each

    report = RuleSetsReport(PuzzleInput(given), form)
    question = RuleSetsQuestion(solutions, method, solver.options())
    return report.write(report.answered(partial(ask_each, question, limits=limits.limits(), pool=work.pool())))
