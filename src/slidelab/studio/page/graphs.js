// The puzzle graph of a small puzzle, and the gain graph of any: computed here from the rule's steps.
//
// The vertices of the puzzle graph are positions, those of the gain graph shapes: where pieces lie, forgetting which
// is which. A move takes one shape to another and rearranges the pieces: that is its gain, measured against an order
// of the pieces that a spanning tree carries from shape to shape.
import { keyOf } from "./exploration.js";
import { slices } from "./search.js";

/**
 * @typedef {object} PuzzleGraph
 * @property {Int32Array[]} states
 * @property {Map<string, number>} numbers by keys
 * @property {number[][]} neighbours
 */

/**
 * All positions that can be reached from a state; null if there are more than the limit.
 * @param {any} puzzle
 * @param {Int32Array} start
 * @param {number} limit
 * @param {() => boolean} isWanted
 * @returns {Promise<PuzzleGraph | null>}
 */
export async function puzzleGraph(puzzle, start, limit, isWanted) {
  const states = [start],
    numbers = new Map([[keyOf(start), 0]]),
    rest = slices(isWanted);
  /** @type {number[][]} */
  const neighbours = [];
  for (let k = 0; k < states.length; k++) {
    if (k % 100 === 0 && !(await rest())) return null;
    neighbours.push(
      puzzle.moves(states[k]).map((/** @type {any} */ move) => {
        const state = puzzle.play(states[k], move),
          key = keyOf(state);
        let number = numbers.get(key);
        if (number === undefined) {
          number = states.length;
          numbers.set(key, number);
          states.push(state);
        }
        return number;
      }),
    );
    if (states.length > limit) return null;
  }
  return { states, numbers, neighbours };
}

/**
 * @typedef {object} Edge
 * @property {number} from
 * @property {number} to
 * @property {string} gain a permutation of pieces as cycles, empty for the identity
 * @property {boolean} isOdd
 */
/**
 * @typedef {object} GainGraph
 * @property {Int32Array[]} states one for each shape, with the pieces in the order of the spanning tree
 * @property {Map<string, number>} numbers of shapes
 * @property {Edge[]} edges one for each pair of moves there and back
 * @property {number[][]} neighbours
 */

/** The shape of a state as a key. @param {any} puzzle @param {Int32Array} state */
export const shapeKey = (puzzle, state) =>
  String.fromCharCode(...Array.from(state, (spot) => puzzle.placement(spot)).sort((a, b) => a - b));

/**
 * The shapes that can be reached from a state; null if there are more than the limit.
 * @param {any} puzzle
 * @param {Int32Array} start
 * @param {number} limit
 * @param {() => boolean} isWanted
 * @returns {Promise<GainGraph | null>}
 */
export async function gainGraph(puzzle, start, limit, isWanted) {
  const states = [Int32Array.from(start)],
    numbers = new Map([[shapeKey(puzzle, start), 0]]),
    rest = slices(isWanted);
  /** @type {Map<string, Edge>} */
  const edges = new Map();
  /** @type {Set<number>[]} */
  const neighbours = [new Set()];
  for (let k = 0; k < states.length; k++) {
    if (k % 100 === 0 && !(await rest())) return null;
    for (const { piece, before, after } of puzzle.moves(states[k])) {
      const state = Int32Array.from(states[k]);
      state[piece] = after;
      const key = shapeKey(puzzle, state);
      let to = numbers.get(key);
      if (to === undefined) {
        to = states.length;
        numbers.set(key, to);
        states.push(state);
        neighbours.push(new Set());
        if (states.length > limit) return null;
      }
      neighbours[k].add(to);
      neighbours[to].add(k);
      const a = puzzle.placement(before),
        b = puzzle.placement(after);
      const name = k <= to ? `${k} ${to} ${a} ${b}` : `${to} ${k} ${b} ${a}`;
      if (k <= to && !edges.has(name)) edges.set(name, { from: k, to, ...gainOf(puzzle, states[to], state) });
    }
  }
  return { states, numbers, edges: [...edges.values()], neighbours: neighbours.map((own) => [...own]) };
}

/**
 * The permutation between two states of one shape, in cycles of pieces; a bar marks a cycle that turns its pieces.
 * @param {any} puzzle
 * @param {Int32Array} reference
 * @param {Int32Array} state
 */
function gainOf(puzzle, reference, state) {
  const pieceAt = new Map(Array.from(reference, (spot, piece) => [puzzle.placement(spot), piece]));
  const image = Array.from(state, (spot) => /** @type {number} */ (pieceAt.get(puzzle.placement(spot))));
  const seen = new Set(),
    cycles = [];
  let isOdd = false;
  for (let first = 0; first < image.length; first++) {
    if (seen.has(first)) continue;
    const cycle = [];
    let turns = 0;
    for (let piece = first; !seen.has(piece); piece = image[piece]) {
      seen.add(piece);
      cycle.push(piece + 1);
      turns += (state[piece] % puzzle.turns) - (reference[image[piece]] % puzzle.turns);
    }
    if (cycle.length % 2 === 0) isOdd = !isOdd;
    const isTurned = ((turns % puzzle.turns) + puzzle.turns) % puzzle.turns !== 0;
    if (cycle.length > 1 || isTurned) cycles.push(`(${cycle.join(" ")})${isTurned ? "\u0305" : ""}`);
  }
  return { gain: cycles.join(""), isOdd };
}
