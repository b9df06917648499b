// The page on which a puzzle can be played: mouse, touch, keyboard and buttons become moves as text, which the game
// plays and the view shows.
import { Clock } from "./clock.js";
import { addThemeButton, linkWriter } from "./controls.js";
import { addKeys, addPointer } from "./input.js";
import { Playing, plural, randomSeed } from "./playing.js";
import { HintSearch, slices } from "./search.js";
import { DistanceTable } from "./table.js";

const MAX_LINK = 4000; // characters of a position in the address
const MAX_SAVED = 20000; // moves that are kept when the page is closed

const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const controls = Object.fromEntries(["words", "moves", "unit", "time", "undo", "redo", "restart", "hint", "goal",
  "shuffle", "length", "text", "line", "position", "copy", "theme"].map((id) => [id, find(id)]));
const say = (text) => { controls.words.textContent = text; };
const playing = new Playing(data, find("stage"), { say, changed, hint });
const { puzzle, game, view, firstState } = playing;
const table = data.hints && new DistanceTable(puzzle, data.hints);
const search = data.searches ? new HintSearch(puzzle) : null;
const clock = new Clock();
const writeLink = linkWriter();

let searching = 0; // number of the search under way, 0 if there is none
let searches = 0;
let isSolvable = null; // whether the goal can be reached in this game, null if that is not known; without a table only

// ---- what is said ----

function sayStatus() {
  const canMove = playing.moves.length > 0;
  if (!game.isSolved) {
    say(canMove ? "" : "No piece can move.");
    return;
  }
  if (!game.made) {
    say(canMove ? "This is the goal. Shuffle to play." : "This is the goal, and no piece can move.");
    return;
  }
  const least = table ? table.distance(game.start) : -1;
  const compared = least < 0 ? "" : least === game.made ? ", the fewest possible" : `; ${least} would do`;
  say(`Solved in ${plural(game.made, "move")}${compared}, in ${clock.text}.`);
}

// ---- time ----

// The clock runs from the first move to the last, while the page is visible.
function setClock() {
  clock.set(game.made > 0 && !game.isSolved && !document.hidden);
  controls.time.textContent = clock.text;
}

setInterval(setClock, 500);
document.addEventListener("visibilitychange", setClock);

// ---- memory: a page from a file may have none ----

const KEY = `slidelab ${puzzle.text(firstState)} ${puzzle.goal ? puzzle.piecesText(puzzle.goal) : ""}`;

function save() {
  try {
    if (game.texts.length > MAX_SAVED) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify({ ...game.save(), elapsed: Math.round(clock.total), isSolvable }));
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
    clock.reset(saved.elapsed);
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

function changed({ isNew }) {
  searching = 0;
  const isSolved = game.isSolved;
  controls.moves.textContent = game.made;
  controls.unit.textContent = game.made === 1 ? "move" : "moves";
  if (!controls.line.hidden) controls.position.value = puzzle.text(game.state);
  disable(controls.undo, !game.made);
  disable(controls.redo, game.made === game.texts.length);
  disable(controls.restart, !game.made);
  disable(controls.hint, isSolved);
  disable(controls.shuffle, !playing.moves.length);
  setClock();
  clearTimeout(saving);
  saving = setTimeout(save, 300);
  if (game.made || game.start !== firstState) writeLink(linkOf(game.state));
  if (isSolved && !isNew) sayStatus();
}

function restart() {
  if (game.made) clock.reset();
  playing.restart();
}

// What was known about the start when the page was made.
const knownOf = (state) => (data.searches && puzzle.equal(state, firstState) ? data.isSolvable : null);

function begin(state, words, known = knownOf(state)) {
  isSolvable = known;
  clock.reset();
  playing.begin(state, words);
}

function shuffle(length = Number(controls.length.value), seed = randomSeed()) {
  const walk = playing.shuffled(length, seed);
  if (!walk) return;
  begin(walk.state, `Shuffled by ${plural(walk.moves.length, "random move")}`, puzzle.goal ? true : isSolvable);
}

playing.peeked = () => {
  controls.goal.setAttribute("aria-pressed", String(playing.isPeeking));
  if (!playing.isPeeking) sayStatus();
};

// ---- hints ----

async function hint() {
  if (controls.hint.hidden || game.isSolved) return;
  playing.unpeek();
  if (playing.hinted) {
    playing.playMove(playing.hinted);
    return;
  }
  playing.unpick();
  if (table) {
    const move = table.hint(game.state);
    if (move) playing.showHint(move, `${plural(table.distance(game.state), "move")} to go`);
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
    const result = await search.run(state, slices(() => searching === own));
    if (searching !== own) return; // a move was made
    searching = 0;
    if (result === "impossible") isSolvable = false;
    found = search.planned(state);
  }
  if (found) playing.showHint(found.move, `a solution with ${plural(found.left, "move")} is known`);
  else if (isSolvable) say("No hint found: the goal can be reached, but is too far away for a search in this page.");
  else if (isSolvable === null) say("No hint found: the goal is too far away for a search in this page, or out of reach.");
  else sayUnsolvable();
}

function sayUnsolvable() {
  const isFirst = data.obstacle && puzzle.equal(game.start, firstState);
  say(`The goal cannot be reached from here${isFirst ? `: ${data.obstacle}` : ""}.`);
}

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

const { undo, redo, peek } = playing;
const buttons = { undo, redo, restart, shuffle: () => shuffle(), hint, goal: peek, text: showLine, copy };
addPointer(view, playing);
addKeys(view, playing, buttons);
for (const [name, action] of Object.entries(buttons)) controls[name].addEventListener("click", () => action());
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
  play: (...texts) => texts.every((text) => (playing.play([text]), game.texts[game.made - 1] === text)),
  shuffle,
  get text() { return puzzle.text(game.state); },
  get moves() { return puzzle.moves(game.state).map((move) => puzzle.moveText(move)); },
});

// ---- the beginning ----

const linked = linkedState();
if (!restore() || (linked && !puzzle.equal(linked, game.state))) {
  game.begin(linked || firstState);
  isSolvable = knownOf(game.start);
  clock.reset();
}
controls.goal.hidden = !puzzle.goal;
controls.hint.hidden = !table && !search;
playing.show();
sayStatus();
find("controls").hidden = false;
find("count").hidden = false;
