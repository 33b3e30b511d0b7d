"use strict";
/* The cube drawn by WebGL. Every tile is a copy of one block with bevelled edges; what differs is written into a buffer,
   STRIDE bytes a tile: its middle and size in space, the colours of its faces and of its digit, its value, candidates, the
   rules that it shares with the chosen cell, and marks. cube_shaders.js has what runs on the graphics card. */

/* The pattern of each rule besides its colour: a path over a field of 8 x 4, the left half of which is drawn on tiles, and
   the width of its lines. */
const RULE_PATTERNS = [
  "M0 .5h8m0 1H0m0 1h8m0 1H0",
  "M.5 0v4m1 0V0m1 0v4m1 0V0m1 0v4m1 0V0m1 0v4m1 0V0",
  "M-3 4l4 -4m-2.5 4l4 -4m-2.5 4l4 -4m-2.5 4l4 -4m-2.5 4l4 -4m-2.5 4l4 -4m-2.5 4l4 -4",
  "M.5 .5h0m1 0h0m1 0h0m1 0h0m1 0h0m1 0h0m1 0h0m1 0h0m-6.5 1h0m1 0h0m1 0h0m1 0h0m1 0h0m1 0h0m-5.5 1h0m1 0h0m1 0h0m1 0h0"
  + "m1 0h0m1 0h0m1 0h0m1 0h0m-6.5 1h0m1 0h0m1 0h0m1 0h0m1 0h0m1 0h0",
  "M0 1h8m0 1H0m0 1h8M1 0v4m1 0V0m1 0v4m1 0V0m1 0v4m1 0V0m1 0v4",
  "M-3 0l4 4m-2.5 -4l4 4m-2.5 -4l4 4m-2.5 -4l4 4m-2.5 -4l4 4m-2.5 -4l4 4m-2.5 -4l4 4",
];
const RULE_LINE = 0.45;

/* Start WebGL on a canvas; return the function that draws a frame, or null where there is no WebGL 2.

   A frame's tiles are in sets, buffers as above with their `count`: `plain` ones, which bear no more than a digit; `rich`
   ones, with all the rest; `core` ones, dark ones that are seen in gaps at most; `clear` ones, which are drawn in their
   order over the others; and `through`, which shine through what is before them. */
function startDrawing(canvas, values) {
  // Edges are smooth because there are more pixels than are shown, which costs less without a graphics card.
  const gl = canvas.getContext("webgl2", { antialias: false, alpha: true, premultipliedAlpha: true });
  if (!gl) return null;
  // The tiles of a large cube are too small for their edges to be seen.
  const simple = buildBlock(0), block = values > BEVELLED_SIDE ? simple : buildBlock(BEVEL);
  const sheet = buildGlyphs(gl, values);
  const [plain, rich] = ["", "#define RICH"].map(define => buildProgram(gl, define, values, sheet));
  const sets = {
    plain: buildTiles(gl, block), rich: buildTiles(gl, block), core: buildTiles(gl, simple), clear: buildTiles(gl, simple),
    through: buildTiles(gl, block),
  };
  gl.enable(gl.DEPTH_TEST);
  gl.enable(gl.CULL_FACE);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

  return function drawFrame(view, theme, tiles) {
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    for (const { program, at } of [plain, rich]) {
      gl.useProgram(program);
      gl.uniformMatrix4fv(at("matrix"), false, matrixOf(view));
      for (const name of ["right", "up", "back"]) gl.uniform3fv(at(name), view[name]);
      gl.uniform1f(at("eyeDistance"), view.distance);
      gl.uniform1f(at("radius"), view.radius);
      gl.uniform3fv(at("ruleColours"), theme.rules.flat());
      gl.uniform3fv(at("ground"), theme.ground);
      gl.uniform3fv(at("clashColour"), theme.clash);
    }
    gl.disable(gl.BLEND);
    drawTiles(gl, rich.program, sets.rich, tiles.rich);
    drawTiles(gl, plain.program, sets.plain, tiles.plain);
    drawTiles(gl, plain.program, sets.core, tiles.core);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    drawTiles(gl, plain.program, sets.clear, tiles.clear);
    gl.disable(gl.DEPTH_TEST);
    drawTiles(gl, rich.program, sets.through, tiles.through);
    gl.enable(gl.DEPTH_TEST);
  };
}

function drawTiles(gl, program, set, tiles) {
  if (!tiles.count) return;
  gl.useProgram(program);
  gl.bindVertexArray(set.array);
  gl.bindBuffer(gl.ARRAY_BUFFER, set.buffer);
  gl.bufferData(gl.ARRAY_BUFFER, tiles.bytes.subarray(0, tiles.count * STRIDE), gl.DYNAMIC_DRAW);
  gl.drawElementsInstanced(gl.TRIANGLES, set.triangles, gl.UNSIGNED_SHORT, 0, tiles.count);
}

/* Return a program, with a function from the names of its variables to where they are. */
function buildProgram(gl, define, values, sheet) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX_SHADER], [gl.FRAGMENT_SHADER, FRAGMENT_SHADER]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, `#version 300 es\n${define}\n${text}`);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const places = new Map();
  const at = name => {
    if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name));
    return places.get(name);
  };
  gl.useProgram(program);
  gl.uniform2f(at("sheet"), sheet.columns, sheet.rows);
  gl.uniform1i(at("values"), values);
  gl.uniform1i(at("rasterColumns"), Math.ceil(Math.sqrt(values)));
  return { program, at };
}

