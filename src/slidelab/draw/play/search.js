// Hints without a table: a weighted A* search for a solution, in slices of time.
//
// The lower bound is the sum, over all pieces, of the moves that each needs alone on the board to the nearest spot
// where one of its class belongs; every move moves one piece, so it never exceeds the distance. Its weight makes
// the search greedy: solutions are found quickly, and are often longer than necessary.

const PASSES = [[2, 40000], [4, 80000], [10, 160000]]; // weights of the lower bound, and states for each of them
const FAR = 65535;
const SLICE = 12; // milliseconds of a search between two frames

// A function for `HintSearch.run` that lets the page do other things from time to time, while the search is wanted.
export function slices(isWanted) {
  let slice = performance.now();
  return async () => {
    if (performance.now() - slice < SLICE) return true;
    await new Promise((done) => { setTimeout(done); });
    slice = performance.now();
    return isWanted();
  };
}

export class HintSearch {
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.bounds = null;
    this.plan = []; // moves of the last solution as texts, for the states on its way
    this.states = [];
    this.detour = Infinity; // moves of it before a part that is known to be shortest; Infinity if none is
  }

  // Keep a known solution from a state, of which all but the first moves are a shortest one.
  know(state, texts, detour) {
    this.plan = texts;
    this.states = texts.map((text) => {
      const key = keyOf(state);
      state = this.puzzle.play(state, this.puzzle.readMove(state, text));
      return key;
    });
    this.detour = detour;
  }

  // A move of the solution found last, if the state is on its way; null otherwise.
  planned(state) {
    const key = keyOf(state), k = this.states.indexOf(key);
    return k < 0 ? null : { move: this.puzzle.readMove(state, this.plan[k]), left: this.plan.length - k,
      isShortest: k >= this.detour };
  }

  // Search for a solution and keep it for `planned`; resolves to "found", to "impossible" if no moves lead to the
  // goal, to "limit" if there are more states than may be searched, or to "stopped". `rest` is awaited between slices
  // of work, and ends the search if it resolves to false.
  async run(state, rest) {
    this.bounds = this.bounds || this.lowerBounds();
    const { classes } = this.puzzle;
    if (state.some((spot, piece) => this.bounds[classes[piece]][spot] === FAR)) return "impossible";
    for (const [weight, limit] of PASSES) {
      const result = await this.search(state, weight, limit, rest);
      if (result !== "limit") return result;
    }
    return "limit";
  }

  // For each class and spot the moves that a piece needs alone.
  lowerBounds() {
    const { puzzle } = this, spots = puzzle.placements.length * puzzle.turns;
    return puzzle.members.map((_, own) => {
      const bound = new Uint16Array(spots).fill(FAR), queue = puzzle.goalSpots(own);
      for (const spot of queue) bound[spot] = 0;
      for (const spot of queue) {
        for (const step of puzzle.steps[puzzle.placement(spot)]) { // every step has one back
          const next = step.after * puzzle.turns + (spot % puzzle.turns + step.turn) % puzzle.turns;
          if (bound[next] < FAR) continue;
          bound[next] = bound[spot] + 1;
          queue.push(next);
        }
      }
      return bound;
    });
  }

  bound(state) {
    const { classes } = this.puzzle;
    let sum = 0;
    for (let piece = 0; piece < state.length; piece++) sum += this.bounds[classes[piece]][state[piece]];
    return sum;
  }

  // One pass of `run`, with the same results.
  async search(start, weight, limit, rest) {
    const { puzzle } = this;
    const nodes = [{ state: start, parent: -1, text: "", depth: 0 }];
    const best = new Map([[keyOf(start), 0]]); // the node of each state
    const open = new Buckets();
    open.push(weight * this.bound(start), 0);
    for (let work = 1; open.size && nodes.length < limit; work++) {
      if (work % 500 === 0 && await rest() === false) return "stopped";
      const number = open.pop(), node = nodes[number];
      if (best.get(keyOf(node.state)) !== number) continue; // reached on a shorter path since
      if (puzzle.isSolved(node.state)) {
        this.keep(nodes, number);
        return "found";
      }
      for (const move of puzzle.moves(node.state)) {
        const state = puzzle.play(node.state, move), key = keyOf(state), known = best.get(key);
        if (known !== undefined && nodes[known].depth <= node.depth + 1) continue;
        best.set(key, nodes.length);
        open.push(node.depth + 1 + weight * this.bound(state), nodes.length);
        nodes.push({ state, parent: number, text: puzzle.moveText(move), depth: node.depth + 1 });
      }
    }
    return open.size ? "limit" : "impossible";
  }

  keep(nodes, number) {
    this.detour = Infinity;
    this.plan = [];
    this.states = [];
    for (let node = nodes[number]; node.parent >= 0; node = nodes[node.parent]) {
      this.plan.push(node.text);
      this.states.push(keyOf(nodes[node.parent].state));
    }
    this.plan.reverse();
    this.states.reverse();
  }
}

// A state as a short text, a character for each spot.
function keyOf(state) {
  let key = "";
  for (const spot of state) key += String.fromCharCode(spot);
  return key;
}

// A priority queue for small whole numbers; of equal ones the last comes first, which goes deeper.
class Buckets {
  constructor() {
    this.lists = new Map();
    this.least = Infinity;
    this.size = 0;
  }

  push(priority, item) {
    if (!this.lists.has(priority)) this.lists.set(priority, []);
    this.lists.get(priority).push(item);
    this.least = Math.min(this.least, priority);
    this.size++;
  }

  pop() {
    while (!(this.lists.get(this.least) || []).length) this.least++;
    this.size--;
    return this.lists.get(this.least).pop();
  }
}
