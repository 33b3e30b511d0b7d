"use strict";
/* The page of a cube: its state, its controls, and what follows from a change. The other cube_*.js are its parts. */

function startPage() {
  const puzzle = readPuzzle(JSON.parse(byId("data").textContent));
  const state = {
    puzzle, chosen: null, axis: 0, from: 0, to: puzzle.side - 1, hideCut: false, fadeOthers: true, view: "cube",
    rulesOn: puzzle.rules.map(() => true),
    show: { givens: true, solution: puzzle.solution !== null, candidates: puzzle.candidates !== null },
  };
  let shown = null;
  const parts = [];

  function change(patch) {
    Object.assign(state, patch);
    shown = whatIsShown(state);
    for (const update of parts) update(state, shown);
  }

  const choose = cell => { if (cell !== null) change({ chosen: cell }); };
  const press = (key, layer = null) => pressed(key, layer, state, change);
  byId("app").hidden = false;
  const available = can => {
    allowCube(can);
    change({ view: can ? "cube" : "layers" });
  };
  const cube = cubeIfPossible(puzzle, { choose, press, available });
  if (!cube) {
    allowCube(false);
    state.view = "layers";
  }
  startControls(state, change, cube);
  if (cube) parts.push(cube.update);
  parts.push(
    startSlices([...document.querySelectorAll("#slices figure")], puzzle, { choose, press }),
    startLayers(byId("layers"), puzzle, { choose, press }),
    showControls, sayChosen, showLegend,
  );
  change({});
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => cube?.readTheme());
  return { state, change, cube, shown: () => shown };
}

/* A browser may say that it has WebGL, and then fail. */
function cubeIfPossible(puzzle, actions) {
  try {
    return startCube(byId("cube"), byId("labels"), puzzle, actions);
  } catch (error) {
    console.info(`WebGL failed, so that layers are shown: ${error}`);
    return null;
  }
}

function byId(id) {
  return document.getElementById(id);
}

/* What follows from the state: what each cell holds, which rules it shares with the chosen cell, and which cells clash. */
function whatIsShown({ puzzle, chosen, rulesOn, show }) {
  const held = Array.from({ length: puzzle.cells }, (_, cell) => heldBy(puzzle, cell, show));
  const shared = rulesShared(puzzle, chosen, rulesOn);
  const peers = [...shared.keys()].filter(cell => shared[cell]);
  return { held, shared, peers, clashing: clashingCells(puzzle, held, rulesOn) };
}

/* Do what a key means; say whether it means anything. In a layer, arrows move the chosen cell. */
function pressed(key, layer, state, change) {
  const { puzzle, chosen, from, to } = state;
  const move = (axis, step) => {
    const at = chosen === null ? [0, 0, 0] : coordinatesOf(puzzle, chosen);
    // The first press chooses a cell, or brings the chosen one into the layer that has the keyboard.
    if (layer && at[layer.axis] !== layer.index) at[layer.axis] = layer.index;
    else if (chosen !== null) at[axis] = Math.max(0, Math.min(puzzle.side - 1, at[axis] + step));
    change({ chosen: cellAt(puzzle, at) });
    return true;
  };
  const axis = AXES.indexOf(key.toLowerCase());
  if (axis >= 0) return move(axis, key === AXES[axis] ? 1 : -1);
  if (key === "Escape" && chosen !== null) return change({ chosen: null }) ?? true;
  if (key === "[") return change({ from: Math.max(0, from - 1) }) ?? true;
  if (key === "]") return change({ from: Math.min(to, from + 1) }) ?? true;
  if (!layer) return false;
  if (key === "ArrowUp" || key === "ArrowDown") return move(layer.down, key === "ArrowDown" ? 1 : -1);
  if (key === "ArrowLeft" || key === "ArrowRight") return move(layer.across, key === "ArrowRight" ? 1 : -1);
  return false;
}

/* Where there is no WebGL the layers are all that is shown. */
function allowCube(can) {
  const button = document.querySelector("[data-view=cube]");
  button.disabled = !can;
  button.title = can ? "" : "The cube needs WebGL 2, which this browser does not have";
  byId("reset").hidden = byId("save").hidden = !can;
}

function startControls(state, change, cube) {
  const { puzzle } = state;
  const givens = puzzle.givens.filter(Boolean).length;
  const named = document.title === puzzle.name ? "" : `${puzzle.name} · `;
  byId("about").textContent = `${named}${givens} givens · ${puzzle.cells - givens} blanks`;
  for (const button of document.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => change({ view: button.dataset.view }));
  }
  for (const name of ["givens", "solution", "candidates"]) {
    if (name !== "givens" && puzzle[name] === null) continue;
    addButton(byId("shows"), name[0].toUpperCase() + name.slice(1), { show: name },
      () => change({ show: { ...state.show, [name]: !state.show[name] } }));
  }
  AXES.forEach((axis, number) => addButton(byId("axes"), axis, { axis: number }, () => change({ axis: number })));
  for (const end of ["from", "to"]) {
    byId(end).max = puzzle.side - 1;
    byId(end).addEventListener("input", () => change(cutBetween(end, Number(byId(end).value), state)));
  }
  byId("hide-cut").addEventListener("change", event => change({ hideCut: event.target.checked }));
  byId("fade").addEventListener("change", event => change({ fadeOthers: event.target.checked }));
  puzzle.rules.forEach((rule, number) => byId("rules").append(ruleSwitch(rule, number, state, change)));
  byId("reset").addEventListener("click", () => {
    change({ from: 0, to: puzzle.side - 1 });
    cube.reset();
  });
  byId("save").addEventListener("click", () => savePicture(cube, puzzle));
}

