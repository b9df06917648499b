// The rules of a sliding puzzle, for every rule and board: states, legal moves, texts, and the history of a game.
//
// A piece lies on a *placement*, a list of cells, in one of its `turns` readings (a gourd may have its head at
// either end). Both together are one number, its *spot*: placement * turns + turn. A state is an Int32Array with
// the spot of each piece. A *step* leads from a placement to another, turns the piece, and needs empty cells.
// Placements and steps are all that is known of a rule, so this works for rules that nobody has thought of yet.
//
// Pieces of one colour look alike. A state therefore has one naming of them, the least; all functions here take
// and return such states.
//
// Moves go through this module as text, `3:2>5` or `1:4-5>5-6` (piece, cells before, cells after), as everywhere
// in slidelab: what was clicked is written down first and then played, so undo, saving and replaying need nothing
// else. There is no drawing in this module, and nothing of a browser.

const MAX_TEXT = 1000000; // characters of a position that is read
const MOVE = /^([0-9]{1,9}):([0-9]{1,9}(?:-[0-9]{1,9})*)>([0-9]{1,9}(?:-[0-9]{1,9})*)$/;
const PIECE = /^([0-9]{1,9}(?:-[0-9]{1,9})*)(?:=(.+))?$/;

export class Puzzle {
  // The data are those of `slidelab.draw.play.data.puzzle_data`.
  constructor(data) {
    this.kind = data.kinds[0]; // board, rule and holes as text
    this.kinds = data.kinds; // the same, also with defaults left out
    this.size = data.size; // number of cells
    this.pieceName = data.piece;
    this.readings = data.readings; // for each turn the positions of the cells
    this.turns = data.readings.length;
    this.width = data.readings[0].length; // cells of a piece
    this.placements = data.placements;
    this.steps = data.steps.map((rows) => rows.map(([after, turn, verb, holes, curve = []]) =>
      ({ after, turn, verb, holes, curve })));
    this.labels = data.labels; // the text of each piece
    this.isColoured = data.isColoured;
    this.classes = data.classes; // pieces of one class look alike
    this.periods = data.periods; // turns after which a piece of each class looks the same
    this.looks = data.looks; // the text of a piece of each class, in each of its readings
    this.count = data.labels.length;
    this.members = this.periods.map(() => []); // pieces of each class
    this.classes.forEach((own, piece) => this.members[own].push(piece));
    this.placementOf = new Map(); // from cells as text to a spot
    this.placements.forEach((cells, placement) => this.readings.forEach((_, turn) => {
      this.placementOf.set(this.cells(placement * this.turns + turn).join("-"), placement * this.turns + turn);
    }));
    this.goal = data.goal && this.named(Int32Array.from(data.goal));
    this.floor = data.floor; // the colours of the cells, if they are the goal
    this.cellColours = data.cellColours; // the colour of each cell of each piece, to compare with the floor
  }

  // The cells under a spot, in the reading of the piece.
  cells(spot) {
    const cells = this.placements[Math.floor(spot / this.turns)];
    return this.readings[spot % this.turns].map((position) => cells[position]);
  }

  placement(spot) {
    return Math.floor(spot / this.turns);
  }

  // The same pieces with those of one class named in the least way.
  named(spots) {
    if (!this.isColoured) return spots;
    const out = Int32Array.from(spots);
    this.members.forEach((members, own) => {
      const period = this.periods[own];
      const least = members.map((piece) => this.leastReading(spots[piece], period));
      least.sort((a, b) => this.compare(a, b));
      members.forEach((piece, k) => { out[piece] = least[k]; });
    });
    return out;
  }

  // The spot with the least cells among those in which a piece of this period looks the same.
  leastReading(spot, period) {
    const placement = this.placement(spot), turn = spot % this.turns;
    let best = spot;
    for (let by = period; by < this.turns; by += period) {
      const other = placement * this.turns + (turn + by) % this.turns;
      if (this.compare(other, best) < 0) best = other;
    }
    return best;
  }

  compare(a, b) {
    const first = this.cells(a), second = this.cells(b);
    const k = first.findIndex((cell, position) => cell !== second[position]);
    return k < 0 ? 0 : first[k] - second[k];
  }

  // For each cell whether it is covered.
  covered(state) {
    const out = new Uint8Array(this.size);
    for (const spot of state) for (const cell of this.placements[this.placement(spot)]) out[cell] = 1;
    return out;
  }

  holes(state) {
    const covered = this.covered(state);
    return Array.from(covered.keys()).filter((cell) => !covered[cell]);
  }

  // ---- moves ----

  // The legal moves: piece (from 0), spots before and after, and the step with the curve of its motion.
  moves(state) {
    const covered = this.covered(state), found = [];
    for (let piece = 0; piece < this.count; piece++) found.push(...this.movesOf(state, piece, covered));
    return found;
  }

