"use strict";
/* The puzzle of the page: its cells, its rules, and what follows from them. Nothing here draws.

   The data are what render/cube_page.py says: `name`, `side` (which is also the number of values), `boxes`, `givens` and
   `solution` (or null), a value a cell; `candidates` (or null), a number a cell whose bit v - 1 stands for value v; and
   `rules`, each with its `name` and `unitOf`, which has for each cell the number of its unit, or -1. */

const AXES = ["x", "y", "z"];

/* Rules in the order of the colours and patterns that they have on every board. */
const LOOKS = ["row-x", "row-y", "row-z", "box-xy", "box-xz", "box-yz"];

/* Return the puzzle, each rule of which gets its `units` besides, lists of cells, and its `look`. */
function readPuzzle(data) {
  const rules = data.rules.map((rule, number) => {
    const units = [];
    rule.unitOf.forEach((unit, cell) => { if (unit >= 0) (units[unit] ??= []).push(cell); });
    const look = LOOKS.indexOf(rule.name);
    return { ...rule, units, look: look < 0 ? number % LOOKS.length : look };
  });
  return { ...data, rules, cells: data.givens.length };
}

function coordinatesOf(puzzle, cell) {
  const { side } = puzzle;
  return [Math.floor(cell / (side * side)), Math.floor(cell / side) % side, cell % side];
}

function cellAt(puzzle, [x, y, z]) {
  return (x * puzzle.side + y) * puzzle.side + z;
}

function cellName(puzzle, cell) {
  return coordinatesOf(puzzle, cell).map((at, axis) => AXES[axis] + at).join("");
}

/* The units of a cell under the rules that are on, each with the look of its rule. */
function unitsOf(puzzle, cell, rulesOn) {
  const units = [];
  puzzle.rules.forEach((rule, number) => {
    const unit = rule.unitOf[cell];
    if (rulesOn[number] && unit >= 0) units.push({ look: rule.look, cells: rule.units[unit] });
  });
  return units;
}

/* For each cell a number whose bit k is set where it shares a unit of a rule of look k with the cell, which itself has 0. */
function rulesShared(puzzle, cell, rulesOn) {
  const shared = new Uint32Array(puzzle.cells);
  if (cell === null) return shared;
  for (const { look, cells } of unitsOf(puzzle, cell, rulesOn)) {
    for (const other of cells) shared[other] |= 1 << look;
  }
  shared[cell] = 0;
  return shared;
}

/* What a cell holds as it is shown: whether it is a given, its value or 0, and its candidates as bits, or 0. */
function heldBy(puzzle, cell, show) {
  const given = puzzle.givens[cell];
  if (given) return show.givens ? { given: true, value: given, candidates: 0 } : { given: false, value: 0, candidates: 0 };
  if (show.solution && puzzle.solution) return { given: false, value: puzzle.solution[cell], candidates: 0 };
  return { given: false, value: 0, candidates: show.candidates && puzzle.candidates ? puzzle.candidates[cell] : 0 };
}

function valuesIn(bits) {
  const values = [];
  for (let value = 1; bits >> (value - 1); value++) if (bits >> (value - 1) & 1) values.push(value);
  return values;
}

/* The cells whose value is in one of their units twice, under the rules that are on. */
function clashingCells(puzzle, held, rulesOn) {
  const clashing = new Set();
  puzzle.rules.forEach((rule, number) => {
    if (!rulesOn[number]) return;
    for (const unit of rule.units) {
      const first = new Map();
      for (const cell of unit) {
        const { value } = held[cell];
        if (value && first.has(value)) clashing.add(cell).add(first.get(value));
        else first.set(value, cell);
      }
    }
  });
  return clashing;
}

/* A layer of the cube, as drawLayer takes it, and as the drawings in text have it: the earlier of the other two axes goes
   down, the later across, and borders are those of the boxes in that plane. */
function layerAt(puzzle, axis, index) {
  const [down, across] = [0, 1, 2].filter(other => other !== axis);
  const steps = Array.from({ length: puzzle.side }, (_, step) => step);
  const cells = steps.map(row => steps.map(column => {
    const at = [0, 0, 0];
    [at[axis], at[down], at[across]] = [index, row, column];
    return cellAt(puzzle, at);
  }));
  const boxes = puzzle.rules.find(rule => rule.name === `box-${AXES[down]}${AXES[across]}`);
  const regions = cells.map(row => row.map(cell => boxes ? boxes.unitOf[cell] : 0));
  return {
    title: `${AXES[axis]} = ${index} (${AXES[down]} down, ${AXES[across]} across)`, axis, index, down, across, cells, regions,
    values: puzzle.side,
  };
}
