// The page on which a puzzle can be played: its panel, a game that outlives the page, and an address that holds the position.
import { Booklet } from "./booklet.js";
import { addThemeButton, linkWriter } from "./controls.js";
import { Panel } from "./panel.js";

const MAX_LINK = 4000; // characters of a position in the address
const MAX_SAVED = 20000; // moves that are kept when the page is closed

const data = JSON.parse(document.getElementById("data").textContent);
const panel = new Panel(data, { changed });
if (data.starts) panel.booklet = new Booklet(panel, data.starts, { changed });
const { puzzle, game, clock, playing, table, search } = panel, { firstState } = playing;
const writeLink = linkWriter();

// ---- memory: a page from a file may have none ----

const KEY = `slidelab ${puzzle.text(firstState)} ${puzzle.goal ? puzzle.piecesText(puzzle.goal) : ""}`;

function save() {
  try {
    if (panel.booklet) localStorage.setItem(SET, JSON.stringify(panel.booklet.save()));
    else if (game.texts.length > MAX_SAVED) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify({ ...game.save(), elapsed: Math.round(clock.total), isSolvable: panel.isSolvable }));
  } catch {
    // The game is lost when the page is closed, no more.
  }
}

const SET = `slidelab set of ${data.starts?.length} ${KEY}`; // progress in a graded set
let saving = 0;
addEventListener("pagehide", save);

function restore() {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY));
    if (!saved || !game.load(saved)) return false;
    clock.reset(saved.elapsed);
    panel.isSolvable = typeof saved.isSolvable === "boolean" ? saved.isSolvable : null;
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

// The number of the start that the address asks for, counted from 1; -1 if it asks for none.
function linkedNumber() {
  const number = /^#([1-9][0-9]{0,2})$/.exec(location.hash);
  return number && Number(number[1]) <= data.starts.length ? Number(number[1]) - 1 : -1;
}

function changed() {
  clearTimeout(saving);
  saving = setTimeout(save, 300);
  if (panel.booklet) {
    if (panel.booklet.current >= 0) writeLink(`#${panel.booklet.current + 1}`);
    return;
  }
  if (game.made || game.start !== firstState) writeLink(linkOf(game.state));
}

addThemeButton(document.getElementById("theme"));
addEventListener("hashchange", () => {
  if (panel.booklet) {
    if (linkedNumber() >= 0) panel.booklet.open(linkedNumber());
    return;
  }
  const state = linkedState();
  if (state && !puzzle.equal(state, game.state)) panel.begin(state, "The position of the address");
});

// For scripts: play moves as text, ask for the position, and shuffle by seed.
window.slidelab = Object.freeze({
  puzzle,
  game,
  table,
  search,
  play: (...texts) => texts.every((text) => (playing.play([text]), game.texts[game.made - 1] === text)),
  booklet: panel.booklet,
  shuffle: panel.shuffle,
  get text() { return puzzle.text(game.state); },
  get moves() { return puzzle.moves(game.state).map((move) => puzzle.moveText(move)); },
});

// ---- the beginning ----

function restoreSet() {
  try {
    return panel.booklet.load(JSON.parse(localStorage.getItem(SET))) ?? 0;
  } catch {
    return 0;
  }
}

const linked = panel.booklet ? null : linkedState();
if (panel.booklet) {
  const number = restoreSet();
  panel.booklet.open(linkedNumber() < 0 ? number : linkedNumber());
} else if (!restore() || (linked && !puzzle.equal(linked, game.state))) {
  game.begin(linked || firstState);
  panel.isSolvable = panel.knownOf(game.start);
  clock.reset();
}
panel.show();
