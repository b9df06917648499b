// What the browser keeps when the page is closed. A page may have no storage; then nothing is kept, no more.

const PREFIX = "slidelab studio ";
const MAX_CHARACTERS = 2000000; // of one entry; a browser keeps about five million in all

/** @param {string} key @returns {any} */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key) || "null");
  } catch {
    return null;
  }
}

/**
 * Keep a value; returns whether that was possible.
 * @param {string} key
 * @param {any} value
 */
export function keep(key, value) {
  try {
    const text = JSON.stringify(value);
    if (text.length > MAX_CHARACTERS) return false;
    localStorage.setItem(PREFIX + key, text);
    return true;
  } catch {
    return false;
  }
}
