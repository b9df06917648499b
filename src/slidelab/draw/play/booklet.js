// A graded set of starts on one page: previous and next, what is solved, and hints from a known shortest solution.
import { plural } from "./playing.js";

const LEVELS = ["Easy", "Medium", "Hard", "Very hard", "Hardest"];

export class Booklet {
  // The starts are those of `slidelab.draw.play.page`; `changed` is called when another one is opened.
  constructor(panel, starts, { scope = document, changed = () => {} } = /** @type {any} */ ({})) {
    const { puzzle } = panel;
    this.panel = panel;
    this.changed = changed;
    this.starts = starts.map(({ spots, level, solutions, moves }) =>
      ({ state: puzzle.named(Int32Array.from(spots)), level, solutions, moves }));
    this.current = -1; // number of the start that is played, from 0
    this.best = this.starts.map(() => 0); // fewest moves of a solution, 0 if there is none yet
    /** @type {any[]} */
    this.games = this.starts.map(() => null); // saved games
    this.elements = Object.fromEntries(["starts", "set-previous", "set-number", "set-next", "pips", "aim", "shuffle", "length"]
      .map((id) => [id.replace("set-", ""), scope.getElementById(id)]));
    this.listen(scope);
  }

  listen(scope) {
    const { previous, number, next, starts, pips, aim, shuffle, length } = this.elements;
    previous.addEventListener("click", () => this.step(-1));
    next.addEventListener("click", () => this.step(1));
    number.addEventListener("change", () => this.open(Number(number.value)));
    scope.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select")) return;
      if (event.key === "n" || event.key === "PageDown") this.step(1);
      else if (event.key === "p" || event.key === "PageUp") this.step(-1);
      else return;
      event.preventDefault();
    });
    this.starts.forEach((_, k) => {
      number.append(new Option("", String(k)));
      pips.append(document.createElement("i"));
    });
    shuffle.hidden = length.hidden = true;
    for (const each of [starts, pips, aim]) each.hidden = false;
  }

  get start() {
    return this.starts[this.current];
  }

  step(by) {
    const k = this.current + by;
    if (k >= 0 && k < this.starts.length) this.open(k);
  }

  // Play a start, from where its game was left.
  open(k) {
    const { panel } = this;
    if (k === this.current) return;
    this.keep();
    this.current = k;
    const saved = this.games[k], isSaved = saved && saved.moves.length;
    panel.playing.cancel();
    if (isSaved && panel.game.load(saved) && panel.puzzle.equal(panel.game.start, this.start.state)) {
      panel.clock.reset(saved.elapsed);
      panel.isSolvable = true;
      panel.playing.show();
    } else {
      panel.begin(this.start.state, "", true);
    }
    panel.sayStatus();
    this.show();
    this.changed();
  }

  // Remember the game of the start that is played.
  keep() {
    const { game, clock } = this.panel;
    if (this.current < 0 || !this.isOwn) return;
    this.games[this.current] = { ...game.save(), elapsed: Math.round(clock.total) };
  }

  // Whether the game began at this start, and not at a position that was typed.
  get isOwn() {
    return this.panel.puzzle.equal(this.panel.game.start, this.start.state);
  }

  // After every move: note a solution.
  update() {
    const { game } = this.panel;
    if (this.current < 0 || !this.isOwn || !game.isSolved || !game.made) return;
    const best = this.best[this.current];
    this.best[this.current] = best ? Math.min(best, game.made) : game.made;
    this.show();
  }

  show() {
    const { previous, number, next, pips, aim } = this.elements, { level, solutions, moves } = this.start;
    const disable = (button, isDisabled) => button.setAttribute("aria-disabled", String(isDisabled));
    disable(previous, this.current === 0);
    disable(next, this.current === this.starts.length - 1);
    this.starts.forEach((each, k) => {
      const best = this.best[k], isFewest = best === each.moves.length;
      number.options[k].textContent = `${k + 1} of ${this.starts.length}${best ? isFewest ? " ★" : " ✓" : ""}`;
      pips.children[k].className = `${best ? isFewest ? "fewest" : "solved" : ""}${k === this.current ? " here" : ""}`;
    });
    number.value = String(this.current);
    const ways = solutions === 1 ? ", only one solution" : solutions ? `, ${solutions.toLocaleString("en")} solutions` : "";
    const best = this.best[this.current], done = best ? `; your best: ${best}` : "";
    aim.textContent = `${LEVELS[level - 1]}: at least ${plural(moves.length, "move")}${ways}${done}`;
    document.documentElement.dataset.level = String(level);
    const count = this.best.filter((each) => each).length;
    pips.setAttribute("aria-label", `${count} of ${this.starts.length} puzzles solved`);
  }

  // The fewest moves from the start of the game, -1 if that is not known.
  get least() {
    return this.current >= 0 && this.isOwn ? this.start.moves.length : -1;
  }

  // Tell the search for hints a way to the goal: back to where the game left the known solution, and along it.
  plan() {
    const { puzzle, game, search } = this.panel;
    if (!search || this.current < 0 || !this.isOwn) return;
    const along = new Map(); // states of the known solution, and moves to each of them
    let here = this.start.state;
    this.start.moves.forEach((text, k) => {
      along.set(here.join(), k);
      here = puzzle.play(here, puzzle.readMove(here, text));
    });
    along.set(here.join(), this.start.moves.length);
    const states = [game.start];
    for (let k = 0; k < game.made; k++) {
      states.push(puzzle.play(states[k], puzzle.readMove(states[k], game.texts[k])));
    }
    let left = game.made;
    while (!along.has(states[left].join())) left--;
    const back = [];
    for (let k = game.made; k > left; k--) {
      back.push(puzzle.moveText(puzzle.reverse(states[k], game.texts[k - 1])));
    }
    search.know(game.state, [...back, ...this.start.moves.slice(along.get(states[left].join()))], back.length);
  }

  // ---- memory ----

  save() {
    this.keep();
    return { current: this.current, best: this.best, games: this.games };
  }

  // Take up what was saved; anything that does not fit is ignored.
  load(saved) {
    const count = this.starts.length;
    if (!saved || !Array.isArray(saved.best) || saved.best.length !== count || !Array.isArray(saved.games)) return;
    this.best = saved.best.map((best, k) => best >= this.starts[k].moves.length && Number.isInteger(best) ? best : 0);
    this.games = this.starts.map((_, k) => (Array.isArray(saved.games[k]?.moves) ? saved.games[k] : null));
    if (Number.isInteger(saved.current) && saved.current >= 0 && saved.current < count) return saved.current;
  }
}
