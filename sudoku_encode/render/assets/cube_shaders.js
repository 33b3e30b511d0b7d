"use strict";
/* What runs on the graphics card: a tile's corners are put in place and lit, and its faces get digits and patterns.

   Software that stands in for a graphics card runs all branches, so that what few tiles need is in a program of its own,
   RICH: the patterns of rules, candidates, and rims. */

const STRIDE = 48;
const MARK = { bold: 1, chosen: 2, clash: 4, plain: 8, lit: 16 };
// The first of six marks: in front of that face, in the order of `buildBlock`, is another tile.
const COVERED = 32;
const BEVEL = 0.07, BEVELLED_SIDE = 9;
const GLYPH_PIXELS = 128;

const VERTEX_SHADER = `
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 middle;
layout(location = 3) in vec3 size;
layout(location = 4) in vec4 face;
layout(location = 5) in vec4 ink;
layout(location = 6) in uvec4 held;
uniform mat4 matrix;
uniform vec3 right, up, back;
uniform float eyeDistance, radius;
out vec3 place;
out vec4 lighting;
flat out vec4 faceColour, inkColour;
flat out uvec4 what;
void main() {
  gl_Position = matrix * vec4(middle + corner * size, 1.0);
  place = corner;
  // Light comes from the upper left, behind the viewer; what is far is paler.
  vec3 toward = vec3(dot(right, normal), dot(up, normal), dot(back, normal));
  float light = 0.74 + 0.3 * max(dot(toward, vec3(-0.34, 0.73, 0.6)), 0.0);
  float farness = clamp((gl_Position.w - eyeDistance + radius) / (2.0 * radius), 0.0, 1.0);
  // Faces in the narrow gaps between tiles are dark and bear nothing, so that boxes stand apart.
  int side = 2 * int(dot(abs(normal), vec3(0.0, 1.0, 2.0))) + int(dot(normal, vec3(1.0)) > 0.0);
  bool covered = (held.w / ${COVERED}u >> uint(side) & 1u) == 1u;
  if ((held.w & ${MARK.plain}u) != 0u) light = 1.0;
  if ((held.w & ${MARK.lit}u) != 0u) { farness = 0.0; light = mix(light, 1.0, 0.45); }
  lighting = vec4(light * (covered ? 0.5 : 1.0), 0.4 * farness * farness, covered ? 0.0 : 1.0, 0.0);
  faceColour = face; inkColour = ink; what = held;
}`;

const FRAGMENT_SHADER = `
precision highp float;
precision highp int;
in vec3 place;
in vec4 lighting;
flat in vec4 faceColour, inkColour;
flat in uvec4 what;
uniform sampler2D glyphs;
uniform vec2 sheet;
uniform int values, rasterColumns;
uniform vec3 ruleColours[6], ground, clashColour;
out vec4 colour;

// Where on its face a point is, from (0, 0) left and below to (1, 1), as seen from outside.
vec2 onFace(vec3 p) {
  vec3 size = abs(p);
  if (size.z >= size.x && size.z >= size.y) return vec2(p.z > 0.0 ? p.x : -p.x, p.y) + 0.5;
  if (size.x >= size.y) return vec2(p.x > 0.0 ? -p.z : p.z, p.y) + 0.5;
  return vec2(p.x, p.y > 0.0 ? -p.z : p.z) + 0.5;
}

// How much ink a square of the sheet has at a place; the steps from pixel to pixel say how fine it may be.
float inkAt(int number, vec2 at, vec2 stepX, vec2 stepY) {
  int columns = int(sheet.x);
  vec2 square = vec2(number % columns, number / columns);
  return textureGrad(glyphs, (square + vec2(at.x, 1.0 - at.y)) / sheet, stepX / sheet * 0.7, stepY / sheet * 0.7).r;
}

#ifdef RICH
// The face is cut aslant into a part for each rule that is shared; a part has its rule's colour and pattern.
vec3 patterned(uint rules, vec2 at, vec3 plain, vec2 stepX, vec2 stepY) {
  int count = 0;
  for (int rule = 0; rule < 6; rule++) count += int(rules >> rule & 1u);
  int part = int(clamp((at.x + 1.0 - at.y) * 0.5, 0.0, 0.999) * float(count));
  int mine = 0;
  for (int rule = 0; rule < 6; rule++) {
    if ((rules >> rule & 1u) == 1u && part-- == 0) mine = rule;
  }
  // A calm middle, on which the digit can be read.
  float strength = inkAt(2 * values + mine, at, stepX, stepY) * smoothstep(0.2, 0.42, length(at - 0.5));
  return mix(plain, ruleColours[mine], 0.34 + 0.56 * strength);
}

// Candidates stand in a raster, each value in its place.
float rasterInk(uint candidates, vec2 at, vec2 stepX, vec2 stepY) {
  float columns = float(rasterColumns);
  vec2 raster = (at * 1.16 - 0.08) * columns;
  int value = int(columns - 1.0 - floor(raster.y)) * rasterColumns + int(floor(raster.x)) + 1;
  bool inside = raster.x > 0.0 && raster.y > 0.0 && raster.x < columns && raster.y < columns;
  if (!inside || (candidates >> uint(value - 1) & 1u) == 0u) return 0.0;
  return inkAt(values + value - 1, (fract(raster) - 0.5) * 0.9 + 0.5, stepX * columns, stepY * columns) * 0.85;
}
#endif

void main() {
  vec2 at = onFace(place);
  vec2 stepX = dFdx(at), stepY = dFdy(at);
  vec3 tone = faceColour.rgb;
  float ink = 0.0;
  if (what.x > 0u) ink = inkAt(int(what.x) - 1 + ((what.w & ${MARK.bold}u) != 0u ? values : 0), at, stepX, stepY);
#ifdef RICH
  if (what.z != 0u) tone = patterned(what.z, at, tone, stepX, stepY);
  if (what.y > 0u) ink = rasterInk(what.y, at, stepX, stepY);
  float rim = max(abs(at.x - 0.5), abs(at.y - 0.5));
  float soft = fwidth(rim);
  if ((what.w & ${MARK.chosen}u) != 0u) tone = mix(tone, inkColour.rgb, smoothstep(0.38 - soft, 0.38 + soft, rim));
  if ((what.w & ${MARK.clash}u) != 0u) tone = mix(tone, clashColour, smoothstep(0.36 - soft, 0.36 + soft, rim));
#endif
  ink *= step(0.5, lighting.z);
  tone = mix(tone, inkColour.rgb, ink * (faceColour.a < 1.0 ? 1.0 : inkColour.a));
  float alpha = mix(faceColour.a, max(faceColour.a, inkColour.a), ink);
  tone = mix(min(tone * lighting.x, 1.0), ground, lighting.y);
  colour = vec4(tone * alpha, alpha);
}`;
