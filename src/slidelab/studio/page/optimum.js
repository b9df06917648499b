// How far a state is from the goal: exactly where it is known or proved soon, else between bounds.
import { connection, Job } from "./api.js";
import { knownDistance } from "./exploration.js";

const SECONDS = 8; // for the server, after a game was won

/**
 * @param {import("./session.js").Session} session
 * @param {Int32Array} state
 * @returns {Promise<{exact: number | null, bound: number, known: number | null}>}
 */
export async function optimumOf(session, state) {
  const unknown = { exact: null, bound: 0, known: null };
  if (session.optimum !== null && session.puzzle.equal(state, session.game.start))
    return { ...unknown, exact: session.optimum };
  const near = knownDistance(session, state);
  if (near !== null) return { ...unknown, exact: near };
  if (!connection.isOnline || !session.goalText) return unknown;
  const job = new Job("engine", {
    position: session.puzzle.text(state),
    goal: session.goalText,
    options: { time: SECONDS },
  });
  session.addEventListener("change", () => job.cancel(), { once: true });
  try {
    const { distance = null, bound = 0, known = null } = await job.result;
    return { exact: distance, bound: bound || 0, known };
  } catch {
    return unknown;
  }
}
