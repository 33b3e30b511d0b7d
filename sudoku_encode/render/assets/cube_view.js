"use strict";
/* The cube on its canvas: draws it when something has changed, and turns it by mouse, touch and keys. */

const TURN_PER_PIXEL = 0.009, TURN_PER_KEY = Math.PI / 12;
const NEAREST = 6, FARTHEST = 0.6;
// A press that moves less is a click.
const CLICK_PIXELS = 5;
// Pixels of the canvas to one of the page, which smooths edges. While the cube turns there are fewer, as many as keep a
// frame within its time; when it has been still for a moment it is drawn finely.
const FINEST = 2, COARSEST = 0.6, FRAME_MS = 40, STILL_MS = 120;

/* Show the cube; return what others may do with it, or null where there is no WebGL.

   `choose(cell)` is called when a cell is clicked, `press(key)` for keys that do not turn the cube, and `available(can)`
   when the browser takes WebGL away or gives it back. */
function startCube(canvas, labels, puzzle, { choose, press, available }) {
  let drawFrame = startDrawing(canvas, puzzle.side);
  if (!drawFrame) return null;
  const goal = { ...HOME, target: [0, 0, 0] };
  const camera = { ...HOME, target: [0, 0, 0] };
  const radius = Math.hypot(...halfExtent(puzzle)) * 1.05;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let scene = null, theme = readTheme(), state = null, shown = null, view = null;
  // Whether a frame is asked for, when the last one was, how fine frames are, and the timer of the fine one.
  let waiting = false, last = 0, density = 1, still = 0;

  function draw(pixels) {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!scene || !width) return;
    const [wide, high] = [Math.round(width * pixels), Math.round(height * pixels)];
    if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
    view = viewOf(camera, radius, width, height);
    const { plain, rich, core, clear, through } = scene.sets;
    drawFrame(view, theme, {
      plain: sortTiles(plain, view, 1), rich: sortTiles(rich, view, 1), core, clear: sortTiles(clear, view, -1), through,
    });
    placeLabels(labels, puzzle, view);
  }

  /* Go a part of the way to where the camera is to be; say whether it has arrived. */
  function approach(part) {
    let far = 0;
    for (const name of ["yaw", "pitch", "zoom"]) {
      camera[name] += (goal[name] - camera[name]) * part;
      far = Math.max(far, Math.abs(goal[name] - camera[name]));
    }
    camera.target = camera.target.map((value, axis) => value + (goal.target[axis] - value) * part);
    far = Math.max(far, ...camera.target.map((value, axis) => Math.abs(goal.target[axis] - value) * 0.05));
    return far < 0.002;
  }

  function frame(now) {
    waiting = false;
    const arrived = approach(calm.matches ? 1 : 0.3);
    if (arrived) approach(1);
    if (last) density = Math.max(COARSEST, Math.min(FINEST, density * Math.min(Math.sqrt(FRAME_MS / (now - last)), 1.1)));
    last = arrived ? 0 : now;
    draw(density);
    if (arrived) still = setTimeout(() => draw(FINEST), STILL_MS);
    else redraw();
  }

  function redraw() {
    clearTimeout(still);
    if (!waiting) requestAnimationFrame(frame);
    waiting = true;
  }

  function turn(yaw, pitch) {
    goal.yaw += yaw;
    goal.pitch = Math.max(-STEEPEST, Math.min(STEEPEST, goal.pitch + pitch));
    redraw();
  }

  function zoom(factor) {
    goal.zoom = Math.max(FARTHEST, Math.min(NEAREST, goal.zoom * factor));
    redraw();
  }

  function update(newState, newShown) {
    [state, shown] = [newState, newShown];
    goal.target = state.chosen === null ? [0, 0, 0] : placeOf(puzzle, coordinatesOf(puzzle, state.chosen));
    scene = buildScene(state, shown, theme);
    redraw();
  }

  function reset() {
    // The shortest way round.
    camera.yaw -= 2 * Math.PI * Math.round((camera.yaw - HOME.yaw) / (2 * Math.PI));
    Object.assign(goal, HOME);
    redraw();
  }

  /* Be where the camera was to go, and draw it now, so that the canvas can be read in the same task. */
  function settle() {
    approach(1);
    draw(FINEST);
  }

  const cube = { turn, zoom, update, reset, settle, redraw };
  cube.positionOf = cell => project(view, placeOf(puzzle, coordinatesOf(puzzle, cell)));
  cube.cellAt = (x, y) => cellUnder(scene.targets, view, x, y);
  cube.readTheme = () => { theme = readTheme(); if (state) update(state, shown); };
  cube.tiles = () => ({ solid: scene.targets.filter(tile => !tile.ghost).map(tile => tile.cell),
                        clear: scene.targets.filter(tile => tile.ghost).map(tile => tile.cell) });
  canvas.addEventListener("webglcontextlost", event => {
    // It is given back only to a page that says so.
    event.preventDefault();
    available(false);
  });
  canvas.addEventListener("webglcontextrestored", () => {
    drawFrame = startDrawing(canvas, puzzle.side);
    available(true);
  });
  takePointers(canvas, cube, choose);
  takeKeys(canvas, cube, press);
  new ResizeObserver(redraw).observe(canvas);
  return cube;
}

/* One pointer turns the cube, two zoom it; a press that stays where it is chooses a cell. */
function takePointers(canvas, cube, choose) {
  const pointers = new Map();
  let moved = 0;
  const apart = () => {
    const [one, other] = [...pointers.values()];
    return Math.hypot(one.x - other.x, one.y - other.y);
  };
  canvas.addEventListener("pointerdown", event => {
    if (!pointers.size) moved = 0;
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  });
  canvas.addEventListener("pointermove", event => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = pointers.size === 2 ? apart() : 0;
    const [right, down] = [event.offsetX - last.x, event.offsetY - last.y];
    pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    moved += Math.hypot(right, down);
    if (pointers.size === 2) cube.zoom(apart() / Math.max(before, 1));
    else if (moved > CLICK_PIXELS) cube.turn(-right * TURN_PER_PIXEL, down * TURN_PER_PIXEL);
  });
  const lift = event => {
    const single = pointers.size === 1 && pointers.delete(event.pointerId);
    pointers.delete(event.pointerId);
    if (single && event.type === "pointerup" && moved <= CLICK_PIXELS) choose(cube.cellAt(event.offsetX, event.offsetY));
    // After two fingers the one that stays does not click.
    if (!single) moved = CLICK_PIXELS + 1;
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    cube.zoom(Math.exp(-event.deltaY * 0.0015));
  }, { passive: false });
}

function takeKeys(canvas, cube, press) {
  const actions = {
    ArrowLeft: () => cube.turn(-TURN_PER_KEY, 0), ArrowRight: () => cube.turn(TURN_PER_KEY, 0),
    ArrowUp: () => cube.turn(0, TURN_PER_KEY), ArrowDown: () => cube.turn(0, -TURN_PER_KEY),
    "+": () => cube.zoom(1.25), "=": () => cube.zoom(1.25), "-": () => cube.zoom(0.8),
    "0": () => cube.reset(), Home: () => cube.reset(),
  };
  canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actions[event.key];
    if (action) action();
    if (action || press(event.key)) event.preventDefault();
  });
}
