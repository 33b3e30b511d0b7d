"""What real programs print for the empty 2x2 board, which has two solutions, and for one with two equal givens.

clasp 3.3.5, minisat+ 1.0, MiniZinc 2.6.4 with Gecode 6.2, z3 5.4, glpsol 5.0, CBC 2.10.3, HiGHS 1.15, SCIP 10, dlx1,
clingo 5.4 and 5.8, ACE 2.6, CPMpy 1.1; their statistics are shortened. Those of Gurobi, a colouring and a competition's
solver of XCSP3, and that SCIP finds none, are written by hand, after the descriptions of the formats.
"""

# What MiniZinc prints, and other programs print as it does.
_GRIDS = """\
1 2
2 1
----------
2 1
1 2
----------
==========
"""
_NO_GRIDS = "=====UNSATISFIABLE=====\n"
# By the format of the model and the program, what it prints and how many solutions these are.
SOLVED: dict[tuple[str, str], tuple[str, int]] = {
    ("opb", "clasp -n 0"): (
        """\
c clasp version 3.3.5
c Reading from p.opb
c Solving...
c Answer: 1
v x1 -x2 -x3 x4 -x5 x6 x7 -x8
c Answer: 2
v -x1 x2 x3 -x4 x5 -x6 -x7 x8
s SATISFIABLE
c
c Models         : 2
c Calls          : 1
c Time           : 0.000s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)
""",
        2,
    ),
    ("opb", "clasp -n 0 --verbose=0"): (
        """\
v x1 -x2 -x3 x4 -x5 x6 x7 -x8
v -x1 x2 x3 -x4 x5 -x6 -x7 x8
s SATISFIABLE
""",
        2,
    ),
    ("opb", "minisat+"): (
        """\
c Parsing PB file...
c Converting 24 PB-constraints to clauses...
c   -- Unit propagations: (none)
c   -- Detecting intervals from adjacent constraints: ############
c   -- Clauses(.)/Splits(s): (none)
s SATISFIABLE
v -x1 x2 x3 -x4 x5 -x6 -x7 x8
c
""",
        1,
    ),
    ("mzn", "minizinc -a"): (
        _GRIDS,
        2,
    ),
    ("mzn", "minizinc -n 2 --output-mode dzn"): (
        """\
x = [1, 2, 2, 1];
----------
x = [2, 1, 1, 2];
----------
""",
        2,
    ),
    ("mzn", "minizinc -n 2 --output-mode json"): (
        """\
{
  "x" : [1, 2, 2, 1]
}
----------
{
  "x" : [2, 1, 1, 2]
}
----------
""",
        2,
    ),
    ("mzn", "minizinc -n 2 -s --output-time"): (
        """\
% Generated FlatZinc statistics:
%%%mzn-stat: paths=0
%%%mzn-stat: flatIntVars=4
%%%mzn-stat: flatIntConstraints=4
%%%mzn-stat: method="satisfy"
%%%mzn-stat: flatTime=0.0540189
%%%mzn-stat-end
1 2
2 1
% time elapsed: 0.07 s
----------
2 1
1 2
% time elapsed: 0.07 s
----------
%%%mzn-stat: initTime=0.000329
%%%mzn-stat: solveTime=0.00011
%%%mzn-stat: solutions=2
%%%mzn-stat: variables=4
%%%mzn-stat: propagators=4
%%%mzn-stat: propagations=8
%%%mzn-stat: nodes=3
%%%mzn-stat: failures=0
%%%mzn-stat: restarts=0
%%%mzn-stat: peakDepth=1
%%%mzn-stat-end
%%%mzn-stat: nSolutions=2
%%%mzn-stat-end
""",
        2,
    ),
    ("smt2", "z3, get-model"): (
        """\
sat
(
  (define-fun c3 () (_ BitVec 2)
    #b10)
  (define-fun c0 () (_ BitVec 2)
    #b10)
  (define-fun c1 () (_ BitVec 2)
    #b01)
  (define-fun c2 () (_ BitVec 2)
    #b01)
)
""",
        1,
    ),
    ("smt2", "z3, get-value"): (
        """\
sat
((c0 #b10)
 (c1 #b01)
 (c2 #b01)
 (c3 #b10))
""",
        1,
    ),
    ("lp", "glpsol -w"): (
        """\
c Problem:
c Rows:       12
c Columns:    8
c Non-zeros:  24
c Status:     INTEGER OPTIMAL
c Objective:  Obj = 0 (MINimum)
c
s mip 12 8 o 0
i 1 1
i 2 1
i 3 1
i 4 1
i 5 1
i 6 1
i 7 1
i 8 1
i 9 1
i 10 1
i 11 1
i 12 1
j 1 0
j 2 1
j 3 1
j 4 0
j 5 1
j 6 0
j 7 0
j 8 1
e o f
""",
        1,
    ),
    ("mps", "glpsol -o"): (
        """\
Problem:    sudoku
Rows:       12
Columns:    8 (8 integer, 8 binary)
Non-zeros:  24
Status:     INTEGER OPTIMAL
Objective:  COST = 0 (MINimum)

   No.   Row name        Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 c0                          1             1             =
     2 c1                          1             1             =
     3 c2                          1             1             =
     4 c3                          1             1             =
     5 u0_1                        1             1             =
     6 u0_2                        1             1             =
     7 u1_1                        1             1             =
     8 u1_2                        1             1             =
     9 u2_1                        1             1             =
    10 u2_2                        1             1             =
    11 u3_1                        1             1             =
    12 u3_2                        1             1             =

   No. Column name       Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 x_1          *              0             0             1
     2 x_2          *              1             0             1
     3 x_3          *              1             0             1
     4 x_4          *              0             0             1
     5 x_5          *              1             0             1
     6 x_6          *              0             0             1
     7 x_7          *              0             0             1
     8 x_8          *              1             0             1

Integer feasibility conditions:

KKT.PE: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

KKT.PB: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

End of output
""",
        1,
    ),
    ("lp", "cbc solu"): (
        """\
Optimal - objective value 0.00000000
      0 x_1                    0                       0
      1 x_2                    1                       0
      2 x_3                    1                       0
      3 x_4                    0                       0
      4 x_5                    1                       0
      5 x_6                    0                       0
      6 x_7                    0                       0
      7 x_8                    1                       0
""",
        1,
    ),
    ("mps", "cbc printingOptions all solu"): (
        """\
Optimal - objective value 0.00000000
      0 c0                     1                       0
      1 c1                     1                       0
      2 c2                     1                       0
      3 c3                     1                       0
      4 u0_1                   1                       0
      5 u0_2                   1                       0
      6 u1_1                   1                       0
      7 u1_2                   1                       0
      8 u2_1                   1                       0
      9 u2_2                   1                       0
     10 u3_1                   1                       0
     11 u3_2                   1                       0
      0 x_1                    0                       0
      1 x_2                    1                       0
      2 x_3                    1                       0
      3 x_4                    0                       0
      4 x_5                    1                       0
      5 x_6                    0                       0
      6 x_7                    0                       0
      7 x_8                    1                       0
""",
        1,
    ),
    ("lp", "HiGHS, raw"): (
        """\
Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns 8
x_1 1
x_2 0
x_3 0
x_4 1
x_5 0
x_6 1
x_7 1
x_8 0
# Rows 12
c0 1
c1 1
c2 1
c3 1
u0_1 1
u0_2 1
u1_1 1
u1_2 1
u2_1 1
u2_2 1
u3_1 1
u3_2 1

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
""",
        1,
    ),
    ("mps", "HiGHS, sparse"): (
        """\
Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns -4
x_1 1 0
x_4 1 3
x_6 1 5
x_7 1 6
""",
        1,
    ),
    ("mps", "HiGHS 1.16, sparse"): (
        """\
Model status
Optimal

# Primal solution values
Feasible
Objective 0
Objective_bound 0
MIP_rel_gap 0
# Columns -4 sparse
x_1 1 0
x_4 1 3
x_6 1 5
x_7 1 6
""",
        1,
    ),
    ("lp", "HiGHS, as glpsol -w"): (
        """\
c Problem:    p
c Rows:       13
c Columns:    8
c Non-zeros:  24
c Status:     INTEGER OPTIMAL
c Objective:  0 (MINimum)
c
s mip 13 8 o 0
i 1 1
i 2 1
i 3 1
i 4 1
i 5 1
i 6 1
i 7 1
i 8 1
i 9 1
i 10 1
i 11 1
i 12 1
i 13 0
j 1 1
j 2 0
j 3 0
j 4 1
j 5 0
j 6 1
j 7 1
j 8 0
e o f
""",
        1,
    ),
    ("mps", "HiGHS, as glpsol -o"): (
        """\
Problem:    p
Rows:       13
Columns:    8 (8 integer, 8 binary)
Non-zeros:  24
Status:     INTEGER OPTIMAL
Objective:  0 (MINimum)

   No.   Row name        Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 COST                        0
     2 c0                          1             1             =
     3 c1                          1             1             =
     4 c2                          1             1             =
     5 c3                          1             1             =
     6 u0_1                        1             1             =
     7 u0_2                        1             1             =
     8 u1_1                        1             1             =
     9 u1_2                        1             1             =
    10 u2_1                        1             1             =
    11 u2_2                        1             1             =
    12 u3_1                        1             1             =
    13 u3_2                        1             1             =

   No. Column name       Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 x_1          *              1             0             1
     2 x_2          *              0             0             1
     3 x_3          *              0             0             1
     4 x_4          *              1             0             1
     5 x_5          *              0             0             1
     6 x_6          *              1             0             1
     7 x_7          *              1             0             1
     8 x_8          *              0             0             1

Integer feasibility conditions:

KKT.PE: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

KKT.PB: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

End of output
""",
        1,
    ),
    ("lp", "SCIP"): (
        """\
objective value:                                    0
x_1                                                 1 	(obj:0)
x_4                                                 1 	(obj:0)
x_6                                                 1 	(obj:0)
x_7                                                 1 	(obj:0)
""",
        1,
    ),
    ("lp", "Gurobi"): (
        """\
# Solution for model sudoku
# Objective value = 0
x_1 1
x_2 0
x_3 -0
x_4 9.9999999999e-01
x_5 0
x_6 1
x_7 1.0000000001
x_8 0
""",
        1,
    ),
    ("col", "a colouring"): (
        """\
c no colour stands for a value, since no candidate is excluded
s col 2
l 1 7
l 2 3
l 3 3
l 4 7
""",
        1,
    ),
    ("dlx", "dlx1"): (
        """\
1:
 c0 u0.1 u2.1 (1 of 2)
 c1 u0.2 u3.2 (1 of 1)
 c2 u1.2 u2.2 (1 of 1)
 c3 u1.1 u3.1 (1 of 1)
2:
 c0 u0.2 u2.2 (2 of 2)
 c1 u0.1 u3.1 (1 of 1)
 c2 u1.1 u2.1 (1 of 1)
 c3 u1.2 u3.2 (1 of 1)
(8 options, 12+0 items, 32 entries successfully read)
Altogether 2 solutions, 895+821 mems, 51 updates, 944 bytes, 9 nodes, ccost 13%.
""",
        2,
    ),
    ("asp", "clingo 0"): (
        """\
clingo version 5.4.1
Reading from e.asp
Solving...
Answer: 1
holds(1,1) holds(2,1) holds(0,2) holds(3,2)
Answer: 2
holds(0,1) holds(3,1) holds(1,2) holds(2,2)
SATISFIABLE

Models       : 2
Calls        : 1
Time         : 0.001s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)
CPU Time     : 0.001s
""",
        2,
    ),
    ("asp", "clingo 5.8 of PyPI"): (
        """\
pyclingo version 5.8.3
Reading from e.asp
Solving...
Answer: 1 (Time: 0.003s)
holds(1,1) holds(2,1) holds(0,2) holds(3,2)
Answer: 2 (Time: 0.003s)
holds(0,1) holds(3,1) holds(1,2) holds(2,2)
SATISFIABLE

Models       : 2
Calls        : 1
Time         : 0.003s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)
CPU Time     : 0.002s
""",
        2,
    ),
    ("asp", "clingo -V0"): (
        """\
holds(1,1) holds(2,1) holds(0,2) holds(3,2)
holds(0,1) holds(3,1) holds(1,2) holds(2,2)
SATISFIABLE
""",
        2,
    ),
    ("asp", "clingo --outf=2"): (
        """\
{
  "Solver": "clingo version 5.4.1",
  "Input": [
    "e.asp"
  ],
  "Call": [
    {
      "Witnesses": [
        {
          "Value": [
            "holds(1,1)", "holds(2,1)", "holds(0,2)", "holds(3,2)"
          ]
        },
        {
          "Value": [
            "holds(0,1)", "holds(3,1)", "holds(1,2)", "holds(2,2)"
          ]
        }
      ]
    }
  ],
  "Result": "SATISFIABLE",
  "Models": {
    "Number": 2,
    "More": "no"
  },
  "Calls": 1,
  "Time": {
    "Total": 0.001,
    "Solve": 0.000,
    "Model": 0.000,
    "Unsat": 0.000,
    "CPU": 0.001
  }
}
""",
        2,
    ),
    ("asp", "clingo --outf=1"): (
        """\
% clingo version 5.4.1
% Reading from e.asp
% Solving...
% Answer: 2
ANSWER
holds(0,1). holds(3,1). holds(1,2). holds(2,2).
%
% Models         : 2
% Calls          : 1
% Time           : 0.001s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)
% CPU Time       : 0.001s
""",
        1,
    ),
    ("xcsp3", "ACE, all in XML"): (
        """\

ACE v2.6

  instance
    name:e
    args:e.xml -s=all -npc -xe

 ...Parsing e.xml

 ...Loading variables

 ...Loading constraints

  domains
    types:1  values:8  sizes:[2:4]
  variables
    count:4  arrays:[x:4]  degrees:[2:4]
  constraints
    count:4  specific:4  groups:2  arities:[2:4]
    non_unary:[Sub2NE:4]
    wck:0.82  cpu:0.6  mem:6M576

 ...Building solver

  solver
    decoder:Decoder1
    wck:0.05  cpu:0.621  mem:12M12

  preprocessing
    values:8  unsat:false
    wck:0.001  cpu:0.622  mem:12M12

  search
v  <instantiation id='sol1' type='solution'> <list> x[] </list> <values> 1 2 2 1 </values> </instantiation>
v  <instantiation id='sol2' type='solution'> <list> x[] </list> <values> 2 1 1 2 </values> </instantiation>
    run1  dpts:0..1  robin:PickOnDom-First  effs:6  asgs:(2,noefs=0,fails=0)  wck:0.04  sols:2

  global
    effs:6
    stop:FULL_EXPLORATION  sols:2  sol1Cpu:0.624
    wck:0.10  cpu:0.632  mem:12M322


  Solution 2 in JSON-like format:
   {'x': [2, 1, 1, 2]}

s SATISFIABLE

d FOUND SOLUTIONS  2

d WRONG DECISIONS  0  (0.00 wrg/s)

d WCK SOL 1  0.06
d WCK SOL-1  0.06
d CPU        0.638

d COMPLETE EXPLORATION
""",
        2,
    ),
    ("cpmpy", "the program itself"): (
        _GRIDS,
        2,
    ),
    ("dzn", "minizinc -a"): (
        _GRIDS,
        2,
    ),
    ("xcsp3", "a competition's solver"): (
        """\
c by hand
s SATISFIABLE
v <instantiation>
v   <list> x[0] x[1] x[2] x[3] </list>
v   <values> 1 2x2 1 </values>
v </instantiation>
""",
        1,
    ),
}
UNSOLVABLE: dict[tuple[str, str], str] = {
    ("opb", "clasp"): """\
c clasp version 3.3.5
c Reading from u.opb
c Solving...
s UNSATISFIABLE
c
c Models         : 0
c Calls          : 1
c Time           : 0.000s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)
""",
    ("opb", "minisat+"): """\
c Parsing PB file...
c Converting 24 PB-constraints to clauses...
c   -- Unit propagations: p  -- Detecting intervals from adjacent constraints: ##########
c   -- Clauses(.)/Splits(s): ..
s UNSATISFIABLE
c
""",
    ("mzn", "minizinc"): _NO_GRIDS,
    ("smt2", "z3"): """\
unsat
(error "line 22 column 10: model is not available")
""",
    ("lp", "glpsol -w"): """\
c Problem:
c Rows:       12
c Columns:    8
c Non-zeros:  24
c Status:     INTEGER EMPTY
c Objective:  Obj = 0 (MINimum)
c
s mip 12 8 n 0
i 1 0
i 2 0
i 3 0
i 4 0
i 5 0
i 6 0
i 7 0
i 8 0
i 9 0
i 10 0
i 11 0
i 12 0
j 1 0
j 2 0
j 3 0
j 4 0
j 5 0
j 6 0
j 7 0
j 8 0
e o f
""",
    ("mps", "glpsol -o"): """\
Problem:    sudoku
Rows:       12
Columns:    8 (8 integer, 6 binary)
Non-zeros:  24
Status:     INTEGER EMPTY
Objective:  COST = 0 (MINimum)

   No.   Row name        Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 c0                          0             1             =
     2 c1                          0             1             =
     3 c2                          0             1             =
     4 c3                          0             1             =
     5 u0_1                        0             1             =
     6 u0_2                        0             1             =
     7 u1_1                        0             1             =
     8 u1_2                        0             1             =
     9 u2_1                        0             1             =
    10 u2_2                        0             1             =
    11 u3_1                        0             1             =
    12 u3_2                        0             1             =

   No. Column name       Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 x_1          *              0             0             1
     2 x_2          *              0             0             =
     3 x_3          *              0             0             1
     4 x_4          *              0             0             =
     5 x_5          *              0             0             1
     6 x_6          *              0             0             1
     7 x_7          *              0             0             1
     8 x_8          *              0             0             1

Integer feasibility conditions:

KKT.PE: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

KKT.PB: max.abs.err = 1.00e+00 on row 1
        max.rel.err = 5.00e-01 on row 1
        SOLUTION IS INFEASIBLE

End of output
""",
    ("lp", "cbc solu"): """\
Infeasible - objective value 0.00000000
      0 x_1                    1                       0
      1 x_2                    0                      -3
      2 x_3                    0                       0
      3 x_4                    0                      -3
      4 x_5                    0                       0
      5 x_6                    1                       0
      6 x_7                    1                       0
      7 x_8                    0                       0
""",
    ("lp", "HiGHS, raw"): """\
Model status
Infeasible

# Primal solution values
None

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
""",
    ("mps", "HiGHS, sparse"): """\
Model status
Infeasible

# Primal solution values
None

# Dual solution values
None
""",
    ("mps", "SCIP"): """\
solution status: infeasible
no solution available
""",
    ("dlx", "dlx1"): """\
(6 options, 12+0 items, 24 entries successfully read)
Altogether 0 solutions, 738+23 mems, 1 updates, 800 bytes, 1 nodes, ccost 57%.
""",
    ("asp", "clingo 0"): """\
clingo version 5.4.1
Reading from u.asp
Solving...
UNSATISFIABLE

Models       : 0
Calls        : 1
Time         : 0.001s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)
CPU Time     : 0.001s
""",
    ("asp", "clingo --outf=2"): """\
{
  "Solver": "clingo version 5.4.1",
  "Input": [
    "u.asp"
  ],
  "Call": [
    {

    }
  ],
  "Result": "UNSATISFIABLE",
  "Models": {
    "Number": 0,
    "More": "no"
  },
  "Calls": 1,
  "Time": {
    "Total": 0.001,
    "Solve": 0.000,
    "Model": 0.000,
    "Unsat": 0.000,
    "CPU": 0.001
  }
}
""",
    ("asp", "clingo --outf=1"): """\
% clingo version 5.4.1
% Reading from u.asp
% Solving...
INCONSISTENT
%
% Models         : 0
% Calls          : 1
% Time           : 0.001s (Solving: 0.00s 1st Model: 0.00s Unsat: 0.00s)
% CPU Time       : 0.001s
""",
    ("xcsp3", "ACE"): """\

ACE v2.6

  instance
    name:u
    args:u.xml -s=all -npc -xe

 ...Parsing u.xml

 ...Loading variables

 ...Loading constraints

  domains
    types:1  values:8  sizes:[2:4]
  variables
    count:4  arrays:[x:4]  degrees:[2:2,3:2]
  constraints
    count:6  specific:6  groups:2  arities:[1:2,2:4]
    unary:[Extension1:2]
    non_unary:[Sub2NE:4]
    wck:0.84  cpu:0.586  mem:6M575

 ...Building solver

  solver
    decoder:Decoder1
    wck:0.02  cpu:0.608  mem:11M944

  preprocessing
    effs:5  entailed:5  values:4  singletons:4  unsat:true
    cpu:0.609  mem:11M944

  search

  global
    effs:5
    stop:FULL_EXPLORATION
    wck:0.02  cpu:0.609  mem:11M944

s UNSATISFIABLE

d FOUND SOLUTIONS  0

d WRONG DECISIONS  0  (0.00 wrg/s)

d CPU        0.61

d COMPLETE EXPLORATION
""",
    ("cpmpy", "the program itself"): _NO_GRIDS,
    ("dzn", "minizinc"): _NO_GRIDS,
}
