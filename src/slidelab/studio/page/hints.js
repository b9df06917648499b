// Hints: a move as an arrow on the board and in words, from what is known, from the server, or from a search here.
import { connection, post, sentence } from "./api.js";
import { bestMoves, explored, knownDistance } from "./exploration.js";
import { showArrows } from "./layers.js";
import { plural } from "./playing.js";
import { HintSearch, slices } from "./search.js";

const PATIENCE = 6000; // milliseconds for the server
const MAX_SPOTS = 65535,
  MAX_BOUNDS = 4000000; // of a puzzle that is searched in the page

/**
 * A function that shows a hint, and makes the move when it is called again.
 * @param {import("./session.js").Session} session
 */
export function addHints(session) {
  /** @type {{puzzle: any, goal: any, search: any} | null} */
  let local = null;
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
    show(session.puzzle.moveText(found.move), `a solution with ${plural(found.left, "move")} is known`);
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
    const own = (asking = ++asked),
      isWanted = () => asking === own && session.game === game;
    try {
      if (!connection.isOnline || !session.goalText) await searchHere(isWanted);
      else await askServer(isWanted);
    } finally {
      if (asking === own) asking = 0;
    }
  };

  /** @param {() => boolean} isWanted */
  async function askServer(isWanted) {
    session.say("Looking for a good move …");
    try {
      const found = await post("api/hint", session.question, { timeout: PATIENCE });
      if (!isWanted()) return;
      const left =
        typeof found.distance === "number"
          ? `${plural(found.distance, "move")} to go`
          : found.known
            ? `a solution with ${plural(found.known, "move")} is known`
            : "";
      if (!found.move || !show(found.move, left, found.words)) {
        session.say(sentence(found.words) || "No hint was found.");
      }
    } catch (error) {
      if (!isWanted()) return;
      if (/** @type {any} */ (error).status === 0) await searchHere(isWanted);
      else session.say(/** @type {Error} */ (error).message);
    }
  }
}
