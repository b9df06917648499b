// The address of the page holds the puzzle, the position and the moves: #at=...&goal=...&places=...&moves=...
//
// `at` is the start of the game in one line, `goal` the goal as one line or its pieces, `places` where the vertices of a
// graph are drawn, `moves` what has been played.
// Blanks are plus signs, and `>` in moves is `~`, which browsers leave as it is.

const MAX_CHARACTERS = 6000; // of an address; longer ones are cut by mail programs and chats

/**
 * @typedef {object} Linked
 * @property {string} at
 * @property {string | null} goal
 * @property {number[][] | null} places
 * @property {string[]} moves
 */

/** @param {string} text */
const encode = (text) =>
  text
    .trim()
    .split(/\s+/)
    .map((token) => encodeURIComponent(token).replace(/%(3A|2C|2F|3B|40|24)/gi, decodeURIComponent))
    .join("+");

/**
 * The fragment for a game. Moves that do not fit are left out; then the position of now is the start.
 * @param {{start: string, now: string, goal: string | null, places: number[][] | null, moves: string[]}} game
 */
export function fragmentOf({ start, now, goal, places, moves }) {
  const drawn = places ? `&places=${places.map((at) => at.map((x) => Number(x.toFixed(2))).join()).join("+")}` : "";
  const more = (goal ? `&goal=${encode(goal)}` : "") + drawn;
  const played = moves.length ? `&moves=${moves.map((text) => text.replace(">", "~")).join("+")}` : "";
  const whole = `#at=${encode(start)}${more}${played}`;
  if (whole.length <= MAX_CHARACTERS) return whole;
  const short = `#at=${encode(now)}${more}`;
  return short.length <= 4 * MAX_CHARACTERS ? short : "";
}

/**
 * What a fragment says; null if it names no puzzle.
 * @param {string} fragment
 * @returns {Linked | null}
 */
export function readFragment(fragment) {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  const at = values.get("at");
  if (!at) return null;
  const moves = (values.get("moves") || "").replaceAll("~", ">").split(/\s+/).filter(Boolean);
  const places = values.get("places")?.split(/\s+/).map((pair) => pair.split(",").map(Number));
  const isPlaced = places?.every((pair) => pair.length === 2 && pair.every(Number.isFinite));
  return { at, goal: values.get("goal"), places: (isPlaced && places) || null, moves };
}
