// The panel for building: a family with sizes, cells painted on a grid, or a graph; then rule, holes, colours, and a
// start or goal of one's own. Facts follow what is drawn.
import { debounced, disable, find, icon, make } from "./dom.js";
import { Arrangement } from "./arrange.js";
import { addColours } from "./colours.js";
import { Facts } from "./facts.js";
import { GraphPad } from "./graph_pad.js";
import { GridPad } from "./grid_pad.js";
import { library } from "./library.js";
import { keep, recall } from "./memory.js";
import { plural } from "./playing.js";

const MODES = [["family", "Family"], ["hex", "Hexagons"], ["square", "Squares"], ["graph", "Graph"]];
const SIZES = [["small", 3], ["medium", 4], ["large", 7]];
const PAUSE = 250; // milliseconds without a change before a family is opened

/** @type {Record<string, string>} */
const FIRST_SHAPES = {
  hex: "0,0 1,0 -1,0 0,1 0,-1 1,-1 -1,1 2,-1 -2,1",
  square: "-1,-1 0,-1 1,-1 -1,0 0,0 1,0 -1,1 0,1 1,1 2,1",
};

/**
 * @param {import("./session.js").Session} session
 * @param {any} panel
 * @param {(name: string) => void} showTab
 */
export function addPanel(session, panel, showTab) {
  const root = document.documentElement, pad = find("pad"), facts = new Facts(session);
  let mode = MODES.some(([name]) => name === recall("build")) ? recall("build") : "family";
  let isShown = false;
  /** @type {any} */
  let offers = null; // the library
  /** @type {AbortController | null} */
  let listening = null;
  /** @type {Record<string, any>} */
  const pads = { hex: new GridPad(pad, edited), square: new GridPad(pad, edited), graph: new GraphPad(pad, edited) };

  // ---- what the puzzle is ----

  const modes = make("div", { class: "segments", role: "radiogroup", "aria-label": "how to build" }, MODES.map(([name, words]) =>
    make("label", {}, make("input", { type: "radio", name: "mode", value: name, checked: name === mode }), make("span", {}, words))));
  const family = make("select", { id: "family", "aria-label": "family" });
  const sizes = make("div", { class: "fields", id: "sizes" });
  const about = make("p", { class: "note", id: "family-about" });
  const familyBox = make("div", { class: "stack" }, make("label", { class: "fields" }, make("span", { class: "wide" }, "Board", family)), sizes, about);
  const rule = make("select", { id: "rule" });
  const holes = make("input", { type: "number", id: "holes", min: 0, max: 999, placeholder: "usual" });
  const ruleBox = make("div", { class: "fields" }, make("label", {}, "Pieces", rule), make("label", {}, "Holes", holes));
  const problem = make("p", { class: "problem", role: "alert", id: "build-problem" });

  // ---- what can be done on the pad ----

  const symmetry = make("select", { id: "symmetry" }, [["none", "none"], ["mirror", "mirror"], ["half", "half turn"], ["turn", "turns"], ["all", "turns, mirror"]]
    .map(([value, words]) => make("option", { value }, words)));
  const extent = make("select", { id: "extent" }, SIZES.map(([words, value]) => make("option", { value, selected: value === 4 }, words)));
  const kings = make("input", { type: "checkbox", id: "kings" });
  const gridBox = make("div", { class: "fields" }, make("label", {}, "Symmetry", symmetry), make("label", {}, "Grid", extent),
    make("label", { class: "check", id: "kings-label" }, kings, "diagonal moves"));
  const tools = make("div", { class: "segments", role: "radiogroup", "aria-label": "tool" }, [["draw", "Draw"], ["move", "Move"], ["erase", "Erase"]]
    .map(([name, words]) => make("label", {}, make("input", { type: "radio", name: "tool", value: name, checked: name === "draw" }), make("span", {}, words))));
  const edges = make("input", { type: "text", id: "edges", spellcheck: "false", autocomplete: "off" });
  const graphBox = make("div", { class: "stack" }, tools, make("label", { class: "fields" }, make("span", { class: "wide" }, "Edges", edges)));
  const undo = make("button", { type: "button", "aria-label": "undo drawing", title: "undo drawing" }, icon("undo"));
  const redo = make("button", { type: "button", "aria-label": "redo drawing", title: "redo drawing" }, icon("redo"));
  const clear = make("button", { type: "button", class: "plain" }, "Clear");
  const copy = make("button", { type: "button", class: "plain", title: "draw the board of the puzzle" }, "Copy board");
  const playIt = make("button", { type: "button", class: "main", id: "play-it" }, icon("play"), make("span", {}, "Play it"));
  const drafted = make("p", { class: "note", id: "drafted" });
  const padBox = make("div", { class: "stack" }, make("div", { class: "rowed" }, undo, redo, clear, copy),
    make("div", { class: "lead" }, drafted, playIt));

  // ---- start and goal ----

  const arrange = make("button", { type: "button", class: "plain", id: "arrange", "aria-pressed": "false" }, "Arrange pieces");
  const useStart = make("button", { type: "button", class: "plain", id: "use-start", hidden: true }, "Use as start");
  const useGoal = make("button", { type: "button", class: "plain", id: "use-goal", hidden: true }, "Use as goal");
  const hereGoal = make("button", { type: "button", class: "plain", id: "here-goal" }, "Position is the goal");
  const arrangeBox = make("section", { class: "block", "aria-labelledby": "arrange-name" },
    make("h2", { id: "arrange-name" }, "Start and goal"),
    make("p", { class: "note" }, "Drag pieces where you want them: onto each other to swap. A click turns a piece with two ends."),
    make("div", { class: "rowed" }, arrange, useStart, useGoal, hereGoal));
  const coloursBox = addColours(session);

  panel.append(
    make("section", { class: "block", "aria-label": "board" }, modes, familyBox, gridBox, graphBox, ruleBox, padBox, problem),
    facts.block, arrangeBox, coloursBox);

  // ---- families ----

  const offer = () => offers?.families.find((/** @type {any} */ each) => each.text === family.value);

  function fillFamilies() {
    if (!offers || family.options.length) return;
    family.append(...offers.families.map((/** @type {any} */ each) => make("option", { value: each.text }, `${each.template.replace(/[{}]/g, "")}`)));
    fillSizes();
    fillRules();
    followTable();
  }

  /** Let the form say what is on the table, if that is of a family. */
  function followTable() {
    const text = session.info?.puzzle;
    if (!offers || !text || panel.contains(document.activeElement)) return;
    for (const each of offers.families) {
      const pattern = each.template.replace(/[()]/g, "\\$&").replace(/\{\w+\}/g, "(\\d+)");
      const match = new RegExp(`^${pattern} (\\S+) (\\d+)$`).exec(text);
      if (!match) continue;
      family.value = each.text;
      fillSizes();
      sizes.querySelectorAll("input").forEach((/** @type {any} */ input, /** @type {number} */ k) => { input.value = match[k + 1]; });
      fillRules();
      rule.value = session.info.rule;
      holes.value = session.info.holes;
      return;
    }
  }

  function fillSizes() {
    const chosen = offer();
    if (!chosen) return;
    about.textContent = chosen.about;
    sizes.replaceChildren(...chosen.parameters.map((/** @type {any} */ each) => make("label", {}, each.name, make("input", {
      type: "number", min: each.min, max: Math.min(each.max, 40), value: each.default, "data-name": each.name, oninput: familyChanged,
    }))));
  }

  function fillRules() {
    if (!offers) return;
    const last = rule.value, allowed = mode === "family" ? offer()?.rules : null;
    const usual = mode === "hex" ? "hextiles" : mode === "family" ? offer()?.rule : "tiles";
    const shown = offers.rules.filter((/** @type {any} */ each) => !allowed || allowed.includes(each.name));
    rule.replaceChildren(...shown.map((/** @type {any} */ each) => make("option", { value: each.name, title: each.about }, each.name)));
    rule.value = shown.some((/** @type {any} */ each) => each.name === last) ? last : usual;
  }

  function familyText() {
    const chosen = offer();
    if (!chosen) return "";
    let text = chosen.template;
    for (const input of sizes.querySelectorAll("input")) text = text.replace(`{${input.dataset.name}}`, String(Math.trunc(Number(input.value))));
    return `${text} ${rule.value}${holes.value === "" ? "" : ` ${holes.value}`}`;
  }

  const openFamily = debounced(async () => {
    if (mode !== "family" || !isShown) return;
    const text = familyText();
    try {
      await session.open({ text });
      problem.textContent = "";
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  }, PAUSE);

  function familyChanged() {
    if (mode === "family") openFamily();
  }

  family.addEventListener("change", () => {
    fillSizes();
    rule.replaceChildren();
    holes.value = "";
    fillRules();
    familyChanged();
  });

  // ---- drawing ----

  /** The puzzle that is drawn: its text, and JSON where that says more. */
  function draft() {
    const more = `${rule.value}${holes.value === "" ? "" : ` ${holes.value}`}`;
    if (mode === "graph") {
      const { points, edges: lines } = pads.graph.sketch;
      if (!points.length) return null;
      const met = new Set(lines.flat()), alone = points.map((/** @type {any} */ _, /** @type {number} */ k) => k).filter((/** @type {number} */ k) => !met.has(k));
      const text = `graph ${[...lines.map((/** @type {number[]} */ [a, b]) => `${a}-${b}`), ...alone].join(" ")} ${more}`;
      const board = { kind: "graph", vertices: points.length, edges: lines, positions: points };
      return { text, count: points.length, document: { board, rule: rule.value, ...(holes.value === "" ? {} : { holes: Number(holes.value) }) } };
    }
    const cells = pads[mode].list();
    if (!cells.length) return null;
    const kind = mode === "hex" ? "hex" : kings.checked ? "king" : "square";
    return { text: `${kind} ${cells.map((/** @type {number[]} */ [a, b]) => `${a},${b}`).join(" ")} ${more}`, count: cells.length, document: null };
  }

  function edited() {
    if (!isShown || mode === "family") return;
    const own = pads[mode], made = draft();
    disable(undo, !own.past.length);
    disable(redo, !own.future.length);
    disable(playIt, !made);
    const count = !made ? "Nothing is drawn yet." : mode !== "graph" ? plural(made.count, "cell")
      : `${made.count} vertices, ${plural(own.sketch.edges.length, "edge")}`;
    drafted.textContent = find("kind").textContent = count;
    find("title").textContent = "Your board";
    if (mode === "graph" && document.activeElement !== edges) {
      edges.value = own.sketch.edges.map((/** @type {number[]} */ [a, b]) => `${a}-${b}`).join(" ");
    }
    keep("draft", { hex: [...pads.hex.cells], square: [...pads.square.cells], graph: pads.graph.sketch });
    if (made) facts.about({ puzzle: made.text });
  }

  edges.addEventListener("input", () => {
    const pairs = Array.from(edges.value.matchAll(/(\d{1,3})\s*-\s*(\d{1,3})/g), (/** @type {any} */ match) => [Number(match[1]), Number(match[2])])
      .filter(([a, b]) => a !== b && a < 200 && b < 200);
    const { sketch } = pads.graph, count = Math.max(0, ...pairs.flat().map((k) => k + 1));
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
  playIt.addEventListener("click", async () => {
    const made = draft();
    if (!made || playIt.getAttribute("aria-disabled") === "true") return;
    try {
      await session.open(made.document ? { document: made.document } : { text: made.text }, { title: "Your board" });
      problem.textContent = "";
      showTab(matchMedia("(max-width: 60rem)").matches ? "none" : "puzzles");
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  });
  symmetry.addEventListener("change", () => { pads.hex.symmetry = pads.square.symmetry = symmetry.value; });
  extent.addEventListener("change", () => {
    pads.hex.radius = pads.square.radius = Number(extent.value);
    if (mode !== "graph") pads[mode].draw();
  });
  kings.addEventListener("change", edited);
  tools.addEventListener("change", () => { pads.graph.tool = tools.querySelector(":checked").value; });

  /** Draw the board that is on the table, if it is one of this kind. */
  function takeBoard() {
    const board = session.info?.board;
    if (!board) return;
    const kind = board.kind === "king" ? "square" : board.kind;
    problem.textContent = kind === mode ? "" : `The board shown is no drawing of this kind, but ${board.kind}.`;
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

  // ---- rule and holes, for all ----

  function ruleChanged() {
    if (mode === "family") familyChanged();
    else edited();
  }
  rule.addEventListener("change", () => {
    holes.value = "";
    ruleChanged();
  });
  holes.addEventListener("input", ruleChanged);

  // ---- start and goal ----

  /** @type {Arrangement | null} */
  let arrangement = null;

  /** @param {boolean} isOn */
  function setArranging(isOn) {
    if (isOn === Boolean(arrangement) || !session.playing) return;
    if (isOn) arrangement = new Arrangement(session);
    else {
      arrangement?.close();
      arrangement = null;
    }
    arrange.setAttribute("aria-pressed", String(isOn));
    arrange.textContent = isOn ? "Cancel" : "Arrange pieces";
    useStart.hidden = useGoal.hidden = !isOn;
    hereGoal.hidden = isOn;
    session.say(isOn ? "Put the pieces where you like." : "");
  }
  arrange.addEventListener("click", () => setArranging(!arrangement));
  for (const [button, isGoal] of [[useStart, false], [useGoal, true]]) {
    button.addEventListener("click", () => {
      if (!arrangement) return;
      const state = session.puzzle.named(arrangement.state);
      setArranging(false);
      if (isGoal) setGoal(state);
      else session.begin(state, "A start of your own");
    });
  }
  /** @param {Int32Array} state */
  function setGoal(state) {
    session.setGoal(state);
    session.say("This is the goal now.");
  }
  hereGoal.addEventListener("click", () => session.playing && setGoal(session.game.state));

  // ---- showing ----

  function setMode(/** @type {string} */ name) {
    mode = name;
    keep("build", mode);
    const isPad = isShown && mode !== "family";
    if (isPad) setArranging(false);
    root.dataset.mode = isPad ? "build" : arrangement ? "arrange" : "play";
    pad.toggleAttribute("hidden", !isPad);
    find("stage").toggleAttribute("hidden", isPad);
    familyBox.hidden = mode !== "family";
    gridBox.hidden = mode === "family" || mode === "graph";
    find("kings-label").hidden = mode !== "square";
    graphBox.hidden = mode !== "graph";
    padBox.hidden = mode === "family";
    arrangeBox.hidden = coloursBox.hidden = isPad;
    problem.textContent = "";
    fillRules();
    listening?.abort();
    listening = null;
    if (isPad) {
      listening = new AbortController();
      pads[mode].listen(listening.signal);
      pads[mode].draw();
      session.say(mode === "graph" ? "Click for a vertex, drag from vertex to vertex for an edge."
        : "Click or drag over cells to paint your board.");
      edited();
    } else {
      session.emit("title");
      if (isShown) aboutTable();
    }
  }

  function aboutTable() {
    if (!session.info || (isShown && mode !== "family")) return;
    facts.about({ puzzle: session.info.puzzle, ...session.question });
  }
  modes.addEventListener("change", () => setMode(modes.querySelector(":checked").value));
  session.addEventListener("puzzle", () => {
    if (arrangement) {
      arrangement.controller.abort();
      arrangement = null;
      arrange.setAttribute("aria-pressed", "false");
      arrange.textContent = "Arrange pieces";
      useStart.hidden = useGoal.hidden = true;
      hereGoal.hidden = false;
    }
    followTable();
    if (isShown) setMode(mode);
  });
  session.addEventListener("online", () => isShown && setMode(mode));

  // ---- the beginning ----

  pads.square.grid = "square";
  const saved = recall("draft") || {};
  for (const name of ["hex", "square"]) {
    const kept = Array.isArray(saved[name]) && saved[name].length ? saved[name] : FIRST_SHAPES[name].split(" ");
    pads[name].cells = new Set(kept.filter((/** @type {any} */ key) => /^-?\d+,-?\d+$/.test(key)));
  }
  if (Array.isArray(saved.graph?.points) && saved.graph.points.length) pads.graph.sketch = saved.graph;
  library().then((found) => {
    offers = found;
    fillFamilies();
    fillRules();
    if (isShown) setMode(mode);
  }).catch((error) => { problem.textContent = error.message; });

  return {
    show() {
      isShown = true;
      panel.insertBefore(facts.block, arrangeBox);
      setMode(mode);
    },
    hide() {
      setArranging(false);
      isShown = false;
      setMode(mode);
    },
  };
}
