// The controls around the board: counters, undo and redo, shuffling, the goal, and what is said.
import { connection, post } from "./api.js";
import { disable, find, isDisabled } from "./dom.js";
import { keep, recall } from "./memory.js";
import { plural, randomSeed } from "./playing.js";
import { addHints } from "./hints.js";
import { optimumOf } from "./optimum.js";

/**
 * @param {import("./session.js").Session} session
 * @param {(name: string) => void} showTab
 */
export function addTable(session, showTab) {
  const words = find("words");
  session.addEventListener("say", (/** @type {any} */ event) => {
    words.textContent = event.detail;
  });

  // ---- counters ----

  function showClock() {
    session.setClock();
    find("time").textContent = session.clock.text;
  }
  setInterval(showClock, 500);
  document.addEventListener("visibilitychange", showClock);

  function showTitle() {
    const { info, title } = session;
    if (!info) return;
    find("title").textContent = title || info.puzzle;
    find("kind").textContent = title ? info.puzzle : describe(info);
  }
  session.addEventListener("title", showTitle);
  session.addEventListener("puzzle", () => {
    const { info, puzzle, title } = session;
    showTitle();
    document.title = `${title || info.puzzle} · slidelab`;
    find("goal").hidden = !puzzle.goal;
    find("count").hidden = false;
  });

  session.addEventListener("change", (/** @type {any} */ { detail: { isNew } }) => {
    const { game, playing } = session;
    find("moves").textContent = game.made;
    find("unit").textContent = game.made === 1 ? "move" : "moves";
    find("source").value = session.text;
    disable(find("undo"), !game.made);
    disable(find("redo"), game.made === game.texts.length);
    disable(find("restart"), !game.made);
    disable(find("hint"), game.isSolved);
    disable(find("shuffle"), !playing.moves.length);
    showClock();
    if (game.isSolved && !isNew) sayWon();
    else if (!playing.moves.length) session.say("No piece can move.");
  });

  session.addEventListener("peek", () => {
    find("goal").setAttribute("aria-pressed", String(session.playing.isPeeking));
    if (!session.playing.isPeeking) session.say(session.greeting());
  });

  // ---- won ----

  async function sayWon() {
    const { game, clock, solution } = session;
    if (!game.made) return session.say(session.greeting());
    if (solution) {
      const by = solution.isOptimal ? "a shortest solution" : "this solution";
      return session.say(`Solved by ${by} of ${plural(solution.texts.length, "move")}`);
    }
    const made = game.made,
      start = game.start,
      own = `Solved in ${plural(made, "move")}, in ${clock.text}.`;
    session.say(own);
    const { exact, bound, known } = await optimumOf(session, start);
    if (game.start !== start || !game.isSolved || game.made !== made || session.game !== game) return;
    if (exact !== null) {
      session.optimum = exact;
      session.say(exact >= made ? `${own} No shorter way exists!` : `${own} The fewest possible: ${exact}.`);
    } else if (bound) {
      const best = known !== null && known < made ? `, and ${known} is possible` : "";
      session.say(`${own} At least ${bound} are needed${best}.`);
    }
  }

  // ---- shuffling ----

  const length = find("length"),
    exactly = find("exactly"),
    seedBox = find("seed"),
    form = find("shuffle-options");
  const wished = recall("shuffle");
  if (wished && Array.from(length.options).some((/** @type {any} */ option) => option.value === wished))
    length.value = wished;
  const showExactly = () => {
    find("exactly-label").hidden = length.value !== "distance";
  };
  showExactly();
  length.addEventListener("change", () => {
    keep("shuffle", length.value);
    showExactly();
  });

  /** @param {number} moves @param {number} seed @param {string} [why] */
  function walk(moves, seed, why = "") {
    const found = session.playing.shuffled(moves, seed);
    if (found) session.begin(found.state, `${why}Shuffled by ${plural(found.moves.length, "random move")}`);
  }

  async function shuffle() {
    if (isDisabled(find("shuffle")) || !session.playing) return;
    showTabIfCovered();
    const seed = seedBox.value === "" ? randomSeed() : Number(seedBox.value);
    const [kind, moves] = length.value.split(" ");
    if (kind === "walk") return walk(Number(moves), seed);
    if (!connection.isOnline) return walk(100, seed, "The server is gone. ");
    const { puzzle } = session,
      wish = kind === "distance" ? { moves: Number(exactly.value) } : { difficulty: kind };
    session.say("Looking for a position …");
    try {
      const goal = session.goalText,
        text = session.puzzle.isColoured ? session.text : session.info.puzzle;
      const found = await post("api/shuffle", { puzzle: text, seed, ...wish, ...(goal ? { goal } : {}) });
      if (session.puzzle !== puzzle) return;
      const state = puzzle.read(found.position);
      const far = `${found.exact ? "" : "about "}${plural(found.distance, "move")} from the goal`;
      const about = found.about || (found.distance === null ? "its distance is not known" : far);
      session.begin(state, `Shuffled: ${about}`, found.exact ? found.distance : null);
    } catch (error) {
      session.say(/** @type {Error} */ (error).message);
    }
  }

  function showTabIfCovered() {
    if (document.documentElement.dataset.mode === "build") showTab("puzzles");
  }

  find("shuffling").addEventListener("click", () => {
    form.hidden = !form.hidden;
    find("shuffling").setAttribute("aria-expanded", String(!form.hidden));
  });
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    shuffle();
  });

  // ---- commands ----

  const hint = addHints(session);
  Object.assign(session.commands, {
    undo: () => session.playing?.undo(),
    redo: () => session.playing?.redo(),
    restart: () => session.playing && session.restart(),
    goal: () => session.playing?.peek(),
    shuffle,
    hint,
  });
  for (const name of ["undo", "redo", "restart", "goal", "shuffle", "hint"]) {
    find(name).addEventListener("click", () => session.commands[name]());
  }
}

/** @param {any} info */
function describe({ pieces, holes, play }) {
  return `${plural(pieces, play.puzzle.piece)}, ${plural(holes, "hole")}`;
}
