// Little pictures of puzzles, made by the server when they come into view, one after the other.
import { request } from "./api.js";
import { make } from "./dom.js";

/** @type {Map<string, Promise<string>>} addresses of pictures by theme and text */
const made = new Map();
/** @type {Promise<any>} */
let last = Promise.resolve();

/** @param {string} text @param {string} theme */
function pictureAddress(text, theme) {
  const key = `${theme} ${text}`;
  let address = made.get(key);
  if (!address) {
    address = last.then(async () => {
      const answer = await request(`api/picture?theme=${theme}&text=${encodeURIComponent(text)}`);
      return URL.createObjectURL(await answer.blob());
    });
    last = address.catch(() => made.delete(key)); // to be asked again
    made.set(key, address);
  }
  return address;
}

const watcher = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) load(/** @type {any} */ (target));
  },
  { rootMargin: "200px" },
);

/** @param {any} image */
async function load(image) {
  const theme = document.documentElement.dataset.theme || "light";
  if (image.dataset.theme === theme) return;
  image.dataset.theme = theme;
  try {
    image.src = await pictureAddress(image.dataset.text, theme);
  } catch {
    delete image.dataset.theme;
  }
}

/** A little picture of a puzzle. @param {string} text */
export function picture(text) {
  const image = make("img", { alt: "", "data-text": text, width: 96, height: 96 });
  watcher.observe(image);
  return image;
}

/** Ask again for the pictures in an element: in another theme, or after the server was gone. @param {any} parent */
export function renewPictures(parent) {
  for (const image of parent.querySelectorAll("img[data-text]")) {
    watcher.unobserve(image);
    watcher.observe(image);
  }
}
