"use strict";
/* The player: it goes from step to step, and everything on the page follows. Step 0 is the puzzle. */

const ROW_HEIGHT = 30;
/* The address keeps the step, but browsers slow down pages that change it too often. */
const HASH_MILLISECONDS = 400;
/* Words for the kinds of steps, which records name briefly. */
const KIND_WORDS = {
  candidates: "candidates", remove: "removes candidates", place: "places values", guess: "tries a value",
  undo: "takes back", branch: "search", vertices: "graph", grid: "grid", end: "result",
};
const SPEEDS = [["1 step in 2 s", 2000], ["1 a second", 1000], ["3 a second", 333], ["10 a second", 100], ["50 a second", 20]];

startPlayer(JSON.parse(document.getElementById("data").textContent), document.getElementById("player"));

function startPlayer(data, main) {
  main.hidden = false;
  const last = data.steps.length, parts = buildPage(data, main);
  const { boardAfter, standing } = playedBoards(data);
  const followers = [
    followBoard(data, parts, boardAfter),
    followText(data, parts, standing),
    stepList(data.steps, parts.list, number => goTo(number)),
    ...extras(data, standing, parts.extras, number => goTo(number), boardAfter),
  ];
  let now = -1, timer = 0, hashTimer = 0;

  function goTo(wanted) {
    const number = Math.max(0, Math.min(last, wanted));
    if (number === now) return;
    now = number;
    parts.slider.value = number;
    parts.count.textContent = `${number.toLocaleString("en")} of ${last.toLocaleString("en")}`;
    parts.slider.setAttribute("aria-valuetext", `step ${number} of ${last}`);
    for (const button of [parts.first, parts.back]) button.disabled = number === 0;
    for (const button of [parts.forward, parts.last]) button.disabled = number === last;
    for (const follow of followers) follow(number);
    main.dataset.step = number;
    hashTimer = hashTimer || setTimeout(() => {
      hashTimer = 0;
      history.replaceState(null, "", `#${now}`);
    }, HASH_MILLISECONDS);
  }
  function play(wanted) {
    clearTimeout(timer);
    timer = 0;
    if (wanted && now === last) goTo(0);
    if (wanted) tick();
    parts.play.textContent = wanted ? "❚❚" : "▶";
    parts.play.setAttribute("aria-label", wanted ? "pause" : "play");
    parts.text.setAttribute("aria-live", wanted ? "off" : "polite");
  }
  function tick() {
    timer = setTimeout(() => {
      goTo(now + 1);
      if (now === last) play(false); else tick();
    }, Number(parts.speed.value));
  }
  const moves = { first: () => 0, back: () => now - 1, forward: () => now + 1, last: () => last };
  for (const [name, where] of Object.entries(moves)) {
    parts[name].addEventListener("click", () => { play(false); goTo(where()); });
  }
  parts.play.addEventListener("click", () => play(!timer));
  parts.slider.addEventListener("input", () => { play(false); goTo(Number(parts.slider.value)); });
  for (const choice of [parts.view, parts.only]) choice.addEventListener("change", () => followers[0](now));
  document.addEventListener("keydown", event => {
    const keys = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: last };
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    if (event.key === " " && !event.target.closest("button")) play(!timer);
    else if (event.key in keys) { play(false); goTo(keys[event.key]); }
    else return;
    event.preventDefault();
  });
  const goToHash = address => goTo(Number.parseInt(new URL(address).hash.slice(1), 10) || 0);
  // The address of the event, not that of the page: a step before may have been written over it in the meantime.
  window.addEventListener("hashchange", event => goToHash(event.newURL));
  goToHash(location.href);
}

