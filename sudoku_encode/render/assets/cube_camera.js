"use strict";
/* Where the cells are in space, and the camera that turns around them. Nothing here draws.

   In space the first axis goes right, the second up, the third towards the viewer, so that seen from the front the layer
   x = 0 looks as it does on paper: y goes down, z goes right. */

const BOX_GAP = 0.24;
// Half the angle of view: a small one, so that far cells are hardly smaller than near ones.
const TANGENT = Math.tan(8 * Math.PI / 180);
const HOME = { yaw: -0.6, pitch: 0.5, zoom: 1 };
const STEEPEST = 1.5;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a, b, times = 1) => a.map((value, at) => value + times * b[at]);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/* The middle of layer `index` along an axis, 0 being the middle of the cube; there is a gap between boxes. */
function along(puzzle, axis, index) {
  const box = puzzle.boxes[axis];
  const place = at => at + BOX_GAP * Math.floor(at / box);
  return place(index) - place(puzzle.side - 1) / 2;
}

function placeOf(puzzle, coordinates) {
  const [x, y, z] = coordinates.map((index, axis) => along(puzzle, axis, index));
  return [z, -y, -x];
}

/* The distance from the middle to the outer face of the outermost cell, in space's order of axes. */
function halfExtent(puzzle) {
  return placeOf(puzzle, [0, 0, 0]).map(value => Math.abs(value) + 0.5);
}

/* The directions of the camera: right, up, and back, from the middle to the camera. */
function directions({ yaw, pitch }) {
  const back = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
  const right = [Math.cos(yaw), 0, -Math.sin(yaw)];
  return { right, up: cross(back, right), back };
}

/* How a camera sees: its directions, where it is, and the scale that makes the whole cube fit at zoom 1.

   The camera looks at the middle of the cube; nearer, it looks ever more at the chosen cell. */
function viewOf(camera, radius, width, height) {
  const { right, up, back } = directions(camera);
  const distance = radius / TANGENT;
  const eye = plus(camera.target.map(value => value * (1 - 1 / camera.zoom)), back, distance);
  const scale = camera.zoom / TANGENT * Math.min(width, height) / 2;
  return { right, up, back, eye, distance, radius, scale, width, height };
}

/* Where a point in space is on the screen, in pixels from the left and the top, and how far from the eye. */
function project(view, point) {
  const from = plus(point, view.eye, -1);
  const depth = -dot(view.back, from);
  const size = view.scale / depth;
  return { x: view.width / 2 + dot(view.right, from) * size, y: view.height / 2 - dot(view.up, from) * size, depth };
}

/* The direction, from the eye, of a point on the screen. */
function rayThrough(view, x, y) {
  const sideways = plus([0, 0, 0], view.right, (x - view.width / 2) / view.scale);
  return plus(plus(sideways, view.up, (view.height / 2 - y) / view.scale), view.back, -1);
}

/* How far along a ray a box begins, or null where the ray misses it. */
function hitDistance(eye, ray, middle, half) {
  let near = 0, far = Infinity;
  for (let axis = 0; axis < 3; axis++) {
    const one = (middle[axis] - half - eye[axis]) / ray[axis], other = (middle[axis] + half - eye[axis]) / ray[axis];
    near = Math.max(near, Math.min(one, other));
    far = Math.min(far, Math.max(one, other));
  }
  return near <= far ? near : null;
}

/* The matrix for the graphics card, column by column. */
function matrixOf(view) {
  const { right, up, back, eye, distance, radius, width, height } = view;
  const near = Math.max(0.1, distance - 2 * radius), far = distance + 2 * radius;
  const sx = 2 * view.scale / width, sy = 2 * view.scale / height;
  const a = (far + near) / (far - near), b = -2 * far * near / (far - near);
  // The depth of a point is -back . (p - eye).
  const rows = [
    [...right.map(value => value * sx), -dot(right, eye) * sx],
    [...up.map(value => value * sy), -dot(up, eye) * sy],
    [...back.map(value => -value * a), dot(back, eye) * a + b],
    [...back.map(value => -value), dot(back, eye)],
  ];
  return new Float32Array([0, 1, 2, 3].flatMap(column => rows.map(row => row[column])));
}
