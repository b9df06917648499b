// A graph on a canvas: vertices and edges, with one vertex that stands out. Pointing at a vertex names it, a click
// chooses it.

const PADDING = 26;

/** @typedef {{from: number, to: number, name?: string}} Line */

export class GraphView {
  /**
   * @param {any} canvas
   * @param {{choose: (vertex: number) => void, name: (vertex: number) => string, say: (words: string) => void}} actions
   */
  constructor(canvas, actions) {
    this.canvas = canvas;
    this.actions = actions;
    /** @type {number[][]} */
    this.points = [];
    /** @type {Line[]} */
    this.lines = [];
    /** @type {(vertex: number) => string} */
    this.colour = () => "--o0";
    this.here = -1;
    this.goal = -1;
    /** @type {string[]} */
    this.labels = [];
    canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      const k = this.nearest(event);
      actions.say(k < 0 ? "" : actions.name(k));
      canvas.style.cursor = k < 0 ? "" : "pointer";
    });
    canvas.addEventListener("click", (/** @type {PointerEvent} */ event) => {
      const k = this.nearest(event);
      if (k >= 0) actions.choose(k);
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** Where a point is on the canvas. @param {number[]} point */
  place([x, y]) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const half = Math.min(width, height) / 2 - PADDING;
    const wide =
      this.extent[0] > 0
        ? Math.min((width / 2 - PADDING) / this.extent[0], (height / 2 - PADDING) / (this.extent[1] || 0.01))
        : half;
    return [width / 2 + x * wide, height / 2 + y * wide];
  }

  get extent() {
    return [0, 1].map((axis) => this.points.reduce((most, p) => Math.max(most, Math.abs(p[axis])), 0));
  }

  /** @param {PointerEvent} event */
  nearest(event) {
    const box = this.canvas.getBoundingClientRect();
    let best = -1,
      least = 14;
    this.points.forEach((point, k) => {
      const [x, y] = this.place(point),
        off = Math.hypot(event.clientX - box.left - x, event.clientY - box.top - y);
      if (off < least) [best, least] = [k, off];
    });
    return best;
  }

  /**
   * @param {{points: number[][], lines: Line[], colour: (vertex: number) => string, goal?: number,
   *   labels?: string[]}} graph
   */
  show({ points, lines, colour, goal = -1, labels = [] }) {
    Object.assign(this, { points, lines, colour, goal, labels });
    this.draw();
  }

  /** @param {number} vertex */
  move(vertex) {
    this.here = vertex;
    this.draw();
  }

  draw() {
    const { canvas, points } = this,
      ratio = devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !points.length) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    const context = canvas.getContext("2d"),
      style = getComputedStyle(canvas);
    const paint = (/** @type {string} */ name) => style.getPropertyValue(name);
    context.scale(ratio, ratio);
    const placed = points.map((point) => this.place(point));
    const size = Math.max(1.6, Math.min(6, 60 / Math.sqrt(points.length)));
    for (const [name, lines] of groupBy(this.lines)) {
      context.strokeStyle = paint(name);
      context.lineWidth = name === "--thread" ? 1 : 1.6;
      context.beginPath();
      for (const { from, to } of lines) {
        const [x, y] = placed[from],
          [ax, ay] = placed[to];
        context.moveTo(x, y);
        if (from === to) context.arc(x, y - size - 4, 5, Math.PI / 2, 2.5 * Math.PI);
        else context.lineTo(ax, ay);
      }
      context.stroke();
    }
    placed.forEach(([x, y], k) => {
      context.fillStyle = paint(this.colour(k));
      context.beginPath();
      context.arc(x, y, size, 0, 2 * Math.PI);
      context.fill();
    });
    if (this.labels.length) {
      context.font = "600 11px system-ui, sans-serif";
      context.textAlign = "center";
      context.fillStyle = paint("--ink");
      placed.forEach(([x, y], k) => context.fillText(this.labels[k] || "", x, y - size - 3));
    }
    if (this.goal >= 0) ring(context, placed[this.goal], size + 3, paint("--good"));
    if (this.here >= 0 && placed[this.here]) {
      context.fillStyle = paint("--accent");
      context.beginPath();
      context.arc(...placed[this.here], size + 2.5, 0, 2 * Math.PI);
      context.fill();
      ring(context, placed[this.here], size + 6, paint("--accent"));
    }
  }
}

/** @param {any} context @param {number[]} at @param {number} radius @param {string} colour */
function ring(context, [x, y], radius, colour) {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}

/** @param {Line[]} lines */
function groupBy(lines) {
  /** @type {Map<string, Line[]>} */
  const groups = new Map();
  for (const line of lines)
    groups.set(line.name || "--thread", [...(groups.get(line.name || "--thread") || []), line]);
  return groups;
}
