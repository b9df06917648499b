// Colours instead of numbers: pieces of one colour look alike, so that the puzzle has fewer positions.
import { make } from "./dom.js";

const WORDS = ["red", "blue", "green", "yellow", "purple", "cyan", "brown", "orange"];

/** @param {import("./session.js").Session} session */
export function addColours(session) {
  const count = make(
    "select",
    { id: "colours" },
    make("option", { value: "0" }, "numbers"),
    [1, 2, 3, 4, 5, 6].map((value) => make("option", { value }, value === 1 ? "one colour" : `${value} colours`)),
  );
  const problem = make("p", { class: "problem", role: "alert" });

  count.addEventListener("change", async () => {
    if (!session.playing) return;
    try {
      problem.textContent = "";
      const text = Number(count.value) ? coloured(session, Number(count.value)) : session.info.puzzle;
      await session.open(Number(count.value) ? { text, goal: text } : { text }, { title: session.title });
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  });
  session.addEventListener("puzzle", () => {
    const { puzzle } = session;
    count.value = puzzle.isColoured
      ? String(new Set(puzzle.labels.flatMap((/** @type {string} */ label) => label.split("-"))).size)
      : "0";
  });
  return make(
    "section",
    { class: "block", "aria-labelledby": "colours-name" },
    make(
      "div",
      { class: "lead" },
      make("h2", { id: "colours-name" }, "Colours"),
      make("label", {}, make("span", { class: "offscreen" }, "colours of the pieces"), count),
    ),
    make(
      "p",
      { class: "note" },
      "Pieces of one colour look alike. The cells of larger pieces get their colours one by one.",
    ),
    problem,
  );
}

/**
 * The goal with colours for numbers, in one line, which is then its own goal.
 * @param {import("./session.js").Session} session
 * @param {number} count
 */
export function coloured({ puzzle, game, info }, count) {
  const state = puzzle.goal || game.state,
    cells = puzzle.count * puzzle.width;
  const colour = (/** @type {number} */ k) => WORDS[Math.floor((k * count) / cells)];
  if (puzzle.width === 1) {
    const row = new Array(puzzle.size).fill(".");
    state.forEach((/** @type {number} */ spot, /** @type {number} */ piece) => {
      row[puzzle.cells(spot)[0]] = colour(piece);
    });
    return `${info.puzzle} : ${row.join(" ")}`;
  }
  const pieces = Array.from(state, (/** @type {number} */ spot, /** @type {number} */ piece) => {
    const words = Array.from({ length: puzzle.width }, (_, k) => colour(piece * puzzle.width + k));
    return `${puzzle.cells(spot).join("-")}=${words.join("-")}`;
  });
  return `${info.puzzle} : ${pieces.join(" ")}`;
}
