// The page that plays a solution.
import { addThemeButton, linkWriter } from "./controls.js";
import { ease, pointsAt } from "./motions.js";
import { placePiece, readPieces } from "./pieces.js";

const GLIDE = 0.78; // share of a beat in which the piece moves; then it rests
const MAX_NEARBY = 500; // a jump over at most this many moves updates only the pieces that moved

const data = JSON.parse(document.getElementById("data").textContent);
const BEAT = data.beat; // milliseconds per move at normal speed
const root = document.documentElement;
const find = (id) => document.getElementById(id);
const layer = find("pieces");
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const width = data.cellsPerPiece;
const total = data.moves.length;
const point = (cell) => [data.cells[2 * cell], data.cells[2 * cell + 1]];

// ---- motions ----

const motions = data.motions.map((row) => ({
  verb: row[0],
  before: row.slice(1, 1 + width),
  after: row.slice(1 + width, 1 + 2 * width),
  curve: row.slice(1 + 2 * width),
}));
const motionOf = (move) => motions[data.moves[move]];

// ---- where each piece is after k moves ----
// One replay at the beginning finds which piece makes each move. Each piece then has a list of its moves,
// all in one array, and its cells after k moves are found by a binary search in its list.

const count = data.names.length;
const mover = new Int32Array(total);
const firsts = new Int32Array(count + 1);
const lists = new Int32Array(total);
{
  const pieceOn = new Int32Array(data.cells.length / 2).fill(-1);
  data.start.forEach((cell, k) => { pieceOn[cell] = Math.floor(k / width); });
  for (let move = 0; move < total; move++) {
    const motion = motionOf(move), piece = pieceOn[motion.before[0]];
    mover[move] = piece;
    firsts[piece + 1]++;
    for (const cell of motion.before) pieceOn[cell] = -1;
    for (const cell of motion.after) pieceOn[cell] = piece;
  }
  for (let piece = 0; piece < count; piece++) firsts[piece + 1] += firsts[piece];
  const ends = firsts.slice();
  for (let move = 0; move < total; move++) lists[ends[mover[move]]++] = move;
}

// The last move of a piece among the first k moves; -1 if it has not moved.
function lastMove(piece, k) {
  let low = firsts[piece], high = firsts[piece + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lists[middle] < k) low = middle + 1; else high = middle;
  }
  return low > firsts[piece] ? lists[low - 1] : -1;
}

// ---- pieces on the screen ----

const MOVING = -2; // between the cells of two moves
const pieces = Array.from(readPieces(layer, data), (piece) => ({ ...piece, lastMove: -1 }));

function settle(number, k) {
  const piece = pieces[number], move = lastMove(number, k);
  if (piece.lastMove === move) return;
  piece.lastMove = move;
  const cells = move < 0 ? data.start.slice(number * width, (number + 1) * width) : motionOf(move).after;
  placePiece(piece, Array.from(cells, point), data.unit);
}

let shown = 0; // number of moves made on the screen
let moving = -1; // the piece that may be between cells

function show(k, time) {
  const next = time > 0 && k < total ? mover[k] : -1;
  if (Math.abs(k - shown) <= MAX_NEARBY) {
    const touched = new Set(mover.subarray(Math.min(k, shown), Math.max(k, shown)));
    if (moving >= 0) touched.add(moving);
    touched.delete(next);
    for (const number of touched) settle(number, k);
  } else {
    for (let number = 0; number < count; number++) settle(number, k);
  }
  shown = k;
  moving = next;
  if (next < 0) return;
  const piece = pieces[next];
  piece.lastMove = MOVING;
  if (layer.lastElementChild !== piece.group) layer.appendChild(piece.group);
  const { before, after, curve } = motionOf(k);
  placePiece(piece, pointsAt(before.map(point), after.map(point), curve, time), data.unit);
}

// ---- texts and controls ----

const controls = Object.fromEntries(
  ["first", "back", "play", "next", "last", "scrub", "speed", "theme", "words"].map((id) => [id, find(id)]));
const number = find("count").firstElementChild;
const writeLink = linkWriter();
let isLinked = false; // a page that was never touched keeps its address
let now = 0; // number of moves made, including the one under way

function describe(k) {
  if (!total) return "There is nothing to do.";
  if (!k) return "The start";
  const motion = motionOf(k - 1), cells = motion.after.join("-");
  const where = `${data.names[mover[k - 1]]} ${data.verbs[motion.verb]} to cell${width > 1 ? "s" : ""} ${cells}`;
  return k === total ? `${where}: done` : where;
}

// The explanation of each move, if the solution has any: the last, deepest passage that contains it.
const reason = new Int32Array(total).fill(-1);
data.passages.forEach(([first, last], k) => reason.fill(k, first, last));
find("part").hidden = !data.passages.length;

function disable(button, isDisabled) {
  button.setAttribute("aria-disabled", String(isDisabled));
}

