// Mouse, touch and keyboard on the board.
import { apart } from "./view.js";

const DRAG = 0.12; // cells by which a pointer moves before it drags
const COMMIT = 0.4; // share of a move after which a piece that is let go completes it
const STRAIGHT = 0.9; // least cosine of the angle between an arrow key and a move
const ROUGHLY = 0.35; // the same for pieces and targets in the direction of a key

// A click on a piece activates it, one near a target chooses that; a piece can be dragged along its moves, and
// completes the move when it is let go. The signal removes all listeners.
export function addPointer(view, actions, signal = /** @type {AbortSignal | undefined} */ (undefined)) {
  let drag = null; // {item, moves, from, best: {move, time}, moved, id}

  function follow(point) {
    const by = [point[0] - drag.from[0], point[1] - drag.from[1]];
    let least = Infinity;
    for (const { move, path } of drag.paths) {
      path.forEach((at, k) => {
        const off = Math.hypot(at[0] - path[0][0] - by[0], at[1] - path[0][1] - by[1]);
        if (off >= least) return;
        least = off;
        drag.best = { move, time: k / (path.length - 1) };
      });
    }
    if (drag.best) view.hold(drag.item, drag.best.move, drag.best.time);
  }

  function end() {
    drag.item.group.classList.remove("dragged");
    drag = null;
  }

  const listen = (name, listener) => view.stage.addEventListener(name, listener, { signal });

  listen("pointerdown", (event) => {
    if (!event.isPrimary || event.button) return;
    const point = view.toDrawing(event), handle = actions.picked ? view.handleAt(point) : -1;
    if (handle >= 0) {
      actions.choose(handle);
      return;
    }
    if (actions.hinted && view.handleAt(point, 0.35) >= 0) {
      actions.hint();
      return;
    }
    const group = event.target.closest(".piece"), item = group && view.items.find((each) => each.group === group);
    if (!item) {
      actions.cancel();
      return;
    }
    actions.unpeek();
    const moves = actions.movesOf(item);
    const paths = moves.map((move) => ({ move, path: view.path(item, move, point, 24) }));
    drag = { item, paths, from: point, best: null, isMoving: false, id: event.pointerId };
    view.stage.setPointerCapture(event.pointerId);
  });

  listen("pointermove", (event) => {
    const point = view.toDrawing(event);
    if (!drag) {
      const active = actions.picked ? view.handleAt(point) : -1;
      if (actions.picked && active !== actions.picked.active && active >= 0) actions.aim(active);
      return;
    }
    if (event.pointerId !== drag.id || !drag.paths.length) return;
    if (!drag.isMoving && apart(point, drag.from) > DRAG * view.unit) {
      drag.isMoving = true;
      actions.unpick();
      view.finish();
      drag.item.group.classList.add("dragged");
    }
    if (drag.isMoving) follow(point);
  });

  listen("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { item, best, isMoving } = drag;
    end();
    if (!isMoving) actions.activate(item);
    else if (best && best.time >= COMMIT) actions.playMove(best.move, best.time);
    else view.release(item);
  });

  listen("pointercancel", () => {
    if (!drag) return;
    view.release(drag.item);
    end();
  });
}

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

// The item of a list that lies nearest in a direction, if any is within the angle.
function toward(items, position, origin, direction, least) {
  let best = null, shortest = Infinity;
  for (const item of items) {
    const [x, y] = position(item), dx = x - origin[0], dy = y - origin[1], distance = Math.hypot(dx, dy);
    const cosine = (dx * direction[0] + dy * direction[1]) / (distance || 1);
    if (distance && cosine >= least && distance / cosine ** 2 < shortest) {
      shortest = distance / cosine ** 2;
      best = item;
    }
  }
  return best;
}

// Arrow keys move a tile into the only hole of a square board. Elsewhere they move the focus from piece to piece;
// Enter picks one, arrow keys then choose its target, and Enter again makes the move.
// Elements that use keys themselves are inside one with the attribute data-keys.
// The commands are functions that letters call: undo, redo, restart, shuffle, hint and goal.
// Keys are those pressed inside an element, by default anywhere in the page.
export function addKeys(view, actions, commands, signal = /** @type {AbortSignal | undefined} */ (undefined),
  inside = /** @type {any} */ (document)) {
  const focused = () => view.items.find((item) => item.group === view.stage.getRootNode().activeElement);

  function arrow(direction) {
    const { picked, moves } = actions;
    if (picked) {
      const others = picked.moves.map((_, k) => k).filter((k) => k !== picked.active);
      const origin = picked.active < 0 ? view.middle(picked.item.spot) : view.handles[picked.active];
      const next = toward(others, (k) => view.handles[k], origin, direction, ROUGHLY);
      if (next !== null) actions.aim(next);
      else if (picked.active < 0) actions.aim(0);
      return;
    }
    if (actions.data.arrows) {
      const straight = moves.find((move) => {
        const [x, y] = view.middle(move.before), [ax, ay] = view.middle(move.after);
        return ((ax - x) * direction[0] + (ay - y) * direction[1]) / Math.hypot(ax - x, ay - y) > STRAIGHT;
      });
      actions.unpeek();
      if (straight) actions.playMove(straight);
      return;
    }
    const here = focused(), movable = [...new Set(moves.map((move) => view.item(move.before)))];
    const next = here
      ? toward(movable.filter((item) => item !== here), (item) => view.middle(item.spot), view.middle(here.spot), direction, ROUGHLY)
      : movable[0];
    if (next) next.group.focus();
  }

  function enter() {
    const item = focused(), { picked } = actions;
    if (picked && picked.active >= 0 && (!item || item === picked.item)) actions.choose(picked.active);
    else if (item) actions.activate(item);
    else return false;
    return true;
  }

  const plain = {
    Enter: enter,
    " ": enter,
    Escape: actions.cancel,
    u: commands.undo,
    U: commands.redo,
    r: commands.restart,
    s: commands.shuffle,
    h: commands.hint,
    g: commands.goal,
  };
  const control = { z: commands.undo, y: commands.redo, Z: commands.redo };

  inside.addEventListener("keydown", (/** @type {any} */ event) => {
    const { key, target } = event;
    if (event.altKey || event.defaultPrevented || target.closest("input, select, textarea, [data-keys]")) return;
    if (Object.hasOwn(ARROWS, key) && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      arrow(ARROWS[key]);
      return;
    }
    const keys = event.ctrlKey || event.metaKey ? control : plain;
    const name = key.length === 1 ? (event.shiftKey ? key.toUpperCase() : key.toLowerCase()) : key; // caps lock
    const action = Object.hasOwn(keys, name) ? keys[name] : null;
    if (!action || (target.closest("button") && (key === "Enter" || key === " "))) return;
    if (action() !== false) event.preventDefault();
  }, { signal });
}
