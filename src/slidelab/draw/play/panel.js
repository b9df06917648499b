// The controls of one puzzle: buttons, a sentence, moves and time, hints, and the position as text. The page of one
// file and the widget of a notebook have them; they differ in where a game is kept.
import { Clock } from "./clock.js";
import { addKeys, addPointer } from "./input.js";
import { Playing, plural, randomSeed } from "./playing.js";
import { HintSearch, slices } from "./search.js";
import { DistanceTable } from "./table.js";

const CONTROLS = ["words", "moves", "unit", "time", "undo", "redo", "restart", "hint", "goal", "shuffle", "length", "text",
  "line", "position", "copy"];

const disable = (button, isDisabled) => button.setAttribute("aria-disabled", String(isDisabled));

export class Panel {
  // `scope` finds elements by their id: the document, or the root of a shadow tree. `root` is the element whose data
  // attributes say what is going on; keys are those pressed inside `keys`. `changed` is called after every change of the game.
  constructor(data, { scope = document, root = document.documentElement, keys = document, changed = () => {}, signal } =
    /** @type {any} */ ({})) {
    this.data = data;
    this.scope = scope;
    this.onChanged = changed;
    this.controls = Object.fromEntries(CONTROLS.map((id) => [id, scope.getElementById(id)]));
    for (const name of ["say", "changed", "hint", "restart", "shuffle", "showLine", "copy", "setClock"]) {
      this[name] = this[name].bind(this);
    }
    this.playing = new Playing(data, scope.getElementById("stage"), this, root);
    this.puzzle = this.playing.puzzle;
    this.game = this.playing.game;
    this.table = data.hints && new DistanceTable(this.puzzle, data.hints);
    /** @type {any} */
    this.search = data.searches ? new HintSearch(this.puzzle) : null;
    this.clock = new Clock();
    this.searching = 0; // number of the search under way, 0 if there is none
    this.searches = 0;
    /** @type {any} */
    this.booklet = null; // a graded set of starts, if the page has one
    /** @type {boolean | null} */
    this.isSolvable = null; // whether the goal can be reached in this game, null if that is not known; without a table only
    this.listen(keys, signal);
  }

