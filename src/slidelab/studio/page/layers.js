// What is drawn over and under the pieces: arrows of moves, lit cells, cycles of a permutation, numbers of cells.
import { draw, find } from "./dom.js";

const HUES = [3, 4, 1, 7, 5, 2, 6, 0]; // those that stand out from pieces with numbers, which are blue, first

/** The class of a colour for the cycle or orbit with a number. @param {number} k */
export const hueOf = (k) => `hue${HUES[k % HUES.length]}`;

/**
 * @typedef {object} Arrow
 * @property {any} move a legal move
 * @property {string} name its class
 */

/** @param {import("./session.js").Session} session @param {Arrow[]} arrows */
export function showArrows(session, arrows) {
  const { view } = session;
  replace(
    "over",
    "arrows",
    arrows.map(({ move, name }) => {
      const item = view.item(move.before),
        path = view.path(item, move, null, 24);
      return arrowAlong(path, view.unit, `arrow ${name}`);
    }),
  );
}

export const hideArrows = () => replace("over", "arrows", []);

/** @param {string} layer @param {string} name @param {Element[]} children */
function replace(layer, name, children) {
  const parent = find(layer);
  if (!parent) return;
  let group = parent.querySelector(`:scope > .${name}`);
  if (!group) group = parent.appendChild(draw("g", { class: name }));
  group.replaceChildren(...children);
}

/**
 * An arrow along points, with a head at the end.
 * @param {number[][]} path
 * @param {number} unit
 * @param {string} name
 * @param {number} [weight] of the line, 1 for moves
 */
function arrowAlong(path, unit, name, weight = 1) {
  const end = path[path.length - 1],
    head = 0.2 * unit * weight;
  let k = path.length - 2;
  while (k > 0 && Math.hypot(path[k][0] - end[0], path[k][1] - end[1]) < head) k--;
  const [x, y] = path[k],
    angle = (Math.atan2(end[1] - y, end[0] - x) * 180) / Math.PI;
  const line = path.slice(0, k + 1).concat([[end[0] - (end[0] - x) * 0.4, end[1] - (end[1] - y) * 0.4]]);
  const width = 0.1 * unit * weight;
  const shape = `M${-head} ${-0.75 * head}L0 0L${-head} ${0.75 * head}Z`;
  return draw(
    "g",
    { class: name },
    draw("path", {
      d: `M${line.map((p) => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`).join("L")}`,
      fill: "none",
      "stroke-width": width,
    }),
    draw("path", {
      d: shape,
      transform: `translate(${end[0].toFixed(1)} ${end[1].toFixed(1)}) rotate(${angle.toFixed(1)})`,
      "stroke-width": 0.03 * unit,
      class: "tip",
    }),
  );
}

/**
 * Light cells from below: lists of cells, each in a colour of its own, or all in one class.
 * @param {import("./session.js").Session} session
 * @param {string} name of the layer
 * @param {number[][]} sets
 * @param {(k: number) => string} classOf
 */
export function lightCells(session, name, sets, classOf) {
  const { view } = session;
  replace(
    "under",
    name,
    sets.flatMap((cells, k) =>
      cells.map((cell) => {
        const [x, y] = view.point(cell);
        return draw("circle", { cx: x, cy: y, r: 0.5 * view.unit, class: `lit ${classOf(k)}` });
      }),
    ),
  );
}

/**
 * Rings around cells, above the pieces.
 * @param {import("./session.js").Session} session
 * @param {string} name
 * @param {number[][]} sets
 * @param {(k: number) => string} classOf
 */
export function ringCells(session, name, sets, classOf) {
  const { view } = session;
  replace(
    "over",
    name,
    sets.flatMap((cells, k) =>
      cells.map((cell) => {
        const [x, y] = view.point(cell);
        return draw("circle", {
          cx: x,
          cy: y,
          r: 0.45 * view.unit, // around the dots of moves
          class: `ring ${classOf(k)}`,
          "stroke-width": 0.06 * view.unit,
        });
      }),
    ),
  );
}

/**
 * The cycles of a permutation: from each piece an arrow to where it belongs.
 * @param {import("./session.js").Session} session
 * @param {number[][]} cycles lists of pieces, from 1
 * @param {number[] | null} swap two pieces
 */
export function showCycles(session, cycles, swap) {
  const { view, puzzle, game } = session,
    isTooMany = cycles.flat().length > 120 || !puzzle.goal;
  const at = (/** @type {number} */ piece) => view.middle(game.state[piece - 1]);
  const arrows = isTooMany
    ? []
    : cycles.flatMap((pieces, k) =>
        pieces.map((piece) => {
          const path = bow(at(piece), view.middle(puzzle.goal[piece - 1]), view.unit);
          return arrowAlong(path, view.unit, `cycle ${hueOf(k)}`, 0.7);
        }),
      );
  replace("over", "cycles", arrows);
  if (swap) {
    const [a, b] = swap.map(at);
    const ring = (/** @type {number[]} */ [x, y]) =>
      draw("circle", { cx: x, cy: y, r: 0.43 * view.unit, class: "ring bad", "stroke-width": 0.06 * view.unit });
    replace("over", "swap", [
      ring(a),
      ring(b),
      arrowAlong(bow(a, b, view.unit), view.unit, "arrow bad", 0.7),
      arrowAlong(bow(b, a, view.unit), view.unit, "arrow bad", 0.7),
    ]);
  } else {
    replace("over", "swap", []);
  }
}

/**
 * Points of a bent line between two others, which keeps off their middles.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} unit
 */
function bow(from, to, unit) {
  const dx = to[0] - from[0],
    dy = to[1] - from[1],
    length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(0.34 * unit, 0.34 * length),
    gap = Math.min((0.18 * unit) / length, 0.2);
  return Array.from({ length: 17 }, (_, k) => {
    const t = gap + ((1 - 2 * gap) * k) / 16,
      side = 4 * t * (1 - t) * bend;
    return [from[0] + dx * t - (dy / length) * side, from[1] + dy * t + (dx / length) * side];
  });
}

/** @param {import("./session.js").Session} session @param {boolean} isShown */
export function showNumbers(session, isShown) {
  const { view, puzzle } = session;
  replace(
    "over",
    "numbers",
    isShown
      ? Array.from({ length: puzzle.size }, (_, cell) => {
          const [x, y] = view.point(cell);
          return draw(
            "text",
            { x: x - 0.42 * view.unit, y: y - 0.3 * view.unit, "font-size": 0.17 * view.unit, class: "number" },
            String(cell),
          );
        })
      : [],
  );
}

/** Remove the layers of an answer. @param {...string} names */
export function clearLayers(...names) {
  for (const name of names)
    for (const layer of ["over", "under"]) find(layer)?.querySelector(`:scope > .${name}`)?.remove();
}