function update() {
  const text = describe(now);
  root.dataset.move = now;
  root.dataset.playing = playing;
  number.textContent = now;
  controls.words.textContent = text;
  find("part").textContent = now && reason[now - 1] >= 0 ? data.passages[reason[now - 1]][2] : "";
  controls.words.setAttribute("aria-live", playing ? "off" : "polite");
  controls.scrub.value = now;
  controls.scrub.style.setProperty("--share", total ? now / total : 0);
  controls.scrub.setAttribute("aria-valuetext", `${now} of ${total}: ${text}`);
  controls.play.setAttribute("aria-label", playing ? "pause" : "play");
  disable(controls.play, !total);
  disable(controls.first, now === 0);
  disable(controls.back, now === 0);
  disable(controls.next, now === total);
  disable(controls.last, now === total);
  if (!playing && (now || isLinked)) {
    isLinked = true;
    writeLink(`#${now}`);
  }
}

// ---- time ----

let playing = false;
let clock = 0; // beats since the current move began
let last = null; // time of the previous frame
let glide = null; // a single step being animated: {move, back, progress}
let requested = false;

const speed = () => Number(controls.speed.value);

function requestFrame() {
  if (!requested) {
    requested = true;
    requestAnimationFrame(frame);
  }
}

function frame(time) {
  requested = false;
  // After a long pause (the page was hidden) continue from there instead of catching up.
  const beats = last === null ? 0 : Math.min(time - last, 200) * speed() / BEAT;
  last = time;
  if (playing) advancePlay(beats);
  else if (glide) advanceGlide(beats);
  if (playing || glide) requestFrame();
  else last = null;
}

// While playing, move number `now` is under way and all before it are made.
function advancePlay(beats) {
  clock += beats;
  const whole = Math.floor(clock);
  clock -= whole;
  if (now + whole > total) {
    jumpTo(total);
    return;
  }
  now += whole;
  if (reducedMotion.matches) show(now, 0);
  else show(now - 1, ease(Math.min(1, clock / GLIDE)));
  if (whole) update();
}

function advanceGlide(beats) {
  glide.progress += beats / GLIDE;
  if (glide.progress >= 1) finish();
  else show(glide.move, ease(glide.back ? 1 - glide.progress : glide.progress));
}

function startGlide(move, back, progress) {
  glide = { move, back, progress };
  root.dataset.gliding = true;
  requestFrame();
}

function endGlide() {
  glide = null;
  root.dataset.gliding = false;
}

function finish() {
  endGlide();
  show(now, 0);
}

function halt() {
  playing = false;
  clock = 0;
}

function jumpTo(k) {
  halt();
  now = Math.max(0, Math.min(total, k));
  finish();
  update();
}

function step(by) {
  halt();
  finish();
  const to = now + by;
  if (to < 0 || to > total) {
    update();
    return;
  }
  const move = Math.min(now, to);
  now = to;
  if (reducedMotion.matches) finish();
  else {
    last = null;
    startGlide(move, by < 0, 0);
  }
  update();
}

function play() {
  finish();
  if (now === total) show(now = 0, 0);
  playing = true;
  last = null;
  now += 1;
  if (reducedMotion.matches) show(now, 0);
  update();
  requestFrame();
}

// The current move is finished.
function pause() {
  const progress = Math.min(1, clock / GLIDE);
  halt();
  if (reducedMotion.matches) finish();
  else startGlide(now - 1, false, progress);
  update();
}

function toggle() {
  if (playing) pause();
  else if (total) play();
}

// ---- input ----

controls.first.addEventListener("click", () => jumpTo(0));
controls.back.addEventListener("click", () => step(-1));
controls.play.addEventListener("click", toggle);
controls.next.addEventListener("click", () => step(1));
controls.last.addEventListener("click", () => jumpTo(total));
controls.scrub.addEventListener("input", () => jumpTo(Number(controls.scrub.value)));

const keys = {
  ArrowRight: () => step(1),
  ArrowLeft: () => step(-1),
  Home: () => jumpTo(0),
  End: () => jumpTo(total),
  " ": toggle,
};
document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(keys, key)) return;
  if (target === controls.speed || (key === " " && target.closest("button"))) return;
  event.preventDefault();
  keys[key]();
});

addThemeButton(controls.theme);

function followAddress() {
  const link = /^#(\d{1,9})$/.exec(location.hash);
  if (link) jumpTo(Number(link[1]));
  return Boolean(link);
}
addEventListener("hashchange", followAddress);

// For scripts: k moves made, and the next one under way at a time from 0 to 1.
window.slidelab = Object.freeze({
  ease,
  moves: total,
  show(k, time = 0) {
    halt();
    endGlide();
    now = Math.max(0, Math.min(total, k + (time > 0 ? 1 : 0)));
    show(Math.max(0, Math.min(total, k)), time);
    update();
  },
});

find("controls").hidden = false;
if (!followAddress()) update();
