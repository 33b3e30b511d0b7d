"use strict";
/* Layers of the cube as boards in SVG: the three through the chosen cell, and all of an axis. */

/* Show a layer in a holder; return the function that brings it up to date. Only cells that changed are drawn anew. */
function showLayer(holder, layer, { choose, press }) {
  const drawn = new Map();
  const svg = drawLayer(layer, () => ({}));
  const outlines = svgElement("g", { class: "outlines" });
  svg.append(outlines);
  const groups = new Map([...svg.querySelectorAll("[data-cell]")].map(group => [Number(group.dataset.cell), group]));
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("role", "application");
  svg.setAttribute("aria-label", `Layer ${layer.title}: arrow keys move the chosen cell`);
  svg.addEventListener("click", event => {
    const group = event.target.closest("[data-cell]");
    if (group) choose(Number(group.dataset.cell));
  });
  svg.addEventListener("keydown", event => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && press(event.key, layer)) event.preventDefault();
  });
  const caption = document.createElement("figcaption");
  caption.textContent = layer.title;
  holder.replaceChildren(caption, svg);

  return function update(state, shown) {
    for (const [cell, group] of groups) {
      const content = contentOf(cell, state, shown);
      const key = JSON.stringify(content);
      if (drawn.get(cell) !== key) drawCell(group, content, layer.values);
      drawn.set(cell, key);
    }
    outlines.replaceChildren(...outlinesOf(layer, state));
  };
}

/* What a cell holds, as drawLayer takes it. */
function contentOf(cell, state, shown) {
  const { given, value, candidates } = shown.held[cell];
  const classes = [];
  if (cell === state.chosen) classes.push("picked");
  else if (shown.shared[cell]) classes.push("peer");
  if (shown.clashing.has(cell)) classes.push("clash");
  return { given, value, candidates: valuesIn(candidates), classes };
}

/* A line around what is in this layer of each unit of the chosen cell. Units of cubes are blocks. */
function outlinesOf(layer, { puzzle, chosen, rulesOn }) {
  if (chosen === null) return [];
  const outlines = [];
  for (const { look, cells } of unitsOf(puzzle, chosen, rulesOn)) {
    const here = cells.map(cell => coordinatesOf(puzzle, cell)).filter(at => at[layer.axis] === layer.index);
    if (!here.length || (here.length === 1 && layer.index === coordinatesOf(puzzle, chosen)[layer.axis])) continue;
    const rows = here.map(at => at[layer.down]), columns = here.map(at => at[layer.across]);
    const [top, left] = [Math.min(...rows), Math.min(...columns)];
    const inset = 0.06 + 0.035 * look;
    outlines.push(svgElement("rect", {
      class: `outline rule-${look}`, x: left + inset, y: top + inset, rx: 0.12,
      width: Math.max(...columns) - left + 1 - 2 * inset, height: Math.max(...rows) - top + 1 - 2 * inset,
    }));
  }
  return outlines;
}

/* The three layers through the chosen cell; without one, the first of each axis. */
function startSlices(holders, puzzle, actions) {
  const shownAt = [null, null, null], updates = [];
  return function update(state, shown) {
    const at = state.chosen === null ? [0, 0, 0] : coordinatesOf(puzzle, state.chosen);
    at.forEach((index, axis) => {
      if (shownAt[axis] !== index) {
        // A keyboard's place is in the drawing that goes.
        const focused = holders[axis].contains(document.activeElement);
        updates[axis] = showLayer(holders[axis], layerAt(puzzle, axis, index), actions);
        if (focused) holders[axis].querySelector("svg").focus();
      }
      shownAt[axis] = index;
      updates[axis](state, shown);
    });
  };
}

/* All layers along the axis of the slider, without those that it cuts away. */
function startLayers(holder, puzzle, actions) {
  let shownAxis = null, views = [];
  return function update(state, shown) {
    if (state.view !== "layers") return;
    if (shownAxis !== state.axis) {
      views = Array.from({ length: puzzle.side }, (_, index) => {
        const figure = document.createElement("figure");
        return { figure, update: showLayer(figure, layerAt(puzzle, state.axis, index), actions) };
      });
      holder.replaceChildren(...views.map(({ figure }) => figure));
      shownAxis = state.axis;
    }
    views.forEach(({ figure, update: draw }, index) => {
      figure.hidden = index < state.from || index > state.to;
      if (!figure.hidden) draw(state, shown);
    });
  };
}
