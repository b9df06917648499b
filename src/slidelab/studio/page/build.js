// The panel for building: a family with sizes, cells painted on a grid, or a graph; then rule, holes, colours, and a
// start or goal of one's own. Facts follow what is drawn.
import { addArranging } from "./arranging.js";
import { addColours } from "./colours.js";
import { debounced, make } from "./dom.js";
import { addDrawing } from "./drawing_form.js";
import { factsOf } from "./facts.js";
import { library } from "./library.js";
import { keep, recall } from "./memory.js";

const MODES = [
  ["family", "Family"],
  ["hex", "Hexagons"],
  ["square", "Squares"],
  ["graph", "Graph"],
];
const PAUSE = 250; // milliseconds without a change before a family is opened

/**
 * @param {import("./session.js").Session} session
 * @param {any} panel
 * @param {(name: string) => void} showTab
 */
export function addPanel(session, panel, showTab) {
  const facts = factsOf(session),
    arranging = addArranging(session);
  let mode = MODES.some(([name]) => name === recall("build")) ? recall("build") : "family";
  let isShown = false;
  /** @type {any} */
  let offers = null; // the library
  // ---- what the puzzle is ----

  const modes = make(
    "div",
    { class: "segments", role: "radiogroup", "aria-label": "how to build" },
    MODES.map(([name, words]) =>
      make(
        "label",
        {},
        make("input", { type: "radio", name: "mode", value: name, checked: name === mode }),
        make("span", {}, words),
      ),
    ),
  );
  const family = make("select", { id: "family", "aria-label": "family" });
  const sizes = make("div", { class: "fields", id: "sizes" });
  const about = make("p", { class: "note", id: "family-about" });
  const familyBox = make(
    "div",
    { class: "stack" },
    make("label", { class: "fields" }, make("span", { class: "wide" }, "Board", family)),
    sizes,
    about,
  );
  const rule = make("select", { id: "rule" });
  const holes = make("input", { type: "number", id: "holes", min: 0, max: 999, placeholder: "usual" });
  const ruleBox = make(
    "div",
    { class: "fields" },
    make("label", {}, "Pieces", rule),
    make("label", {}, "Holes", holes),
  );
  const problem = make("p", { class: "problem", role: "alert", id: "build-problem" });

  const drawing = addDrawing(session, {
    more: () => ({ rule: rule.value, holes: holes.value }),
    drawn: (draft) => {
      const problem = draft ? tooFew(draft.count) : "Draw something, and its facts are here.";
      if (problem) facts.wait(problem);
      else if (draft) facts.about({ puzzle: draft.text });
    },
    play: playDraft,
    complain: (words) => {
      problem.textContent = words;
    },
  });
  const colours = addColours(session);

  panel.append(
    make(
      "section",
      { class: "block", "aria-label": "board" },
      modes,
      familyBox,
      ...drawing.boxes,
      ruleBox,
      drawing.padBox,
      problem,
    ),
    arranging.block,
    colours.block,
  );

  // One thing at a time is done to the pieces on the board.
  arranging.block.addEventListener("click", () => arranging.isOn && colours.close());
  colours.block.addEventListener("click", () => colours.isOn && arranging.close());

  // ---- families ----

  const offer = () => offers?.families.find((/** @type {any} */ each) => each.text === family.value);

  function fillFamilies() {
    if (!offers || family.options.length) return;
    family.append(
      ...offers.families.map((/** @type {any} */ each) =>
        make("option", { value: each.text }, `${each.template.replace(/[{}]/g, "")}`),
      ),
    );
    fillSizes();
    fillRules();
    followTable();
  }

  /** Let the form say what is on the table, if that is of a family. */
  function followTable() {
    const text = session.info?.puzzle;
    if (!offers || !text || panel.contains(document.activeElement)) return;
    for (const each of offers.families) {
      const pattern = each.template.replace(/[()]/g, "\\$&").replace(/\{\w+\}/g, "(\\d+)");
      const match = new RegExp(`^${pattern} (\\S+) (\\d+)$`).exec(text);
      if (!match) continue;
      family.value = each.text;
      fillSizes();
      sizes.querySelectorAll("input").forEach((/** @type {any} */ input, /** @type {number} */ k) => {
        input.value = match[k + 1];
      });
      fillRules();
      rule.value = session.info.rule;
      holes.value = session.info.holes;
      return;
    }
  }

  function fillSizes() {
    const chosen = offer();
    if (!chosen) return;
    about.textContent = chosen.about;
    sizes.replaceChildren(
      ...chosen.parameters.map((/** @type {any} */ each) =>
        make(
          "label",
          {},
          each.name,
          make("input", {
            type: "number",
            min: each.min,
            max: Math.min(each.max, 40),
            value: each.default,
            "data-name": each.name,
            oninput: familyChanged,
          }),
        ),
      ),
    );
  }

  function fillRules() {
    if (!offers) return;
    const last = rule.value,
      allowed = mode === "family" ? offer()?.rules : null;
    const usual = mode === "hex" ? "hextiles" : mode === "family" ? offer()?.rule : "tiles";
    const shown = offers.rules.filter((/** @type {any} */ each) => !allowed || allowed.includes(each.name));
    rule.replaceChildren(
      ...shown.map((/** @type {any} */ each) => make("option", { value: each.name, title: each.about }, each.name)),
    );
    rule.value = shown.some((/** @type {any} */ each) => each.name === last) ? last : usual;
  }

  function familyText() {
    const chosen = offer();
    if (!chosen) return "";
    let text = chosen.template;
    for (const input of sizes.querySelectorAll("input"))
      text = text.replace(`{${input.dataset.name}}`, String(Math.trunc(Number(input.value))));
    return `${text} ${rule.value}${holes.value === "" ? "" : ` ${holes.value}`}`;
  }

  const openFamily = debounced(async () => {
    if (mode !== "family" || !isShown) return;
    const text = familyText();
    try {
      await session.open({ text });
      problem.textContent = "";
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  }, PAUSE);

  function familyChanged() {
    if (mode === "family") openFamily();
  }

  family.addEventListener("change", () => {
    fillSizes();
    rule.replaceChildren();
    holes.value = "";
    fillRules();
    familyChanged();
  });

  // ---- rule and holes, for all ----

  function ruleChanged() {
    if (mode === "family") familyChanged();
    else drawing.edited();
  }
  rule.addEventListener("change", () => {
    holes.value = "";
    ruleChanged();
  });
  holes.addEventListener("input", ruleChanged);

  // ---- showing ----

  function setMode(/** @type {string} */ name) {
    mode = name;
    keep("build", mode);
    const isPad = isShown && mode !== "family";
    if (isPad) arranging.close();
    if (isPad) colours.close();
    const hand = arranging.isOn ? "arrange" : colours.isOn ? "paint" : "play";
    document.documentElement.dataset.mode = isPad ? "build" : hand;
    familyBox.hidden = mode !== "family";
    arranging.block.hidden = colours.block.hidden = isPad;
    problem.textContent = "";
    fillRules();
    drawing.setMode(isPad ? mode : "");
    if (isPad) return;
    session.emit("title");
    if (isShown) aboutTable();
  }

  /** Why so many cells are not enough for a puzzle, empty if they are. @param {number} count */
  function tooFew(count) {
    const { cells = 1, fewest_holes: fewest = 1 } =
      offers?.rules.find((/** @type {any} */ each) => each.name === rule.value) || {};
    const least = cells + (holes.value === "" ? fewest : Number(holes.value)),
      rest = count - Number(holes.value);
    if (count < least) return `Draw at least ${least} cells.`;
    if (holes.value !== "" && rest % cells) return `${rest} cells cannot be filled with pieces of ${cells} cells.`;
    return "";
  }

  /** @param {import("./drawing_form.js").Draft} draft */
  async function playDraft({ text, document: form }) {
    try {
      await session.open(form ? { document: form } : { text }, { title: "Your board" });
      problem.textContent = "";
      showTab(matchMedia("(max-width: 60rem)").matches ? "none" : "puzzles");
    } catch (error) {
      problem.textContent = /** @type {Error} */ (error).message;
    }
  }

  function aboutTable() {
    if (!session.info || (isShown && mode !== "family")) return;
    facts.about({ puzzle: session.info.puzzle, ...session.question });
  }
  modes.addEventListener("change", () => setMode(modes.querySelector(":checked").value));
  session.addEventListener("puzzle", () => {
    followTable();
    if (isShown) setMode(mode);
  });
  session.addEventListener("online", () => isShown && setMode(mode));

  // ---- the beginning ----

  library()
    .then((found) => {
      offers = found;
      fillFamilies();
      fillRules();
      if (isShown) setMode(mode);
    })
    .catch((error) => {
      problem.textContent = error.message;
    });

  return {
    show() {
      isShown = true;
      panel.insertBefore(facts.block, arranging.block);
      setMode(mode);
    },
    hide() {
      arranging.close();
      colours.close();
      isShown = false;
      setMode(mode);
    },
  };
}
