// What the server has to offer, asked once.
import { get } from "./api.js";

/** @type {Promise<any> | null} */
let asked = null;

/** Families, rules and the gallery. */
export function library() {
  const today = new Date(),
    two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const day = `${today.getFullYear()}-${two(today.getMonth() + 1)}-${two(today.getDate())}`;
  asked ??= get(`api/library?date=${day}`).catch((error) => {
    asked = null; // to be asked again
    throw error;
  });
  return asked;
}

/** @type {Promise<any> | null} */
let terms = null;

/** The glossary: texts by terms. */
export function glossary() {
  terms ??= get("api/glossary").catch((error) => {
    terms = null;
    throw error;
  });
  return terms;
}
