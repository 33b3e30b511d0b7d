"use strict";
/* What of the cube is seen: a tile for each cell as its state asks, and frames around the units of the chosen cell. */

const SIZES = { value: 0.9, candidates: 0.86, blank: 0.26, litBlank: 0.66 };
const GHOST = { face: 0.05, ink: 0.16 };
// How much of the chosen cell is seen through what is before it.
const SHINE = 0.6;
// Of the bars of frames, as a part of the cube's side.
const FRAME_THICKNESS = 0.0075;
const ALL_COVERED = 63;

/* The colours of the page as CSS has them, as numbers from 0 to 1. */
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const colour = name => {
    const bits = parseInt(style.getPropertyValue(name).trim().slice(1), 16);
    return [bits >> 16, bits >> 8 & 255, bits & 255].map(part => part / 255);
  };
  return {
    rules: LOOKS.map((_, look) => colour(`--rule-${look}`)),
    ground: colour("--page"), clash: colour("--removed"), picked: colour("--chosen"), pickedInk: colour("--chosen-ink"),
    given: colour("--tile-given"), givenInk: colour("--given"), filled: colour("--tile-filled"), filledInk: colour("--filled"),
    candidates: colour("--tile-candidates"), candidatesInk: colour("--text"), blank: colour("--tile-blank"),
    lit: colour("--tile-lit"),
  };
}

/* Say how the tile of a cell looks, or null where it is not drawn. */
function tileOf(cell, state, shown, theme) {
  const held = shown.held[cell], rules = shown.shared[cell];
  const at = coordinatesOf(state.puzzle, cell)[state.axis];
  const cutAway = at < state.from || at > state.to;
  if (cutAway && state.hideCut) return null;
  const chosen = cell === state.chosen, lit = chosen || rules > 0;
  const ghost = cutAway || (state.fadeOthers && state.chosen !== null && !lit);
  const kind = held.value ? "value" : held.candidates ? "candidates" : "blank";
  if (ghost && kind === "blank") return null;
  let marks = 0;
  if (held.given) marks |= MARK.bold;
  if (chosen && !cutAway) marks |= MARK.chosen;
  if (shown.clashing.has(cell)) marks |= MARK.clash;
  if (lit && !cutAway) marks |= MARK.lit;
  const [face, ink] = coloursOf(kind, held, chosen, lit, theme);
  return {
    cell, ghost, ink, marks, face, value: held.value, candidates: held.candidates,
    size: chosen ? SIZES.value : lit && kind === "blank" ? SIZES.litBlank : SIZES[kind],
    rules: cutAway ? 0 : rules,
  };
}

function coloursOf(kind, held, chosen, lit, theme) {
  if (chosen) return [theme.picked, theme.pickedInk];
  if (kind === "blank") return [lit ? theme.lit : theme.blank, theme.givenInk];
  if (kind === "candidates") return [lit ? theme.lit : theme.candidates, theme.candidatesInk];
  // Blue digits are hard to read on patterns; givens are bold besides.
  if (lit) return [theme.lit, theme.givenInk];
  return held.given ? [theme.given, theme.givenInk] : [theme.filled, theme.filledInk];
}

/* Lay out all tiles, in the sets that `startDrawing` takes, and where each can be clicked. */
function buildScene(state, shown, theme) {
  const { puzzle } = state;
  const sets = {
    plain: newTiles(puzzle.cells), rich: newTiles(puzzle.cells + 12 * puzzle.rules.length), core: newTiles(puzzle.cells),
    clear: newTiles(puzzle.cells), through: newTiles(1),
  };
  const targets = [];
  const tiles = Array.from({ length: puzzle.cells }, (_, cell) => tileOf(cell, state, shown, theme));
  for (const tile of tiles) if (tile) tile.covered = coveredFaces(puzzle, tile, tiles);
  for (const tile of tiles) {
    if (!tile) continue;
    const middle = placeOf(puzzle, coordinatesOf(puzzle, tile.cell)), size = Array(3).fill(tile.size);
    // A small tile is as easy to hit as a larger one.
    targets.push({ cell: tile.cell, middle, half: Math.max(tile.size, 0.5) / 2, ghost: tile.ghost });
    const set = setOf(puzzle, tile, tiles);
    if (set) addTile(sets[set], middle, size, { ...tile, marks: tile.marks | tile.covered * COVERED });
    if (tile.marks & MARK.chosen) addTile(sets.through, middle, size, { ...tile, alpha: SHINE });
  }
  if (state.chosen !== null) addFrames(sets.rich, state, theme);
  return { sets, targets };
}

/* The set that a tile belongs to, or null where it need not be drawn. */
function setOf(puzzle, tile, tiles) {
  if (tile.covered === ALL_COVERED) {
    // Through gaps one sees no deeper than the tiles behind the outermost; clear ones inside would dim the view.
    const isSecond = neighboursOf(puzzle, tile.cell).some(({ cell }) => tiles[cell].covered !== ALL_COVERED);
    return isSecond && !tile.ghost ? "core" : null;
  }
  if (tile.ghost) return "clear";
  return tile.candidates || tile.rules || tile.marks & (MARK.chosen | MARK.clash) ? "rich" : "plain";
}

