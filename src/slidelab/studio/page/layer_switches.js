// Layers on the board: orbits, tight corners, pieces that are at home, numbers of cells.
import { connection, post } from "./api.js";
import { make } from "./dom.js";
import { clearLayers, hueOf, ringCells, showNumbers } from "./layers.js";
import { plural } from "./playing.js";

/** @param {import("./session.js").Session} session */
export function addLayers(session) {
  const words = make("p", { class: "note", id: "layers-words", role: "status" });
  /** @type {Record<string, any>} */
  const boxes = {};
  const row = (/** @type {string} */ id, /** @type {string} */ label) =>
    make(
      "label",
      { class: "check" },
      (boxes[id] = make("input", { type: "checkbox", id: `layer-${id}`, onchange: () => show(id) })),
      label,
    );
  const block = make(
    "section",
    { class: "block", "aria-labelledby": "layers-name" },
    make("h2", { id: "layers-name" }, "On the board"),
    row("orbits", "Orbits: cells whose pieces can change places"),
    row("corners", "Tight corners"),
    row("home", "Pieces that are at home"),
    row("numbers", "Numbers of cells"),
    words,
  );
  /** @type {Map<string, any>} */
  const answers = new Map();

  /** @param {string} path @param {any} question */
  async function ask(path, question) {
    const key = path + JSON.stringify(question);
    if (!answers.has(key)) {
      if (!connection.isOnline) throw new Error("The server is gone; this layer comes back with it.");
      answers.set(key, await post(path, question));
    }
    return answers.get(key);
  }

  /** @param {string} id */
  async function show(id) {
    const isOn = boxes[id].checked,
      { puzzle, game } = session;
    if (!isOn) {
      clearLayers(id);
      words.textContent = "";
      return;
    }
    if (id === "numbers") showNumbers(session, true);
    if (id === "home") {
      const home = puzzle.goal
        ? Array.from(game.state.keys()).filter((piece) => game.state[piece] === puzzle.goal[piece])
        : [];
      ringCells(session, id, [home.flatMap((piece) => puzzle.cells(game.state[piece]))], () => "home");
    }
    if (id !== "orbits" && id !== "corners") return;
    try {
      if (id === "orbits") {
        const { orbits = [] } = await ask("api/solvable", session.question);
        if (session.puzzle !== puzzle || !boxes[id].checked) return;
        ringCells(session, id, orbits, hueOf);
        words.textContent =
          orbits.length === 1
            ? "One orbit: every piece can get everywhere."
            : `${plural(orbits.length, "orbit")}, a colour each.`;
      } else {
        const { facts } = await ask("api/facts", { puzzle: session.info.puzzle, ...session.question });
        if (session.puzzle !== puzzle || !boxes[id].checked) return;
        const cells = facts.find((/** @type {any} */ fact) => fact.key === "tight_corners")?.cells || [];
        ringCells(session, id, [cells], () => "bad");
        words.textContent = cells.length ? `${plural(cells.length, "tight corner")}.` : "There are no tight corners.";
      }
    } catch (error) {
      words.textContent = /** @type {Error} */ (error).message;
    }
  }

  function renew() {
    for (const id of Object.keys(boxes)) if (boxes[id].checked) show(id);
  }
  return {
    block,
    renew,
    move() {
      if (boxes.home.checked) show("home");
      if (boxes.orbits.checked && session.isNew) show("orbits");
    },
  };
}