  movesOf(state, piece, covered = this.covered(state)) {
    const before = state[piece], turn = before % this.turns, found = [];
    for (const step of this.steps[this.placement(before)]) {
      if (step.holes.some((cell) => covered[cell])) continue;
      const after = step.after * this.turns + (turn + step.turn) % this.turns;
      if (!found.some((move) => move.after === after)) found.push({ piece, before, after, step });
    }
    return found;
  }

  moveText({ piece, before, after }) {
    return `${piece + 1}:${this.cells(before).join("-")}>${this.cells(after).join("-")}`;
  }

  // The legal move that a text stands for; null if there is none. Pieces of one colour, which swap their names
  // when they pass each other, are found by their cells.
  readMove(state, text) {
    const match = MOVE.exec(text);
    if (!match) return null;
    const before = this.placementOf.get(match[2]), after = this.placementOf.get(match[3]);
    if (before === undefined || after === undefined) return null;
    let piece = Number(match[1]) - 1;
    if (this.isColoured) piece = state.findIndex((spot) => this.placement(spot) === this.placement(before));
    if (!(piece >= 0 && piece < this.count)) return null;
    const turned = this.isColoured ? state[piece] % this.turns - before % this.turns : 0;
    const target = this.turned(after, turned);
    return this.movesOf(state, piece).find((move) =>
      move.before === this.turned(before, turned) && move.after === target) || null;
  }

  turned(spot, by) {
    const turn = (spot % this.turns + by + this.turns) % this.turns;
    return this.placement(spot) * this.turns + turn;
  }

  // The state after a legal move.
  play(state, { piece, after }) {
    const out = Int32Array.from(state);
    out[piece] = after;
    return this.named(out);
  }

  // The legal move that takes back a move, given as text, from the state after it.
  reverse(state, text) {
    const [, , before, after] = /** @type {RegExpExecArray} */ (MOVE.exec(text));
    return this.readMove(state, `${this.pieceOn(state, after) + 1}:${after}>${before}`);
  }

  // The piece that lies on cells given as text.
  pieceOn(state, cells) {
    const placement = this.placement(this.placementOf.get(cells));
    return state.findIndex((spot) => this.placement(spot) === placement);
  }

  isSolved(state) {
    if (this.goal) return this.equal(state, this.goal);
    return this.floor !== null && state.every((spot, piece) =>
      this.cells(spot).every((cell, k) => this.floor[cell] === this.cellColours[piece][k]));
  }

  // The spots on which a piece of a class belongs.
  goalSpots(own) {
    if (this.goal) {
      const turns = this.readings.map((_, turn) => turn).filter((turn) => turn % this.periods[own] === 0);
      return this.members[own].flatMap((piece) => turns.map((turn) => this.turned(this.goal[piece], turn)));
    }
    const colours = this.cellColours[this.members[own][0]];
    const spots = Array.from({ length: this.placements.length * this.turns }, (_, spot) => spot);
    return spots.filter((spot) => this.cells(spot).every((cell, k) => this.floor[cell] === colours[k]));
  }

  equal(a, b) {
    return a.every((spot, piece) => spot === b[piece]);
  }

  // A random walk of legal moves, as texts; a move is taken back at once only if nothing else can move. The same
  // seed gives the same walk, and the way back is a solution.
  walk(state, length, seed) {
    const random = generator(seed), texts = [];
    let last = -1, here = state;
    for (let k = 0; k < length; k++) {
      const moves = this.moves(here);
      const onward = moves.filter((move) => this.placement(move.after) !== last);
      const choice = onward.length ? onward : moves;
      if (!choice.length) break;
      const move = choice[Math.floor(random() * choice.length)];
      texts.push(this.moveText(move));
      last = this.placement(move.before);
      here = this.play(here, move);
    }
    return { state: here, moves: texts };
  }

  // ---- texts ----

  // The pieces as they stand behind the colon of a position.
  piecesText(state) {
    if (this.width > 1) {
      return Array.from(state, (spot, piece) =>
        this.cells(spot).join("-") + (this.isColoured ? `=${this.labels[piece]}` : "")).join(" ");
    }
    const row = new Array(this.size).fill(".");
    state.forEach((spot, piece) => { row[this.placements[this.placement(spot)][0]] = this.labels[piece]; });
    return row.join(" ");
  }

  // The position in one line, which slidelab reads everywhere.
  text(state) {
    return `${this.kind} : ${this.piecesText(state)}`;
  }

  // The state of a position or of its pieces; throws an error with one sentence if there is none.
  read(text) {
    if (text.length > MAX_TEXT) throw new Error("That is too long for a position.");
    const colon = text.indexOf(":");
    if (colon >= 0 && !this.kinds.includes(text.slice(0, colon).split(/\s+/).filter(Boolean).join(" "))) {
      throw new Error(`That is not a position of ${this.kind}.`);
    }
    const tokens = text.slice(colon + 1).split(/[\s/]+/).filter(Boolean);
    const spots = this.width > 1 ? this.readPieces(tokens) : this.readTiles(tokens);
    const seen = new Set();
    for (const spot of spots) {
      for (const cell of this.placements[this.placement(spot)]) {
        if (seen.has(cell)) throw new Error(`Two ${this.pieceName}s lie on cell ${cell}.`);
        seen.add(cell);
      }
    }
    return this.named(spots);
  }

