// The puzzle graph, in which your position moves, and the gain graph.
import { grouped, make } from "./dom.js";
import { keyOf } from "./exploration.js";
import { distancesFrom, layOut } from "./graph_layout.js";
import { GraphView } from "./graph_view.js";
import { gainGraph, puzzleGraph, shapeKey } from "./graphs.js";
import { plural } from "./playing.js";

const MAX_STATES = 2600; // positions of a puzzle graph that is drawn
const MAX_SHAPES = 1300; // shapes of a gain graph that is drawn
const MAX_LABELLED = 40; // shapes that are named

/**
 * @param {string} id
 * @param {string} name
 * @param {string} about
 */
function frame(id, name, about) {
  const canvas = make("canvas", { class: "graph", id, role: "img", "aria-label": name });
  const words = make("p", { class: "note", id: `${id}-words` });
  const pointed = make("p", { class: "note pointed" });
  const block = make(
    "section",
    { class: "block", "aria-label": name },
    make("h2", {}, name),
    make("p", { class: "note" }, about),
    canvas,
    words,
    pointed,
  );
  return { canvas, words, pointed, block };
}

/** @param {import("./session.js").Session} session */
export function addPuzzleGraph(session) {
  const { canvas, words, pointed, block } = frame(
    "puzzle-graph",
    "Puzzle graph",
    "Every position that can be reached from yours, an edge for each move. Orange is yours, green the goal; " +
      "click one to go there.",
  );
  /** @type {any} */
  let graph = null;
  /** @type {any} */
  let from = null;
  let number = 0;
  const view = new GraphView(canvas, {
    name: (k) => session.puzzle.piecesText(graph.states[k]),
    say: (text) => {
      pointed.textContent = text;
    },
    choose: (k) => go(k),
  });

  /** Make the moves of a shortest path to a vertex. @param {number} target */
  function go(target) {
    const { puzzle, game, playing } = session,
      away = distancesFrom(graph.neighbours, target);
    playing.unpeek();
    for (;;) {
      const here = graph.numbers.get(keyOf(game.state));
      if (here === undefined || away[here] <= 0) break;
      const move = puzzle
        .moves(game.state)
        .find(
          (/** @type {any} */ each) =>
            away[graph.numbers.get(keyOf(puzzle.play(game.state, each)))] === away[here] - 1,
        );
      game.play(puzzle.moveText(move));
    }
    playing.view.show(game.state, true);
    playing.update();
  }

  function move() {
    const here = graph?.numbers.get(keyOf(session.game.state));
    if (here === undefined) renew();
    else view.move(here);
  }

  async function renew() {
    const { puzzle, game } = session,
      own = ++number;
    if (graph && from === puzzle && graph.numbers.has(keyOf(game.state))) {
      show();
      return;
    }
    graph = null;
    canvas.hidden = true;
    words.textContent = "Counting positions …";
    const found = await puzzleGraph(
      puzzle,
      game.state,
      MAX_STATES,
      () => own === number && session.puzzle === puzzle,
    );
    if (own !== number) return;
    from = puzzle;
    if (!found) {
      words.textContent =
        `More than ${grouped(MAX_STATES)} positions: too many to draw. ` +
        "Try hex F(2), theta(1,2,2) or square R(3,2).";
      return;
    }
    graph = { ...found, points: layOut(found.neighbours) };
    show();
  }

  function show() {
    const { puzzle } = session,
      goal = puzzle.goal ? (graph.numbers.get(keyOf(puzzle.goal)) ?? -1) : -1;
    const depth = goal >= 0 ? distancesFrom(graph.neighbours, goal) : null,
      most = depth ? Math.max(...depth) : 0;
    const lines = graph.neighbours.flatMap((/** @type {number[]} */ own, /** @type {number} */ k) =>
      own.filter((to) => to > k).map((to) => ({ from: k, to })),
    );
    canvas.hidden = false;
    const far = goal >= 0 ? `, at most ${plural(most, "move")} to the goal` : "; the goal is not among them";
    words.textContent = `${plural(graph.states.length, "position")}, ${lines.length} edges${far}.`;
    view.show({
      points: graph.points,
      lines,
      goal,
      colour: (k) => (depth ? `--d${Math.round((7 * depth[k]) / (most || 1))}` : "--o0"),
    });
    move();
  }
  return { block, renew, move };
}

