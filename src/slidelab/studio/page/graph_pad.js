// A sheet on which a graph is drawn: click for a vertex, drag from one vertex to another for an edge.
import { draw } from "./dom.js";

const WIDTH = 12,
  HEIGHT = 9; // of the sheet
const REACH = 0.55; // of a click to a vertex

/**
 * @typedef {object} Sketch
 * @property {[number, number][]} points
 * @property {[number, number][]} edges
 */

export class GraphPad {
  /** @param {any} svg @param {() => void} changed */
  constructor(svg, changed) {
    this.svg = svg;
    this.changed = changed;
    this.tool = "draw";
    /** @type {Sketch} */
    this.sketch = { points: [], edges: [] };
    /** @type {Sketch[]} */
    this.past = [];
    /** @type {Sketch[]} */
    this.future = [];
    /** @type {any} */
    this.drag = null;
    this.picked = -1; // the vertex from which the keyboard draws an edge
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    const { svg } = this,
      listen = (/** @type {string} */ name, /** @type {any} */ listener) =>
        svg.addEventListener(name, listener, { signal });
    listen("pointerdown", (/** @type {any} */ event) => {
      if (!event.isPrimary || event.button) return;
      event.preventDefault();
      svg.setPointerCapture(event.pointerId);
      this.begin(this.toSheet(event), event);
    });
    listen("pointermove", (/** @type {any} */ event) => this.drag && this.follow(this.toSheet(event)));
    listen("pointerup", (/** @type {any} */ event) => this.drag && this.end(this.toSheet(event)));
    listen("pointercancel", () => {
      this.drag = null;
      this.draw();
    });
    listen("keydown", (/** @type {any} */ event) => {
      const k = Number(event.target.dataset?.vertex ?? -1);
      if (k < 0) return;
      if (event.key === "Enter" || event.key === " ") {
        if (this.picked < 0) this.picked = k;
        else {
          if (this.picked !== k) this.edit((sketch) => toggle(sketch, this.picked, k));
          this.picked = -1;
        }
        this.draw();
        this.svg.querySelector(`[data-vertex="${k}"]`)?.focus();
      } else if (event.key === "Delete" || event.key === "Backspace") this.edit((sketch) => remove(sketch, k));
      else return;
      event.preventDefault();
    });
  }

  /** @param {any} event @returns {[number, number]} */
  toSheet(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [Math.max(0, Math.min(WIDTH, at.x)), Math.max(0, Math.min(HEIGHT, at.y))];
  }

  /** @param {[number, number]} point */
  nearest(point) {
    let best = -1,
      least = REACH;
    this.sketch.points.forEach(([x, y], k) => {
      const off = Math.hypot(x - point[0], y - point[1]);
      if (off < least) [best, least] = [k, off];
    });
    return best;
  }

  /** @param {[number, number]} point @param {any} event */
  begin(point, event) {
    const vertex = this.nearest(point),
      edge = event.target.dataset?.edge;
    if (this.tool === "erase") {
      if (vertex >= 0) this.edit((sketch) => remove(sketch, vertex));
      else if (edge) this.edit((sketch) => toggle(sketch, ...sketch.edges[Number(edge)]));
      return;
    }
    if (this.tool === "move") {
      if (vertex >= 0) {
        this.remember();
        this.drag = { vertex };
      }
      return;
    }
    let from = vertex;
    if (from < 0) {
      this.edit((sketch) => sketch.points.push(point));
      from = this.sketch.points.length - 1;
    }
    this.drag = { from, point, isNew: vertex < 0 };
  }

  /** @param {[number, number]} point */
  follow(point) {
    if (this.drag.vertex !== undefined) this.sketch.points[this.drag.vertex] = point;
    else this.drag.point = point;
    this.draw();
  }

  /** @param {[number, number]} point */
  end(point) {
    const { from, vertex } = this.drag;
    this.drag = null;
    if (vertex === undefined) {
      const to = this.nearest(point),
        [x, y] = this.sketch.points[from];
      if (to >= 0 && to !== from) this.edit((sketch) => toggle(sketch, from, to));
      else if (to < 0 && Math.hypot(point[0] - x, point[1] - y) > REACH) {
        this.edit((sketch) => {
          sketch.points.push(point);
          toggle(sketch, from, sketch.points.length - 1);
        });
      }
    }
    this.draw();
    this.changed();
  }

  // ---- changes ----

  copy() {
    return /** @type {Sketch} */ (structuredClone(this.sketch));
  }