/* The ends of the layers shown; one end takes the other along. */
function cutBetween(end, value, { from, to }) {
  return end === "from" ? { from: value, to: Math.max(value, to) } : { from: Math.min(value, from), to: value };
}

function addButton(holder, text, data, act) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  Object.assign(button.dataset, data);
  button.addEventListener("click", act);
  holder.append(button);
}

function ruleSwitch(rule, number, state, change) {
  const label = document.createElement("label"), box = document.createElement("input");
  box.type = "checkbox";
  box.checked = true;
  box.addEventListener("change", () => change({ rulesOn: state.rulesOn.map((on, at) => at === number ? box.checked : on) }));
  const swatch = svgElement("svg", { class: `swatch rule-${rule.look}`, viewBox: "0 0 8 4", "aria-hidden": "true" });
  swatch.append(
    svgElement("rect", { class: "tint", width: 8, height: 4 }),
    svgElement("path", { d: RULE_PATTERNS[rule.look] }),
  );
  label.append(box, swatch, rule.name);
  return label;
}

/* Bring the controls to what the state says. */
function showControls(state) {
  const pressedIs = (selector, isPressed) => {
    for (const button of document.querySelectorAll(selector)) button.setAttribute("aria-pressed", isPressed(button.dataset));
  };
  pressedIs("[data-view]", ({ view }) => view === state.view);
  pressedIs("[data-show]", ({ show }) => state.show[show]);
  pressedIs("[data-axis]", ({ axis }) => Number(axis) === state.axis);
  byId("view").hidden = state.view !== "cube";
  byId("layers").hidden = state.view !== "layers";
  for (const end of ["from", "to"]) {
    byId(end).value = state[end];
    byId(`${end}-shown`).textContent = state[end];
  }
}

/* Say which cell is chosen and what it holds, for those who see it and those who hear it. */
function sayChosen(state, shown) {
  const { puzzle, chosen } = state;
  byId("cell").textContent = chosen === null ? "No cell is chosen" : cellName(puzzle, chosen);
  const hint = "Click one, or press x, y or z in the cube.";
  byId("holds").textContent = chosen === null ? hint : holdsText(chosen, shown, state);
}

function holdsText(cell, { held, peers, clashing }, { puzzle }) {
  const { given, value, candidates } = held[cell];
  const blank = candidates ? `candidates ${valuesIn(candidates).join(" ")}` : "blank";
  const holds = given ? `given ${value}` : value ? `value ${value}` : blank;
  const clash = clashing.has(cell) ? ", the same as a peer" : "";
  const none = puzzle.candidates && !puzzle.givens[cell] && !puzzle.candidates[cell] ? ", no candidate" : "";
  return `${holds}${clash}${none}; ${peers.length} peers`;
}

/* Only what there is to see is in the legend. */
function showLegend(state, shown) {
  const has = test => shown.held.some(test);
  const entries = [
    ["given", "given", has(({ given }) => given)],
    ["filled", "solution", has(({ given, value }) => value && !given)],
    ["candidates", "candidates", has(({ candidates }) => candidates)],
    ["blank", "blank", has(({ value, candidates }) => !value && !candidates)],
    ["picked", "chosen cell", state.chosen !== null],
    ["peer", "peer, in the colours of its rules", shown.peers.length > 0],
    ["clash", "same value twice in a unit", shown.clashing.size > 0],
  ];
  byId("legend").replaceChildren(...entries.filter(([, , there]) => there).map(([kind, text]) => {
    const item = document.createElement("li");
    const key = document.createElement("span");
    key.className = `key ${kind}`;
    key.textContent = { given: "5", filled: "5", candidates: "⋮⋮", picked: "5", clash: "5" }[kind] ?? "";
    item.append(key, text);
    return item;
  }));
}

/* Save the canvas as it is seen, on the colour of the page. */
function savePicture(cube, puzzle) {
  cube.settle();
  const canvas = byId("cube"), copy = document.createElement("canvas"), pen = copy.getContext("2d");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  pen.fillStyle = getComputedStyle(document.body).backgroundColor;
  pen.fillRect(0, 0, copy.width, copy.height);
  pen.drawImage(canvas, 0, 0);
  const link = document.createElement("a");
  link.href = copy.toDataURL("image/png");
  link.download = `${puzzle.name.replaceAll(/[^\w-]/g, "-")}.png`;
  link.click();
}

/* Tests, and a page around this one, wait for `ready` and look at `page`. */
window.ready = new Promise(resolve => {
  window.page = startPage();
  // When the first frame has been drawn.
  requestAnimationFrame(() => setTimeout(resolve));
});
