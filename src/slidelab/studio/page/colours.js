// Colours instead of numbers: pieces of one colour look alike, so that the puzzle has fewer positions. All pieces get
// some colours in order, or single pieces are painted on the board.
import { find, make } from "./dom.js";
import { apart } from "./view.js";

const WORDS = ["red", "blue", "green", "yellow", "purple", "cyan"]; // of pieces that get colours in order
const PALETTE = ["blue", "red", "green", "yellow", "cyan", "purple", "brown", "mint"]; // the order of the theme
const UNPAINTED = "blue"; // what pieces with numbers become when the first of them is painted

/** @param {import("./session.js").Session} session */
export function addColours(session) {
  const count = make(
    "select",
    { id: "colours" },
    make("option", { value: "0" }, "numbers"),
    [1, 2, 3, 4, 5, 6].map((value) => make("option", { value }, value === 1 ? "one colour" : `${value} colours`)),
  );
  const swatches = make(
    "div",
    { class: "swatches", role: "group", "aria-label": "colour to paint pieces with" },
    PALETTE.map((word, k) =>
      make("button", {
        type: "button",
        class: `swatch hue${k}`,
        "data-colour": word,
        "aria-label": word,
        "aria-pressed": "false",
        title: word,
      }),
    ),
  );
  const problem = make("p", { class: "problem", role: "alert" });
  /** @type {AbortController | null} */
  let painting = null;
  let colour = "";

  /** @param {{text: string, goal?: string}} source */
  async function open(source) {
    try {
      problem.textContent = "";
      await session.open(source, { title: session.title });
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  }

  count.addEventListener("change", () => {
    if (!session.playing) return;
    const text = Number(count.value) ? coloured(session, Number(count.value)) : session.info.puzzle;
    open(Number(count.value) ? { text, goal: text } : { text });
  });

  /** Paint pieces with a colour, or with none any more. @param {string} word */
  function setColour(word) {
    colour = word;
    for (const button of swatches.children) button.setAttribute("aria-pressed", String(button.dataset.colour === word));
    if (Boolean(word) === Boolean(painting)) return;
    if (painting) {
      painting.abort();
      painting = null;
      document.documentElement.dataset.mode = "play";
      session.say("");
      return;
    }
    painting = new AbortController();
    document.documentElement.dataset.mode = "paint";
    session.playing?.cancel();
    session.say("Click pieces to paint them.");
    const options = { signal: painting.signal, capture: true };
    for (const name of ["pointerdown", "pointermove", "pointerup", "keydown"]) {
      find("box").addEventListener(name, paint, options);
    }
  }

  /** @param {any} event */
  function paint(event) {
    const isKey = event.key === "Enter" || event.key === " ";
    if (event.type === "keydown" && !isKey) return;
    event.stopPropagation();
    if (event.type !== "pointerdown" && !isKey) return;
    const { view, puzzle, game } = session,
      group = event.target.closest?.(".piece"),
      item = view.items.find((/** @type {any} */ each) => each.group === group);
    if (!item) return;
    event.preventDefault();
    if (!puzzle.goal) {
      problem.textContent = "Here the cells have colours, and the pieces must match them.";
      return;
    }
    // Of pieces that look alike, the drawing and the engine may have different ones in mind: the place says which.
    const piece = game.state.findIndex((/** @type {number} */ spot) => view.item(spot) === item);
    const cells = puzzle.cells(game.state[piece]),
      at = isKey ? view.point(cells[0]) : view.toDrawing(event),
      off = cells.map((/** @type {number} */ cell) => apart(view.point(cell), at));
    const words = labelsOf(puzzle);
    words[piece][off.indexOf(Math.min(...off))] = colour;
    open({ text: colouredText(session, game.state, words), goal: colouredText(session, puzzle.goal, words) });
  }

  swatches.addEventListener("click", (/** @type {any} */ event) => {
    const { colour: word } = event.target.dataset;
    if (word && session.playing) setColour(word === colour ? "" : word);
  });
  session.addEventListener("puzzle", () => {
    const { puzzle } = session;
    count.value = puzzle.isColoured ? String(new Set(labelsOf(puzzle).flat()).size) : "0";
  });
  const block = make(
    "section",
    { class: "block", "aria-labelledby": "colours-name" },
    make(
      "div",
      { class: "lead" },
      make("h2", { id: "colours-name" }, "Colours"),
      make("label", {}, make("span", { class: "offscreen" }, "colours of the pieces"), count),
    ),
    swatches,
    make(
      "p",
      { class: "note" },
      "Pieces of one colour look alike. Pick a colour and click pieces to paint them; larger pieces are painted cell by cell.",
    ),
    problem,
  );
  return {
    block,
    close: () => setColour(""),
    get isOn() {
      return colour !== "";
    },
  };
}

/** The words of each piece, one for each of its cells. @param {any} puzzle @returns {string[][]} */
function labelsOf(puzzle) {
  if (puzzle.isColoured) return puzzle.labels.map((/** @type {string} */ label) => label.split("-"));
  return Array.from({ length: puzzle.count }, () => new Array(puzzle.width).fill(UNPAINTED));
}

/**
 * The goal with some colours for numbers, in one line, which is then its own goal.
 * @param {import("./session.js").Session} session
 * @param {number} count
 */
function coloured(session, count) {
  const { puzzle, game } = session,
    cells = puzzle.count * puzzle.width;
  const words = Array.from({ length: puzzle.count }, (_, piece) =>
    Array.from({ length: puzzle.width }, (_, k) => WORDS[Math.floor(((piece * puzzle.width + k) * count) / cells)]),
  );
  return colouredText(session, puzzle.goal || game.state, words);
}

/**
 * A state in one line, with words for the cells of its pieces.
 * @param {import("./session.js").Session} session
 * @param {Int32Array} state
 * @param {string[][]} words
 */
function colouredText({ puzzle, info }, state, words) {
  if (puzzle.width === 1) {
    const row = new Array(puzzle.size).fill(".");
    state.forEach((spot, piece) => {
      row[puzzle.cells(spot)[0]] = words[piece][0];
    });
    return `${info.puzzle} : ${row.join(" ")}`;
  }
  const pieces = Array.from(state, (spot, piece) => `${puzzle.cells(spot).join("-")}=${words[piece].join("-")}`);
  return `${info.puzzle} : ${pieces.join(" ")}`;
}
