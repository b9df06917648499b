// The page on which a puzzle can be played: mouse, touch, keyboard and buttons become moves as text, which the game
// plays and the view shows.
import { addThemeButton, linkWriter } from "./controls.js";
import { Game, Puzzle } from "./engine.js";
import { addKeys, addPointer } from "./input.js";
import { HintSearch } from "./search.js";
import { DistanceTable } from "./table.js";
import { View, apart } from "./view.js";

const MAX_LINK = 4000; // characters of a position in the address
const MAX_SAVED = 20000; // moves that are kept when the page is closed
const SLICE = 12; // milliseconds of a search between two frames

const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const find = (id) => document.getElementById(id);
const controls = Object.fromEntries(["words", "moves", "unit", "time", "undo", "redo", "restart", "hint", "goal",
  "shuffle", "length", "text", "line", "position", "copy", "theme"].map((id) => [id, find(id)]));
const puzzle = new Puzzle(data.puzzle);
const firstState = puzzle.named(Int32Array.from(data.puzzle.start));
const game = new Game(puzzle, firstState);
const view = new View(data, puzzle, find("stage"));
const table = data.hints && new DistanceTable(puzzle, data.hints);
const search = data.searches ? new HintSearch(puzzle) : null;
const writeLink = linkWriter();

let moves = []; // the legal moves
let picked = null; // the piece whose targets are shown: {item, moves, active}
let hinted = null; // the move of the hint that is shown
let isPeeking = false; // whether the goal is shown
let searching = 0; // number of the search under way, 0 if there is none
let searches = 0;
let isSolvable = null; // whether the goal can be reached in this game, null if that is not known; without a table only

// ---- what is said ----

const say = (text) => { controls.words.textContent = text; };
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const nameOf = (move) => data.names[view.item(move.before).piece];

function describe(move, spot = move.after) {
  const cells = puzzle.cells(spot);
  return `${data.verbs[move.step.verb]} to cell${cells.length > 1 ? "s" : ""} ${cells.join("-")}`;
}

function sayStatus() {
  if (!game.isSolved) {
    say(moves.length ? "" : "No piece can move.");
    return;
  }
  if (!game.made) {
    say(moves.length ? "This is the goal. Shuffle to play." : "This is the goal, and no piece can move.");
    return;
  }
  const least = table ? table.distance(game.start) : -1;
  const compared = least < 0 ? "" : least === game.made ? ", the fewest possible" : `; ${least} would do`;
  say(`Solved in ${plural(game.made, "move")}${compared}, in ${clockText()}.`);
}

// ---- time ----

let elapsed = 0; // milliseconds of play before `since`
let since = null; // when the clock was started; null while it stands

const now = () => performance.now();
const total = () => elapsed + (since === null ? 0 : now() - since);

function clockText() {
  const seconds = Math.floor(total() / 1000), two = (value) => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// The clock runs from the first move to the last, while the page is visible.
function setClock() {
  const runs = game.made > 0 && !game.isSolved && !document.hidden;
  if (runs && since === null) since = now();
  if (!runs && since !== null) {
    elapsed = total();
    since = null;
  }
  controls.time.textContent = clockText();
}

function resetClock(milliseconds = 0) {
  elapsed = milliseconds;
  since = null;
}

setInterval(setClock, 500);
document.addEventListener("visibilitychange", setClock);

// ---- memory: a page from a file may have none ----

const KEY = `slidelab ${puzzle.text(firstState)} ${puzzle.goal ? puzzle.piecesText(puzzle.goal) : ""}`;

function save() {
  try {
    if (game.texts.length > MAX_SAVED) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify({ ...game.save(), elapsed: Math.round(total()), isSolvable }));
  } catch {
    // The game is lost when the page is closed, no more.
  }
}

let saving = 0;
addEventListener("pagehide", save);

function restore() {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY));
    if (!saved || !game.load(saved)) return false;
    resetClock(Number.isFinite(saved.elapsed) && saved.elapsed > 0 ? saved.elapsed : 0);
    isSolvable = typeof saved.isSolvable === "boolean" ? saved.isSolvable : null;
    return true;
  } catch {
    return false;
  }
}

// The position in the address: pieces with plus signs between them.
function linkOf(state) {
  const text = puzzle.piecesText(state);
  return text.length > MAX_LINK ? "" : `#${text.split(" ").map(encodeURIComponent).join("+")}`;
}

function linkedState() {
  if (location.hash.length < 2 || location.hash.length > 4 * MAX_LINK) return null;
  try {
    return puzzle.read(decodeURIComponent(location.hash.slice(1).replaceAll("+", " ")));
  } catch {
    return null;
  }
}

// ---- after every change ----

const disable = (button, isDisabled) => button.setAttribute("aria-disabled", String(isDisabled));

