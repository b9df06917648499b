// A grid on which a board is painted: click or drag cells, perhaps symmetrically; every stroke can be taken back.
//
// Cells have coordinates [x, y] on a square grid, or axial ones [q, r] on a hexagonal grid, around the middle [0, 0].
import { draw } from "./dom.js";

const HALF = Math.sqrt(3) / 2;

/** @typedef {[number, number]} Cell */

/** @type {Record<string, Record<string, (cell: Cell) => Cell>>} symmetries by kind of grid */
const MAPS = {
  hex: { turn: ([q, r]) => [-r, q + r], half: ([q, r]) => [-q, -r], mirror: ([q, r]) => [-q - r, r] },
  square: { turn: ([x, y]) => [-y, x], half: ([x, y]) => [-x, -y], mirror: ([x, y]) => [-x, y] },
};
/** @type {Record<string, string[]>} the maps that generate each choice */
const SYMMETRIES = { none: [], mirror: ["mirror"], half: ["half"], turn: ["turn"], all: ["turn", "mirror"] };

/** @param {Cell} cell */
const keyOf = ([a, b]) => `${a},${b}`;

export class GridPad {
  /**
   * @param {any} svg
   * @param {() => void} changed
   */
  constructor(svg, changed) {
    this.svg = svg;
    this.changed = changed;
    this.grid = "hex";
    this.radius = 4;
    this.symmetry = "none";
    /** @type {Set<string>} */
    this.cells = new Set();
    /** @type {Set<string>[]} */
    this.past = [];
    /** @type {Set<string>[]} */
    this.future = [];
    /** @type {Map<string, any>} */
    this.elements = new Map();
    /** @type {{isOn: boolean, id: number} | null} */
    this.stroke = null;
    this.focused = "0,0";
  }

