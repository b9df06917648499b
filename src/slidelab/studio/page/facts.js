// The facts about a puzzle: a list that follows what is on the table or being drawn, with explanations.
import { connection, post } from "./api.js";
import { debounced, make } from "./dom.js";
import { openGlossary } from "./glossary_dialog.js";
import { clearLayers, ringCells } from "./layers.js";

const PAUSE = 200; // milliseconds without a change before the server is asked

class Facts {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.list = make("dl", { class: "facts", id: "facts", "aria-live": "polite", "aria-busy": "false" });
    this.why = make("p", { class: "why note", id: "facts-why" }, EXPLAIN);
    this.block = make(
      "section",
      { class: "block", "aria-labelledby": "facts-name" },
      make("h2", { id: "facts-name" }, "Facts"),
      this.list,
      this.why,
    );
    this.asked = "";
    this.number = 0;
    this.ask = debounced(() => this.request(), PAUSE);
    /** @type {any} */
    this.question = null;
  }

  /** Ask about a puzzle. @param {{puzzle: string, position?: string, goal?: string}} question */
  about(question) {
    const text = JSON.stringify(question);
    if (text === this.asked) return;
    this.asked = text;
    this.question = question;
    this.list.setAttribute("aria-busy", "true");
    this.ask();
  }

  /** Say something instead of facts. @param {string} words */
  wait(words) {
    this.asked = "";
    this.number++;
    this.question = null;
    this.list.replaceChildren(make("p", { class: "note" }, words));
    this.list.setAttribute("aria-busy", "false");
  }

  async request() {
    if (!this.question) return;
    const own = ++this.number;
    try {
      if (!connection.isOnline) throw new Error("The server is gone; facts come back with it.");
      const found = await post("api/facts", this.question);
      if (own === this.number) this.show(found);
    } catch (error) {
      if (own !== this.number) return;
      this.asked = "";
      this.list.replaceChildren(make("p", { class: "problem" }, /** @type {Error} */ (error).message));
    } finally {
      if (own === this.number) this.list.setAttribute("aria-busy", "false");
    }
  }

  /** @param {{facts: any[], incomplete: string | null}} found */
  show({ facts, incomplete }) {
    this.list.replaceChildren(...facts.map((fact, k) => this.row(fact, fact.label === facts[k - 1]?.label)));
    this.explain(incomplete ? `Not everything is known: ${incomplete}` : EXPLAIN, null);
  }

  /** @param {any} fact @param {boolean} isNext whether the fact before has the same name */
  row(fact, isNext) {
    const row = make(
      "div",
      { class: "fact", tabindex: "0", "data-key": fact.key },
      make("dt", {}, make("span", isNext ? { class: "offscreen" } : {}, fact.label)),
      make("dd", {}, fact.value, make("span", { class: "offscreen" }, ` (${fact.explanation})`)),
    );
    const show = () => {
      this.explain(fact.explanation, fact.term);
      if (fact.cells?.length && this.isOnTable) ringCells(this.session, "fact-cells", [fact.cells], () => "");
    };
    const hide = () => clearLayers("fact-cells");
    row.addEventListener("pointerenter", show);
    row.addEventListener("focus", show);
    row.addEventListener("pointerleave", hide);
    row.addEventListener("blur", hide);
    row.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Enter" && fact.term) openGlossary(fact.term);
    });
    return row;
  }

  /** Whether the facts are about what is on the table. */
  get isOnTable() {
    return this.question?.puzzle === this.session.info?.puzzle;
  }

  /** @param {string} words @param {string | null} term */
  explain(words, term) {
    this.why.replaceChildren(
      words,
      ...(term
        ? [
            " ",
            make(
              "button",
              {
                type: "button",
                class: "link",
                onclick: () => openGlossary(term),
              },
              `${term}: glossary`,
            ),
          ]
        : []),
    );
  }
}

/** @type {WeakMap<any, Facts>} */
const lists = new WeakMap();

/** The one list of facts, which several panels show in turn. @param {import("./session.js").Session} session */
export function factsOf(session) {
  const known = lists.get(session) || new Facts(session);
  lists.set(session, known);
  return known;
}

const EXPLAIN = "Point at a fact, and it is explained here.";
