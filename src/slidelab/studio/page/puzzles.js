// The panel with the gallery: a picture for each puzzle, in groups.
import { make } from "./dom.js";
import { library } from "./library.js";

/**
 * @param {import("./session.js").Session} session
 * @param {any} panel
 * @param {(name: string) => void} showTab
 */
export function addPanel(session, panel, showTab) {
  const list = make("div", { class: "gallery" });
  panel.append(
    make("div", { class: "lead" },
      make("h2", {}, "Pick a puzzle"),
      make("button", { type: "button", class: "plain", onclick: () => showTab("build") }, "Make your own")),
    list);

  /** @param {any} entry */
  function card(entry) {
    const isDaily = entry.group === "Daily";
    const name = isDaily ? "Puzzle of the day" : entry.name;
    return make("button", {
      type: "button",
      class: `card${isDaily ? " daily" : ""}`,
      title: entry.about,
      onclick: () => open(entry, name),
    }, picture(entry.text), make("span", { class: "name" }, name), make("span", { class: "about" }, entry.about));
  }

  /** @param {any} entry @param {string} name */
  async function open(entry, name) {
    try {
      await session.open({ text: entry.text }, { title: name });
    } catch (error) {
      session.say(/** @type {Error} */ (error).message);
      return;
    }
    if (matchMedia("(max-width: 60rem)").matches) showTab("none");
  }

  async function fill() {
    if (list.childElementCount) return;
    try {
      const { gallery } = await library();
      /** @type {Map<string, any[]>} */
      const groups = new Map();
      for (const entry of gallery) groups.set(entry.group, [...(groups.get(entry.group) || []), entry]);
      list.replaceChildren(...Array.from(groups, ([name, entries]) =>
        make("section", { "aria-label": name },
          name === "Daily" ? null : make("h3", {}, name),
          make("div", { class: "cards" }, entries.map(card)))));
    } catch {
      list.replaceChildren();
    }
  }

  session.addEventListener("online", fill);
  session.addEventListener("theme", () => {
    for (const image of list.querySelectorAll("img")) image.src = address(image.dataset.text);
  });
  fill();
  return { show: fill };
}

/** @param {string} text */
const address = (text) => `api/picture?theme=${document.documentElement.dataset.theme}&text=${encodeURIComponent(text)}`;

/** A little picture of a puzzle. @param {string} text */
export function picture(text) {
  const image = make("img", { src: address(text), alt: "", loading: "lazy", "data-text": text, width: 96, height: 96 });
  image.addEventListener("error", () => image.classList.add("missing"), { once: true });
  return image;
}