function update({ isNew = false } = {}) {
  unpick();
  clearHint();
  searching = 0;
  moves = puzzle.moves(game.state);
  const isSolved = game.isSolved;
  root.dataset.solved = isSolved;
  root.dataset.won = isSolved && game.made > 0 && !isNew;
  root.dataset.moves = game.made;
  view.showMoves(moves);
  controls.moves.textContent = game.made;
  controls.unit.textContent = game.made === 1 ? "move" : "moves";
  if (!controls.line.hidden) controls.position.value = puzzle.text(game.state);
  disable(controls.undo, !game.made);
  disable(controls.redo, game.made === game.texts.length);
  disable(controls.restart, !game.made);
  disable(controls.hint, isSolved);
  disable(controls.shuffle, !moves.length);
  setClock();
  clearTimeout(saving);
  saving = setTimeout(save, 300);
  if (game.made || game.start !== firstState) writeLink(linkOf(game.state));
}

// Play moves as texts, which are shown at once; the first may have been begun by dragging.
function play(texts, progress = 0) {
  unpeek();
  const made = [];
  for (const text of texts) {
    const move = game.play(text);
    if (!move) break;
    made.push(move);
  }
  if (!made.length) return;
  view.move(made, progress);
  const move = made[made.length - 1], item = view.item(move.after);
  update();
  if (game.isSolved) sayStatus();
  else if (made.length > 1) say(`${plural(made.length, puzzle.pieceName)} moved`);
  else say(`${data.names[item.piece]} ${describe(move, item.spot)}`);
}

function undo() {
  unpeek();
  const move = game.undo();
  if (!move) return;
  view.move([move]);
  update();
  say(`Taken back: ${plural(game.made, "move")} made`);
}

function redo() {
  if (game.made < game.texts.length) play([game.texts[game.made]]);
}

function restart() {
  unpeek();
  if (!game.made) return;
  game.restart();
  resetClock();
  view.show(game.state, true);
  update({ isNew: true });
  say("Back at the start");
}

// What was known about the start when the page was made.
const knownOf = (state) => (data.searches && puzzle.equal(state, firstState) ? data.isSolvable : null);

function begin(state, words, known = knownOf(state)) {
  unpeek();
  game.begin(state);
  isSolvable = known;
  resetClock();
  view.show(state, true);
  update({ isNew: true });
  say(words);
}

function shuffle(length = Number(controls.length.value), seed = randomSeed()) {
  const from = puzzle.goal || game.state;
  let walk = puzzle.walk(from, length, seed);
  for (let more = 1; more <= 50 && puzzle.isSolved(walk.state); more++) walk = puzzle.walk(from, length + more, seed);
  if (!walk.moves.length) return;
  begin(walk.state, `Shuffled by ${plural(walk.moves.length, "random move")}`, puzzle.goal ? true : isSolvable);
}

const randomSeed = () => Math.floor(Math.random() * 4294967296);

// ---- the goal ----

function peek() {
  if (!puzzle.goal) return;
  if (isPeeking) {
    unpeek();
    return;
  }
  unpick();
  clearHint();
  isPeeking = true;
  root.dataset.peek = true;
  controls.goal.setAttribute("aria-pressed", "true");
  view.show(puzzle.goal, true);
  say("The goal");
}

function unpeek() {
  if (!isPeeking) return;
  isPeeking = false;
  root.dataset.peek = false;
  controls.goal.setAttribute("aria-pressed", "false");
  view.show(game.state, true);
  sayStatus();
}

// ---- hints ----

function clearHint() {
  if (!hinted) return;
  hinted = null;
  view.mark("hinted", null);
  view.hideTargets();
}

async function hint() {
  if (controls.hint.hidden || game.isSolved) return;
  unpeek();
  if (hinted) {
    play([puzzle.moveText(hinted)]);
    return;
  }
  unpick();
  if (table) {
    const move = table.hint(game.state);
    if (move) showHint(move, `${plural(table.distance(game.state), "move")} to go`);
    else say("The goal cannot be reached from here.");
    return;
  }
  if (searching) return;
  if (isSolvable === false) {
    sayUnsolvable();
    return;
  }
  const state = game.state;
  let found = search.planned(state);
  if (!found) {
    const own = searching = ++searches;
    say("Searching …");
    let slice = now();
    const result = await search.run(state, async () => {
      if (now() - slice < SLICE) return true;
      await new Promise((done) => { setTimeout(done); });
      slice = now();
      return searching === own;
    });
    if (searching !== own) return; // a move was made
    searching = 0;
    if (result === "impossible") isSolvable = false;
    found = search.planned(state);
  }
  if (found) showHint(found.move, `a solution with ${plural(found.left, "move")} is known`);
  else if (isSolvable) say("No hint found: the goal can be reached, but is too far away for a search in this page.");
  else if (isSolvable === null) say("No hint found: the goal is too far away for a search in this page, or out of reach.");
  else sayUnsolvable();
}

function sayUnsolvable() {
  const isFirst = data.obstacle && puzzle.equal(game.start, firstState);
  say(`The goal cannot be reached from here${isFirst ? `: ${data.obstacle}` : ""}.`);
}

function showHint(move, why) {
  hinted = move;
  view.mark("hinted", view.item(move.before));
  view.showTargets([move], 0);
  say(`${nameOf(move)} ${describe(move)}; ${why}`);
}

