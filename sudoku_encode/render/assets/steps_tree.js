"use strict";
/* Search trees, folded as one likes. A row is a node and those after it as long as each has one child; where it
   branches, each child begins a row of its own, further in. */

const MANY_NODES = 150, FIRST_DEPTH = 3, MAX_ROWS = 1500;

/* The tree of a search that a record lists: nodes by their level, parent and value. */
function listedTree(data) {
  let solutions = 0;
  const nodes = data.tree.nodes.map(([level, parent, value]) => {
    const isEnd = value === "END", isLast = level === data.tree.index.length - 1 && !isEnd;
    if (isLast) solutions++;
    return {
      parent, step: data.tree.step, level, isEnd, solution: isLast ? solutions : 0,
      label: isEnd ? "END" : String(value), says: `${data.tree.index[level]}: ${value}`,
    };
  });
  const levels = data.steps.map(step => step.level || 0);
  const steps = levels.map((_, at) => at + 1).filter(number => levels[number - 1]);
  for (const node of nodes) node.step = steps[node.level] || data.tree.step;
  return nodes;
}

/* The tree of the guesses that a method tries, made of its steps. */
function guessTree(data, standing) {
  const nodes = [], ofStep = new Map();
  data.steps.forEach((step, at) => {
    const number = at + 1, stack = standing[number], before = standing[at];
    if (step.kind === "guess") {
      const [cell, value] = step.places[0];
      const parent = stack.length > 1 ? ofStep.get(stack[stack.length - 2]) : -1;
      ofStep.set(number, nodes.length);
      const says = `${data.names[cell]}: ${value}, tried in step ${number}`;
      nodes.push({ parent, step: number, label: `${data.names[cell]}=${value}`, says, isEnd: false, solution: 0 });
    } else if (step.kind === "grid" && stack.length && step.grid.every(value => value)) {
      nodes[ofStep.get(stack[stack.length - 1])].solution = number;
    } else if (step.kind === "undo" && before.length) {
      const last = nodes[ofStep.get(before[before.length - 1])];
      if (ofStep.get(before[before.length - 1]) === nodes.length - 1 && !last.solution) last.isEnd = true;
    }
  });
  return { nodes, ofStep };
}

/* Give each node its children and how much is below it. Children come after their parents. */
function linkTree(nodes) {
  const heads = [];
  for (const node of nodes) Object.assign(node, { children: [], below: 0, ends: 0, solutions: 0 });
  nodes.forEach((node, at) => (node.parent < 0 ? heads : nodes[node.parent].children).push(at));
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at], parent = nodes[node.parent];
    node.ends += node.isEnd ? 1 : 0;
    node.solutions += node.solution ? 1 : 0;
    if (parent) {
      parent.below += node.below + 1;
      parent.ends += node.ends;
      parent.solutions += node.solutions;
    }
  }
  return heads;
}

/* Draw a tree into a place. `path(number)` gives the numbers of the nodes at work in a step; `goTo(number)` goes to one.
   The function that is returned shows a step. */
function drawTree(nodes, path, goTo, place) {
  const heads = linkTree(nodes), folded = new Set(), rows = element("div", "tree");
  rows.setAttribute("role", "tree");
  let current = 0;
  const show = number => {
    current = number;
    lightRows(rows, nodes, folded, number, new Set(path(number)));
  };
  const draw = () => {
    drawRows(rows, nodes, heads, folded, toggle, goTo);
    show(current);
  };
  const toggle = first => {
    if (folded.has(first)) folded.delete(first); else folded.add(first);
    draw();
  };
  rows.addEventListener("keydown", event => pressInTree(event, rows, toggle, last => goTo(nodes[last].step)));
  const buttons = element("div", "buttons");
  for (const [text, depth] of [["Unfold all", Infinity], ["Fold all", 1]]) {
    const button = element("button", "", text);
    button.addEventListener("click", () => { foldFrom(nodes, heads, folded, depth); draw(); });
    buttons.append(button);
  }
  place.append(element("p", "", `${countOf(nodes.length, "node")}${endsOf(heads.map(at => nodes[at]))}.`), buttons, rows);
  if (nodes.length > MANY_NODES) foldFrom(nodes, heads, folded, FIRST_DEPTH);
  draw();
  return show;
}

/* Visit the rows of a tree from above; below a row for which `visit` returns false nothing is visited. */
function eachRow(nodes, heads, visit) {
  const waiting = heads.map(first => ({ first, depth: 1 })).reverse();
  while (waiting.length) {
    const { first, depth } = waiting.pop(), chain = [first];
    let children = nodes[first].children;
    while (children.length === 1) {
      chain.push(children[0]);
      children = nodes[children[0]].children;
    }
    if (visit({ first, depth, chain, children }) === false) continue;
    waiting.push(...children.map(child => ({ first: child, depth: depth + 1 })).reverse());
  }
}

function foldFrom(nodes, heads, folded, depth) {
  folded.clear();
  eachRow(nodes, heads, row => { if (row.children.length && row.depth >= depth) folded.add(row.first); });
}