  readTiles(tokens) {
    if (tokens.length !== this.size) throw new Error(`Expected ${this.size} entries, one a cell.`);
    const spots = new Int32Array(this.count).fill(-1), free = this.free((piece) => this.labels[piece]);
    tokens.forEach((token, cell) => {
      if (token === "." || token === "0") return;
      spots[this.take(free, token)] = this.placementOf.get(String(cell));
    });
    if (spots.includes(-1)) throw new Error(`Expected ${this.count} ${this.pieceName}s.`);
    return spots;
  }

  readPieces(tokens) {
    if (tokens.length !== this.count) throw new Error(`Expected ${this.count} ${this.pieceName}s.`);
    const spots = new Int32Array(this.count).fill(-1), free = this.free((piece) => this.classes[piece]);
    tokens.forEach((token, k) => {
      const match = PIECE.exec(token);
      if (!match || Boolean(match[2]) !== this.isColoured) throw new Error(`“${token.slice(0, 40)}” is no piece.`);
      const reversed = match[1].split("-").reverse().join("-"); // the same piece if it has one reading only
      let spot = this.placementOf.get(match[1]);
      if (spot === undefined && this.turns === 1) spot = this.placementOf.get(reversed);
      if (spot === undefined) throw new Error(`No ${this.pieceName} can lie on ${match[1].slice(0, 40)}.`);
      if (!this.isColoured) {
        spots[k] = spot;
        return;
      }
      const own = this.looks.findIndex((texts) => texts.includes(match[2]));
      const turn = own < 0 ? 0 : this.looks[own].indexOf(match[2]);
      spots[this.take(free, own)] = this.turned(spot, this.turns - turn);
    });
    return spots;
  }

  // The pieces that have not been named yet, by a key.
  free(key) {
    const out = new Map();
    for (let piece = this.count - 1; piece >= 0; piece--) {
      const own = key(piece);
      if (!out.has(own)) out.set(own, []);
      out.get(own).push(piece);
    }
    return out;
  }

  take(free, key) {
    const piece = (free.get(key) || []).pop();
    if (piece === undefined) throw new Error("The pieces are not those of this puzzle.");
    return piece;
  }
}

// A generator of random numbers from 0 to 1 (mulberry32); the same seed gives the same numbers everywhere.
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// A game: where it began, the moves made, and those taken back, which can be made again.
export class Game {
  constructor(puzzle, start) {
    this.puzzle = puzzle;
    this.start = this.state = start;
    /** @type {string[]} all moves, of which the first `made` are made */
    this.texts = [];
    this.made = 0;
  }

  begin(start) {
    this.start = start;
    this.state = start;
    this.texts = [];
    this.made = 0;
  }

  get isSolved() {
    return this.puzzle.isSolved(this.state);
  }

  // Play a move given as text; returns the move, or null if it is illegal. Moves that were taken back are lost,
  // unless this is the next of them.
  play(text) {
    const move = this.puzzle.readMove(this.state, text);
    if (!move) return null;
    if (this.texts[this.made] !== text) this.texts.splice(this.made, Infinity, text);
    this.made++;
    this.state = this.puzzle.play(this.state, move);
    return move;
  }

  // Take back the last move; returns the move that does it, or null if there is none.
  undo() {
    if (!this.made) return null;
    const move = this.puzzle.reverse(this.state, this.texts[this.made - 1]);
    this.made--;
    this.state = this.puzzle.play(this.state, move);
    return move;
  }

  redo() {
    return this.made < this.texts.length ? this.play(this.texts[this.made]) : null;
  }

  // Take back all moves.
  restart() {
    this.made = 0;
    this.state = this.start;
  }

  // The game as an object for JSON, which `load` reads.
  save() {
    return { start: this.puzzle.piecesText(this.start), moves: this.texts, made: this.made };
  }

  // Continue a saved game; returns whether it could be read. Nothing changes otherwise.
  load(saved) {
    const before = { start: this.start, state: this.state, texts: this.texts, made: this.made };
    try {
      this.begin(this.puzzle.read(String(saved.start)));
      const made = Number(saved.made), texts = Array.from(saved.moves, String);
      if (!(made >= 0 && made <= texts.length)) throw new Error("Expected the number of moves made.");
      for (const text of texts) if (!this.play(text)) throw new Error("Expected legal moves.");
      while (this.made > made) this.undo();
      return true;
    } catch {
      Object.assign(this, before);
      return false;
    }
  }
}
