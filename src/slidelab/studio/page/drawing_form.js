// The form beside a board that is drawn: cells painted on a grid, or the vertices and edges of a graph.
import { disable, find, icon, isDisabled, make } from "./dom.js";
import { GraphPad } from "./graph_pad.js";
import { GridPad } from "./grid_pad.js";
import { keep, recall } from "./memory.js";
import { plural } from "./playing.js";

const SIZES = [
  ["small", 3],
  ["medium", 4],
  ["large", 7],
];

/** @type {Record<string, string>} */
const FIRST_SHAPES = {
  hex: "0,0 1,0 -1,0 0,1 0,-1 1,-1 -1,1 2,-1 -2,1",
  square: "-1,-1 0,-1 1,-1 -1,0 0,0 1,0 -1,1 0,1 1,1 2,1",
};

/**
 * @typedef {object} Draft
 * @property {string} text of the puzzle
 * @property {any} document its JSON form where that says more: graphs have positions
 * @property {number} count of cells
 */

/**
 * @param {import("./session.js").Session} session
 * @param {{more: () => {rule: string, holes: string}, drawn: (draft: Draft | null) => void,
 *   play: (draft: Draft) => void, complain: (words: string) => void}} actions
 *   rule and holes of the puzzle; what to do after every change, to play it, and with a problem
 */
