// Hints: a move as an arrow on the board and in words, from what is known, from the server, or from a search here.
import { connection, Job, post, sentence } from "./api.js";
import { bestMoves, explored, keyOf, knownDistance } from "./exploration.js";
import { hideArrows, showArrows } from "./layers.js";
import { plural } from "./playing.js";
import { HintSearch, slices } from "./search.js";

const PATIENCE = 6000; // milliseconds for the server
const MAX_SPOTS = 65535,
  MAX_BOUNDS = 4000000; // of a puzzle that is searched in the page
const MAX_PLANNED = 1000000; // pieces times states of a solution that is remembered

/**
 * What is known about each state on the way of a solution: the next move, and how many moves are left.
 * @param {any} puzzle
 * @param {Int32Array} start
 * @param {string[]} texts the first moves of the solution
 * @param {number} length of the whole solution
 * @param {boolean} isShortest
 */
function planOf(puzzle, start, texts, length, isShortest) {
  const plan = new Map();
  let state = start;
  for (const [k, text] of texts.slice(0, Math.ceil(MAX_PLANNED / puzzle.count)).entries()) {
    const move = puzzle.readMove(state, text);
    if (!move) break;
    plan.set(keyOf(state), { text, left: length - k, isShortest });
    state = puzzle.play(state, move);
  }
  return plan;
}

/**
 * A function that shows a hint, and makes the move when it is called again.
 * @param {import("./session.js").Session} session
 */
export function addHints(session) {
  /** @type {{puzzle: any, goal: any, search: any} | null} */
  let local = null;
  /** @type {{puzzle: any, goal: any, plan: Map<string, any>} | null} the solution behind the last hint */
  let followed = null;
  let asking = 0; // number of the question under way
  let asked = 0;
  session.addEventListener("change", () => {
    asking = 0;
  });

  /** @param {string} text @param {string} why @param {string} [words] */
  function show(text, why, words) {
    const { playing, puzzle, game } = session,
      move = puzzle.readMove(game.state, text);
    if (!move) return false;
    playing.showHint(move, why);
    playing.unhinted = hideArrows;
    showArrows(session, [{ move, name: "hint" }]);
    if (words) session.say(`${sentence(words)}${why ? `; ${why}` : ""}`);
    return true;
  }

  function localSearch() {
    const { puzzle } = session,
      spots = puzzle.placements.length * puzzle.turns;
    if (spots > MAX_SPOTS || spots * puzzle.periods.length > MAX_BOUNDS || !(puzzle.goal || puzzle.floor))
      return null;
    const { goal } = puzzle;
    if (local?.puzzle !== puzzle || local?.goal !== goal) local = { puzzle, goal, search: new HintSearch(puzzle) };
    return local?.search;
  }

  /** @param {() => boolean} isWanted */
  async function searchHere(isWanted) {
    const search = localSearch(),
      { state } = session.game;
    if (!search) return session.say("There are no hints for this puzzle without the server.");
    let found = search.planned(state);
    if (!found) {
      session.say("Searching …");
      const result = await search.run(state, slices(isWanted));
      if (!isWanted()) return undefined;
      found = search.planned(state);
      if (!found) {
        return session.say(
          result === "impossible"
            ? "The goal cannot be reached from here."
            : "No hint found: the goal is too far away for a search in this page, or out of reach.",
        );
      }
    }
    show(session.puzzle.moveText(found.move), leftWords(found.left, false));
    return undefined;
  }

  return async function hint() {
    const { playing, game, puzzle, solution } = session;
    if (!playing || game.isSolved) return;
    playing.unpeek();
    if (playing.hinted) {
      playing.playMove(playing.hinted);
      return;
    }
    if (asking) return;
    if (solution && game.made < game.texts.length) {
      show(game.texts[game.made], `${plural(game.texts.length - game.made, "move")} of the solution to go`);
      return;
    }
    const known = explored(puzzle);
    if (known) {
      const [best] = bestMoves(puzzle, known, game.state),
        left = knownDistance(session, game.state);
      if (best) show(best, `${plural(/** @type {number} */ (left), "move")} to go`);
      else session.say("The goal cannot be reached from here.");
      return;
    }
    const plan = followed?.puzzle === puzzle && followed?.goal === puzzle.goal ? followed?.plan : null,
      next = plan?.get(keyOf(game.state));
    if (next) {
      show(next.text, leftWords(next.left, next.isShortest));
      return;
    }
    const own = (asking = ++asked),
      isWanted = () => asking === own && session.game === game;
    try {
      if (!connection.isOnline || !session.goalText) await searchHere(isWanted);
      else await askServer(isWanted);
    } finally {
      if (asking === own) asking = 0;
    }
  };

  /** Show the first move of a solution, and remember the next ones. */
  function follow(/** @type {string[]} */ texts, /** @type {number} */ length, /** @type {boolean} */ isShortest, words = "") {
    const { puzzle, game } = session;
    followed = { puzzle, goal: puzzle.goal, plan: planOf(puzzle, game.state, texts, length, isShortest) };
    return show(texts[0], leftWords(length, isShortest), words);
  }

  /** @param {() => boolean} isWanted */
  async function askServer(isWanted) {
    session.say("Looking for a good move …");
    try {
      const found = await post("api/hint", session.question, { timeout: PATIENCE, pauses: [] });
      if (!isWanted()) return;
      if (!found.move || !follow(found.line, found.known, typeof found.distance === "number", found.words)) {
        session.say(sentence(found.reason || found.words) || "No hint was found.");
      }
    } catch (error) {
      if (!isWanted()) return;
      const { status } = /** @type {any} */ (error);
      if (status === 503) await askLonger(isWanted);
      else if (status === 0) await searchHere(isWanted);
      else session.say(/** @type {Error} */ (error).message);
    }
  }

  /** Let the engine think until it knows a solution: large boards take longer than a request may. */
  async function askLonger(/** @type {() => boolean} */ isWanted) {
    session.say("Looking for a good move; this takes longer than usual …");
    /** @type {(event: any) => void} */
    let found = () => {};
    const first = new Promise((done) => {
      found = done;
    });
    const job = new Job("engine", session.question, {
      best: found,
      progress: () => {
        if (!isWanted()) found(null);
      },
    });
    try {
      const answer = await Promise.race([first, job.result]);
      if (answer && isWanted()) follow(answer.moves, answer.known, typeof answer.distance === "number");
    } catch (error) {
      if (isWanted()) session.say(/** @type {Error} */ (error).message);
    } finally {
      job.cancel();
    }
  }
}

/** @param {number} left @param {boolean} isShortest */
const leftWords = (left, isShortest) =>
  isShortest ? `${plural(left, "move")} to go` : `a solution with ${plural(left, "move")} is known`;
