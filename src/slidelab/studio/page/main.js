// The studio: puts the parts together, and opens the first puzzle.
import { readFragment } from "./address.js";
import { connection, ServerError } from "./api.js";
import { find, icon } from "./dom.js";
import { library } from "./library.js";
import { keep, recall } from "./memory.js";
import { Session } from "./session.js";
import { addTable } from "./board_controls.js";
import { addDropping } from "./dropping.js";
import { addTabs } from "./tabs.js";

const FIRST = "square R(3,3) : 1 2 3 7 4 6 5 . 8"; // for those who come without an address
const PAUSE = 1500; // milliseconds before a server that is busy or gone is asked again for the first puzzle

for (const button of document.querySelectorAll("[data-icon]")) {
  button.prepend(icon(/** @type {HTMLElement} */ (button).dataset.icon || ""));
}

const root = document.documentElement;
const session = new Session();
const showTab = addTabs(session);
addTable(session, showTab);
addDropping(session);

// ---- the theme ----

function nameTheme() {
  find("theme").setAttribute("aria-label", `${root.dataset.theme === "dark" ? "light" : "dark"} theme`);
}

find("theme").addEventListener("click", () => {
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
  keep("theme", root.dataset.theme);
  nameTheme();
  session.emit("theme");
});
nameTheme();

// ---- opening by text ----

const source = find("source"),
  complaint = find("source-error");

/** @param {string} message */
function complain(message) {
  complaint.textContent = message;
  complaint.hidden = !message;
  source.setAttribute("aria-invalid", String(Boolean(message)));
}

/**
 * Open a text that is a puzzle, a position or JSON; the board stays if it cannot be read.
 * @param {string} text
 * @param {{title?: string, words?: string}} [options]
 */
async function openText(text, options) {
  const trimmed = text.trim();
  if (!trimmed) return false;
  try {
    if (/^[[{]/.test(trimmed)) checkJson(trimmed);
    complain("");
    return await session.open({ text: trimmed }, options);
  } catch (error) {
    complain(/** @type {Error} */ (error).message);
    return false;
  }
}

// JSON that cannot be read is said here, without the server: lists such as [[1,2],[3,0]] are JSON, too.
/** @param {string} text */
function checkJson(text) {
  if (!text.startsWith("{")) return;
  try {
    JSON.parse(text);
  } catch (error) {
    throw new ServerError(`This is no JSON: ${/** @type {Error} */ (error).message}`, 0);
  }
}

session.commands.open = openText;
find("open").addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  if (await openText(source.value)) find("box").focus({ preventScroll: true });
});
source.addEventListener("input", () => complain(""));
source.addEventListener("focus", () => source.select());
source.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== "Escape") return;
  complain("");
  source.value = session.text;
});

// ---- the server ----

connection.addEventListener("change", () => {
  find("connection").textContent = connection.isOnline ? "" : "Server gone: play on, help comes back with it";
  if (!connection.isOnline) return;
  session.say("The server is back");
  if (!session.playing) begin();
  session.emit("online");
});

// ---- the beginning ----

/** @param {import("./address.js").Linked | null} linked */
async function openLink(linked) {
  const saved = recall("table");
  const first = { at: FIRST, goal: null, places: null, moves: [] };
  const { at, goal, places, moves } = linked || readFragment(saved?.link || "") || first;
  try {
    await session.open(
      { text: at, goal, places },
      { moves, title: linked ? "" : at === FIRST ? "The 8-puzzle" : saved?.title },
    );
    return true;
  } catch (error) {
    complain(error.message);
    if (session.playing) return false;
    const isTemporary = error.status === 0 || error.status === 503; // gone or busy: nothing is wrong with the link
    if (isTemporary) await new Promise((done) => setTimeout(done, PAUSE));
    if (isTemporary && !session.playing) return openLink(linked);
    if (linked) return openLink(null);
    return false;
  }
}

// The address comes first, then what the command line named, then what was on the table last, then the first puzzle.
async function begin() {
  const linked = readFragment(location.hash);
  if (!linked) {
    const { start } = await library().catch(() => ({ start: null }));
    if (start && (await openText(start))) return;
  }
  if (!session.restore(location.hash)) await openLink(linked);
}

addEventListener("hashchange", () => {
  const linked = readFragment(location.hash);
  if (linked && location.hash !== session.fragment) openLink(linked);
});

// For scripts and tests: the game, moves as text, and opening.
Object.assign(window, {
  slidelab: Object.freeze({
    session,
    open: openText,
    showTab,
    get text() {
      return session.text;
    },
    get moves() {
      return session.playing.moves.map((/** @type {any} */ move) => session.puzzle.moveText(move));
    },
    play: (/** @type {string[]} */ ...texts) => texts.every((text) => session.playing.play([text]).length),
  }),
});

begin().then(() => {
  root.dataset.ready = "true";
});
