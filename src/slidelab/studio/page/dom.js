// Making and finding elements.
import { ICONS } from "./icons.js";

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {any} Child an element, a text, or nothing */

/**
 * The element with an id; all ids of the page are in index.html.
 * @param {string} id
 * @returns {any}
 */
export const find = (id) => document.getElementById(id);

/**
 * An HTML element. Attributes that begin with `on` are listeners, `value`, `checked` and `hidden` are properties.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {any}
 */
export function make(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/**
 * An SVG element.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...Child} children
 * @returns {any}
 */
export function draw(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

const PROPERTIES = new Set(["value", "checked", "hidden", "disabled", "selected"]);

function fill(
  /** @type {any} */ element,
  /** @type {Record<string, any>} */ attributes,
  /** @type {Child[]} */ children,
) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (PROPERTIES.has(key) && key in element) element[key] = value;
    else element.setAttribute(key, String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** @param {string} name */
export const icon = (name) =>
  draw("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", class: "icon" }, draw("path", { d: ICONS[name] }));

/** @param {any} button @param {boolean} isDisabled */
export const disable = (button, isDisabled) => button.setAttribute("aria-disabled", String(isDisabled));

/** @param {any} button */
export const isDisabled = (button) => button.getAttribute("aria-disabled") === "true";

/**
 * Call a function when no call has come for some milliseconds.
 * @param {(...values: any[]) => void} action
 * @param {number} milliseconds
 */
export function debounced(action, milliseconds) {
  let timer = 0;
  return (/** @type {any[]} */ ...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

/**
 * Offer a file for saving.
 * @param {Blob} blob
 * @param {string} name
 */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/**
 * Copy a text; resolves to whether that was possible.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { value: text, class: "offscreen", "aria-hidden": "true" });
    document.body.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    return isDone;
  }
}

/** Whole numbers with commas, however large. @param {number | bigint | string} value */
export const grouped = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
