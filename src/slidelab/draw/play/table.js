// Hints from a table of all distances to the goal modulo three, two bits each.
//
// The distances of neighbouring states differ by at most one, so the residue of a neighbour says whether it is
// nearer. States are numbered by shape (the sorted placements), then by the order of the classes of pieces along
// them (as a word in lexicographic order), then by the turns of the pieces. `slidelab.draw.play.hints` numbers
// them in the same way.

const UNKNOWN = 3; // a state from which the goal cannot be reached

export class DistanceTable {
  // The data are those of `slidelab.draw.play.hints.HintTable.data`.
  constructor(puzzle, data) {
    this.puzzle = puzzle;
    this.words = data.words; // number of orders of the classes
    this.codes = data.codes; // number of turns of all pieces
    this.bytes = Uint8Array.from(atob(data.bytes), (character) => character.charCodeAt(0));
    this.shapes = new Map();
    for (let first = 0; first < data.shapes.length; first += puzzle.count) {
      this.shapes.set(data.shapes.slice(first, first + puzzle.count).join(), this.shapes.size);
    }
  }

  // The number of a state; -1 if its shape is not in the table.
  index(state) {
    const { puzzle } = this, { classes, periods, turns, count } = puzzle;
    const order = Array.from(state.keys()).sort((a, b) => state[a] - state[b]);
    const shape = this.shapes.get(order.map((piece) => puzzle.placement(state[piece])).join());
    if (shape === undefined) return -1;
    const left = puzzle.members.map((members) => members.length);
    let rank = 0, words = this.words, code = 0;
    order.forEach((piece, k) => {
      const own = classes[piece], rest = count - k;
      for (let other = 0; other < own; other++) rank += words * left[other] / rest;
      words = words * left[own] / rest;
      left[own]--;
      code = code * periods[own] + state[piece] % turns % periods[own];
    });
    return (shape * this.words + rank) * this.codes + code;
  }

  residue(state) {
    const index = this.index(state);
    return index < 0 ? UNKNOWN : this.bytes[index >> 2] >> 2 * (index & 3) & 3;
  }

  // A move that leads nearer to the goal; null if the goal is reached, or out of reach.
  hint(state) {
    const { puzzle } = this, here = this.residue(state);
    if (here === UNKNOWN || puzzle.isSolved(state)) return null;
    const nearer = (here + 2) % 3;
    return puzzle.moves(state).find((move) => this.residue(puzzle.play(state, move)) === nearer) || null;
  }

  // The least number of moves to the goal; -1 if it cannot be reached.
  distance(state) {
    if (this.residue(state) === UNKNOWN) return -1;
    let moves = 0;
    for (let move = this.hint(state); move; move = this.hint(state)) {
      state = this.puzzle.play(state, move);
      moves++;
    }
    return moves;
  }
}
