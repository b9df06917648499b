// A puzzle that is being played on a drawing: what a click, a key or a button does to the game, and what is shown
// then. Pages differ in what they do around it: they give the functions `say` (a sentence for the player), `changed`
// (after every change of the game) and `hint` (asked by the player).
import { Game, Puzzle } from "./engine.js";
import { View, apart } from "./view.js";

const MAX_WAVING = 150; // pieces that celebrate; more take the browser longer than a frame

export const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

export const randomSeed = () => Math.floor(Math.random() * 4294967296);

export class Playing {
  // `root` is the element whose data attributes say what is going on, for style sheets and scripts.
  constructor(data, stage, { say, changed, hint }, root = document.documentElement) {
    this.data = data;
    this.root = root;
    this.say = say;
    this.changed = changed;
    this.hint = hint;
    this.puzzle = new Puzzle(data.puzzle);
    this.firstState = this.puzzle.named(Int32Array.from(data.puzzle.start));
    this.game = new Game(this.puzzle, this.firstState);
    this.view = new View(data, this.puzzle, stage, root);
    this.moves = []; // the legal moves
    /** @type {any} */
    this.picked = null; // the piece whose targets are shown: {item, moves, active}
    /** @type {any} */
    this.hinted = null; // the move of the hint that is shown
    /** @type {(() => void) | null} */
    this.peeked = null; // called when the goal is shown, and when it no longer is
    /** @type {(() => void) | null} */
    this.unhinted = null; // called when a hint is no longer shown
    this.isPeeking = false; // whether the goal is shown
    root.dataset.large = String(this.view.items.length > MAX_WAVING);
    this.view.items.forEach((item, k) => item.group.style.setProperty("--order", String(k / this.view.items.length)));
    for (const name of ["activate", "aim", "choose", "unpick", "cancel", "unpeek", "undo", "redo", "restart", "peek",
      "movesOf", "playMove"]) this[name] = this[name].bind(this);
  }

  // ---- what is said ----

  nameOf(move) {
    return this.data.names[this.view.item(move.before).piece];
  }

  describe(move, spot = move.after) {
    const cells = this.puzzle.cells(spot);
    return `${this.data.verbs[move.step.verb]} to cell${cells.length > 1 ? "s" : ""} ${cells.join("-")}`;
  }

  // ---- after every change ----

  // Show the legal moves of the state, and tell the page.
  update({ isNew = false } = {}) {
    this.unpick();
    this.clearHint();
    this.moves = this.puzzle.moves(this.game.state);
    const isSolved = this.game.isSolved;
    Object.assign(this.root.dataset, { solved: isSolved, won: isSolved && this.game.made > 0 && !isNew, moves: this.game.made });
    this.view.showMoves(this.moves);
    this.changed({ isNew });
  }

  // Show the state of the game as it is, without a motion.
  show() {
    this.view.show(this.game.state);
    this.update({ isNew: true });
  }

  // Play moves as texts, which are shown at once; the first may have been begun by dragging. Returns the moves made.
  play(texts, progress = 0) {
    this.unpeek();
    const made = [];
    for (const text of texts) {
      const move = this.game.play(text);
      if (!move) break;
      made.push(move);
    }
    if (!made.length) return made;
    this.view.move(made, progress);
    const move = made[made.length - 1], item = this.view.item(move.after);
    if (made.length > 1) this.say(`${plural(made.length, this.puzzle.pieceName)} moved`);
    else this.say(`${this.data.names[item.piece]} ${this.describe(move, item.spot)}`);
    this.update();
    return made;
  }

  playMove(move, progress) {
    this.play([this.puzzle.moveText(move)], progress);
  }

  undo() {
    this.unpeek();
    const move = this.game.undo();
    if (!move) return;
    this.view.move([move]);
    this.say(`Taken back: ${plural(this.game.made, "move")} made`);
    this.update();
  }

  redo() {
    if (this.game.made < this.game.texts.length) this.play([this.game.texts[this.game.made]]);
  }

  // Take moves back or make them again until so many are made.
  goTo(made) {
    this.unpeek();
    const by = made - this.game.made;
    if (Math.abs(by) === 1) {
      const move = by > 0 ? this.game.redo() : this.game.undo();
      if (move) this.view.move([move]);
    } else {
      while (this.game.made > made && this.game.undo());
      while (this.game.made < made && this.game.redo());
      this.view.show(this.game.state, Math.abs(by) > 0);
    }
    this.update();
  }

