// The panel with the gallery: a picture for each puzzle, in groups.
import { make } from "./dom.js";
import { library } from "./library.js";
import { picture, renewPictures } from "./pictures.js";

/**
 * @param {import("./session.js").Session} session
 * @param {any} panel
 * @param {(name: string) => void} showTab
 */
export function addPanel(session, panel, showTab) {
  const list = make("div", { class: "gallery" });
  panel.append(
    make(
      "div",
      { class: "lead" },
      make("h2", {}, "Pick a puzzle"),
      make("button", { type: "button", class: "plain", onclick: () => showTab("build") }, "Make your own"),
    ),
    list,
  );

  /** @param {any} entry */
  function card(entry) {
    const isDaily = entry.group === "Daily";
    const name = isDaily ? "Puzzle of the day" : entry.name;
    return make(
      "button",
      {
        type: "button",
        class: `card${isDaily ? " daily" : ""}`,
        title: entry.about,
        onclick: () => open(entry, name),
      },
      picture(entry.text),
      make("span", { class: "name" }, name),
      make("span", { class: "about" }, entry.about),
    );
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
    if (list.childElementCount) {
      renewPictures(list);
      return;
    }
    try {
      const { gallery } = await library();
      /** @type {Map<string, any[]>} */
      const groups = new Map();
      for (const entry of gallery) groups.set(entry.group, [...(groups.get(entry.group) || []), entry]);
      list.replaceChildren(
        ...Array.from(groups, ([name, entries]) =>
          make(
            "section",
            { "aria-label": name },
            name === "Daily" ? null : make("h3", {}, name),
            make("div", { class: "cards" }, entries.map(card)),
          ),
        ),
      );
    } catch {
      list.replaceChildren();
    }
  }

  session.addEventListener("online", fill);
  session.addEventListener("theme", () => renewPictures(list));
  fill();
  return { show: fill };
}
