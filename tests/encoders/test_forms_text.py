"""Forms other than CNF: the exact text of a tiny board."""

import pytest

from sudoku_encode import __version__
from tests.helpers.form_cases import text
from tests.helpers.puzzles import puzzle_of

TINY = {
    "col": """\
c sudoku-encode VERSION
c format col
c board 2x2
c rules row column
c givens r1c1 1 .
c vertices 1 to 4 are the cells in reading order
c vertices 5 to 6 are the values 1 to 2
c a colouring in 2 colours is a solution
p edge 6 6
e 1 2
e 3 4
e 1 3
e 2 4
e 5 6
e 1 6
""",
    "opb": """\
* #variable= 8 #constraint= 13
* sudoku-encode VERSION
* format opb
* board 2x2
* rules row column
* givens r1c1 1 .
* xN is (cell, value) with N = cell * 2 + value; cells from 0 in reading order, values from 1
* first the cells, then each value of each unit: units 0 to 1 row, 2 to 3 column
+1 x1 +1 x2 = 1 ;
+1 x3 +1 x4 = 1 ;
+1 x5 +1 x6 = 1 ;
+1 x7 +1 x8 = 1 ;
+1 x1 +1 x3 = 1 ;
+1 x2 +1 x4 = 1 ;
+1 x5 +1 x7 = 1 ;
+1 x6 +1 x8 = 1 ;
+1 x1 +1 x5 = 1 ;
+1 x2 +1 x6 = 1 ;
+1 x3 +1 x7 = 1 ;
+1 x4 +1 x8 = 1 ;
+1 x2 = 0 ;
""",
    "dlx": """\
| sudoku-encode VERSION
| format dlx
| board 2x2
| rules row column
| givens r1c1 1 .
| item cC: cell C, from 0 in reading order
| item uU.V: value V in unit U; units 0 to 1 row, 2 to 3 column
c0 c1 c2 c3 u0.1 u0.2 u1.1 u1.2 u2.1 u2.2 u3.1 u3.2
c0 u0.1 u2.1
c1 u0.1 u3.1
c1 u0.2 u3.2
c2 u1.1 u2.1
c2 u1.2 u2.2
c3 u1.1 u3.1
c3 u1.2 u3.2
""",
    "mzn": """\
% sudoku-encode VERSION
% format mzn
% board 2x2
% rules row column
% givens r1c1 1 .
% x[i] is the value of cell i, from 1 in reading order

include "all_different.mzn";

% ---- Data ----

int: n_cells = 4;
int: n_values = 2;
int: line_length = 2;

% What each cell may hold.
array[1..n_cells] of set of 1..n_values: allowed = [
  {1}, 1..2,
  1..2, 1..2,
];

% The cells of each unit, a unit a line.
array[int, int] of 1..n_cells: row_units = [|
  1, 2 |
  3, 4 |
|];
array[int, int] of 1..n_cells: column_units = [|
  1, 3 |
  2, 4 |
|];

% ---- Model ----

array[1..n_cells] of var 1..n_values: x;

predicate units_differ(array[int, int] of int: units) =
  forall (u in index_set_1of2(units)) (
    all_different([x[units[u, i]] | i in index_set_2of2(units)])
  );

constraint forall (cell in 1..n_cells) (x[cell] in allowed[cell]);
constraint units_differ(row_units);
constraint units_differ(column_units);

solve satisfy;

% The whole grid, so that different solutions print differently and `minizinc -a` drops none.
output [
  show(x[cell]) ++ (if cell mod line_length = 0 then "\\n" else " " endif) | cell in 1..n_cells
];
""",
    "smt2": """\
; sudoku-encode VERSION
; format smt2
; board 2x2
; rules row column
; givens r1c1 1 .
; cC is the value, in 2 bits, of cell C, from 0 in reading order
(set-option :produce-models true)
(set-logic QF_BV)
(declare-const c0 (_ BitVec 2))
(declare-const c1 (_ BitVec 2))
(declare-const c2 (_ BitVec 2))
(declare-const c3 (_ BitVec 2))
(assert (= c0 (_ bv1 2)))
(assert (and (bvule (_ bv1 2) c1) (bvule c1 (_ bv2 2))))
(assert (and (bvule (_ bv1 2) c2) (bvule c2 (_ bv2 2))))
(assert (and (bvule (_ bv1 2) c3) (bvule c3 (_ bv2 2))))
(assert (distinct c0 c1))
(assert (distinct c2 c3))
(assert (distinct c0 c2))
(assert (distinct c1 c3))
(check-sat)
(get-model)
""",
    "dzn": """\
% sudoku-encode VERSION
% format dzn
% board 2x2
% rules row column
% givens r1c1 1 .
% data for the model that --to mzn-model writes of this board and its constraints

made_for = "board 2x2; rules row column";

% What each cell may hold.
allowed = [
  {1}, 1..2,
  1..2, 1..2,
];
""",
    "asp": """\
% sudoku-encode VERSION
% format asp
% board 2x2
% rules row column
% givens r1c1 1 .
% holds(C, V): cell C holds value V; cells from 0 in reading order, values from 1
% unit(U, C): cell C is in unit U; units 0 to 1 row, 2 to 3 column

% ---- Facts ----

cell(0..3).
value(1..2).

given(0, 1).
candidate(1, 1..2).
candidate(2, 1..2).
candidate(3, 1..2).

unit(0, (0;1)).
unit(1, (2;3)).
unit(2, (0;2)).
unit(3, (1;3)).

% ---- Program ----

#defined given/2.
#defined unit/2.
candidate(C, V) :- given(C, V).

% Each cell holds one of its candidates.
{ holds(C, V) : candidate(C, V) } = 1 :- cell(C).

% No value is twice in a unit.
:- unit(U, _), value(V), { holds(C, V) : unit(U, C) } > 1.

% Each value is in each full unit. This follows from the rules above; with it solvers conclude more.
full(U) :- unit(U, _), { value(V) } = N, { unit(U, C) } = N.
:- full(U), value(V), { holds(C, V) : unit(U, C) } < 1.

#show holds/2.
""",
    "xcsp3": """\
<?xml version="1.0" encoding="UTF-8"?>
<!--
 sudoku-encode VERSION
 format xcsp3
 board 2x2
 rules row column
 givens r1c1 1 .
 x[C] is the value of cell C, from 0 in reading order
-->
<instance format="XCSP3" type="CSP">
<variables>
<array id="x" size="[4]"> 1..2 </array>
</variables>
<constraints>
<instantiation>
  <list> x[0] </list>
  <values> 1 </values>
</instantiation>
<group class="row">
  <allDifferent> %... </allDifferent>
  <args> x[0] x[1] </args>
  <args> x[2] x[3] </args>
</group>
<group class="column">
  <allDifferent> %... </allDifferent>
  <args> x[0] x[2] </args>
  <args> x[1] x[3] </args>
</group>
</constraints>
</instance>
""",
    "cpmpy": """\
# sudoku-encode VERSION
# format cpmpy
# board 2x2
# rules row column
# givens r1c1 1 .
# x[C] is the value of cell C, from 0 in reading order

import cpmpy as cp

n_cells, n_values, line_length = 4, 2, 2
x = cp.intvar(1, n_values, shape=(n_cells,), name="x")
# A solver gives values only to variables of constraints.
model = cp.Model(x >= 1)

units = [
    # row
    [0, 1],
    [2, 3],
    # column
    [0, 2],
    [1, 3],
]
allowed = {
    0: [1],
}

# Cells of a unit differ.
for cells in units:
    model += cp.AllDifferent(x[cells])

# What each cell may hold, if not every value.
for cell, values in allowed.items():
    model += cp.InDomain(x[cell], values) if values else cp.BoolVal(False)


def show():
    \"\"\"Print a solution.\"\"\"
    values = x.value()
    for start in range(0, n_cells, line_length):
        print(*values[start : start + line_length])
    print("----------", flush=True)


if __name__ == "__main__":
    solver = cp.SolverLookup.get("ortools", model)
    # With several workers CP-SAT loses solutions when it lists all.
    n_solutions = solver.solveAll(display=show, num_workers=1)
    print("==========" if n_solutions else "=====UNSATISFIABLE=====")
""",
}
# The model without the puzzle is that with it but for these lines.
TINY["mzn-model"] = TINY["mzn"]
for before, after in {
    "% format mzn\n": "% format mzn-model\n",
    "% givens r1c1 1 .\n": "",
    "int: line_length = 2;\n": """\
int: line_length = 2;

string: made_for;
constraint assert(made_for = "board 2x2; rules row column", \
"these data are for the model of another board or of other constraints");
""",
    " allowed = [\n  {1}, 1..2,\n  1..2, 1..2,\n];\n": " allowed;\n",
}.items():
    TINY["mzn-model"] = TINY["mzn-model"].replace(before, after)