  remember() {
    this.past.push(this.copy());
    this.future = [];
  }

  /** @param {(sketch: Sketch) => void} change */
  edit(change) {
    this.remember();
    change(this.sketch);
    this.draw();
    this.changed();
  }

  undo() {
    this.swap(this.past, this.future);
  }

  redo() {
    this.swap(this.future, this.past);
  }

  /** @param {Sketch[]} from @param {Sketch[]} to */
  swap(from, to) {
    const sketch = from.pop();
    if (!sketch) return;
    to.push(this.sketch);
    this.sketch = sketch;
    this.draw();
    this.changed();
  }

  /**
   * Show another graph, with vertices around a circle if it has no points.
   * @param {number} count
   * @param {number[][]} edges
   * @param {number[][] | null} points
   */
  replace(count, edges, points) {
    const given =
      points && points.length === count
        ? fit(points)
        : Array.from({ length: count }, (_, k) => {
            const angle = (2 * Math.PI * k) / count - Math.PI / 2;
            return [WIDTH / 2 + 0.42 * HEIGHT * Math.cos(angle), HEIGHT / 2 + 0.42 * HEIGHT * Math.sin(angle)];
          });
    this.sketch = /** @type {Sketch} */ ({ points: given, edges: edges.map(([a, b]) => [a, b]) });
    this.draw();
    this.changed();
  }

  draw() {
    const { points, edges } = this.sketch;
    this.svg.setAttribute("viewBox", `-0.6 -0.6 ${WIDTH + 1.2} ${HEIGHT + 1.2}`);
    const line = (/** @type {number[]} */ [x, y], /** @type {number[]} */ [ax, ay], /** @type {any} */ more) =>
      draw("line", { x1: x, y1: y, x2: ax, y2: ay, ...more });
    const sheet = draw("rect", { x: -0.5, y: -0.5, width: WIDTH + 1, height: HEIGHT + 1, rx: 0.4, class: "sheet" });
    const lines = edges.map(([a, b], k) => line(points[a], points[b], { class: "edge", "data-edge": k }));
    if (this.drag?.point) lines.push(line(points[this.drag.from], this.drag.point, { class: "edge draft" }));
    const dots = points.map(([x, y], k) =>
      draw(
        "g",
        {
          class: `vertex${k === this.picked ? " picked" : ""}`,
          tabindex: "0",
          role: "button",
          "data-vertex": k,
          "aria-label": `vertex ${k}`,
          "aria-pressed": String(k === this.picked),
          transform: `translate(${x} ${y})`,
        },
        draw("circle", { r: 0.34 }),
        draw("text", { "text-anchor": "middle", y: 0.12, "font-size": 0.34 }, String(k)),
      ),
    );
    const empty = points.length
      ? []
      : [
          draw(
            "text",
            { x: WIDTH / 2, y: HEIGHT / 2, "text-anchor": "middle", "font-size": 0.5, class: "empty" },
            "Click for a vertex, drag between vertices for an edge",
          ),
        ];
    this.svg.replaceChildren(sheet, ...empty, ...lines, ...dots);
  }
}

/** @param {Sketch} sketch @param {number} a @param {number} b */
function toggle(sketch, a, b) {
  const k = sketch.edges.findIndex(([x, y]) => (x === a && y === b) || (x === b && y === a));
  if (k >= 0) sketch.edges.splice(k, 1);
  else sketch.edges.push([a, b]);
}

/** @param {Sketch} sketch @param {number} vertex */
function remove(sketch, vertex) {
  sketch.points.splice(vertex, 1);
  const renumber = (/** @type {number} */ k) => (k > vertex ? k - 1 : k);
  sketch.edges = sketch.edges
    .filter(([a, b]) => a !== vertex && b !== vertex)
    .map(([a, b]) => [renumber(a), renumber(b)]);
}

/** Points scaled to the sheet. @param {number[][]} points */
function fit(points) {
  const low = [0, 1].map((axis) => Math.min(...points.map((p) => p[axis])));
  const size = [0, 1].map((axis) => Math.max(...points.map((p) => p[axis])) - low[axis] || 1);
  const scale = Math.min((WIDTH - 1) / size[0], (HEIGHT - 1) / size[1]);
  return points.map((p) =>
    [0, 1].map((axis) => ([WIDTH, HEIGHT][axis] - size[axis] * scale) / 2 + (p[axis] - low[axis]) * scale),
  );
}
