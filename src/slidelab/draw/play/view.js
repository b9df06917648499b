// The drawing of a game: pieces that glide, dots where they can go, and the targets of a piece that was picked.
import { ease, pointsAt } from "./motions.js";
import { placePiece, readPieces } from "./pieces.js";

const GLIDE = 170; // milliseconds of a move
const JUMP = 320; // milliseconds in which all pieces change places
const FRAME = 16; // milliseconds of a frame: the first one of a move shows it after that time, not at its start
const MAX_DOTS = 400;
const SPREAD = 0.36; // least distance of two targets in cells
const SVG = "http://www.w3.org/2000/svg";

export class View {
  // `root` has the data attribute that says whether pieces glide.
  constructor(data, puzzle, stage, root = document.documentElement) {
    this.data = data;
    this.puzzle = puzzle;
    this.stage = stage;
    this.root = root;
    this.unit = data.unit;
    this.reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
    this.layer = stage.querySelector("#pieces");
    this.dots = stage.appendChild(document.createElementNS(SVG, "g"));
    this.dots.id = "dots";
    this.targets = stage.appendChild(document.createElementNS(SVG, "g"));
    this.targets.id = "targets";
    /** @type {any[]} */
    this.items = readPieces(this.layer, data);
    this.items.forEach((item, piece) => Object.assign(item, { piece, spot: -1 }));
    this.itemOn = new Map(); // from placements to items
    /** @type {any[]} */
    this.glides = []; // motions under way
    this.handles = [];
    this.isRequested = false;
    this.duration = this.progress = 0;
    this.started = 0;
    this.frame = this.frame.bind(this);
  }

  point(cell) {
    return [this.data.cells[2 * cell], this.data.cells[2 * cell + 1]];
  }

  points(spot) {
    return this.puzzle.cells(spot).map((cell) => this.point(cell));
  }

  middle(spot) {
    return average(this.points(spot));
  }

  item(spot) {
    return this.itemOn.get(this.puzzle.placement(spot));
  }

  // ---- positions ----

  // Show a state. Pieces of one colour keep their elements only in single moves.
  show(state, isAnimated = false) {
    this.finish();
    const moved = this.items.filter((item, piece) => item.spot !== state[piece]);
    const glides = moved.map((item) => ({
      item, from: item.spot < 0 ? null : this.points(item.spot), to: this.points(state[item.piece]), curve: [],
    }));
    this.items.forEach((item, piece) => { item.spot = state[piece]; });
    this.itemOn = new Map(this.items.map((item) => [this.puzzle.placement(item.spot), item]));
    if (isAnimated && glides.every(({ from }) => from)) this.start(glides, JUMP);
    else for (const { item, to } of glides) placePiece(item, to, this.unit);
  }

  // Make moves that are legal one after the other, and show them all at once; the first may have begun.
  move(moves, progress = 0) {
    this.finish();
    const glides = moves.map((move) => {
      const item = this.item(move.before), motion = this.motion(item, move);
      this.itemOn.delete(this.puzzle.placement(move.before));
      this.itemOn.set(this.puzzle.placement(move.after), item);
      item.spot = motion.spot;
      return { item, ...motion };
    });
    this.start(glides, GLIDE, progress);
  }

  // The motion of the element of a piece, which may be turned from what the engine says of pieces that look alike.
  motion(item, { after, step }) {
    const { puzzle } = this, turn = item.spot % puzzle.turns;
    const spot = puzzle.turned(puzzle.placement(after) * puzzle.turns, turn + step.turn);
    const curve = step.curve.slice();
    if (curve.length > 3) curve[3] = puzzle.readings[turn].indexOf(curve[3]);
    return { spot, from: this.points(item.spot), to: this.points(spot), curve };
  }

  // Show a piece during a move, at a time from 0 to 1.
  hold(item, move, time) {
    const { from, to, curve } = this.motion(item, move);
    placePiece(item, pointsAt(from, to, curve, time), this.unit);
  }

  // The path of the cell of a piece that enters a hole, or of one near a point if that moves, too.
  path(item, move, near = null, samples = 12) {
    const { from, to, curve } = this.motion(item, move);
    let cell = leading(from, to);
    if (near) {
      const nearest = from.reduce((best, p, k) => (apart(p, near) < apart(from[best], near) ? k : best), 0);
      if (apart(from[nearest], to[nearest]) > 0.3 * this.unit) cell = nearest;
    }
    return Array.from({ length: samples + 1 }, (_, k) => pointsAt(from, to, curve, k / samples)[cell]);
  }

  // ---- time ----

  start(glides, milliseconds, progress = 0) {
    if (!glides.length) return;
    this.glides = glides;
    this.duration = milliseconds;
    this.progress = progress;
    this.root.dataset.gliding = "true";
    this.started = 0;
    if (this.reducedMotion.matches) this.finish();
    else this.requestFrame();
  }

  requestFrame() {
    if (this.isRequested) return;
    this.isRequested = true;
    requestAnimationFrame(this.frame);
  }

  frame(time) {
    this.isRequested = false;
    if (!this.glides.length) return;
    if (!this.started) this.started = time - FRAME - this.progress * this.duration;
    const share = Math.min(1, (time - this.started) / this.duration);
    if (share >= 1) {
      this.finish();
      return;
    }
    // A piece that was dragged goes on as fast as it was; others start softly.
    const eased = this.progress ? share : ease(share);
    for (const { item, from, to, curve } of this.glides) placePiece(item, pointsAt(from, to, curve, eased), this.unit);
    this.requestFrame();
  }

