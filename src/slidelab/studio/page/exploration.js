// All positions from which the goal can be reached, with their distances, for puzzles small enough for the page.
//
// The search runs in slices of time beside everything else, once for each puzzle and goal, and gives up when there
// are too many positions; then the server is asked.
import { slices } from "./search.js";

const MAX_STATES = 250000; // of the search; the 8-puzzle has 181,440
const MAX_SPOTS = 65535; // a spot is a character of a key

/**
 * @typedef {object} Exploration
 * @property {Map<string, number>} distances by keys
 * @property {number[]} counts of positions at each distance
 * @property {Int32Array[]} states in the order of distance, the first ones only
 */

/** @type {WeakMap<any, Map<string, Promise<Exploration | null>>>} */
const started = new WeakMap();
/** @type {WeakMap<any, Map<string, Exploration>>} */
const finished = new WeakMap();

/** A state as a short text. @param {Int32Array} state */
export function keyOf(state) {
  let key = "";
  for (const spot of state) key += String.fromCharCode(spot);
  return key;
}

/** @param {any} puzzle */
const goalKey = (puzzle) => (puzzle.goal ? keyOf(puzzle.goal) : "");

/**
 * Explore the puzzle of a session; resolves to null if it is too large or has no goal.
 * @param {import("./session.js").Session} session
 * @returns {Promise<Exploration | null>}
 */
export function explore(session) {
  const { puzzle } = session;
  if (!started.has(puzzle)) started.set(puzzle, new Map());
  const own = /** @type {Map<string, Promise<Exploration | null>>} */ (started.get(puzzle)),
    key = goalKey(puzzle);
  let running = own.get(key);
  if (!running) {
    running = search(puzzle, () => session.puzzle === puzzle && goalKey(puzzle) === key).then((found) => {
      if (found === "stopped") own.delete(key);
      if (!found || found === "stopped") return null;
      if (!finished.has(puzzle)) finished.set(puzzle, new Map());
      finished.get(puzzle)?.set(key, found);
      return found;
    });
    own.set(key, running);
  }
  return running;
}

/** What is known already. @param {any} puzzle */
export const explored = (puzzle) => finished.get(puzzle)?.get(goalKey(puzzle)) || null;

/**
 * The distance of a state, if it is known already.
 * @param {import("./session.js").Session} session
 * @param {Int32Array} state
 */
export function knownDistance(session, state) {
  const distance = explored(session.puzzle)?.distances.get(keyOf(state));
  return distance === undefined ? null : distance;
}

/**
 * @param {any} puzzle
 * @param {() => boolean} isWanted
 * @returns {Promise<Exploration | null | "stopped">}
 */
async function search(puzzle, isWanted) {
  if (!puzzle.goal || puzzle.placements.length * puzzle.turns > MAX_SPOTS) return null;
  if (tooMany(puzzle)) return null;
  const rest = slices(isWanted),
    states = [puzzle.goal];
  const distances = new Map([[keyOf(puzzle.goal), 0]]),
    counts = [1];
  for (let k = 0; k < states.length; k++) {
    if (k % 200 === 0 && !(await rest())) return "stopped";
    const here = states[k],
      next = /** @type {number} */ (distances.get(keyOf(here))) + 1;
    for (const move of puzzle.moves(here)) {
      const state = puzzle.play(here, move),
        key = keyOf(state);
      if (distances.has(key)) continue;
      if (states.length >= MAX_STATES) return null;
      distances.set(key, next);
      counts[next] = (counts[next] || 0) + 1;
      states.push(state);
    }
  }
  return { distances, counts, states };
}

/**
 * Whether there are clearly too many positions to begin at all: more arrangements of tiles than could be kept, by far.
 * @param {any} puzzle
 */
function tooMany(puzzle) {
  if (puzzle.isColoured || puzzle.width > 1) return false;
  let arrangements = 1;
  for (let k = 2; k <= puzzle.count; k++) arrangements *= k;
  return arrangements > 4000 * MAX_STATES;
}

/**
 * All moves that lead nearer to the goal, as texts.
 * @param {any} puzzle
 * @param {Exploration} exploration
 * @param {Int32Array} state
 */
export function bestMoves(puzzle, exploration, state) {
  const here = exploration.distances.get(keyOf(state));
  if (here === undefined) return [];
  return puzzle
    .moves(state)
    .filter((/** @type {any} */ move) => exploration.distances.get(keyOf(puzzle.play(state, move))) === here - 1)
    .map((/** @type {any} */ move) => puzzle.moveText(move));
}
