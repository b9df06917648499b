// Small charts: how many positions there are at each distance, and the distance along a game.
import { draw, grouped } from "./dom.js";
import { plural } from "./playing.js";

const WIDTH = 420,
  HEIGHT = 210,
  LEFT = 8,
  RIGHT = 8,
  TOP = 32,
  BOTTOM = 28;

/** @param {string} label @param {any[]} children */
const chart = (label, children) =>
  draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": label }, children);

/** @param {number} x @param {number} y @param {string} words @param {string} [anchor] @param {string} [name] */
const text = (x, y, words, anchor = "middle", name = "axis") =>
  draw("text", { x, y, "text-anchor": anchor, class: name, "font-size": 15 }, words);

/** Round numbers up to a limit, about five. @param {number} limit */
function ticks(limit) {
  const rough = limit / 5,
    power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((k) => k * power).find((each) => each >= rough) || 1;
  return Array.from({ length: Math.floor(limit / step) + 1 }, (_, k) => k * step);
}

/**
 * Bars for the number of positions at each distance; the one of `here` stands out.
 * @param {(number | string)[]} counts
 * @param {number | null} here
 */
export function histogram(counts, here) {
  const values = counts.map(Number),
    most = Math.max(...values, 1),
    last = values.length - 1;
  const step = (WIDTH - LEFT - RIGHT) / values.length,
    high = HEIGHT - TOP - BOTTOM;
  const x = (/** @type {number} */ k) => LEFT + k * step;
  const bars = values.map((count, k) => {
    const height = count ? Math.max(1.5, (high * count) / most) : 0;
    return draw(
      "rect",
      {
        x: x(k) + Math.min(1, step * 0.12),
        y: HEIGHT - BOTTOM - height,
        width: Math.max(0.6, step - Math.min(2, step * 0.24)),
        height,
        rx: Math.min(2, step / 4),
        class: k === here ? "bar here" : "bar",
      },
      draw("title", {}, `${plural(k, "move")}: ${grouped(counts[k])} positions`),
    );
  });
  const labels = ticks(last).map((k) => text(x(k) + step / 2, HEIGHT - 7, String(k)));
  const marks = [];
  if (here !== null && here <= last) {
    const at = x(here) + step / 2,
      anchor = at < 60 ? "start" : at > WIDTH - 60 ? "end" : "middle";
    const top = HEIGHT - BOTTOM - (high * values[here]) / most;
    marks.push(
      draw("path", { d: `M${at} ${TOP - 6}V${Math.max(TOP - 5, top - 3)}`, class: "pin" }),
      text(at, TOP - 10, `you: ${here}`, anchor, "you"),
    );
  }
  const where = here === null ? "" : `; your position is ${plural(here, "move")} from the goal`;
  return chart(`Number of positions by distance from the goal, 0 to ${last}${where}`, [...bars, ...labels, ...marks]);
}

/**
 * The distance after each move of a game, where it is known.
 * @param {(number | null)[]} distances
 * @param {number} made number of moves made
 */
export function courseChart(distances, made) {
  const known = distances
    .map((value, k) => ({ value, k }))
    .filter(({ value }) => value !== null && value !== undefined);
  const most = Math.max(1, ...known.map(({ value }) => Number(value))),
    count = Math.max(1, distances.length - 1);
  const x = (/** @type {number} */ k) => LEFT + 20 + ((WIDTH - LEFT - RIGHT - 28) * k) / count;
  const y = (/** @type {number} */ value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / most);
  const lines = ticks(most).map((value) => [
    draw("path", { d: `M${x(0)} ${y(value)}H${x(count)}`, class: "rule" }),
    text(x(0) - 6, y(value) + 4, String(value), "end"),
  ]);
  const path = known
    .map(
      ({ value, k }, j) =>
        `${j && known[j - 1].k === k - 1 ? "L" : "M"}${x(k).toFixed(1)} ${y(Number(value)).toFixed(1)}`,
    )
    .join("");
  const here = known.find(({ k }) => k === made);
  const dots =
    known.length <= 80
      ? known.map(({ value, k }) => draw("circle", { cx: x(k), cy: y(Number(value)), r: 2.4, class: "dot-mark" }))
      : [];
  const labels = ticks(count).map((k) => text(x(k), HEIGHT - 7, String(k)));
  const mark = here ? [draw("circle", { cx: x(made), cy: y(Number(here.value)), r: 5.5, class: "you-mark" })] : [];
  const end = here ? `; ${plural(Number(here.value), "move")} to go now` : "";
  return chart(`Distance from the goal after each of ${plural(count, "move")}${end}`, [
    ...lines.flat(),
    draw("path", { d: path, class: "course" }),
    ...dots,
    ...mark,
    ...labels,
  ]);
}