/* Draw the rows that are not folded away; the one that had the focus has it again. */
function drawRows(rows, nodes, heads, folded, toggle, goTo) {
  const reached = rows.querySelector("[tabindex='0']")?.dataset.first, hadFocus = rows.contains(document.activeElement);
  const drawn = [];
  eachRow(nodes, heads, row => {
    if (drawn.length === MAX_ROWS) return false;
    const isFolded = folded.has(row.first);
    drawn.push(treeRow(nodes, { ...row, isFolded }, toggle, goTo));
    return !isFolded;
  });
  rows.replaceChildren(...drawn);
  if (drawn.length === MAX_ROWS) rows.append(element("p", "remark", "Further rows are not drawn: fold some of these."));
  const target = drawn.find(row => row.dataset.first === reached) || drawn[0];
  target?.setAttribute("tabindex", 0);
  if (hadFocus) target?.focus({ preventScroll: true });
}

/* Show which nodes are at work in a step, which come later, and which folded row has what is at work. */
function lightRows(rows, nodes, folded, number, lit) {
  const last = Math.max(-1, ...lit);
  for (const chip of rows.querySelectorAll(".node")) {
    const at = Number(chip.dataset.node);
    chip.classList.toggle("future", nodes[at].step > number);
    chip.classList.toggle("lit", lit.has(at));
    if (at === last) chip.setAttribute("aria-current", "step"); else chip.removeAttribute("aria-current");
  }
  for (const row of rows.querySelectorAll("[role=treeitem]")) {
    const end = Number(row.dataset.last);
    row.classList.toggle("inside", folded.has(Number(row.dataset.first)) && lit.has(end) && last > end);
  }
  const target = rows.querySelector("[aria-current]") || rows.querySelector(".inside");
  if (target) scrollWithin(rows, target);
}

/* Keys within the tree: up and down, unfold and fold, and to the step of a row. */
function pressInTree(event, rows, toggle, goToNode) {
  const row = event.target.closest("[role=treeitem]");
  if (!row || event.target.tagName === "BUTTON") return;
  const all = [...rows.querySelectorAll("[role=treeitem]")], at = all.indexOf(row);
  const isFolded = { true: false, false: true }[row.getAttribute("aria-expanded")];
  const moves = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 };
  if (event.key in moves) moveFocus(row, all[Math.max(0, Math.min(all.length - 1, moves[event.key]))]);
  else if (event.key === "Enter") goToNode(Number(row.dataset.last));
  else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
    moveFocus(all.find(other => other.tabIndex === 0), row);
    if (isFolded === (event.key === "ArrowRight")) toggle(Number(row.dataset.first));
  } else return;
  // These keys would move the player too.
  event.preventDefault();
  event.stopPropagation();
}

function moveFocus(from, to) {
  from?.setAttribute("tabindex", -1);
  to.setAttribute("tabindex", 0);
  to.focus();
}

function treeRow(nodes, row, toggle, goTo) {
  const { first, depth, chain, children, isFolded } = row, last = nodes[chain[chain.length - 1]];
  const made = element("div", "row");
  made.setAttribute("role", "treeitem");
  made.setAttribute("aria-level", depth);
  made.tabIndex = -1;
  made.style.setProperty("--depth", depth - 1);
  Object.assign(made.dataset, { first, last: chain[chain.length - 1] });
  const sign = element(children.length ? "button" : "span", "fold", children.length ? (isFolded ? "▸" : "▾") : "·");
  if (children.length) {
    made.setAttribute("aria-expanded", String(!isFolded));
    sign.setAttribute("aria-label", isFolded ? "unfold" : "fold");
    sign.tabIndex = -1;
    sign.addEventListener("click", () => toggle(first));
  }
  const chips = element("span", "chips");
  chips.append(...chain.map(at => treeChip(nodes[at], at, goTo)));
  if (isFolded) chips.append(element("span", "hidden-count", `… ${countOf(last.below, "node")} folded${endsOf(children.map(at => nodes[at]))}`));
  made.append(sign, chips);
  return made;
}

/* Only the box of the tree is scrolled, not the page. */
function scrollWithin(box, target) {
  const outer = box.getBoundingClientRect(), inner = target.getBoundingClientRect();
  if (inner.top < outer.top) box.scrollTop += inner.top - outer.top - 8;
  if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + 8;
  if (inner.right > outer.right && inner.width < outer.width) box.scrollLeft += inner.right - outer.right + 8;
  if (inner.left < outer.left) box.scrollLeft += inner.left - outer.left - 8;
}

function treeChip(node, at, goTo) {
  const mark = node.solution ? " ✓" : node.isEnd && node.label !== "END" ? " ✕" : "";
  const kindOf = node.solution ? " solution" : node.isEnd ? " end" : "";
  const chip = element("span", `node${kindOf}`, `${node.label}${mark}`);
  chip.dataset.node = at;
  chip.title = node.says;
  chip.addEventListener("click", () => goTo(node.step));
  return chip;
}

function endsOf(nodes) {
  const sum = key => nodes.reduce((total, node) => total + node[key], 0);
  const parts = [];
  if (sum("ends")) parts.push(countOf(sum("ends"), "dead end"));
  if (sum("solutions")) parts.push(countOf(sum("solutions"), "solution"));
  return parts.length ? `, ${parts.join(", ")}` : "";
}

function countOf(number, what) {
  return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
}