// ---- picking a piece and its target ----

function unpick() {
  if (!picked) return;
  picked = null;
  view.mark("picked", null);
  view.hideTargets();
}

const movesOf = (item) => moves.filter((move) => view.item(move.before) === item);

// A piece with one move makes it, one with several shows its targets, and a tile may push its row.
function activate(item) {
  const own = movesOf(item);
  if (own.length === 1) {
    play([puzzle.moveText(own[0])]);
  } else if (own.length) {
    if (picked && picked.item === item) {
      unpick();
      return;
    }
    clearHint();
    picked = { item, moves: own, active: -1 };
    view.mark("picked", item);
    view.showTargets(own);
    say(`${data.names[item.piece]}: choose where it goes`);
  } else {
    unpick();
    const texts = push(item);
    if (texts.length) play(texts);
    else say(`${data.names[item.piece]} cannot move`);
  }
}

function aim(active) {
  picked.active = active;
  view.showTargets(picked.moves, active);
  if (active >= 0) say(`${data.names[picked.item.piece]} ${describe(picked.moves[active])}`);
}

const choose = (k) => play([puzzle.moveText(picked.moves[k])]);

// The moves that push a straight row of tiles into a hole, nearest to the hole first; none if there is no such row.
function push(item) {
  if (puzzle.width > 1) return [];
  const covered = puzzle.covered(game.state);
  let best = [];
  for (const first of freeSteps(item.spot)) {
    const line = [item.spot], from = view.middle(item.spot), to = view.middle(first.after);
    let step = first;
    while (step && covered[step.holes[0]]) {
      const here = view.middle(step.after), ahead = [here[0] + to[0] - from[0], here[1] + to[1] - from[1]];
      line.push(step.after);
      step = freeSteps(step.after).find((other) => apart(view.middle(other.after), ahead) < 0.05 * view.unit);
    }
    if (step && (!best.length || line.length < best.length)) best = [...line, step.after];
  }
  return best.slice(0, -1).map((before, k) =>
    puzzle.moveText({ piece: game.state.indexOf(before), before, after: best[k + 1] })).reverse();
}

// Steps of a tile that need nothing but the cell they lead to.
const freeSteps = (spot) => puzzle.steps[spot].filter((step) => step.holes.length === 1);

// ---- the position as text ----

function showLine() {
  const isOpen = controls.line.hidden;
  controls.line.hidden = !isOpen;
  controls.text.setAttribute("aria-expanded", String(isOpen));
  controls.position.value = puzzle.text(game.state);
  if (isOpen) controls.position.select();
}

async function copy() {
  controls.position.select();
  try {
    await navigator.clipboard.writeText(controls.position.value);
    say("Copied");
  } catch {
    say("Press Ctrl+C to copy the position.");
  }
}

function setPosition() {
  try {
    begin(puzzle.read(controls.position.value), "A new position");
  } catch (error) {
    say(error.message);
  }
}

// ---- input ----

const actions = {
  data,
  get moves() { return moves; },
  get picked() { return picked; },
  get hinted() { return hinted; },
  movesOf,
  activate,
  aim,
  choose,
  unpick,
  cancel() {
    unpeek();
    unpick();
    clearHint();
  },
  unpeek,
  play: (move, progress) => play([puzzle.moveText(move)], progress),
  undo,
  redo,
  restart,
  shuffle: () => shuffle(),
  hint,
  peek,
};
addPointer(view, actions);
addKeys(view, actions);
for (const name of ["undo", "redo", "restart", "shuffle", "hint"]) controls[name].addEventListener("click", actions[name]);
controls.goal.addEventListener("click", peek);
controls.text.addEventListener("click", showLine);
controls.copy.addEventListener("click", copy);
controls.position.addEventListener("keydown", (event) => {
  if (event.key === "Enter") setPosition();
});
addThemeButton(controls.theme);
addEventListener("hashchange", () => {
  const state = linkedState();
  if (state && !puzzle.equal(state, game.state)) begin(state, "The position of the address");
});

// For scripts: play moves as text, ask for the position, and shuffle by seed.
window.slidelab = Object.freeze({
  puzzle,
  game,
  table,
  search,
  play: (...texts) => texts.every((text) => (play([text]), game.texts[game.made - 1] === text)),
  shuffle,
  get text() { return puzzle.text(game.state); },
  get moves() { return puzzle.moves(game.state).map((move) => puzzle.moveText(move)); },
});

// ---- the beginning ----

const linked = linkedState();
if (!restore() || (linked && !puzzle.equal(linked, game.state))) {
  game.begin(linked || firstState);
  isSolvable = knownOf(game.start);
  resetClock();
}
controls.goal.hidden = !puzzle.goal;
controls.hint.hidden = !table && !search;
view.items.forEach((item, k) => item.group.style.setProperty("--order", k / view.items.length));
view.show(game.state);
update({ isNew: true });
sayStatus();
find("controls").hidden = false;
find("count").hidden = false;