  restart() {
    this.unpeek();
    if (!this.game.made) return;
    this.game.restart();
    this.view.show(this.game.state, true);
    this.say("Back at the start");
    this.update({ isNew: true });
  }

  // A new game from a state.
  begin(state, words) {
    this.unpeek();
    this.game.begin(state);
    this.view.show(state, true);
    this.say(words);
    this.update({ isNew: true });
  }

  // A state some random moves away from the goal, or from here if there is no goal; null if nothing can move.
  shuffled(length, seed) {
    const from = this.puzzle.goal || this.game.state;
    let walk = this.puzzle.walk(from, length, seed);
    for (let more = 1; more <= 50 && this.puzzle.isSolved(walk.state); more++) {
      walk = this.puzzle.walk(from, length + more, seed);
    }
    return walk.moves.length ? walk : null;
  }

  // ---- the goal ----

  peek() {
    if (!this.puzzle.goal) return;
    if (this.isPeeking) {
      this.unpeek();
      return;
    }
    this.unpick();
    this.clearHint();
    this.isPeeking = true;
    this.root.dataset.peek = "true";
    this.view.show(this.puzzle.goal, true);
    this.say("The goal");
    this.peeked?.();
  }

  unpeek() {
    if (!this.isPeeking) return;
    this.isPeeking = false;
    this.root.dataset.peek = "false";
    this.view.show(this.game.state, true);
    this.peeked?.();
  }

  // ---- hints ----

  showHint(move, why) {
    this.unpick();
    this.hinted = move;
    this.view.mark("hinted", this.view.item(move.before));
    this.view.showTargets([move], 0);
    this.say(`${this.nameOf(move)} ${this.describe(move)}${why ? `; ${why}` : ""}`);
  }

  clearHint() {
    if (!this.hinted) return;
    this.hinted = null;
    this.view.mark("hinted", null);
    this.view.hideTargets();
    this.unhinted?.();
  }

  // ---- picking a piece and its target ----

  unpick() {
    if (!this.picked) return;
    this.picked = null;
    this.view.mark("picked", null);
    this.view.hideTargets();
  }

  cancel() {
    this.unpeek();
    this.unpick();
    this.clearHint();
  }

  movesOf(item) {
    return this.moves.filter((move) => this.view.item(move.before) === item);
  }

  // A piece with one move makes it, one with several shows its targets, and a tile may push its row.
  activate(item) {
    const own = this.movesOf(item);
    if (own.length === 1) {
      this.playMove(own[0]);
    } else if (own.length) {
      if (this.picked && this.picked.item === item) {
        this.unpick();
        return;
      }
      this.clearHint();
      this.picked = { item, moves: own, active: -1 };
      this.view.mark("picked", item);
      this.view.showTargets(own);
      this.say(`${this.data.names[item.piece]}: choose where it goes`);
    } else {
      this.unpick();
      const texts = this.push(item);
      if (texts.length) this.play(texts);
      else this.say(`${this.data.names[item.piece]} cannot move`);
    }
  }

  aim(active) {
    this.picked.active = active;
    this.view.showTargets(this.picked.moves, active);
    if (active >= 0) this.say(`${this.data.names[this.picked.item.piece]} ${this.describe(this.picked.moves[active])}`);
  }

  choose(k) {
    this.playMove(this.picked.moves[k]);
  }

  // The moves that push a straight row of tiles into a hole, nearest to the hole first; none if there is no such row.
  push(item) {
    const { puzzle, view, game } = this;
    if (puzzle.width > 1) return [];
    const covered = puzzle.covered(game.state);
    let best = [];
    for (const first of this.freeSteps(item.spot)) {
      const line = [item.spot], from = view.middle(item.spot), to = view.middle(first.after);
      let step = first;
      while (step && covered[step.holes[0]]) {
        const here = view.middle(step.after), ahead = [here[0] + to[0] - from[0], here[1] + to[1] - from[1]];
        line.push(step.after);
        step = this.freeSteps(step.after).find((other) => apart(view.middle(other.after), ahead) < 0.05 * view.unit);
      }
      if (step && (!best.length || line.length < best.length)) best = [...line, step.after];
    }
    return best.slice(0, -1).map((before, k) =>
      puzzle.moveText({ piece: game.state.indexOf(before), before, after: best[k + 1] })).reverse();
  }

  // Steps of a tile that need nothing but the cell they lead to.
  freeSteps(spot) {
    return this.puzzle.steps[spot].filter((step) => step.holes.length === 1);
  }
}
