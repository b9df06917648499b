// The glossary in a dialog: one term, and all others to go on.
import { find, icon, make } from "./dom.js";
import { glossary } from "./library.js";

/** @param {string} term */
export async function openGlossary(term) {
  const dialog = find("glossary");
  const title = make("h2", { id: "glossary-title", tabindex: "-1" });
  const text = make("p", { id: "glossary-text" });
  const pick = make("select", { "aria-label": "term" });
  dialog.replaceChildren(
    make(
      "div",
      { class: "lead" },
      title,
      make("button", { type: "button", "aria-label": "close", onclick: () => dialog.close() }, icon("close")),
    ),
    text,
    make("label", { class: "rowed note" }, "Other terms ", pick),
  );
  /** @type {Record<string, string>} */
  let entries = {};
  const show = (/** @type {string} */ name) => {
    const found = Object.keys(entries).find((each) => each.toLowerCase() === name.toLowerCase());
    title.textContent = found || name;
    text.textContent = found ? plain(entries[found]) : "This term is not in the glossary.";
    pick.value = found || "";
  };
  pick.addEventListener("change", () => show(pick.value));
  title.textContent = term;
  if (!dialog.open) dialog.showModal();
  try {
    entries = await glossary();
    pick.replaceChildren(...Object.keys(entries).map((name) => make("option", { value: name }, name)));
    show(term);
  } catch (error) {
    text.textContent = /** @type {Error} */ (error).message;
  }
}

/** Text without the marks of Markdown. @param {string} text */
const plain = (text) => text.replace(/[`*]/g, "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
