// Positions in the plane for the vertices of a graph: multidimensional scaling from a few pivots (Brandes and Pich,
// "Eigensolver methods for progressive multidimensional scaling of large data", 2007), then some rounds of springs.

const PIVOTS = 40;
const ROUNDS = 60;

/** Distances from one vertex to all. @param {number[][]} neighbours @param {number} from */
export function distancesFrom(neighbours, from) {
  const out = new Int32Array(neighbours.length).fill(-1),
    queue = [from];
  out[from] = 0;
  for (const k of queue) {
    for (const next of neighbours[k]) {
      if (out[next] >= 0) continue;
      out[next] = out[k] + 1;
      queue.push(next);
    }
  }
  return out;
}

/**
 * @param {number[][]} neighbours of each vertex of a connected graph
 * @returns {number[][]} points within a square from -1 to 1
 */
export function layOut(neighbours) {
  const n = neighbours.length;
  if (n === 1) return [[0, 0]];
  const points = spring(neighbours, scale(pivotCoordinates(neighbours), Math.sqrt(n)));
  return scale(points, 1);
}

/** @param {number[][]} neighbours */
function pivotCoordinates(neighbours) {
  const n = neighbours.length,
    columns = [],
    nearest = new Int32Array(n).fill(1 << 30);
  let pivot = 0;
  for (let k = 0; k < Math.min(PIVOTS, n); k++) {
    // each pivot is as far as can be from those before
    const distances = distancesFrom(neighbours, pivot);
    columns.push(Float64Array.from(distances, (d) => d * d));
    for (let v = 0; v < n; v++) nearest[v] = Math.min(nearest[v], distances[v]);
    pivot = nearest.indexOf(Math.max(...nearest));
  }
  const m = columns.length,
    rows = new Float64Array(n);
  for (const column of columns)
    column.forEach((d, v) => {
      rows[v] += d / m;
    });
  const all = rows.reduce((sum, d) => sum + d, 0) / n;
  for (const column of columns) {
    const mean = column.reduce((sum, d) => sum + d, 0) / n;
    for (let v = 0; v < n; v++) column[v] = -(column[v] - rows[v] - mean + all) / 2;
  }
  const matrix = columns.map((a) => columns.map((b) => dot(a, b)));
  const axes = [0, 1].map((k) => principal(matrix, k));
  return Array.from({ length: n }, (_, v) =>
    axes.map((axis) => axis.reduce((sum, share, j) => sum + share * columns[j][v], 0)),
  );
}

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
function dot(a, b) {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

/**
 * The eigenvector of the largest eigenvalue, which is then taken out of the matrix.
 * @param {number[][]} matrix
 * @param {number} seed
 */
function principal(matrix, seed) {
  let vector = matrix.map((_, k) => Math.cos(1 + 3 * k + seed));
  let value = 0;
  for (let round = 0; round < 100; round++) {
    const next = matrix.map((row) => dot(row, vector));
    value = Math.hypot(...next) || 1;
    vector = next.map((x) => x / value);
  }
  matrix.forEach((row, i) =>
    row.forEach((_, j) => {
      row[j] -= value * vector[i] * vector[j];
    }),
  );
  return vector;
}

/** @param {number[][]} points @param {number} size */
function scale(points, size) {
  const low = [0, 1].map((axis) => points.reduce((least, p) => Math.min(least, p[axis]), Infinity));
  const high = [0, 1].map((axis) => points.reduce((most, p) => Math.max(most, p[axis]), -Infinity));
  const factor = (2 * size) / (Math.max(high[0] - low[0], high[1] - low[1]) || 1);
  return points.map((p) => p.map((value, axis) => (value - (low[axis] + high[axis]) / 2) * factor));
}

/**
 * Springs along edges, and a push between vertices that are near each other.
 * @param {number[][]} neighbours
 * @param {number[][]} points
 */
function spring(neighbours, points) {
  points.forEach((p, k) => {
    // no two on one spot
    p[0] += 0.05 * Math.cos(7 * k);
    p[1] += 0.05 * Math.sin(7 * k);
  });
  for (let round = 0; round < ROUNDS; round++) {
    const force = points.map(() => [0, 0]),
      heat = 0.5 * (1 - round / ROUNDS) + 0.02;
    neighbours.forEach((own, k) => {
      for (const next of own) {
        if (next <= k) continue;
        push(points, force, k, next, (distance) => (distance - 1) * 0.5);
      }
    });
    for (const [a, b] of nearPairs(points))
      push(points, force, a, b, (distance) => (distance < 2 ? -0.35 * (2 - distance) : 0));
    force.forEach(([x, y], k) => {
      const size = Math.hypot(x, y) || 1,
        step = Math.min(size, heat) / size;
      points[k][0] += x * step;
      points[k][1] += y * step;
    });
  }
  return points;
}

/**
 * @param {number[][]} points
 * @param {number[][]} force
 * @param {number} a
 * @param {number} b
 * @param {(distance: number) => number} law
 */
function push(points, force, a, b, law) {
  const dx = points[b][0] - points[a][0],
    dy = points[b][1] - points[a][1],
    distance = Math.hypot(dx, dy) || 0.01;
  const by = law(distance) / distance;
  force[a][0] += dx * by;
  force[a][1] += dy * by;
  force[b][0] -= dx * by;
  force[b][1] -= dy * by;
}

/**
 * Pairs of vertices in the same or in touching squares of a grid.
 * @param {number[][]} points
 * @returns {Iterable<[number, number]>}
 */
function* nearPairs(points) {
  /** @type {Map<string, number[]>} */
  const squares = new Map();
  const key = (/** @type {number} */ x, /** @type {number} */ y) => `${x},${y}`;
  points.forEach(([x, y], k) => {
    const name = key(Math.floor(x / 2), Math.floor(y / 2)),
      list = squares.get(name);
    if (list) list.push(k);
    else squares.set(name, [k]);
  });
  for (const [name, own] of squares) {
    const [x, y] = name.split(",").map(Number);
    for (let i = 0; i < own.length; i++) for (let j = 0; j < i && j < 40; j++) yield [own[j], own[i]];
    for (const [dx, dy] of [
      [1, 0],
      [0, 1],
      [1, 1],
      [1, -1],
    ]) {
      for (const other of squares.get(key(x + dx, y + dy)) || []) for (const k of own.slice(0, 40)) yield [k, other];
    }
  }
}