/* Make the places and the controls of the page. */
function buildPage(data, main) {
  const parts = {};
  const add = (parent, ...children) => { parent.append(...children); return parent; };
  const button = (name, sign, says) => {
    parts[name] = element("button", "", sign);
    parts[name].setAttribute("aria-label", says);
    parts[name].title = says;
    return parts[name];
  };
  const labelled = (text, control) => add(element("label", "", `${text} `), control);
  parts.slider = Object.assign(element("input"), { type: "range", min: 0, max: data.steps.length, step: 1, value: 0 });
  parts.slider.setAttribute("aria-label", "step");
  parts.count = element("output", "count");
  parts.speed = selectOf(SPEEDS.map(([text, milliseconds]) => [text, milliseconds]), 1000);
  parts.view = selectOf([["with the changes of the step", "marked"], ["before the step", "before"], ["after the step", "after"]], "marked");
  parts.only = Object.assign(element("input"), { type: "checkbox" });
  parts.caption = element("p", "caption");
  const controls = add(
    element("div", "controls"),
    add(element("div", "buttons"), button("first", "|◁", "first step"), button("back", "◁", "one step back"),
      button("play", "▶", "play"), button("forward", "▷", "one step on"), button("last", "▷|", "last step"), parts.count),
    parts.slider, parts.caption,
  );
  parts.play.classList.add("play");
  parts.boards = element("div", "boards");
  parts.text = element("section", "step-text");
  parts.extras = element("div", "extras");
  parts.list = element("div", "step-list");
  const options = add(element("div", "options"), labelled("Speed", parts.speed), labelled("Board", parts.view));
  // Nine layers side by side are too small for a telephone.
  parts.only.checked = data.layers.length > 4 && matchMedia("(max-width: 760px)").matches;
  if (data.layers.length > 1) options.append(labelled("only layers of the step", parts.only));
  const left = add(element("div", "left"), element("h2", "", "Board"), parts.boards, legend(data));
  const right = add(element("div", "right"), parts.text, element("h2", "", "All steps"), parts.list);
  main.classList.toggle("with-graph", data.graphs.length > 0);
  main.append(controls, options, add(element("div", "columns"), left, right), parts.extras);
  return parts;
}

function selectOf(choices, chosen) {
  const select = element("select");
  for (const [text, value] of choices) select.append(Object.assign(element("option", "", text), { value, selected: value === chosen }));
  return select;
}

/* The meaning of the marks on the board, as far as the steps have them. */
function legend(data) {
  const list = element("ul", "legend"), has = key => data.steps.some(step => step[key]);
  const marks = [
    ...(has("places") || has("grid") ? [["ring", "placed by the step"]] : []),
    ...(has("removes") ? [["struck", "removed by the step"]] : []),
    ...(has("because") ? [["reason-mark", "cells that the step looks at"]] : []),
    ...(has("unit") ? [["unit-mark", "the unit of the step"]] : []),
    ...(has("candidates") ? [["small", "candidates"]] : []),
  ];
  for (const [name, text] of marks) {
    const item = element("li");
    const sample = { ring: "5", struck: "5", small: "1 5" }[name] || "";
    item.append(element("span", `mark ${name}`, sample), ` ${text}`);
    list.append(item);
  }
  return list;
}

function followBoard(data, parts, boardAfter) {
  const show = drawBoards(data, parts.boards);
  return number => {
    const step = data.steps[number - 1];
    const before = boardAfter(Math.max(0, number - 1)), after = boardAfter(number);
    const concerned = step && parts.only.checked ? cellsOf(step) : [];
    show(contentsOf(data, before, after, step, parts.view.value), concerned.length ? concerned : null);
  };
}

/* The step in words; and in a line that stays in sight while you look at a tree or a graph further down. */
function followText(data, parts, standing) {
  parts.caption.hidden = true;
  new IntersectionObserver(([seen]) => { parts.caption.hidden = seen.isIntersecting; }).observe(parts.text);
  return number => {
    const step = data.steps[number - 1];
    const head = element("div", "step-head");
    if (!step) head.append(element("h2", "", "The puzzle"));
    else {
      head.append(element("h2", "", `Step ${number.toLocaleString("en")}`));
      if (step.kind in KIND_WORDS && KIND_WORDS[step.kind] !== step.rule) head.append(element("span", `kind kind-${step.kind}`, KIND_WORDS[step.kind]));
      if (step.rule) head.append(element("span", "rule", step.rule));
      if (step.unitName) head.append(element("span", "unit-name", step.unitName));
      const depth = standing[number].length;
      if (depth || step.kind === "undo") head.append(element("span", "depth", depth ? `open guesses: ${depth}` : "no open guess"));
    }
    parts.caption.textContent = step ? lineOf(step) : "the puzzle";
    const text = step ? step.text : "The puzzle before the first step. Press ▶ to play the steps, or → for the next one.";
    parts.text.replaceChildren(head, element(/\n| {2}/.test(text) ? "pre" : "p", "words", text));
    if (step?.note) parts.text.append(element("p", "note", step.note));
  };
}

