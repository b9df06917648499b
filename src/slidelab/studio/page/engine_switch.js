// The engine: while it is on, it says how far every position is from the goal, and shows the best moves as arrows.
//
// A puzzle that is small enough is explored in the page, which knows everything at once. For others a job on the
// server looks for as long as nobody moves, and says every improvement.
import { connection, Job } from "./api.js";
import { find, grouped, make } from "./dom.js";
import { bestMoves, explore, explored, knownDistance } from "./exploration.js";
import { hideArrows, showArrows } from "./layers.js";
import { plural } from "./playing.js";

const PAUSE = 250; // milliseconds without a move before the server is asked
const PATIENCE = 500; // milliseconds for exploring the puzzle here before the server is asked, too
const SECONDS = 30; // for one position

/** @param {import("./session.js").Session} session */
export function addEngine(session) {
  const button = make("button", {
    type: "button",
    role: "switch",
    "aria-checked": "false",
    class: "switch",
    id: "engine",
    "aria-labelledby": "engine-name",
  });
  const number = make("output", { class: "big", id: "engine-number" });
  const text = make(
    "p",
    { class: "note", id: "engine-text" },
    "Shows how far the goal is, and the best moves, after every move.",
  );
  const moves = make("div", { class: "rowed", role: "group", "aria-label": "best moves", id: "engine-moves" });
  const block = make(
    "section",
    { class: "block", "aria-labelledby": "engine-name" },
    make("div", { class: "lead" }, make("h2", { id: "engine-name" }, "Engine"), button),
    number,
    text,
    moves,
  );
  let isOn = false;
  /** @type {Job | null} */
  let job = null;
  let timer = 0;
  let asked = 0;

  function stop() {
    clearTimeout(timer);
    job?.cancel();
    job = null;
    asked++;
  }

  /** @param {string} big @param {string} words @param {string[]} [best] */
  function say(big, words, best = []) {
    number.textContent = big;
    text.textContent = words;
    const chip = find("distance");
    chip.hidden = !isOn || !big;
    chip.textContent = big;
    const { puzzle, game, playing, view } = session;
    const legal = best
      .map((each) => ({ text: each, move: puzzle.readMove(game.state, each) }))
      .filter(({ move }) => move);
    moves.replaceChildren(
      ...legal.slice(0, 8).map(({ text: each, move }) =>
        make(
          "button",
          {
            type: "button",
            class: "plain small",
            onclick: () => playing.play([each]),
          },
          `${session.playing.data.names[view.item(move.before).piece]} ${playing.describe(move)}`,
        ),
      ),
    );
    if (isOn && !playing.hinted && !session.playing.isPeeking)
      showArrows(
        session,
        legal.map(({ move }) => ({ move, name: "best" })),
      );
  }

  function sayKnown() {
    const { puzzle, game } = session,
      known = explored(puzzle);
    if (!known) return false;
    const left = knownDistance(session, game.state);
    if (left === null) say("out of reach", "No sequence of moves leads to the goal from here.");
    else if (left === 0) say("0 to go", "This is the goal.");
    else {
      const best = bestMoves(puzzle, known, game.state);
      say(
        `${left} to go`,
        `Exactly: all ${grouped(known.distances.size)} positions are known. ${
          best.length === 1 ? "One move is best:" : `${best.length} moves are equally good:`
        }`,
        best,
      );
    }
    return true;
  }

  /** @param {any} event */
  function sayBest({ distance = null, bound = 0, known = null, length = null, moves: line = [], best = [] }) {
    const shortest = known ?? length,
      first = best.length ? best : line.slice(0, 1);
    if (distance !== null) say(`${distance} to go`, "Exactly, and proved.", first);
    else if (shortest !== null) {
      say(
        `${bound} to ${shortest} to go`,
        `At least ${plural(bound, "move")}; the best solution known has ${shortest}.`,
        first,
      );
    } else say(`at least ${bound} to go`, "Looking for a solution …", first);
  }

  async function ask() {
    if (!isOn || !session.playing) return;
    const own = asked;
    if (session.game.isSolved) return say("0 to go", "This is the goal.");
    if (sayKnown()) return undefined;
    number.textContent = "";
    text.textContent = "Thinking …";
    const exploring = explore(session).then(() => {
      if (own !== asked || !sayKnown()) return;
      job?.cancel();
      job = null;
    });
    await Promise.race([
      exploring,
      new Promise((done) => {
        setTimeout(done, PATIENCE);
      }),
    ]);
    if (own !== asked || explored(session.puzzle)) return undefined;
    if (!connection.isOnline) return say("", "The server is gone; the engine thinks again when it is back.");
    if (!session.goalText) return say("", "There is no goal to measure the distance to.");
    job = new Job(
      "engine",
      { ...session.question, options: { time: SECONDS } },
      {
        best: (event) => own === asked && sayBest(event),
        progress: (event) => {
          if (own === asked && !number.textContent) text.textContent = `${event.text || "Thinking"} …`;
        },
      },
    );
    try {
      const result = await job.result;
      if (own === asked && job) sayBest(result);
    } catch (error) {
      if (own === asked && job) say(number.textContent, /** @type {Error} */ (error).message);
    }
    return undefined;
  }

  function renew() {
    stop();
    hideArrows();
    if (!isOn) return;
    if (explored(session.puzzle) || session.game.isSolved) ask();
    else timer = setTimeout(ask, PAUSE);
  }

  button.addEventListener("click", () => {
    isOn = !isOn;
    button.setAttribute("aria-checked", String(isOn));
    document.documentElement.dataset.engine = String(isOn);
    if (isOn) renew();
    else {
      stop();
      hideArrows();
      say("", "Shows how far the goal is, and the best moves, after every move.");
    }
  });
  session.addEventListener("change", renew);
  session.addEventListener("online", renew);
  return { block };
}
