"use strict";
/* The board of the player, with what a step does to it, and the piles of the block world. */

/* Draw all layers into a place; the function that is returned shows what each cell holds, and draws only what changes. */
function drawBoards(data, place) {
  const groups = new Map(), drawn = new Map();
  const figures = data.layers.map(layer => {
    const figure = document.createElement("figure");
    const drawing = drawLayer(layer, () => ({}));
    for (const group of drawing.querySelectorAll("[data-cell]")) {
      const cell = Number(group.dataset.cell);
      groups.set(cell, group);
      group.setAttribute("aria-label", data.names[cell]);
    }
    if (layer.title) figure.append(element("figcaption", "", layer.title));
    figure.append(drawing);
    return { figure, cells: new Set(layer.cells.flat()) };
  });
  place.append(...figures.map(one => one.figure));
  return (contents, onlyWith) => {
    contents.forEach((content, cell) => {
      const key = JSON.stringify(content);
      if (drawn.get(cell) === key || !groups.has(cell)) return;
      drawn.set(cell, key);
      drawCell(groups.get(cell), content, data.values);
    });
    for (const { figure, cells } of figures) figure.hidden = onlyWith !== null && !onlyWith.some(cell => cells.has(cell));
    // The fewer layers are seen the larger they are.
    const seen = figures.filter(({ figure }) => !figure.hidden).length;
    place.classList.toggle("many", seen > 1);
    place.classList.toggle("few", seen > 1 && seen <= 4);
  };
}

/* What each cell holds: before a step, after it, or after it with all that it did still to be seen. */
function contentsOf(data, before, after, step, view) {
  const board = view === "before" ? before : after;
  const contents = board.values.map((value, cell) => ({
    given: value > 0 && data.givens[cell] === value, value, candidates: board.candidates[cell], classes: [],
  }));
  if (!step) return contents;
  for (const cell of step.unit || []) contents[cell].classes.push("unit");
  for (const cell of step.because || []) contents[cell].classes.push("reason");
  if (view === "marked") markChanges(contents, before, step);
  return contents;
}

function markChanges(contents, before, step) {
  for (const [cell, value] of step.removes || []) {
    const content = contents[cell];
    content.removed = [...(content.removed || []), value];
    // A value that is taken out is shown where it was, unless another has its place.
    if (before.values[cell] === value && !content.value) content.value = value;
  }
  for (const [cell, value] of step.places || []) contents[cell].placed = [value];
  if (step.grid) {
    contents.forEach((content, cell) => {
      if (content.value && before.values[cell] !== content.value) content.placed = [content.value];
    });
  }
}

/* All cells that a step is about. */
function cellsOf(step) {
  const pairs = [...(step.places || []), ...(step.removes || [])];
  return [...(step.because || []), ...(step.unit || []), ...pairs.map(([cell]) => cell)];
}

/* The piles outside the board: of each number as many boxes as there are cells to fill with it. */
function drawPiles(data, place) {
  const each = data.givens.length / data.values, inner = element("div");
  place.append(inner);
  return (board, step) => {
    const moved = new Set([...(step?.places || []), ...(step?.removes || [])].map(([, value]) => value));
    const piles = Array.from({ length: data.values }, (_, at) => {
      const value = at + 1, left = each - board.values.filter(other => other === value).length;
      const pile = element("li", moved.has(value) ? "moved" : "");
      pile.setAttribute("aria-label", `${Math.max(0, left)} boxes of ${value}${moved.has(value) ? "; the robot is here" : ""}`);
      pile.append(element("span", "robot", moved.has(value) ? "▼" : ""));
      for (let block = 0; block < left; block++) pile.append(element("span", "block", value));
      pile.append(element("span", "under", `${Math.max(0, left)}`));
      return pile;
    });
    const list = element("ul", "piles");
    list.append(...piles);
    const robot = step?.robot ? `Robot ${step.robot} ${step.removes ? "takes a box back" : "puts a box"}.` : "";
    inner.replaceChildren(list, element("p", "", robot || "No robot moves."));
  };
}

function element(name, classes = "", text = "") {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  if (text !== "") made.textContent = text;
  return made;
}