  finish() {
    for (const { item, to } of this.glides) placePiece(item, to, this.unit);
    this.glides = [];
    this.root.dataset.gliding = "false";
  }

  // Put a piece that was dragged back.
  release(item) {
    placePiece(item, this.points(item.spot), this.unit);
  }

  // ---- marks ----

  // Show which pieces can move, and a dot on each of them for every move.
  showMoves(moves) {
    const movable = new Set(moves.map((move) => this.item(move.before)));
    for (const item of this.items) {
      const canMove = movable.has(item);
      if (item.canMove !== canMove) { // to set them anew may cost a layout of the page
        item.group.classList.toggle("movable", canMove);
        item.group.setAttribute("tabindex", canMove ? "0" : "-1");
        item.group.setAttribute("role", canMove ? "button" : "img");
      }
      if (item.describedSpot !== item.spot) {
        const cells = this.puzzle.cells(item.spot);
        item.group.setAttribute("aria-label",
          `${this.data.names[item.piece]} on cell${cells.length > 1 ? "s" : ""} ${cells.join("-")}`);
      }
      Object.assign(item, { describedSpot: item.spot, canMove });
    }
    this.dots.replaceChildren(...moves.slice(0, MAX_DOTS).map((move) => {
      const path = this.path(this.item(move.before), move, null, 24);
      const [x, y] = path[0], [ax, ay] = path.find((at) => apart(at, path[0]) >= this.data.dot * this.unit) || path.at(-1);
      const share = this.data.dot * this.unit / (apart([ax, ay], [x, y]) || 1);
      return circle([x + (ax - x) * share, y + (ay - y) * share], 0.045 * this.unit, "dot");
    }));
  }

  // Show the targets of moves: a handle each, and the piece as it would lie at the active one.
  showTargets(moves, active = -1) {
    this.handles = this.handlePoints(moves);
    const ghost = active < 0 ? [] : [this.ghost(moves[active])];
    this.targets.replaceChildren(...ghost, ...this.handles.map((at, k) =>
      circle(at, 0.15 * this.unit, k === active ? "handle active" : "handle")));
  }

  hideTargets() {
    this.handles = [];
    this.targets.replaceChildren();
  }

  // The handle of a move is inside the target, toward the cells that the piece enters.
  handlePoints(moves) {
    const points = moves.map((move) => {
      const before = new Set(this.puzzle.cells(move.before));
      const entered = this.puzzle.cells(move.after).filter((cell) => !before.has(cell));
      const [x, y] = this.middle(move.after), [ex, ey] = average(entered.map((cell) => this.point(cell)));
      return [0.6 * x + 0.4 * ex, 0.6 * y + 0.4 * ey];
    });
    return spread(points, SPREAD * this.unit);
  }

  // The nearest handle to a point, within reach; -1 if there is none.
  handleAt(point, reach = 0.55) {
    let best = -1, least = reach * this.unit;
    (this.handles || []).forEach((at, k) => {
      if (apart(at, point) >= least) return;
      least = apart(at, point);
      best = k;
    });
    return best;
  }

  ghost(move) {
    const item = this.item(move.before), group = item.group.cloneNode(true);
    for (const name of ["id", "tabindex", "role", "aria-label"]) group.removeAttribute(name);
    group.setAttribute("class", "ghost");
    const [ghost] = readPieces({ children: [group] }, { ...this.data, assemblyOf: [this.data.assemblyOf[item.piece]] });
    placePiece(ghost, this.motion(item, move).to, this.unit);
    return group;
  }

  mark(name, item) {
    for (const each of this.items) each.group.classList.toggle(name, each === item);
  }

  // The point of the drawing under a pointer.
  toDrawing(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.stage.getScreenCTM().inverse());
    return [at.x, at.y];
  }
}

export const apart = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

const average = (points) => [0, 1].map((axis) => points.reduce((sum, p) => sum + p[axis], 0) / points.length);

// The cell of a piece that enters a hole: one that ends where no cell was.
const leading = (from, to) => Math.max(0, to.findIndex((end) => from.every((p) => apart(p, end) > 0.01)));

// The points, pushed apart until no two are closer than given (or nearly so).
function spread(points, least) {
  const out = points.map(([x, y], k) => [x + 0.01 * Math.cos(k), y + 0.01 * Math.sin(k)]); // never the same point
  for (let round = 0; round < 20; round++) {
    for (let a = 0; a < out.length; a++) {
      for (let b = 0; b < a; b++) {
        const distance = apart(out[a], out[b]), by = (least - distance) / 2 / distance;
        if (by <= 0) continue;
        for (const axis of [0, 1]) {
          const shift = (out[a][axis] - out[b][axis]) * by;
          out[a][axis] += shift;
          out[b][axis] -= shift;
        }
      }
    }
  }
  return out;
}

function circle([x, y], radius, name) {
  const mark = document.createElementNS(SVG, "circle");
  for (const [key, value] of Object.entries({ cx: x, cy: y, r: radius, class: name })) mark.setAttribute(key, value);
  return mark;
}
