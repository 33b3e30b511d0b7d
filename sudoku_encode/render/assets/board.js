"use strict";
/* Squares of a board as SVG: the board itself, a layer of a cube, or a face of a surface.

   A layer is what `layers` in render/text.py says, as JSON: its title; `cells`, rows of the numbers of its cells, -1 for
   none; `regions`, rows of numbers, where a thick border goes between cells of different ones; and `values`, how many
   values there are, where that is not the length of a row.

   What a cell holds is an object of these, each of which may be left out:
     given       its value is a given, and bold
     value       the value in it, 0 for none
     candidates  the values that are drawn small, each in its place, where it has no value
     removed     values that go: they are struck out, whether small or large
     placed      values that are put in: they have a ring
     classes     names for the whole cell: picked, peer, reason, unit */

const SVG = "http://www.w3.org/2000/svg";
/* A cell is 1 x 1 for those who place things on a board, but drawn as 100 x 100, since browsers round tiny sizes of letters. */
const CELL_SIZE = 100;

/* Draw a layer. `content(cell)` says what each cell holds; `drawCell` draws a single one anew. */
function drawLayer(layer, content) {
  const rows = layer.cells.length, columns = layer.cells[0].length;
  const drawing = svgElement("svg", {
    class: "layer", viewBox: `-0.06 -0.06 ${columns + 0.12} ${rows + 0.12}`, role: "group", "aria-label": layer.title || "board",
  });
  const values = layer.values || columns;
  layer.cells.forEach((row, y) => row.forEach((cell, x) => {
    if (cell < 0) return;
    const group = svgElement("g", { "data-cell": cell, transform: `translate(${x} ${y}) scale(${1 / CELL_SIZE})` });
    drawCell(group, content(cell) || {}, values);
    drawing.append(group);
  }));
  drawing.append(...borders(layer));
  return drawing;
}

/* Draw in the group of a cell what it holds, in place of what is there. */
function drawCell(group, content, values) {
  const { given = false, value = 0, candidates = null, removed = [], placed = [], classes = [] } = content;
  group.setAttribute("class", ["cell", given ? "given" : "", ...classes].filter(Boolean).join(" "));
  const drawn = [
    svgElement("rect", { class: "back", width: CELL_SIZE, height: CELL_SIZE }),
    // Lines tell cells apart for those who do not see the colours.
    svgElement("rect", { class: "frame", x: 6, y: 6, width: CELL_SIZE - 12, height: CELL_SIZE - 12, rx: 4 }),
  ];
  if (value) drawn.push(...largeDigit(value, removed.includes(value), placed.includes(value)));
  else drawn.push(...smallDigits(candidates || [], removed, placed, values));
  group.replaceChildren(...drawn);
}

function largeDigit(value, isRemoved, isPlaced) {
  const size = [66, 66, 52, 38][Math.min(String(value).length, 3)];
  const middle = CELL_SIZE / 2;
  const parts = [digit(value, middle, middle, size, kind("value", isRemoved, isPlaced))];
  if (isPlaced) parts.unshift(svgElement("circle", { class: "ring", cx: middle, cy: middle, r: 41 }));
  if (isRemoved) parts.push(strike(middle, middle, 34, 8));
  return parts;
}

/* A candidate that is removed or placed is drawn even where it is not among the candidates any more. */
function smallDigits(candidates, removed, placed, values) {
  const shown = [...new Set([...candidates, ...removed, ...placed])];
  const across = Math.ceil(Math.sqrt(values)), down = Math.ceil(values / across);
  const wide = (CELL_SIZE - 10) / across, high = (CELL_SIZE - 10) / down;
  const size = Math.min(wide, high) * (values > 9 ? 0.8 : 0.95);
  return shown.flatMap(value => {
    const x = 5 + ((value - 1) % across + 0.5) * wide, y = 5 + (Math.floor((value - 1) / across) + 0.5) * high;
    const isRemoved = removed.includes(value), isPlaced = placed.includes(value);
    const parts = [digit(value, x, y, size, kind("candidate", isRemoved, isPlaced))];
    if (isPlaced) parts.unshift(svgElement("circle", { class: "ring", cx: x, cy: y, r: size * 0.58 }));
    if (isRemoved) parts.push(strike(x, y, size * 0.45, size * 0.14));
    return parts;
  });
}

function digit(value, x, y, size, classes) {
  // 0.36 of a letter's size is half the height of a digit, which stands on its baseline.
  const text = svgElement("text", { class: classes, x, y: y + size * 0.36, "font-size": size });
  text.textContent = value;
  return text;
}

function strike(x, y, half, width) {
  return svgElement("line", {
    class: "strike", x1: x - half, y1: y + half, x2: x + half, y2: y - half, "stroke-width": width,
  });
}

function kind(name, isRemoved, isPlaced) {
  return name + (isRemoved ? " removed" : "") + (isPlaced ? " placed" : "");
}

/* The lines around cells: thin ones, and over them thick ones where regions differ and at the edge. */
function borders(layer) {
  const rows = layer.cells.length, columns = layer.cells[0].length;
  const at = (y, x) => (layer.cells[y]?.[x] ?? -1) < 0 ? null : layer.regions[y][x];
  const lines = { thin: "", thick: "" };
  const add = (one, other, path) => {
    if (one !== null || other !== null) lines[one === other ? "thin" : "thick"] += path;
  };
  for (let y = 0; y <= rows; y++) {
    for (let x = 0; x <= columns; x++) {
      if (y < rows) add(at(y, x - 1), at(y, x), `M${x} ${y}v1`);
      if (x < columns) add(at(y - 1, x), at(y, x), `M${x} ${y}h1`);
    }
  }
  return Object.entries(lines).map(([name, path]) => svgElement("path", { class: name, d: path }));
}

function svgElement(name, attributes = {}) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