/* A block of side 1: six faces, each with its own four corners, and between them strips along the edges and a triangle at
   each corner, over which the normals of the faces run into each other, so that edges look round. Without a bevel there are
   just the faces. */
function buildBlock(bevel) {
  const corners = [], triangles = [];
  const number = (axis, signs) => {
    const [u, v] = [0, 1, 2].filter(other => other !== axis);
    return 4 * (2 * axis + (signs[axis] > 0)) + 2 * (signs[u] > 0) + (signs[v] > 0);
  };
  const eight = [...Array(8).keys()].map(bits => [bits & 4, bits & 2, bits & 1].map(bit => bit ? 1 : -1));
  for (const axis of [0, 1, 2]) {
    for (const signs of eight) {
      const at = signs.map((sign, other) => sign * (other === axis ? 0.5 : 0.5 - bevel));
      const normal = signs.map((sign, other) => other === axis ? sign : 0);
      corners[number(axis, signs)] = [...at, ...normal];
    }
  }
  const outward = (a, b, c) => {
    const [p, q, r] = [a, b, c].map(at => corners[at].slice(0, 3));
    const normal = cross(plus(q, p, -1), plus(r, p, -1));
    triangles.push(...(dot(normal, plus(plus(p, q), r)) > 0 ? [a, b, c] : [a, c, b]));
  };
  const quad = (a, b, c, d) => { outward(a, b, c); outward(a, c, d); };
  for (let face = 0; face < 6; face++) quad(4 * face, 4 * face + 1, 4 * face + 3, 4 * face + 2);
  for (const signs of bevel ? eight : []) {
    outward(number(0, signs), number(1, signs), number(2, signs));
    for (const [a, b, edge] of [[0, 1, 2], [0, 2, 1], [1, 2, 0]]) {
      if (signs[edge] > 0) continue;
      const end = signs.map((sign, axis) => axis === edge ? 1 : sign);
      quad(number(a, signs), number(a, end), number(b, end), number(b, signs));
    }
  }
  return { corners: new Float32Array(corners.flat()), triangles: new Uint16Array(triangles) };
}

/* A set of tiles: the block, once, and a buffer of what differs. */
function buildTiles(gl, block) {
  const array = gl.createVertexArray();
  gl.bindVertexArray(array);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, block.corners, gl.STATIC_DRAW);
  gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 24, 0);
  gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 24, 12);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, block.triangles, gl.STATIC_DRAW);
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.vertexAttribPointer(2, 3, gl.FLOAT, false, STRIDE, 0);
  gl.vertexAttribPointer(3, 3, gl.FLOAT, false, STRIDE, 12);
  gl.vertexAttribPointer(4, 4, gl.UNSIGNED_BYTE, true, STRIDE, 24);
  gl.vertexAttribPointer(5, 4, gl.UNSIGNED_BYTE, true, STRIDE, 28);
  gl.vertexAttribIPointer(6, 4, gl.UNSIGNED_INT, STRIDE, 32);
  for (let location = 0; location <= 6; location++) {
    gl.enableVertexAttribArray(location);
    gl.vertexAttribDivisor(location, location < 2 ? 0 : 1);
  }
  return { array, buffer, triangles: block.triangles.length };
}

/* A sheet of squares: the digits of all values, then once more in bold, for givens, then the patterns of the rules. */
function buildGlyphs(gl, values) {
  const columns = Math.ceil(Math.sqrt(2 * values + RULE_PATTERNS.length));
  const rows = Math.ceil((2 * values + RULE_PATTERNS.length) / columns);
  const sheet = document.createElement("canvas");
  [sheet.width, sheet.height] = [columns * GLYPH_PIXELS, rows * GLYPH_PIXELS];
  const pen = sheet.getContext("2d");
  pen.fillRect(0, 0, sheet.width, sheet.height);
  pen.fillStyle = pen.strokeStyle = "white";
  pen.textAlign = "center";
  const at = number => [(number % columns) * GLYPH_PIXELS, Math.floor(number / columns) * GLYPH_PIXELS];
  for (let number = 0; number < 2 * values; number++) {
    const value = number % values + 1;
    const size = GLYPH_PIXELS * (value < 10 ? 0.72 : 0.56);
    pen.font = `${number < values ? 400 : 700} ${size}px system-ui, sans-serif`;
    const [x, y] = at(number);
    pen.fillText(value, x + GLYPH_PIXELS / 2, y + GLYPH_PIXELS / 2 + size * 0.36);
  }
  RULE_PATTERNS.forEach((path, rule) => drawPattern(pen, path, ...at(2 * values + rule)));
  gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, gl.RED, gl.UNSIGNED_BYTE, sheet);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  return { columns, rows };
}

/* Draw a rule's pattern into the square at (x, y). */
function drawPattern(pen, path, x, y) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, GLYPH_PIXELS, GLYPH_PIXELS);
  pen.clip();
  pen.translate(x, y);
  pen.scale(GLYPH_PIXELS / 4, GLYPH_PIXELS / 4);
  pen.lineWidth = RULE_LINE;
  pen.lineCap = "round";
  pen.stroke(new Path2D(path));
  pen.restore();
}