/* Say in front of which faces of a large tile there is another large one, a bit each, in the order of `buildBlock`. A tile
   that hides others is not covered by a clear one. */
function coveredFaces(puzzle, tile, tiles) {
  const large = other => other && other.size > SIZES.litBlank && (tile.ghost || !other.ghost);
  if (!large(tile)) return 0;
  let covered = 0;
  for (const { cell, face } of neighboursOf(puzzle, tile.cell)) if (large(tiles[cell])) covered |= 1 << face;
  return covered;
}

/* The cells beside a cell, and behind which face of it each is, in the order of `buildBlock`. */
function neighboursOf(puzzle, cell) {
  const at = coordinatesOf(puzzle, cell), neighbours = [];
  for (const axis of [0, 1, 2]) {
    for (const step of [-1, 1]) {
      const index = at[axis] + step;
      if (index < 0 || index >= puzzle.side) continue;
      // Space's axes are z, -y and -x.
      const towards = axis === 2 ? step > 0 : step < 0;
      neighbours.push({ cell: cellAt(puzzle, at.with(axis, index)), face: 2 * (2 - axis) + towards });
    }
  }
  return neighbours;
}

function newTiles(room) {
  const bytes = new Uint8Array(room * STRIDE);
  return { bytes, numbers: new DataView(bytes.buffer), words: new Uint32Array(bytes.buffer), middles: [], count: 0 };
}

function addTile(tiles, middle, size, look) {
  const { face, ink, ghost = false, alpha = 1, value = 0, candidates = 0, rules = 0, marks = 0 } = look;
  const start = tiles.count++ * STRIDE;
  tiles.middles.push(middle);
  middle.forEach((number, at) => tiles.numbers.setFloat32(start + 4 * at, number, true));
  size.forEach((number, at) => tiles.numbers.setFloat32(start + 12 + 4 * at, number, true));
  tiles.bytes.set([...face, ghost ? GHOST.face : alpha].map(part => Math.round(part * 255)), start + 24);
  tiles.bytes.set([...ink, ghost ? GHOST.ink : alpha].map(part => Math.round(part * 255)), start + 28);
  [value, candidates, rules, marks].forEach((number, at) => tiles.numbers.setUint32(start + 32 + 4 * at, number, true));
}

/* Put twelve bars around each unit of the chosen cell. Units of cubes are blocks, so that their ends say where they are. */
function addFrames(tiles, { puzzle, chosen, rulesOn }, theme) {
  for (const { look, cells } of unitsOf(puzzle, chosen, rulesOn)) {
    const thickness = FRAME_THICKNESS * puzzle.side;
    const places = cells.map(cell => placeOf(puzzle, coordinatesOf(puzzle, cell)));
    // Frames of two rules that share an edge are side by side.
    const room = 0.51 + 0.02 * (LOOKS.length - look);
    const low = [0, 1, 2].map(axis => Math.min(...places.map(place => place[axis])) - room);
    const high = [0, 1, 2].map(axis => Math.max(...places.map(place => place[axis])) + room);
    const bar = { face: theme.rules[look], ink: theme.rules[look], marks: MARK.plain | MARK.lit };
    for (const axis of [0, 1, 2]) {
      const [u, v] = [0, 1, 2].filter(other => other !== axis);
      for (const [one, other] of [[low, low], [low, high], [high, low], [high, high]]) {
        const middle = [0, 0, 0], size = [thickness, thickness, thickness];
        middle[axis] = (low[axis] + high[axis]) / 2;
        [middle[u], middle[v]] = [one[u], other[v]];
        size[axis] = high[axis] - low[axis] + thickness;
        addTile(tiles, middle, size, bar);
      }
    }
  }
}

/* Return the tiles from the nearest to the farthest, which spares drawing what is hidden; clear ones the other way. */
function sortTiles(tiles, view, sign) {
  const near = tiles.middles.map(middle => sign * dot(view.back, middle));
  const order = near.map((_, at) => at).sort((a, b) => near[b] - near[a]);
  const sorted = newTiles(tiles.count), words = STRIDE / 4;
  order.forEach((from, to) => sorted.words.set(tiles.words.subarray(from * words, (from + 1) * words), to * words));
  return { ...sorted, count: tiles.count };
}

/* The cell under a point of the screen, or null. What hides others is hit before what is clear. */
function cellUnder(targets, view, x, y) {
  const ray = rayThrough(view, x, y);
  let best = null;
  for (const { cell, middle, half, ghost } of targets) {
    const distance = hitDistance(view.eye, ray, middle, half);
    if (distance === null) continue;
    const rank = distance + (ghost ? 1e6 : 0);
    if (!best || rank < best.rank) best = { cell, rank };
  }
  return best && best.cell;
}