# Of the files that OR-Tools writes, what is ours: names, rows, bounds and the objective. Blanks are the writer's.
TINY_LP = """\
Minimize
Obj: 0 x_1
Subject to
c0: +1 x_1 +1 x_2 = 1
c1: +1 x_3 +1 x_4 = 1
c2: +1 x_5 +1 x_6 = 1
c3: +1 x_7 +1 x_8 = 1
u0_1: +1 x_1 +1 x_3 = 1
u0_2: +1 x_2 +1 x_4 = 1
u1_1: +1 x_5 +1 x_7 = 1
u1_2: +1 x_6 +1 x_8 = 1
u2_1: +1 x_1 +1 x_5 = 1
u2_2: +1 x_2 +1 x_6 = 1
u3_1: +1 x_3 +1 x_7 = 1
u3_2: +1 x_4 +1 x_8 = 1
Bounds
0 <= x_1 <= 1
0 <= x_2 <= 0
"""
TINY_MPS = ["BV BOUND x_1", "FX BOUND x_2 0", *[f"BV BOUND x_{number}" for number in range(3, 9)], "ENDATA"]


@pytest.mark.parametrize("form", TINY)
def test_text_of_2x2(form: str) -> None:
    """The text of a 2x2 with one given is exactly this."""
    assert text(form, puzzle_of("2x2", "1000")) == TINY[form].replace("VERSION", __version__)


def test_linear_programs_of_2x2() -> None:
    """The linear programs of a 2x2 with one given are these."""
    lp, mps = (
        [" ".join(line.split()) for line in text(form, puzzle_of("2x2", "1000")).splitlines()] for form in ("lp", "mps")
    )
    start = lp.index("Minimize")
    assert lp[start : start + len(TINY_LP.splitlines())] == TINY_LP.splitlines()
    assert lp[-11:] == ["Binaries", *[f"x_{number}" for number in (1, 3, 4, 5, 6, 7, 8)], "Generals", "x_2", "End"]
    assert mps[mps.index("BOUNDS") + 1 :] == TINY_MPS
    assert mps[mps.index("NAME sudoku") + 1 :][:3] == ["ROWS", "N COST", "E c0"]