  /** Listen to the pad until the signal. @param {AbortSignal} signal */
  listen(signal) {
    const { svg } = this;
    svg.addEventListener(
      "pointerdown",
      (/** @type {any} */ event) => {
        const key = event.target.dataset?.cell;
        if (!key || !event.isPrimary || event.button) return;
        event.preventDefault();
        this.remember();
        this.stroke = { isOn: !this.cells.has(key), id: event.pointerId };
        svg.setPointerCapture(event.pointerId);
        this.focus(key);
        this.set(key, this.stroke.isOn);
      },
      { signal },
    );
    svg.addEventListener(
      "pointermove",
      (/** @type {any} */ event) => {
        if (!this.stroke || event.pointerId !== this.stroke.id) return;
        for (const each of event.getCoalescedEvents?.() || [event]) {
          const target = /** @type {any} */ (document.elementFromPoint(each.clientX, each.clientY));
          const key = target?.closest("#pad") ? target.dataset.cell : null;
          if (key && this.cells.has(key) !== this.stroke.isOn) this.set(key, this.stroke.isOn);
        }
      },
      { signal },
    );
    for (const name of ["pointerup", "pointercancel"])
      svg.addEventListener(
        name,
        () => {
          this.stroke = null;
        },
        { signal },
      );
    svg.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event), { signal });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const element = this.elements.get(this.focused);
    if (!element) return;
    if (event.key === " " || event.key === "Enter") {
      this.remember();
      this.set(this.focused, !this.cells.has(this.focused));
    } else {
      const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
      if (!by) return;
      const [x, y] = this.point(parse(this.focused)),
        steps = this.grid === "hex" && by[1] ? HALF : 1;
      let best = "",
        least = 1.2;
      for (const key of this.elements.keys()) {
        const [cx, cy] = this.point(parse(key));
        const off = Math.hypot(cx - x - by[0] * steps, cy - y - by[1] * steps);
        if (key !== this.focused && off < least && (cx - x) * by[0] + (cy - y) * by[1] > 0.3)
          [best, least] = [key, off];
      }
      if (best) this.focus(best);
    }
    event.preventDefault();
  }

  /** @param {string} key */
  focus(key) {
    this.elements.get(this.focused)?.setAttribute("tabindex", "-1");
    this.focused = key;
    const element = this.elements.get(key);
    element?.setAttribute("tabindex", "0");
    element?.focus({ preventScroll: true });
  }

  // ---- cells ----

  /** @param {Cell} cell @returns {[number, number]} */
  point([a, b]) {
    return this.grid === "hex" ? [a + b / 2, b * HALF] : [a, b];
  }

  /** All cells of the grid. @returns {Cell[]} */
  all() {
    const out = /** @type {Cell[]} */ ([]),
      n = this.radius;
    for (let b = -n; b <= n; b++) {
      for (let a = -n; a <= n; a++) if (this.grid !== "hex" || Math.abs(a + b) <= n) out.push([a, b]);
    }
    return out;
  }

  /** The images of a cell under the symmetries. @param {string} key */
  images(key) {
    const maps = SYMMETRIES[this.symmetry].map((name) => MAPS[this.grid][name]),
      found = new Set([key]);
    for (const each of found) for (const map of maps) found.add(keyOf(map(parse(each))));
    return found;
  }

  /** @param {string} key @param {boolean} isOn */
  set(key, isOn) {
    for (const image of this.images(key)) {
      if (!this.elements.has(image)) continue;
      if (isOn) this.cells.add(image);
      else this.cells.delete(image);
      this.mark(image);
    }
    this.changed();
  }

  /** @param {string} key */
  mark(key) {
    const isOn = this.cells.has(key),
      element = this.elements.get(key);
    element?.classList.toggle("on", isOn);
    element?.setAttribute("aria-checked", String(isOn));
  }

  /** Cells that are on, in reading order, with coordinates from 0. @returns {Cell[]} */
  list() {
    const cells = Array.from(this.cells, parse);
    const least = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
    return cells
      .map(([a, b]) => /** @type {Cell} */ ([a - least[0], b - least[1]]))
      .sort((one, other) => one[1] - other[1] || one[0] - other[0]);
  }

  // ---- undo ----

  remember() {
    this.past.push(new Set(this.cells));
    this.future = [];
  }

  undo() {
    this.swap(this.past, this.future);
  }

  redo() {
    this.swap(this.future, this.past);
  }

  /** @param {Set<string>[]} from @param {Set<string>[]} to */
  swap(from, to) {
    const cells = from.pop();
    if (!cells) return;
    to.push(this.cells);
    this.cells = cells;
    for (const key of this.elements.keys()) this.mark(key);
    this.changed();
  }

  /** Show other cells; those that do not fit are left out. @param {Cell[]} cells */
  replace(cells) {
    const points = cells.map((cell) => this.point(cell));
    const middle = [0, 1].map(
      (axis) => (Math.min(...points.map((p) => p[axis])) + Math.max(...points.map((p) => p[axis]))) / 2,
    );
    const b = cells.length ? Math.round(this.grid === "hex" ? middle[1] / HALF : middle[1]) : 0;
    const a = cells.length ? Math.round(this.grid === "hex" ? middle[0] - b / 2 : middle[0]) : 0;
    const fits = new Set(this.all().map(keyOf));
    this.cells = new Set(cells.map(([x, y]) => keyOf([x - a, y - b])).filter((key) => fits.has(key)));
    this.draw();
    this.changed();
  }

  /** Draw the grid anew. */
  draw() {
    const n = this.radius,
      isHex = this.grid === "hex";
    const width = 2 * n + 1.3,
      height = isHex ? 2 * n * HALF + 1.45 : width;
    this.svg.setAttribute("viewBox", `${-width / 2} ${-height / 2} ${width} ${height}`);
    this.elements = new Map(
      this.all().map((cell) => {
        const [x, y] = this.point(cell),
          key = keyOf(cell);
        const shape = isHex ? hexagon(x, y, 0.53) : square(x, y, 0.46);
        return [
          key,
          draw("path", {
            d: shape,
            class: "paint",
            "data-cell": key,
            role: "checkbox",
            "aria-label": `cell ${key}`,
            tabindex: "-1",
          }),
        ];
      }),
    );
    this.svg.replaceChildren(...this.elements.values());
    for (const key of this.elements.keys()) this.mark(key);
    if (!this.elements.has(this.focused)) this.focused = "0,0";
    this.elements.get(this.focused)?.setAttribute("tabindex", "0");
  }
}

/** @param {string} key @returns {Cell} */
const parse = (key) => /** @type {Cell} */ (key.split(",").map(Number));

/** @param {number} x @param {number} y @param {number} r */
const hexagon = (x, y, r) =>
  `M${Array.from(
    { length: 6 },
    (_, k) =>
      `${(x + r * Math.sin((k * Math.PI) / 3)).toFixed(3)} ${(y - r * Math.cos((k * Math.PI) / 3)).toFixed(3)}`,
  ).join("L")}Z`;

/** @param {number} x @param {number} y @param {number} r */
const square = (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}Z`;
