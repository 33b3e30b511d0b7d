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
  const heads = linkTree(nodes);
  const folded = new Set();
  let current = 0, focused = 0;
  const tail = first => {
    const chain = [first];
    while (nodes[chain[chain.length - 1]].children.length === 1) chain.push(nodes[chain[chain.length - 1]].children[0]);
    return chain;
  };
  const everyRow = (visit, firsts = heads, depth = 1) => {
    const waiting = firsts.map(first => [first, depth]).reverse();
    while (waiting.length) {
      const [first, at] = waiting.pop(), chain = tail(first), children = nodes[chain[chain.length - 1]].children;
      if (visit(first, at, chain, children) === false) continue;
      for (let child = children.length - 1; child >= 0; child--) waiting.push([children[child], at + 1]);
    }
  };
  const foldFrom = depth => {
    folded.clear();
    everyRow((first, at, chain, children) => { if (children.length && at >= depth) folded.add(first); });
  };
  if (nodes.length > MANY_NODES) foldFrom(FIRST_DEPTH);

  const rows = element("div", "tree");
  rows.setAttribute("role", "tree");
  const toggle = first => {
    if (folded.has(first)) folded.delete(first); else folded.add(first);
    draw();
  };
  const draw = () => {
    const drawn = [];
    everyRow((first, depth, chain, children) => {
      if (drawn.length === MAX_ROWS) return false;
      drawn.push(treeRow(nodes, { first, depth, chain, children, isFolded: folded.has(first) }, toggle, goTo));
      return !folded.has(first);
    });
    rows.replaceChildren(...drawn);
    if (drawn.length === MAX_ROWS) rows.append(element("p", "remark", "Further rows are not drawn: fold some of these."));
    focused = Math.min(focused, drawn.length - 1);
    if (drawn[focused]) drawn[focused].tabIndex = 0;
    show(current);
  };
  const show = number => {
    current = number;
    const lit = new Set(path(number)), last = Math.max(-1, ...lit);
    for (const chip of rows.querySelectorAll(".node")) {
      const at = Number(chip.dataset.node);
      chip.classList.toggle("future", nodes[at].step > number);
      chip.classList.toggle("lit", lit.has(at));
      if (lit.has(at) && at === last) chip.setAttribute("aria-current", "step"); else chip.removeAttribute("aria-current");
    }
    for (const row of rows.querySelectorAll("[role=treeitem]")) {
      row.classList.toggle("inside", folded.has(Number(row.dataset.first)) && lit.has(Number(row.dataset.last)) && last > Number(row.dataset.last));
    }
    const target = rows.querySelector("[aria-current]") || rows.querySelector(".inside");
    if (target) scrollWithin(rows, target);
  };
  rows.addEventListener("keydown", event => {
    const all = [...rows.querySelectorAll("[role=treeitem]")], at = all.indexOf(event.target.closest("[role=treeitem]"));
    const row = all[at];
    if (!row || event.target.tagName === "BUTTON") return;
    focused = at;
    const first = Number(row.dataset.first), canFold = row.hasAttribute("aria-expanded");
    const moves = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 };
    if (event.key in moves) focused = Math.max(0, Math.min(all.length - 1, moves[event.key]));
    else if (event.key === "ArrowRight" && canFold && folded.has(first)) toggle(first);
    else if (event.key === "ArrowLeft" && canFold && !folded.has(first)) toggle(first);
    else if (event.key === "Enter") goTo(nodes[Number(row.dataset.last)].step);
    else if (!["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    // These keys would move the player too.
    event.preventDefault();
    event.stopPropagation();
    for (const other of rows.querySelectorAll("[role=treeitem]")) other.tabIndex = -1;
    const target = rows.querySelectorAll("[role=treeitem]")[focused];
    target.tabIndex = 0;
    target.focus();
  });
  const all = element("div", "buttons");
  for (const [text, depth] of [["Unfold all", Infinity], ["Fold all", 1]]) {
    const button = element("button", "", text);
    button.addEventListener("click", () => { foldFrom(depth); draw(); });
    all.append(button);
  }
  const size = element("p", "", `${countOf(nodes.length, "node")}${endsOf(heads.map(at => nodes[at]))}.`);
  place.append(size, all, rows);
  draw();
  return show;
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