/* The texts of all steps, each a line; only those that can be seen are in the page. */
function stepList(steps, place, goTo) {
  const inner = element("ol", "step-rows");
  inner.style.height = `${steps.length * ROW_HEIGHT}px`;
  place.append(inner);
  place.tabIndex = 0;
  place.setAttribute("aria-label", "all steps");
  let current = 0;
  const draw = () => {
    const first = Math.max(0, Math.floor(place.scrollTop / ROW_HEIGHT) - 5);
    const rows = [];
    for (let at = first; at < Math.min(steps.length, first + Math.ceil(place.clientHeight / ROW_HEIGHT) + 10); at++) {
      rows.push(stepRow(steps[at], at, at + 1 === current, goTo));
    }
    inner.replaceChildren(...rows);
  };
  place.addEventListener("scroll", draw);
  new ResizeObserver(draw).observe(place);
  return number => {
    current = number;
    const top = Math.max(0, number - 1) * ROW_HEIGHT, height = place.clientHeight;
    if (top < place.scrollTop || top + ROW_HEIGHT > place.scrollTop + height) place.scrollTop = top - height / 2;
    draw();
  };
}

/* A step in a line: the first line of a table or a grid, after its rule. */
function lineOf(step) {
  const lines = step.text.trim().split("\n"), first = lines[0].replace(/:$/, "");
  return lines.length > 1 && step.rule ? `${step.rule}: ${first}` : first;
}

function stepRow(step, at, isCurrent, goTo) {
  const row = element("li"), button = element("button");
  row.style.top = `${at * ROW_HEIGHT}px`;
  button.append(element("span", "number", at + 1), element("span", "line", lineOf(step)));
  if (isCurrent) button.setAttribute("aria-current", "step");
  button.tabIndex = -1;
  button.addEventListener("click", () => goTo(at + 1));
  row.append(button);
  return row;
}

/* Trees, graphs and piles, where the method has them. */
function extras(data, standing, place, goTo, boardAfter) {
  const followers = [];
  const section = title => {
    const made = element("section", "extra");
    made.append(element("h2", "", title));
    place.append(made);
    return made;
  };
  if (data.piles) {
    const show = drawPiles(data, section("Piles outside the board"));
    followers.push(number => show(boardAfter(number), data.steps[number - 1]));
  }
  if (data.tree) {
    const nodes = listedTree(data);
    followers.push(drawTree(nodes, solutionPath(data, nodes), goTo, section("Search tree")));
  } else if (data.steps.filter(step => step.kind === "guess").length > 1) {
    const { nodes, ofStep } = guessTree(data, standing);
    const path = number => (standing[number] || []).map(guess => ofStep.get(guess));
    followers.push(drawTree(nodes, path, goTo, section("Tree of guesses")));
  }
  if (data.graphs.length) {
    const graphs = element("section", "extra");
    place.append(graphs);
    followers.push(drawGraphs(data.graphs, data.steps, graphs));
  }
  return followers;
}

/* Of a listed tree the branch of a solution is at work where a step shows that solution; else, the nodes of its level. */
function solutionPath(data, nodes) {
  const leaves = nodes.map((node, at) => at).filter(at => nodes[at].solution);
  let shown = 0;
  const leafOf = data.steps.map(step => step.kind === "grid" && step.rule === "solution" ? leaves[shown++] : undefined);
  return number => {
    const level = data.steps[number - 1]?.level;
    if (level) return nodes.map((node, at) => at).filter(at => nodes[at].level === level - 1 && !nodes[at].isEnd);
    const path = [];
    for (let at = leafOf[number - 1] ?? -1; at >= 0; at = nodes[at].parent) path.push(at);
    return path;
  };
}