export function addDrawing(session, { more: options, drawn, play, complain }) {
  const pad = find("pad");
  /** @type {Record<string, any>} */
  const pads = { hex: new GridPad(pad, edited), square: new GridPad(pad, edited), graph: new GraphPad(pad, edited) };
  let mode = ""; // the kind of the pad, empty if there is none
  /** @type {AbortController | null} */
  let listening = null;

  const symmetry = make(
    "select",
    { id: "symmetry" },
    [
      ["none", "none"],
      ["mirror", "mirror"],
      ["half", "half turn"],
      ["turn", "turns"],
      ["all", "turns, mirror"],
    ].map(([value, words]) => make("option", { value }, words)),
  );
  const extent = make(
    "select",
    { id: "extent" },
    SIZES.map(([words, value]) => make("option", { value, selected: value === 4 }, words)),
  );
  const kings = make("input", { type: "checkbox", id: "kings" });
  const kingsLabel = make("label", { class: "check" }, kings, "diagonal moves");
  const gridBox = make(
    "div",
    { class: "fields" },
    make("label", {}, "Symmetry", symmetry),
    make("label", {}, "Grid", extent),
    kingsLabel,
  );
  const tools = make(
    "div",
    { class: "segments", role: "radiogroup", "aria-label": "tool" },
    [
      ["draw", "Draw"],
      ["move", "Move"],
      ["erase", "Erase"],
    ].map(([name, words]) =>
      make(
        "label",
        {},
        make("input", { type: "radio", name: "tool", value: name, checked: name === "draw" }),
        make("span", {}, words),
      ),
    ),
  );
  const edges = make("input", { type: "text", id: "edges", spellcheck: "false", autocomplete: "off" });
  const graphBox = make(
    "div",
    { class: "stack" },
    tools,
    make("label", { class: "fields" }, make("span", { class: "wide" }, "Edges", edges)),
  );
  const undo = make("button", { type: "button", "aria-label": "undo drawing", title: "undo drawing" }, icon("undo"));
  const redo = make("button", { type: "button", "aria-label": "redo drawing", title: "redo drawing" }, icon("redo"));
  const clear = make("button", { type: "button", class: "plain" }, "Clear");
  const copy = make(
    "button",
    { type: "button", class: "plain", title: "draw the board of the puzzle" },
    "Copy board",
  );
  const playIt = make(
    "button",
    { type: "button", class: "main", id: "play-it" },
    icon("play"),
    make("span", {}, "Play it"),
  );
  const drafted = make("p", { class: "note", id: "drafted" });
  const padBox = make(
    "div",
    { class: "stack" },
    make("div", { class: "rowed" }, undo, redo, clear, copy),
    make("div", { class: "lead" }, drafted, playIt),
  );

  /** The puzzle that is drawn. @returns {Draft | null} */
  function draft() {
    const { rule, holes } = options(),
      more = holes === "" ? rule : `${rule} ${holes}`;
    if (mode === "graph") {
      const { points, edges: lines } = pads.graph.sketch;
      if (!points.length) return null;
      const met = new Set(lines.flat()),
        alone = points
          .map((/** @type {any} */ _, /** @type {number} */ k) => k)
          .filter((/** @type {number} */ k) => !met.has(k));
      const pairs = lines.map((/** @type {number[]} */ [a, b]) => `${a}-${b}`);
      const text = `graph ${[...pairs, ...alone].join(" ")} ${more}`;
      const board = { kind: "graph", vertices: points.length, edges: lines, positions: points };
      return {
        text,
        count: points.length,
        document: { board, rule, ...(holes === "" ? {} : { holes: Number(holes) }) },
      };
    }
    const cells = pads[mode].list();
    if (!cells.length) return null;
    const kind = mode === "hex" ? "hex" : kings.checked ? "king" : "square";
    return {
      text: `${kind} ${cells.map((/** @type {number[]} */ [a, b]) => `${a},${b}`).join(" ")} ${more}`,
      count: cells.length,
      document: null,
    };
  }

  function edited() {
    if (!mode) return;
    const own = pads[mode],
      made = draft();
    disable(undo, !own.past.length);
    disable(redo, !own.future.length);
    disable(playIt, !made);
    const count = !made
      ? "Nothing is drawn yet."
      : mode !== "graph"
        ? plural(made.count, "cell")
        : `${made.count} vertices, ${plural(own.sketch.edges.length, "edge")}`;
    drafted.textContent = find("kind").textContent = count;
    find("title").textContent = "Your board";
    if (mode === "graph" && document.activeElement !== edges) {
      edges.value = own.sketch.edges.map((/** @type {number[]} */ [a, b]) => `${a}-${b}`).join(" ");
    }
    keep("draft", { hex: [...pads.hex.cells], square: [...pads.square.cells], graph: pads.graph.sketch });
    drawn(made);
  }

  edges.addEventListener("input", () => {
    const pairs = Array.from(edges.value.matchAll(/(\d{1,3})\s*-\s*(\d{1,3})/g), (/** @type {any} */ match) => [
      Number(match[1]),
      Number(match[2]),
    ]).filter(([a, b]) => a !== b && a < 200 && b < 200);
    const { sketch } = pads.graph,
      count = Math.max(0, ...pairs.flat().map((k) => k + 1));
    pads.graph.remember();
    pads.graph.replace(count, pairs, count <= sketch.points.length ? sketch.points.slice(0, count) : null);
  });
  undo.addEventListener("click", () => pads[mode].undo());
  redo.addEventListener("click", () => pads[mode].redo());
  clear.addEventListener("click", () => {
    pads[mode].remember();
    if (mode === "graph") pads.graph.replace(0, [], null);
    else pads[mode].replace([]);
  });
  copy.addEventListener("click", takeBoard);
  playIt.addEventListener("click", () => {
    const made = draft();
    if (made && !isDisabled(playIt)) play(made);
  });
  symmetry.addEventListener("change", () => {
    pads.hex.symmetry = pads.square.symmetry = symmetry.value;
  });
  extent.addEventListener("change", () => {
    pads.hex.radius = pads.square.radius = Number(extent.value);
    if (mode !== "graph") pads[mode].draw();
  });
  kings.addEventListener("change", edited);
  tools.addEventListener("change", () => {
    pads.graph.tool = tools.querySelector(":checked").value;
  });

  /** Draw the board that is on the table, if it is one of this kind. */
  function takeBoard() {
    const board = session.info?.board;
    if (!board) return;
    const kind = board.kind === "king" ? "square" : board.kind;
    complain(kind === mode ? "" : `The board shown is no drawing of this kind, but ${board.kind}.`);
    if (kind !== mode) return;
    pads[mode].remember();
    if (mode === "graph") {
      pads.graph.replace(board.vertices, board.edges, board.positions || positions());
      return;
    }
    const far = Math.max(...board.cells.flat().map(Math.abs));
    if (far > 2 * pads[mode].radius) {
      extent.value = "7";
      pads.hex.radius = pads.square.radius = 7;
    }
    kings.checked = board.kind === "king";
    pads[mode].replace(board.cells);
  }

  /** Where the cells of the table are drawn. */
  function positions() {
    return Array.from({ length: session.puzzle.size }, (_, cell) => session.view.point(cell));
  }

  // ---- showing ----

  pads.square.grid = "square";
  const saved = recall("draft") || {};
  for (const name of ["hex", "square"]) {
    const kept = Array.isArray(saved[name]) && saved[name].length ? saved[name] : FIRST_SHAPES[name].split(" ");
    pads[name].cells = new Set(kept.filter((/** @type {any} */ key) => /^-?\d+,-?\d+$/.test(key)));
  }
  if (Array.isArray(saved.graph?.points) && saved.graph.points.length) pads.graph.sketch = saved.graph;

  /** @param {any} event */
  function undoByKey(event) {
    const isUndo = event.key === "z",
      isRedo = event.key === "y" || event.key === "Z";
    if (!(event.ctrlKey || event.metaKey) || !(isUndo || isRedo) || event.target.closest("input, textarea")) return;
    event.preventDefault();
    if (isUndo) pads[mode].undo();
    else pads[mode].redo();
  }

  /** Show a pad, or none. @param {string} name */
  function setMode(name) {
    mode = name;
    const isPad = Boolean(mode);
    document.body.toggleAttribute("data-keys", isPad); // keys are not for the board, which is hidden
    pad.toggleAttribute("hidden", !isPad);
    find("stage").toggleAttribute("hidden", isPad);
    gridBox.hidden = !isPad || mode === "graph";
    kingsLabel.hidden = mode !== "square";
    graphBox.hidden = mode !== "graph";
    padBox.hidden = !isPad;
    listening?.abort();
    listening = null;
    if (!isPad) return;
    listening = new AbortController();
    pads[mode].listen(listening.signal);
    document.addEventListener("keydown", undoByKey, { signal: listening.signal });
    pads[mode].draw();
    session.say(
      mode === "graph"
        ? "Click for a vertex, drag from vertex to vertex for an edge."
        : "Click or drag over cells to paint your board.",
    );
    edited();
  }

  return { boxes: [gridBox, graphBox], padBox, setMode, edited };
}
