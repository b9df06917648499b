// The panel for understanding: facts, distances, the puzzle graph, the gain graph, and layers on the board.
import { factsOf } from "./facts.js";
import { addDistances } from "./distances.js";
import { addGainGraph, addPuzzleGraph } from "./graph_panels.js";
import { addLayers } from "./layer_switches.js";

/**
 * @param {import("./session.js").Session} session
 * @param {any} panel
 */
export function addPanel(session, panel) {
  const facts = factsOf(session);
  let isShown = false;
  const parts = [addDistances(session), addPuzzleGraph(session), addGainGraph(session), addLayers(session)];
  panel.append(...parts.map((part) => part.block));

  function renew() {
    if (!isShown || !session.info) return;
    facts.about({ puzzle: session.info.puzzle, ...session.question });
    for (const part of parts) part.renew();
  }
  session.addEventListener("puzzle", renew);
  session.addEventListener("online", renew);
  session.addEventListener("theme", renew);
  session.addEventListener("change", () => {
    if (isShown) for (const part of parts) part.move();
  });
  return {
    show() {
      isShown = true;
      parts[0].block.after(facts.block);
      renew();
    },
    hide() {
      isShown = false;
    },
  };
}