  listen(keys, signal) {
    const { controls, playing } = this, { undo, redo, peek } = playing;
    const buttons = { undo, redo, restart: this.restart, shuffle: () => this.shuffle(), hint: this.hint, goal: peek,
      text: this.showLine, copy: this.copy };
    addPointer(playing.view, playing, signal);
    addKeys(playing.view, playing, buttons, signal, keys);
    for (const [name, action] of Object.entries(buttons)) controls[name].addEventListener("click", () => action());
    controls.position.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.setPosition();
    });
    playing.peeked = () => {
      controls.goal.setAttribute("aria-pressed", String(playing.isPeeking));
      if (!playing.isPeeking) this.sayStatus();
    };
    const timer = setInterval(this.setClock, 500);
    signal?.addEventListener("abort", () => clearInterval(timer));
    document.addEventListener("visibilitychange", this.setClock, { signal });
  }

  // Show the game as it is, and the controls.
  show() {
    this.controls.goal.hidden = !this.puzzle.goal;
    this.controls.hint.hidden = !this.table && !this.search;
    this.playing.show();
    this.sayStatus();
    for (const id of ["controls", "count"]) this.scope.getElementById(id).hidden = false;
  }

  // ---- what is said ----

  say(text) {
    this.controls.words.textContent = text;
  }

  sayStatus() {
    const { game, table, clock } = this, canMove = this.playing.moves.length > 0;
    if (!game.isSolved) {
      this.say(canMove ? "" : "No piece can move.");
      return;
    }
    if (!game.made) {
      this.say(canMove ? this.booklet ? "This is the goal." : "This is the goal. Shuffle to play." : "This is the goal, and no piece can move.");
      return;
    }
    const least = table ? table.distance(game.start) : this.booklet ? this.booklet.least : -1;
    const compared = least < 0 ? "" : least === game.made ? ", the fewest possible" : `; ${least} would do`;
    this.say(`Solved in ${plural(game.made, "move")}${compared}, in ${clock.text}.`);
  }

  // The clock runs from the first move to the last, while the page is visible.
  setClock() {
    this.clock.set(this.game.made > 0 && !this.game.isSolved && !document.hidden);
    this.controls.time.textContent = this.clock.text;
  }

  // ---- after every change ----

  changed({ isNew }) {
    const { controls, game } = this;
    this.searching = 0;
    controls.moves.textContent = game.made;
    controls.unit.textContent = game.made === 1 ? "move" : "moves";
    if (!controls.line.hidden) controls.position.value = this.puzzle.text(game.state);
    disable(controls.undo, !game.made);
    disable(controls.redo, game.made === game.texts.length);
    disable(controls.restart, !game.made);
    disable(controls.hint, game.isSolved);
    disable(controls.shuffle, !this.playing.moves.length);
    this.setClock();
    this.booklet?.update();
    this.onChanged();
    if (game.isSolved && !isNew) this.sayStatus();
  }

  restart() {
    if (this.game.made) this.clock.reset();
    this.playing.restart();
  }

  // What was known about the start when the page was made.
  knownOf(state) {
    return this.data.searches && this.puzzle.equal(state, this.playing.firstState) ? this.data.isSolvable : null;
  }

  // A new game from a state, of which may be known whether it can be solved.
  begin(state, words, isSolvable = this.knownOf(state)) {
    this.isSolvable = isSolvable;
    this.clock.reset();
    this.playing.begin(state, words);
  }

  shuffle(length = Number(this.controls.length.value), seed = randomSeed()) {
    const walk = this.playing.shuffled(length, seed);
    if (!walk) return;
    this.begin(walk.state, `Shuffled by ${plural(walk.moves.length, "random move")}`,
      this.puzzle.goal ? true : this.isSolvable);
  }

  // ---- hints ----

  async hint() {
    const { playing, game, table, search } = this;
    if (this.controls.hint.hidden || game.isSolved) return;
    playing.unpeek();
    if (playing.hinted) {
      playing.playMove(playing.hinted);
      return;
    }
    playing.unpick();
    if (table) {
      const move = table.hint(game.state);
      if (move) playing.showHint(move, `${plural(table.distance(game.state), "move")} to go`);
      else this.say("The goal cannot be reached from here.");
      return;
    }
    if (this.searching) return;
    if (this.isSolvable === false) {
      this.sayUnsolvable();
      return;
    }
    const state = game.state;
    this.booklet?.plan();
    let found = search.planned(state);
    if (!found) {
      const own = this.searching = ++this.searches;
      this.say("Searching …");
      const result = await search.run(state, slices(() => this.searching === own));
      if (this.searching !== own) return; // a move was made
      this.searching = 0;
      if (result === "impossible") this.isSolvable = false;
      found = search.planned(state);
    }
    if (found) {
      const left = plural(found.left, "move");
      playing.showHint(found.move, found.isShortest ? `${left} to go` : `a solution with ${left} is known`);
    }
    else if (this.isSolvable) this.say("No hint found: the goal can be reached, but is too far away for a search in this page.");
    else if (this.isSolvable === null) this.say("No hint found: the goal is too far away for a search in this page, or out of reach.");
    else this.sayUnsolvable();
  }

  sayUnsolvable() {
    const isFirst = this.data.obstacle && this.puzzle.equal(this.game.start, this.playing.firstState);
    this.say(`The goal cannot be reached from here${isFirst ? `: ${this.data.obstacle}` : ""}.`);
  }

  // ---- the position as text ----

  showLine() {
    const { line, text, position } = this.controls, isOpen = line.hidden;
    line.hidden = !isOpen;
    text.setAttribute("aria-expanded", String(isOpen));
    position.value = this.puzzle.text(this.game.state);
    if (isOpen) position.select();
  }

  async copy() {
    const { position } = this.controls;
    position.select();
    try {
      await navigator.clipboard.writeText(position.value);
      this.say("Copied");
    } catch {
      this.say("Press Ctrl+C to copy the position.");
    }
  }

  setPosition() {
    try {
      this.begin(this.puzzle.read(this.controls.position.value), "A new position");
    } catch (error) {
      this.say(error.message);
    }
  }
}
