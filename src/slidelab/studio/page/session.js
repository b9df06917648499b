// What is on the table: one puzzle with its game, and what the rest of the page is told about it.
//
// Events: `puzzle` (another puzzle is shown), `change` (the game changed), `say` (a sentence for the player),
// `solution` (there is another solution, or none any more).
import { post } from "./api.js";
import { fragmentOf, readFragment } from "./address.js";
import { Clock } from "./clock.js";
import { linkWriter } from "./controls.js";
import { addKeys, addPointer } from "./input.js";
import { keep, recall } from "./memory.js";
import { Playing, plural } from "./playing.js";
import { draw, find } from "./dom.js";

const MAX_SAVED = 20000; // moves that are kept when the page is closed
const GROWTH = 2; // of the largest drawing, compared with the page of one puzzle

/**
 * @typedef {object} Solution
 * @property {number} from number of moves made when it begins
 * @property {string[]} texts its moves
 * @property {string[]} words the same for people
 * @property {boolean} isOptimal
 * @property {string} method
 * @property {(number | null)[] | null} left distance after each move, where known
 */

export class Session extends EventTarget {
  constructor() {
    super();
    /** @type {any} what the server said about the puzzle */
    this.info = null;
    /** @type {any} */
    this.playing = null;
    this.clock = new Clock();
    this.title = "";
    /** @type {Solution | null} */
    this.solution = null;
    /** @type {number | null} distance of the start of the game, if proved */
    this.optimum = null;
    /** @type {number[][] | null} where somebody drew the vertices of a graph */
    this.places = null;
    this.hasOwnGoal = false; // whether the goal is not the usual one of the puzzle
    this.isNew = false; // whether the last change began a new game
    /** @type {Record<string, (...values: any[]) => any>} what letters on the keyboard do, set by main.js */
    this.commands = {};
    this.writeLink = linkWriter();
    this.opening = 0;
    this.saving = 0;
    this.controller = new AbortController();
    this.sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet];
    addEventListener("pagehide", () => this.save());
  }

  get puzzle() {
    return this.playing?.puzzle;
  }

  get game() {
    return this.playing?.game;
  }

  get view() {
    return this.playing?.view;
  }

  /** The position in one line. */
  get text() {
    return this.playing ? this.puzzle.text(this.game.state) : "";
  }

  /** The goal in one line; one that matches if pieces must match the colours of the cells, null if none is known. */
  get goalText() {
    if (!this.playing) return null;
    return this.puzzle.goal ? this.puzzle.text(this.puzzle.goal) : this.info.goal;
  }

  /** What requests about the position say. */
  get question() {
    return { position: this.text, ...(this.goalText ? { goal: this.goalText } : {}) };
  }

  /** @param {string} name @param {any} [detail] */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  /** @param {string} words */
  say(words) {
    this.emit("say", words);
  }

  // ---- opening ----

  /**
   * Ask the server for a puzzle and show it; what was on the table stays if that fails.
   * @param {{text?: string, document?: any, goal?: string | null, places?: number[][] | null}} source
   * @param {{title?: string, words?: string, moves?: string[]}} [options]
   */
  async open({ text, document: form, goal, places = null }, { title = "", words, moves } = {}) {
    const own = ++this.opening;
    /** @type {Record<string, any>} */
    const body = {
      ...(text === undefined ? { document: form } : { text }),
      ...(goal ? { goal } : {}),
      ...(places ? { positions: places } : {}),
    };
    const info = await post("api/puzzle", body);
    if (own !== this.opening) return false; // something else was opened meanwhile
    this.show(info, { title: title || info.title || "" });
    this.places = places || drawnPlaces(form || text);
    this.hasOwnGoal = Boolean(goal || form?.goal || text?.trim().startsWith("{"));
    const texts = moves || info.moves || [];
    if (moves) for (const text of texts) if (!this.game.play(text)) break;
    if (!moves && texts.length) {
      this.setSolution({ from: 0, texts, words: [], isOptimal: false, method: "imported", left: null });
    }
    this.playing.show();
    this.say(words ?? this.greeting());
    return true;
  }

  /** Put the puzzle of an answer on the table. @param {any} info @param {{title?: string}} [options] */
  show(info, { title = "" } = {}) {
    this.controller.abort();
    this.controller = new AbortController();
    const { signal } = this.controller,
      { play } = info;
    this.info = info;
    this.title = title;
    this.solution = null;
    this.optimum = null;
    this.clock.reset();
    this.sheet.replaceSync(play.styles || "");
    const stage = find("stage");
    stage.setAttribute("viewBox", `0 0 ${play.width} ${play.height}`);
    const parsed = new DOMParser().parseFromString(
      `<svg xmlns="http://www.w3.org/2000/svg">${play.drawing}</svg>`,
      "image/svg+xml",
    );
    stage.replaceChildren(
      ...Array.from(parsed.documentElement.childNodes, (node) => document.importNode(node, true)),
    );
    stage.querySelector("#pieces").before(draw("g", { id: "under" }));
    find("box").style.setProperty("--ratio", String(play.width / play.height));
    stage.style.maxWidth = `${GROWTH * play.max_width}px`;
    stage.style.maxHeight = `${GROWTH * play.max_height}px`;
    Object.assign(document.documentElement.dataset, { peek: "false", won: "false" });
    this.playing = new Playing(play, stage, {
      say: (/** @type {string} */ words) => this.say(words),
      changed: (/** @type {{isNew: boolean}} */ { isNew }) => this.changed(isNew),
      hint: () => this.commands.hint(),
    });
    this.playing.peeked = () => this.emit("peek");
    stage.append(draw("g", { id: "over" }));
    addPointer(this.view, this.playing, signal);
    addKeys(this.view, this.playing, this.commands, signal);
    this.emit("puzzle");
  }

  greeting() {
    if (!this.playing.moves.length) return "No piece can move.";
    if (this.game.isSolved && !this.game.made) return "This is the goal. Shuffle to play.";
    return "";
  }

  // ---- the game ----

  /** @param {boolean} isNew */
  changed(isNew) {
    this.isNew = isNew;
    this.setClock();
    if (this.solution && !this.isOnSolution()) this.setSolution(null);
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), 300);
    this.writeLink(this.fragment);
    this.emit("change", { isNew });
  }

  /** The clock runs from the first move to the last, while the page is visible and nobody else plays. */
  setClock() {
    if (!this.playing) return;
    this.clock.set(this.game.made > 0 && !this.game.isSolved && !document.hidden && !this.solution);
  }

  /**
   * A new game from a state.
   * @param {Int32Array} state
   * @param {string} words
   * @param {number | null} [optimum] distance of the state, if known
   */
  begin(state, words, optimum = null) {
    this.solution = null;
    this.optimum = optimum;
    this.clock.reset();
    this.playing.begin(state, words);
    this.emit("solution");
  }

  restart() {
    if (this.game.made) this.clock.reset();
    this.playing.restart();
  }

  /** Change the goal without asking anybody. @param {Int32Array} state */
  setGoal(state) {
    this.hasOwnGoal = true;
    this.puzzle.goal = this.puzzle.named(state);
    this.puzzle.floor = null;
    this.info = { ...this.info, goal: this.goalText };
    this.solution = null;
    this.optimum = null;
    this.emit("puzzle");
    this.playing.show();
  }

  /** @param {Solution | null} solution */
  setSolution(solution) {
    this.solution = solution;
    if (solution) {
      this.game.texts.splice(solution.from, Infinity, ...solution.texts);
      this.setClock();
      if (solution.isOptimal && solution.from === 0) this.optimum = solution.texts.length;
    }
    this.emit("solution");
  }

  /** Whether the moves that can be made again are still those of the solution. */
  isOnSolution() {
    const { from, texts } = /** @type {Solution} */ (this.solution),
      { game } = this;
    return (
      game.texts.length === from + texts.length &&
      game.made >= from &&
      texts.every((text, k) => game.texts[from + k] === text)
    );
  }

  // ---- memory ----

  get fragment() {
    const { puzzle, game } = this;
    return fragmentOf({
      start: puzzle.text(game.start),
      now: this.text,
      goal: this.ownGoal,
      places: this.places,
      moves: game.texts.slice(0, game.made),
    });
  }

  /** The pieces of the goal if it is not the usual one. */
  get ownGoal() {
    const { goal, isColoured } = this.puzzle;
    return goal && (this.hasOwnGoal || isColoured) ? this.puzzle.piecesText(goal) : null;
  }

  save() {
    if (!this.playing || this.game.texts.length > MAX_SAVED) return;
    const game = { ...this.game.save(), elapsed: Math.round(this.clock.total), optimum: this.optimum };
    const goal = this.puzzle.goal && this.puzzle.piecesText(this.puzzle.goal);
    const { info, title, hasOwnGoal, places } = this,
      { hash } = location;
    if (!keep("table", { info, title, game, goal, hasOwnGoal, places, hash })) {
      keep("table", { title: this.title, game, link: this.fragment });
    }
  }

  /**
   * Show what was on the table when the page was closed; returns whether that was possible.
   * @param {string} fragment of the address, which comes first
   */
  restore(fragment) {
    const saved = recall("table");
    if (!saved?.info?.play) return false;
    const linked = readFragment(fragment);
    try {
      this.show(saved.info, { title: saved.title });
      this.hasOwnGoal = saved.hasOwnGoal === true;
      this.places = saved.places || null;
      if (saved.goal) this.puzzle.goal = this.puzzle.read(saved.goal);
      if (!this.game.load(saved.game)) return false;
      this.clock.reset(saved.game.elapsed);
      this.optimum = typeof saved.game.optimum === "number" ? saved.game.optimum : null;
      // The address follows the game with a delay: one that it had when the game was saved is no other game.
      if (linked && fragment !== saved.hash && this.fragment !== fragmentOfLink(linked)) return false;
      this.playing.show();
      this.say(this.game.made ? `Welcome back: ${plural(this.game.made, "move")} made` : this.greeting());
      return true;
    } catch {
      return false; // made by another version of this page
    }
  }
}

/** @param {import("./address.js").Linked} linked */
const fragmentOfLink = ({ at, goal, places, moves }) => fragmentOf({ start: at, now: at, goal, places, moves });

/** The positions of vertices in JSON of a puzzle; null if there are none. @param {any} source JSON, decoded or not */
function drawnPlaces(source) {
  try {
    const form = typeof source === "string" ? JSON.parse(source) : source;
    return (form.board || form.puzzle?.board || form).positions || null;
  } catch {
    return null; // another text
  }
}
