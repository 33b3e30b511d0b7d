"use strict";
/* The board as it is after each step. A step says what changes, so a board is made from the one before it; after a fixed
   number of steps one is kept, from which the steps between are made anew when one jumps to them.

   A board is { values, candidates, guesses }: the value of each cell, 0 for none; the candidates of each cell, null where
   they are not known; and the guesses that stand, each with the candidates as they were before it. The lists of
   candidates are never changed but replaced, so that copies of a board share them. */

const KEEP_EVERY = 250;

function startBoard(data) {
  return { values: data.givens.slice(), candidates: data.givens.map(() => null), guesses: [] };
}

function copyBoard(board) {
  return { values: board.values.slice(), candidates: board.candidates.slice(), guesses: board.guesses.slice() };
}

/* Change a board as a step does; `number` is that of the step, from 1. */
function applyStep(board, step, number) {
  for (const [cell, values] of step.candidates || []) board.candidates[cell] = values;
  // A value that a cell holds is taken out of it; any other value that goes is a candidate.
  const isHeld = ([cell, value]) => board.values[cell] === value;
  const [taken, dropped] = [(step.removes || []).filter(isHeld), (step.removes || []).filter(pair => !isHeld(pair))];
  takeOut(board, taken);
  if (step.kind === "guess") {
    const candidates = board.candidates.slice();
    for (const [cell, value] of step.places) board.guesses.push({ cell, value, candidates, number });
  }
  for (const [cell, value] of dropped) dropCandidate(board, cell, value);
  for (const [cell, value] of step.places || []) board.values[cell] = value;
  if (step.grid) setGrid(board, step.grid);
}

/* Take values out of their cells, and undo the guesses among them. */
function takeOut(board, taken) {
  let firstUndone = board.guesses.length;
  for (const [cell, value] of taken) {
    board.values[cell] = 0;
    const at = board.guesses.findIndex(guess => guess.cell === cell && guess.value === value);
    if (at >= 0) firstUndone = Math.min(firstUndone, at);
  }
  if (firstUndone === board.guesses.length) return;
  // What a guess ruled out comes back, but for the value that was tried: it is done with.
  const undone = board.guesses[firstUndone];
  board.candidates = undone.candidates.slice();
  board.guesses.length = firstUndone;
  dropCandidate(board, undone.cell, undone.value);
}

function dropCandidate(board, cell, value) {
  if (board.candidates[cell]) board.candidates[cell] = board.candidates[cell].filter(other => other !== value);
}

/* A method that goes on to another grid has left its guesses. */
function setGrid(board, grid) {
  if (grid.some((value, cell) => value !== board.values[cell])) {
    board.values = grid.slice();
    board.guesses = [];
  }
}

/* Return a function from a number of steps to the board after them, and for each step the numbers of the guesses that
   stand after it. */
function playedBoards(data) {
  const kept = [startBoard(data)];
  const board = copyBoard(kept[0]);
  const standing = [[]];
  data.steps.forEach((step, at) => {
    applyStep(board, step, at + 1);
    standing.push(board.guesses.length ? board.guesses.map(guess => guess.number) : standing[0]);
    if ((at + 1) % KEEP_EVERY === 0) kept.push(copyBoard(board));
  });
  const boardAfter = number => {
    const from = Math.floor(number / KEEP_EVERY);
    const made = copyBoard(kept[from]);
    for (let at = from * KEEP_EVERY; at < number; at++) applyStep(made, data.steps[at], at + 1);
    return made;
  };
  return { boardAfter, standing };
}
