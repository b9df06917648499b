// The block for a start or a goal of one's own, by arranging pieces at will.
import { Arrangement } from "./arrange.js";
import { make } from "./dom.js";

/** @param {import("./session.js").Session} session */
export function addArranging(session) {
  const arrange = make(
    "button",
    { type: "button", class: "plain", id: "arrange", "aria-pressed": "false" },
    "Arrange pieces",
  );
  const useStart = make("button", { type: "button", class: "plain", id: "use-start", hidden: true }, "Use as start");
  const useGoal = make("button", { type: "button", class: "plain", id: "use-goal", hidden: true }, "Use as goal");
  const hereGoal = make("button", { type: "button", class: "plain", id: "here-goal" }, "Position is the goal");
  const block = make(
    "section",
    { class: "block", "aria-labelledby": "arrange-name" },
    make("h2", { id: "arrange-name" }, "Start and goal"),
    make(
      "p",
      { class: "note" },
      "Drag pieces where you want them: onto each other to swap. A click turns a piece with two ends.",
    ),
    make("div", { class: "rowed" }, arrange, useStart, useGoal, hereGoal),
  );

  /** @type {Arrangement | null} */
  let arrangement = null;

  /** @param {boolean} isOn */
  function setArranging(isOn) {
    if (isOn === Boolean(arrangement) || !session.playing) return;
    if (isOn) arrangement = new Arrangement(session);
    else {
      arrangement?.close();
      arrangement = null;
    }
    showButtons(isOn);
    session.say(isOn ? "Put the pieces where you like." : "");
  }

  /** @param {boolean} isOn */
  function showButtons(isOn) {
    arrange.setAttribute("aria-pressed", String(isOn));
    arrange.textContent = isOn ? "Cancel" : "Arrange pieces";
    useStart.hidden = useGoal.hidden = !isOn;
    hereGoal.hidden = isOn;
  }
  arrange.addEventListener("click", () => setArranging(!arrangement));
  for (const [button, isGoal] of [
    [useStart, false],
    [useGoal, true],
  ]) {
    button.addEventListener("click", () => {
      if (!arrangement) return;
      const state = session.puzzle.named(arrangement.state);
      setArranging(false);
      if (isGoal) setGoal(state);
      else session.begin(state, "A start of your own");
    });
  }
  /** @param {Int32Array} state */
  function setGoal(state) {
    session.setGoal(state);
    session.say("This is the goal now.");
  }
  hereGoal.addEventListener("click", () => session.playing && setGoal(session.game.state));

  session.addEventListener("puzzle", () => {
    if (!arrangement) return;
    arrangement.controller.abort(); // its board is gone
    document.body.toggleAttribute("data-keys", false);
    arrangement = null;
    showButtons(false);
  });
  return {
    block,
    close: () => setArranging(false),
    get isOn() {
      return arrangement !== null;
    },
  };
}
