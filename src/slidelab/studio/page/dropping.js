// A file or a text that is dropped on the page, or pasted where there is no field, is opened.
import { find } from "./dom.js";

const MAX_TEXT = 1000000; // bytes

/** @param {import("./session.js").Session} session */
export function addDropping(session) {
  const veil = find("dropping");
  let depth = 0;
  const isOurs = (/** @type {DragEvent} */ event) =>
    event.dataTransfer?.types.some((type) => type === "Files" || type === "text/plain");
  addEventListener("dragenter", (event) => {
    if (!isOurs(event)) return;
    depth++;
    veil.hidden = false;
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    veil.hidden = depth === 0;
  });
  addEventListener("dragover", (event) => {
    if (isOurs(event)) event.preventDefault();
  });
  addEventListener("drop", async (event) => {
    depth = 0;
    veil.hidden = true;
    if (!isOurs(event) || /** @type {any} */ (event.target).closest?.("input, textarea")) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file && file.size > MAX_TEXT) {
      session.say(`${file.name} is too large for a puzzle.`);
      return;
    }
    const text = file ? await file.text() : event.dataTransfer?.getData("text/plain");
    if (text) session.commands.open(text);
  });
  addEventListener("paste", (event) => {
    if (/** @type {any} */ (event.target).closest?.("input, textarea")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) session.commands.open(text);
  });
}
