// The tools: one panel at a time, each made when it is first shown.
import { find } from "./dom.js";
import { keep, recall } from "./memory.js";

const NAMES = ["puzzles", "solve", "build", "explore", "share"];

/** @type {Record<string, () => Promise<any>>} */
const PANELS = {
  puzzles: () => import("./puzzles.js"),
  solve: () => import("./solve.js"),
  build: () => import("./build.js"),
  explore: () => import("./explore.js"),
  share: () => import("./share.js"),
};

/**
 * Returns a function that shows a panel by name, or none.
 * @param {import("./session.js").Session} session
 */
export function addTabs(session) {
  const root = document.documentElement;
  const isSheet = () =>
    matchMedia("(max-width: 60rem)").matches && !matchMedia("(max-height: 32rem) and (min-width: 40rem)").matches;
  /** @type {Record<string, any>} */
  const panels = {};
  let shown = "";

  /** @param {string} name */
  async function show(name) {
    if (name === shown) return;
    const last = panels[shown];
    shown = name;
    root.dataset.tab = name;
    keep("tab", name);
    NAMES.forEach((each) => {
      const tab = find(`tab-${each}`),
        isOn = each === name;
      tab.setAttribute("aria-selected", String(isOn));
      tab.setAttribute("tabindex", isOn || (name === "none" && each === NAMES[0]) ? "0" : "-1");
      find(`panel-${each}`).hidden = !isOn;
    });
    (await last)?.hide?.();
    if (name === "none" || shown !== name) return;
    panels[name] ??= PANELS[name]().then((module) => module.addPanel(session, find(`panel-${name}`), show));
    const panel = await panels[name];
    if (shown === name) panel.show?.();
  }

  for (const name of NAMES) {
    find(`tab-${name}`).addEventListener("click", () => show(name === shown && isSheet() ? "none" : name));
  }
  find("close").addEventListener("click", () => {
    find(`tab-${shown}`).focus();
    show("none");
  });
  find("tabs").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const here = NAMES.findIndex((name) => find(`tab-${name}`) === document.activeElement);
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next =
      event.key === "Home"
        ? 0
        : event.key === "End"
          ? NAMES.length - 1
          : by
            ? (here + by + NAMES.length) % NAMES.length
            : -1;
    if (next < 0 || here < 0) return;
    event.preventDefault();
    event.stopPropagation();
    find(`tab-${NAMES[next]}`).focus();
    show(NAMES[next]);
  });
  const wished = recall("tab");
  show(isSheet() ? "none" : NAMES.includes(wished) ? wished : "puzzles");
  return show;
}
