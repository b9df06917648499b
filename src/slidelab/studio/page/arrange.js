// Arranging pieces at will, for a start or a goal of one's own: drag a piece to another cell, or onto another piece
// to swap the two; a click turns a piece that has two ends.
import { find } from "./dom.js";
import { placePiece } from "./pieces.js";
import { apart } from "./view.js";

const CLICK = 0.15; // cells that a pointer may move in a click

export class Arrangement {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.state = Int32Array.from(session.game.state);
    this.controller = new AbortController();
    /** @type {any} */
    this.drag = null;
    /** @type {any} */
    this.picked = null;
    const options = { signal: this.controller.signal, capture: true },
      box = find("box");
    session.playing.cancel();
    document.documentElement.dataset.mode = "arrange";
    document.body.toggleAttribute("data-keys", true);
    for (const item of session.view.items) item.group.setAttribute("tabindex", "0");
    const take = (/** @type {(event: any) => void} */ action) => (/** @type {any} */ event) => {
      event.stopPropagation();
      action(event);
    };
    box.addEventListener(
      "pointerdown",
      take((event) => this.begin(event)),
      options,
    );
    box.addEventListener(
      "pointermove",
      take((event) => this.follow(event)),
      options,
    );
    box.addEventListener(
      "pointerup",
      take((event) => this.end(event)),
      options,
    );
    box.addEventListener(
      "pointercancel",
      take(() => this.show()),
      options,
    );
    box.addEventListener(
      "keydown",
      (/** @type {any} */ event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        this.key(event.target);
      },
      options,
    );
  }

  /** @param {any} target */
  itemOf(target) {
    const group = target.closest?.(".piece");
    return group && this.session.view.items.find((/** @type {any} */ item) => item.group === group);
  }

  /** @param {any} event */
  begin(event) {
    const item = this.itemOf(event.target);
    if (!item || !event.isPrimary || event.button) return;
    const { view } = this.session;
    view.finish();
    view.stage.setPointerCapture(event.pointerId);
    view.layer.append(item.group); // above the others
    this.drag = { item, from: view.toDrawing(event), points: view.points(this.state[item.piece]) };
  }

  /** @param {any} event */
  follow(event) {
    if (!this.drag) return;
    const { item, from, points } = this.drag,
      { view } = this.session,
      [x, y] = view.toDrawing(event);
    placePiece(
      item,
      points.map((/** @type {number[]} */ p) => [p[0] + x - from[0], p[1] + y - from[1]]),
      view.unit,
    );
  }

  /** @param {any} event */
  end(event) {
    if (!this.drag) return;
    const { item, from } = this.drag,
      { view } = this.session,
      point = view.toDrawing(event);
    this.drag = null;
    if (apart(point, from) < CLICK * view.unit) this.turn(item.piece);
    else this.drop(item.piece, point);
    this.show();
  }

  /** @param {number} piece */
  turn(piece) {
    const { puzzle } = this.session;
    if (puzzle.turns > 1) this.state[piece] = puzzle.turned(this.state[piece], 1);
  }

  /** @param {number} piece @param {number[]} point */
  drop(piece, point) {
    const { view, puzzle } = this.session;
    let cell = -1,
      least = 0.75 * view.unit;
    for (let k = 0; k < puzzle.size; k++) {
      const off = apart(view.point(k), point);
      if (off < least) [cell, least] = [k, off];
    }
    if (cell < 0) return;
    const other = this.state.findIndex((spot) => puzzle.placements[puzzle.placement(spot)].includes(cell));
    if (other >= 0) this.swap(piece, other);
    else if (puzzle.width === 1) this.state[piece] = puzzle.placementOf.get(String(cell));
  }

  /** @param {number} one @param {number} other */
  swap(one, other) {
    const { state } = this;
    [state[one], state[other]] = [state[other], state[one]];
  }

  /** @param {any} target */
  key(target) {
    const item = this.itemOf(target),
      { view } = this.session;
    if (!item) return;
    if (!this.picked) this.picked = item;
    else {
      if (this.picked === item) this.turn(item.piece);
      else this.swap(this.picked.piece, item.piece);
      this.picked = null;
      this.show();
    }
    view.mark("picked", this.picked);
  }

  show() {
    this.drag = null;
    const { view } = this.session;
    view.items.forEach((/** @type {any} */ item) => {
      item.spot = this.state[item.piece];
    });
    view.itemOn = new Map(view.items.map((/** @type {any} */ item) => [view.puzzle.placement(item.spot), item]));
    for (const item of view.items) placePiece(item, view.points(item.spot), view.unit);
  }

  /** Leave the arrangement; the board shows the game again. */
  close() {
    this.controller.abort();
    document.documentElement.dataset.mode = "play";
    document.body.toggleAttribute("data-keys", false);
    const { view, playing } = this.session;
    view.mark("picked", null);
    view.layer.append(...view.items.map((/** @type {any} */ item) => item.group));
    view.items.forEach((/** @type {any} */ item) => {
      Object.assign(item, { describedSpot: -1, canMove: null });
    });
    playing.view.show(playing.game.state);
    for (const item of view.items) view.release(item);
    playing.update({ isNew: true });
  }
}
