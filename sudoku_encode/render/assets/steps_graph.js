"use strict";
/* Graphs whose vertices are in groups: of valid permutations by their minigrids, and of super-vertices by the lines of
   minigrids. A vertex is drawn from the step that makes it, and fades with the step that deletes it. */

/* Draw the graphs into a place; the function that is returned shows the one that a step is about. */
function drawGraphs(graphs, steps, place) {
  const shown = graphs.map(graph => {
    const section = element("section", "graph");
    section.append(element("h2", "", graph.title));
    const update = graph.tooLarge ? () => {} : drawGraph(graph, section);
    if (graph.tooLarge) section.append(element("p", "remark", graph.tooLarge));
    place.append(section);
    return { section, update, from: graph.from };
  });
  return number => {
    const at = Math.max(0, shown.findLastIndex(one => one.from <= number));
    shown.forEach((one, other) => { one.section.hidden = other !== at; });
    shown[at].update(number, steps[number - 1]);
  };
}

function drawGraph(graph, section) {
  const { places, boxes, width, height, size } = graphLayout(graph);
  const vertices = graph.groups.flatMap(group => group.vertices);
  const near = vertices.map(() => []), edgesAt = vertices.map(() => []);
  const drawing = svgElement("svg", { class: "graph-drawing", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": graph.title });
  const edges = graph.edges.map(([one, other], at) => {
    near[one].push(other);
    near[other].push(one);
    edgesAt[one].push(at);
    edgesAt[other].push(at);
    return svgElement("path", { class: "edge", d: arc(places[one], places[other]) });
  });
  const groups = boxes.map(box => {
    const group = svgElement("g");
    const label = svgElement("text", { class: "group-label", x: box.x, y: box.y - 6 });
    label.textContent = box.label;
    group.append(svgElement("rect", { class: "group", x: box.x, y: box.y, width: box.width, height: box.height, rx: 6 }), label);
    return group;
  });
  const dots = vertices.map((vertex, at) => graphVertex(vertex, places[at], size));
  drawing.append(...groups, ...edges, ...dots);
  const says = element("p", "graph-says", "Point at a vertex, or move to one with Tab and the arrow keys, to see its neighbours.");
  const marks = "Crossed out: deleted by this step. Faded: deleted before. Thick: named by the step.";
  const frame = frameOf(drawing, width);
  section.append(frame, says, element("p", "marks", marks));

  let now = 0;
  const isThere = at => vertices[at].from <= now && !(vertices[at].gone && vertices[at].gone <= now);
  const point = at => {
    drawing.classList.toggle("pointed", at !== null);
    const lit = new Set(at === null ? [] : [at, ...near[at]]), litEdges = new Set(at === null ? [] : edgesAt[at]);
    dots.forEach((dot, other) => dot.classList.toggle("near", lit.has(other)));
    edges.forEach((edge, other) => edge.classList.toggle("near", litEdges.has(other)));
    if (at === null) return;
    const { name, says: permutation, gone } = vertices[at];
    const joined = near[at].filter(isThere).map(other => vertices[other].name);
    const fate = gone && gone <= now ? `, deleted in step ${gone}` : "";
    says.textContent = `${name}${permutation ? ` = ${permutation}` : ""}${fate}; neighbours: ${joined.length ? joined.join(" ") : "none left"}`;
  };
  walkVertices(dots, places, point);
  return (number, step) => {
    now = number;
    const lit = new Set(step?.lit || []);
    vertices.forEach((vertex, at) => {
      dots[at].setAttribute("class", ["vertex", vertex.from > number ? "unborn" : "", stateOf(vertex.gone, number), lit.has(vertex.name) ? "lit" : ""].filter(Boolean).join(" "));
    });
    graph.edges.forEach(([one, other], at) => {
      const gone = Math.min(...[vertices[one].gone, vertices[other].gone].filter(Boolean), Infinity);
      edges[at].setAttribute("class", ["edge", graph.edgesFrom > number ? "unborn" : "", stateOf(gone === Infinity ? 0 : gone, number)].filter(Boolean).join(" "));
    });
    const about = dots.find(dot => dot.matches(".going, .lit"));
    if (about) scrollWithin(frame, about);
  };
}

/* Move what is in a frame so far that an element is in its middle, if it cannot be seen. The page stays where it is. */
function scrollWithin(frame, inner) {
  const view = frame.getBoundingClientRect(), box = inner.getBoundingClientRect();
  if (box.top < view.top || box.bottom > view.bottom) frame.scrollTop += (box.top + box.bottom - view.top - view.bottom) / 2;
  if (box.left < view.left || box.right > view.right) frame.scrollLeft += (box.left + box.right - view.left - view.right) / 2;
}

function stateOf(gone, number) {
  return !gone || gone > number ? "" : gone === number ? "going" : "gone";
}

/* Places of vertices and groups; groups lie side by side, in rows. */
function graphLayout(graph) {
  const size = graph.wide ? { width: 84, height: 20 } : { width: 30, height: 30 };
  const gap = graph.wide ? 50 : 70, margin = 30;
  const most = Math.max(1, ...graph.groups.map(group => group.vertices.length));
  const columns = Math.max(1, Math.ceil(Math.sqrt(most * size.height / size.width)));
  const rows = Math.max(1, Math.ceil(most / columns));
  const wide = columns * size.width + 12, high = rows * size.height + 12;
  const places = [];
  const boxes = graph.groups.map((group, number) => {
    const x = margin + (number % graph.across) * (wide + gap), y = margin + Math.floor(number / graph.across) * (high + gap);
    const own = Math.min(columns, Math.max(1, Math.ceil(Math.sqrt(group.vertices.length * size.height / size.width))));
    group.vertices.forEach((_, at) => places.push({
      x: x + wide / 2 + (at % own - (own - 1) / 2) * size.width,
      y: y + high / 2 + (Math.floor(at / own) - (Math.ceil(group.vertices.length / own) - 1) / 2) * size.height,
    }));
    return { x, y, width: wide, height: high, label: group.label };
  });
  const down = Math.ceil(graph.groups.length / graph.across);
  return {
    places, boxes, size, width: graph.across * (wide + gap) - gap + 2 * margin, height: down * (high + gap) - gap + 2 * margin,
  };
}

function graphVertex(vertex, { x, y }, size) {
  const width = size.width - 4, height = size.height - 4;
  const group = svgElement("g", { class: "vertex", tabindex: -1, role: "img", "data-vertex": vertex.name, "aria-label": `${vertex.name} ${vertex.says}` });
  const label = svgElement("text", { x, y: y + 3.5 });
  label.textContent = vertex.name.replace(/[<>]/g, "");
  group.append(
    svgElement("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: height / 2 }), label,
    svgElement("path", { class: "cross", d: `M${x - width / 2} ${y + height / 2}L${x + width / 2} ${y - height / 2}` }),
  );
  return group;
}

/* An edge between the outer groups of a line goes round the middle one. */
function arc(one, other) {
  const x = (one.x + other.x) / 2 + (other.y - one.y) / 8, y = (one.y + other.y) / 2 - (other.x - one.x) / 8;
  return `M${one.x} ${one.y}Q${x} ${y} ${other.x} ${other.y}`;
}

/* A wide drawing keeps a size at which its letters can be read, and is moved within its frame. */
function frameOf(drawing, width) {
  const frame = element("div", "frame-scroll");
  drawing.style.minWidth = `${Math.round(width * 0.72)}px`;
  drawing.style.maxWidth = `${Math.round(width * 1.3)}px`;
  frame.append(drawing);
  return frame;
}

/* One vertex is reached with Tab, the nearest ones from there with the arrow keys. */
function walkVertices(dots, places, point) {
  dots[0]?.setAttribute("tabindex", 0);
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  dots.forEach((dot, at) => {
    dot.addEventListener("pointerenter", () => point(at));
    dot.addEventListener("pointerleave", () => point(null));
    dot.addEventListener("focus", () => point(at));
    dot.addEventListener("blur", () => point(null));
    dot.addEventListener("keydown", event => {
      if (!(event.key in directions)) return;
      event.preventDefault();
      event.stopPropagation();
      const next = nearestPlace(places, at, directions[event.key]);
      if (next < 0) return;
      dot.setAttribute("tabindex", -1);
      dots[next].setAttribute("tabindex", 0);
      dots[next].focus();
    });
  });
}

function nearestPlace(places, from, [right, down]) {
  let best = -1, least = Infinity;
  places.forEach((place, at) => {
    const x = place.x - places[from].x, y = place.y - places[from].y;
    const ahead = x * right + y * down, aside = Math.abs(x * down) + Math.abs(y * right);
    if (ahead > 1 && ahead + 3 * aside < least) [best, least] = [at, ahead + 3 * aside];
  });
  return best;
}