/** @param {import("./session.js").Session} session */
export function addGainGraph(session) {
  const { canvas, words, pointed, block } = frame(
    "gain-graph",
    "Gain graph",
    "Where the holes can be, forgetting which piece is which. Grey edges carry pieces along in order; " +
      "blue ones rearrange them evenly, red ones oddly.",
  );
  /** @type {any} */
  let graph = null;
  /** @type {any} */
  let from = null;
  let number = 0;
  const view = new GraphView(canvas, {
    name: (k) => {
      const edges = graph.edges.filter((/** @type {any} */ edge) => edge.gain && (edge.from === k || edge.to === k));
      const gains = edges
        .slice(0, 6)
        .map((/** @type {any} */ edge) => edge.gain)
        .join("  ");
      return `${holesText(k)}${gains ? `; gains ${gains}` : ""}`;
    },
    say: (text) => {
      pointed.textContent = text;
    },
    choose: () => {},
  });
  const holesText = (/** @type {number} */ k) => `holes on ${session.puzzle.holes(graph.states[k]).join(", ")}`;

  function move() {
    const here = graph?.numbers.get(shapeKey(session.puzzle, session.game.state));
    if (here !== undefined) view.move(here);
    else if (graph) renew();
  }

  async function renew() {
    const { puzzle, game } = session,
      own = ++number;
    if (graph && from === puzzle && graph.numbers.has(shapeKey(puzzle, game.state))) {
      show();
      return;
    }
    graph = null;
    canvas.hidden = true;
    words.textContent = "Counting shapes …";
    const found = await gainGraph(puzzle, game.state, MAX_SHAPES, () => own === number && session.puzzle === puzzle);
    if (own !== number) return;
    from = puzzle;
    if (!found) {
      words.textContent = `More than ${grouped(MAX_SHAPES)} shapes: too many to draw.`;
      return;
    }
    graph = { ...found, points: onBoard(found.states) || layOut(found.neighbours) };
    show();
  }

  /** With one hole a shape lies where its hole does. @param {Int32Array[]} states */
  function onBoard(states) {
    const {
        puzzle,
        view: { data },
      } = session,
      holes = states.map((state) => puzzle.holes(state));
    if (holes.some((own) => own.length !== 1) || puzzle.width > 1) return null;
    const points = holes.map(([cell]) => [data.cells[2 * cell], data.cells[2 * cell + 1]]);
    const low = [0, 1].map((axis) => Math.min(...points.map((p) => p[axis]))),
      high = [0, 1].map((axis) => Math.max(...points.map((p) => p[axis])));
    const size = Math.max(high[0] - low[0], high[1] - low[1]) / 2 || 1;
    return points.map((p) => p.map((value, axis) => (value - (low[axis] + high[axis]) / 2) / size));
  }

  function show() {
    const { puzzle } = session,
      count = graph.states.length,
      gains = graph.edges.filter((/** @type {any} */ edge) => edge.gain);
    const labels =
      count <= MAX_LABELLED
        ? graph.states.map((/** @type {Int32Array} */ state) => puzzle.holes(state).join(" "))
        : [];
    canvas.hidden = false;
    words.textContent =
      `${plural(count, "shape")}, ${plural(graph.edges.length, "edge")}; ` +
      `${gains.length} of them rearrange pieces, and generate the group.`;
    const lines = graph.edges.map((/** @type {any} */ { from: a, to, gain, isOdd }) => ({
      from: a,
      to,
      name: !gain ? "--thread" : isOdd ? "--o1" : "--o0",
    }));
    lines.sort(
      (/** @type {any} */ a, /** @type {any} */ b) => Number(a.name !== "--thread") - Number(b.name !== "--thread"),
    );
    view.show({ points: graph.points, lines, colour: () => "--quiet", labels });
    move();
  }
  return { block, renew, move };
}
