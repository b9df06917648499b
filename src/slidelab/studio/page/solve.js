// The panel that helps: an engine that keeps looking, solutions to watch, and whether there is one at all.
import { addEngine } from "./engine_switch.js";
import { addSolver } from "./solver.js";
import { addVerdict } from "./verdict.js";

/**
 * @param {import("./session.js").Session} session
 * @param {any} panel
 */
export function addPanel(session, panel) {
  const parts = [addSolver(session), addEngine(session), addVerdict(session)];
  panel.append(...parts.map((part) => part.block));
  return {};
}
