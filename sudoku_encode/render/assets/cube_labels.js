"use strict";
/* The numbers of the layers along three edges of the cube, and the names of the axes. They are text of the page, over the
   canvas, so that they are sharp at any size. */

// Where there is less room for each number, not every layer has one.
const LABEL_PIXELS = 19;
// How far outside of the cube they are, as a part of its size.
const NUMBERS_OUT = 1.075, NAMES_OUT = 1.2;

/* Put the labels where a view has them. `holder` lies over the canvas; what is in it is made once and then moved. */
function placeLabels(holder, puzzle, view) {
  if (!holder.children.length) holder.append(...AXES.flatMap(axis => newLabels(axis, puzzle.side)));
  const half = halfExtent(puzzle).map(value => value * NUMBERS_OUT);
  AXES.forEach((_, axis) => {
    // Space's first axis is z, its second y, its third x.
    const along = 2 - axis;
    const edge = outlineEdge(along, half, view);
    const [start, end] = [-half[along], half[along]].map(place => project(view, edge.with(along, place)));
    const every = Math.ceil(LABEL_PIXELS * puzzle.side / Math.hypot(start.x - end.x, start.y - end.y));
    const [name, ...numbers] = [...holder.children].slice(axis * (puzzle.side + 1), (axis + 1) * (puzzle.side + 1));
    moveTo(name, project(view, edge.map(place => place * NAMES_OUT / NUMBERS_OUT)));
    numbers.forEach((number, index) => {
      number.hidden = index % every > 0;
      moveTo(number, project(view, edge.with(along, placeOf(puzzle, [index, index, index])[along])));
    });
  });
}

function newLabels(axis, side) {
  return [axis, ...Array(side).keys()].map(text => {
    const label = document.createElement("span");
    label.textContent = text;
    label.className = text === axis ? "axis" : "";
    return label;
  });
}

function moveTo(label, { x, y }) {
  label.style.transform = `translate(-50%, -50%) translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
}

/* Of the four edges along an axis of space, the lowest of those where a face that is seen meets one that is not; of upright
   edges the one at the left. */
function outlineEdge(axis, half, view) {
  const [u, v] = [0, 1, 2].filter(other => other !== axis);
  const edges = [];
  for (const one of [-1, 1]) {
    for (const other of [-1, 1]) {
      const middle = [0, 0, 0];
      [middle[u], middle[v]] = [one * half[u], other * half[v]];
      const seen = (one * view.back[u] > 0) !== (other * view.back[v] > 0);
      const { x, y } = project(view, middle);
      edges.push({ middle, rank: (seen ? 0 : 1e6) - y - (axis === 1 ? -x * 3 : 0) });
    }
  }
  return edges.sort((a, b) => a.rank - b.rank)[0].middle;
}
