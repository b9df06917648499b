// Can this be solved? The answer in a sentence, and why, drawn on the board.
import { connection, post, sentence } from "./api.js";
import { disable, isDisabled, make } from "./dom.js";
import { clearLayers, lightCells, ringCells, showCycles } from "./layers.js";
import { plural } from "./playing.js";

/** @param {import("./session.js").Session} session */
export function addVerdict(session) {
  const ask = make("button", { type: "button", class: "plain", id: "solvable" }, "Check");
  const answer = make("p", { id: "verdict", role: "status" });
  const legend = make("ul", { class: "legend", id: "verdict-legend" });
  const block = make(
    "section",
    { class: "block", "aria-labelledby": "verdict-name" },
    make("div", { class: "lead" }, make("h2", { id: "verdict-name" }, "Can this be solved?"), ask),
    answer,
    legend,
  );

  function clear() {
    answer.textContent = "";
    delete answer.dataset.solvable;
    legend.replaceChildren();
    clearLayers("cycles", "swap", "stuck", "stuck-rings");
  }

  /** @param {any} found */
  function show(found) {
    const { solvable, reason, stuck = [] } = found;
    const yes = solvable === true,
      no = solvable === false;
    const cycles = /** @type {number[][]} */ (found.cycle_pieces || []);
    const swap = no ? swapped(found) : null;
    answer.dataset.solvable = String(solvable);
    const words = sentence(reason || "");
    answer.textContent = words || (yes ? "Yes." : no ? "No." : "That is not known.");
    if (yes && words && !/^yes/i.test(words)) answer.prepend("Yes. ");
    if (no && words && !/^no\b/i.test(words)) answer.prepend("No. ");
    const moved = cycles.filter((pieces) => pieces.length > 1);
    showCycles(session, swap && moved.length === 1 && moved[0].length === 2 ? [] : moved, swap);
    if (no && stuck.length) {
      lightCells(session, "stuck", [stuck], () => "stuck");
      ringCells(session, "stuck-rings", [stuck], () => "stuck");
    }
    const lines = [];
    if (moved.length) {
      const sizes = moved.map((pieces) => pieces.length);
      lines.push(`Arrows show where pieces belong: ${plural(moved.length, "cycle")} of ${listed(sizes)} pieces.`);
    }
    if (swap) lines.push("Red: with these two swapped it could be solved, and parity forbids just that.");
    if (no && stuck.length) lines.push("Red cells: what lies there cannot get where it belongs.");
    legend.replaceChildren(...lines.map((line) => make("li", {}, line)));
  }

  /** The two pieces that parity does not let change places. @param {any} found */
  function swapped(found) {
    if (!found.swap) return null;
    const pieces =
      found.swap_pieces || found.swap.map((/** @type {string} */ label) => session.puzzle.labels.indexOf(label) + 1);
    return pieces.every((/** @type {number} */ piece) => piece > 0) ? pieces : null;
  }

  ask.addEventListener("click", async () => {
    if (isDisabled(ask) || !session.playing) return;
    clear();
    session.playing.cancel();
    if (!connection.isOnline || !session.goalText) {
      answer.textContent = connection.isOnline
        ? "There is no goal to compare with."
        : "The server is gone; ask again when it is back.";
      return;
    }
    disable(ask, true);
    answer.textContent = "Thinking …";
    const { game } = session,
      { state } = game;
    try {
      const found = await post("api/solvable", session.question);
      if (session.game === game && game.state === state) show(found);
    } catch (error) {
      answer.textContent = /** @type {Error} */ (error).message;
    } finally {
      disable(ask, false);
    }
  });
  session.addEventListener("change", clear);
  session.addEventListener("puzzle", clear);
  return { block };
}

/** @param {number[]} values */
const listed = (values) =>
  values.length > 6
    ? `${values.slice(0, 6).join(", ")}, …`
    : values.length > 1
      ? `${values.slice(0, -1).join(", ")} and ${values[values.length - 1]}`
      : String(values[0]);
