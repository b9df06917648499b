// A puzzle in a notebook. The board, the rules and the controls are those of the page of one file; the game is kept in the
// model, so Python sees every move, and every view of a widget shows the same game.
import { Panel } from "./panel.js";

const STEP = 450; // milliseconds from a move to the next when a solution is played

// Whether the notebook is dark: JupyterLab, Visual Studio Code and others say so in different ways.
function isDark() {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight) return jpThemeLight === "false";
  if (vscodeThemeKind) return /dark|contrast$/.test(vscodeThemeKind);
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function followTheme(model, root, signal) {
  const show = () => {
    const theme = model.get("_theme");
    root.dataset.theme = theme === "auto" ? (isDark() ? "dark" : "light") : theme;
  };
  const observer = new MutationObserver(show);
  observer.observe(document.body, { attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind"] });
  signal.addEventListener("abort", () => observer.disconnect());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show, { signal });
  show();
}

const isSame = (a, b) => a.start === b.start && a.made === b.made && a.moves.length === b.moves.length &&
  a.moves.every((text, k) => text === b.moves[k]);

class Widget {
  constructor(model, el) {
    const { html, css, data } = model.get("_page");
    const end = new AbortController(), scope = el.attachShadow({ mode: "open" });
    scope.innerHTML = `<style>${css}</style>${html}`;
    this.model = model;
    this.end = end;
    this.root = scope.querySelector(".widget");
    this.controls = Object.fromEntries(["solve", "solution", "back", "run", "next", "scrub", "step"]
      .map((id) => [id, scope.getElementById(id)]));
    el.dataset.lmSuppressShortcuts = "true"; // keys pressed here are not commands of the notebook
    el.addEventListener("keydown", (event) => event.stopPropagation(), { signal: end.signal });
    followTheme(model, this.root, end.signal);
    this.timer = 0;
    this.isFollowing = false;
    this.panel = new Panel(data, { scope, root: this.root, keys: scope, changed: () => this.changed(), signal: end.signal });
    this.addControls();
    this.panel.game.load(model.get("_game"));
    this.panel.show();
    const listen = (name, listener) => {
      model.on(name, listener);
      end.signal.addEventListener("abort", () => model.off(name, listener));
    };
    listen("change:_game", () => this.follow());
    listen("change:_solution", () => this.showSolution());
    listen("msg:custom", (content) => this.hear(content));
    end.signal.addEventListener("abort", () => this.stop());
  }

  addControls() {
    const { controls, panel } = this, { playing, game } = panel;
    panel.controls.line.after(controls.solution);
    panel.controls.text.after(controls.solve);
    const go = (made) => {
      this.stop();
      playing.goTo(Math.max(0, Math.min(made, game.texts.length)));
    };
    controls.solve.addEventListener("click", () => {
      if (game.isSolved) return;
      panel.say("Looking for a solution …");
      this.model.send({ ask: "solve" });
    });
    controls.back.addEventListener("click", () => go(game.made - 1));
    controls.next.addEventListener("click", () => go(game.made + 1));
    controls.scrub.addEventListener("input", () => go(this.model.get("_solution").from + Number(controls.scrub.value)));
    controls.run.addEventListener("click", () => (this.timer ? this.stop() : this.run()));
  }

  // ---- the model ----

  // The game changed here: tell the model, unless it said so itself.
  changed() {
    this.showSolution();
    if (this.isFollowing) return;
    this.model.set("_game", this.panel.game.save());
    this.model.save_changes();
  }

  // The game changed elsewhere: in Python, or in another view.
  follow() {
    const { panel } = this, { game, playing } = panel, there = this.model.get("_game"), here = game.save();
    if (isSame(there, here)) return;
    this.isFollowing = true;
    const common = here.moves.findIndex((text, k) => text !== there.moves[k]);
    const shared = there.start === here.start ? Math.min(here.made, there.made, common < 0 ? here.made : common) : there.made;
    playing.unpeek();
    if (game.load({ ...there, made: shared })) {
      if (here.start !== there.start) panel.clock.reset();
      playing.view.show(game.state, true);
      if (game.made !== there.made) playing.goTo(there.made);
      else playing.update({ isNew: true });
      panel.sayStatus();
    }
    this.isFollowing = false;
  }

  hear({ say }) {
    if (say) this.panel.say(say);
  }

  // ---- the solution ----

  showSolution() {
    const { controls, panel } = this, { game } = panel, solution = this.model.get("_solution");
    const isOn = solution.moves && game.made >= solution.from && solution.moves.length + solution.from === game.texts.length &&
      solution.moves.every((text, k) => game.texts[solution.from + k] === text);
    controls.solution.hidden = !isOn;
    controls.solve.setAttribute("aria-disabled", String(game.isSolved || !(panel.puzzle.goal || panel.puzzle.floor)));
    if (!isOn) {
      this.stop();
      return;
    }
    const made = game.made - solution.from;
    controls.scrub.max = String(solution.moves.length);
    controls.scrub.value = String(made);
    controls.step.textContent = `${made} / ${solution.moves.length}`;
    controls.back.setAttribute("aria-disabled", String(!made));
    controls.next.setAttribute("aria-disabled", String(made === solution.moves.length));
    if (made === solution.moves.length) this.stop();
  }

  run() {
    const { playing, game } = this.panel;
    if (game.made === game.texts.length) playing.goTo(this.model.get("_solution").from);
    this.root.dataset.running = "true";
    this.timer = setInterval(() => playing.redo(), STEP);
    playing.redo();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = 0;
    this.root.dataset.running = "false";
  }
}

function render({ model, el }) {
  const widget = new Widget(model, el);
  return () => widget.end.abort();
}

export default { render };
