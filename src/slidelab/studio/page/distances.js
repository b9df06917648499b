// How far positions are from the goal: all of them in a histogram, and those of the game along its moves.
import { connection, Job } from "./api.js";
import { courseChart, histogram } from "./charts.js";
import { grouped, make } from "./dom.js";
import { explore, explored, keyOf, knownDistance } from "./exploration.js";

const SECONDS = 60; // for the server

/** @param {import("./session.js").Session} session */
export function addDistances(session) {
  const figure = make("figure", { class: "figure", id: "distribution" });
  const words = make("p", { class: "note", id: "distribution-words", role: "status" });
  const ask = make(
    "button",
    { type: "button", class: "plain", hidden: true, id: "ask-distances" },
    "Compute all distances",
  );
  const course = make("figure", { class: "figure", id: "course" });
  const courseBox = make("div", { class: "stack" }, make("h3", {}, "Along your game"), course);
  const block = make(
    "section",
    { class: "block", "aria-labelledby": "distances-name" },
    make("h2", { id: "distances-name" }, "Distances to the goal"),
    figure,
    words,
    ask,
    courseBox,
  );
  /** @type {{puzzle: any, goal: any, counts: (number | string)[]} | null} */
  let answer = null; // of the server
  /** @type {Job | null} */
  let job = null;

  const counts = () =>
    explored(session.puzzle)?.counts ||
    (answer && answer.puzzle === session.puzzle && answer.goal === session.puzzle.goal ? answer.counts : null);

  /** Distances after each move of the game, where they are known. */
  function along() {
    const { puzzle, game, solution } = session,
      known = explored(puzzle);
    let state = game.start;
    return [null, ...game.texts].map((text, k) => {
      if (text) state = puzzle.play(state, puzzle.readMove(state, text));
      if (known) return known.distances.get(keyOf(state)) ?? null;
      if (!solution || k < solution.from) return k === 0 ? session.optimum : null;
      return solution.left?.[k - solution.from] ?? (solution.isOptimal ? game.texts.length - k : null);
    });
  }

  function move() {
    if (!session.playing) return;
    const found = counts(),
      here = knownDistance(session, session.game.state) ?? hereByGame();
    figure.replaceChildren(...(found ? [histogram(found, here)] : []));
    if (found) {
      const all = found.reduce((sum, count) => sum + BigInt(count), 0n);
      words.textContent =
        `${grouped(all)} positions, the farthest ${found.length - 1} moves away` +
        `${here === null && explored(session.puzzle) ? "; yours is not among them: it cannot be solved" : ""}.`;
    }
    const { game } = session,
      values = game.texts.length <= 5000 ? along() : [];
    const isKnown = values.filter((value) => value !== null).length > 1;
    courseBox.hidden = !isKnown;
    course.replaceChildren(...(isKnown ? [courseChart(values, game.made)] : []));
  }

  function hereByGame() {
    const { game, solution } = session;
    if (game.made === 0 && session.optimum !== null) return session.optimum;
    return solution?.isOptimal && game.made >= solution.from
      ? game.texts.length - game.made
      : game.isSolved
        ? 0
        : null;
  }

  async function renew() {
    if (!session.playing) return;
    job?.cancel();
    ask.hidden = true;
    const { puzzle } = session;
    if (!counts()) words.textContent = "Counting positions …";
    move();
    const found = await explore(session);
    if (session.puzzle !== puzzle) return;
    if (!found && !counts()) {
      words.textContent = "There are too many positions to count them while you wait.";
      ask.hidden = !connection.isOnline || !session.goalText;
    }
    move();
  }

  ask.addEventListener("click", async () => {
    const { puzzle } = session,
      { goal } = puzzle;
    ask.hidden = true;
    words.textContent = "The server counts …";
    const own = (job = new Job(
      "distances",
      { ...session.question, options: { time: SECONDS } },
      {
        progress: (event) => {
          words.textContent = `${event.text || "The server counts"} …`;
        },
      },
    ));
    try {
      const result = await own.result;
      if (session.puzzle !== puzzle) return;
      answer = { puzzle, goal, counts: result.distribution };
      if (typeof result.here === "number" && session.game.made === 0) session.optimum = result.here;
      move();
    } catch (error) {
      words.textContent = /** @type {Error} */ (error).message;
    }
  });
  return { block, renew, move };
}
