// Solutions: the server finds one, and it becomes the moves that can be made next, to be watched, stepped and scrubbed.
import { connection, Job } from "./api.js";
import { disable, find, icon, isDisabled, make } from "./dom.js";
import { keep, recall } from "./memory.js";
import { plural } from "./playing.js";

const MAX_LISTED = 1200; // moves in the list; of longer solutions those around the current one are listed
const GAP = 60; // milliseconds between a move that has ended and the next
const SPEEDS = [
  ["slow", 900],
  ["normal", 380],
  ["fast", 210],
  ["at once", 40],
];

/** @param {import("./session.js").Session} session */
export function addSolver(session) {
  const solve = make(
    "button",
    { type: "button", class: "main", id: "solve" },
    icon("solve"),
    make("span", {}, "Solve"),
  );
  const cancel = make("button", { type: "button", class: "plain", id: "solve-cancel", hidden: true }, "Stop");
  const seconds = make(
    "select",
    { id: "solve-time", "aria-label": "time for solving" },
    [5, 20, 60, 300].map((value) =>
      make("option", { value, selected: value === 20 }, value < 60 ? `${value} s` : `${value / 60} min`),
    ),
  );
  const status = make(
    "p",
    { class: "note", id: "solve-status", role: "status" },
    "Finds a shortest solution where that can be proved, and a good one elsewhere.",
  );
  const player = make("div", { class: "player", hidden: true, "data-keys": "" });
  const block = make(
    "section",
    { class: "block", "aria-labelledby": "solve-name" },
    make(
      "div",
      { class: "lead" },
      make("h2", { id: "solve-name" }, "Solution"),
      make("div", { class: "rowed" }, seconds, cancel, solve),
    ),
    status,
    player,
  );

  // ---- finding ----

  /** @type {Job | null} */
  let job = null;

  function setBusy(/** @type {boolean} */ isBusy) {
    cancel.hidden = !isBusy;
    disable(solve, isBusy);
  }

  function stop() {
    job?.cancel();
    job = null;
    setBusy(false);
  }

  solve.addEventListener("click", async () => {
    if (isDisabled(solve) || !session.playing) return;
    if (session.game.isSolved) {
      status.textContent = "This is the goal already.";
      return;
    }
    if (!connection.isOnline) {
      status.textContent = "The server is gone. Hints still work.";
      return;
    }
    stop();
    session.playing.unpeek();
    const { game } = session,
      from = game.made,
      state = game.state;
    setBusy(true);
    status.textContent = "Searching …";
    const own = (job = new Job(
      "solve",
      { ...session.question, options: { time: Number(seconds.value) } },
      {
        progress: (event) => {
          status.textContent = `${event.text || "Searching"} …`;
        },
        best: (event) => {
          status.textContent =
            `Found one with ${plural(event.length, "move")}` +
            `${event.bound ? `; at least ${event.bound} are needed` : ""}. Looking for a shorter one …`;
        },
      },
    ));
    try {
      const result = await own.result;
      if (session.game !== game || game.state !== state) return;
      session.setSolution({
        from,
        texts: result.texts,
        words: result.words || [],
        isOptimal: Boolean(result.optimal),
        method: result.method || "",
        left: result.distances_left || null,
      });
      session.say(`${sentenceOf(session)} Press play to watch it.`);
      player.querySelector("#solution-play")?.focus();
    } catch (error) {
      status.textContent = /** @type {Error} */ (error).message;
    } finally {
      if (job === own) {
        job = null;
        setBusy(false);
      }
    }
  });
  cancel.addEventListener("click", () => {
    stop();
    status.textContent = "Stopped.";
  });
  session.addEventListener("change", () => {
    if (job) {
      stop();
      status.textContent = "Stopped, because you moved.";
    }
  });
  session.addEventListener("puzzle", stop);

  // ---- watching ----

  const play = make("button", { type: "button", id: "solution-play", "aria-label": "play" }, icon("play"));
  const back = make("button", { type: "button", id: "solution-back", "aria-label": "one move back" }, icon("back"));
  const next = make("button", { type: "button", id: "solution-next", "aria-label": "one move on" }, icon("next"));
  const scrub = make("input", {
    type: "range",
    id: "solution-scrub",
    min: 0,
    step: 1,
    "aria-label": "move of the solution",
  });
  const speed = make(
    "select",
    { id: "solution-speed", "aria-label": "speed" },
    SPEEDS.map(([name, value]) => make("option", { value }, name)),
  );
  speed.value = String(recall("speed") || 380);
  const list = make("ol", { class: "moves", id: "solution-moves", "aria-label": "moves of the solution" });
  player.append(
    make("div", { class: "rowed" }, back, play, next, make("span", { class: "grow" }), speed),
    scrub,
    list,
  );
  let timer = 0;
  let isPlaying = false;

  /** @param {boolean} wanted */
  function setPlaying(wanted) {
    isPlaying = wanted;
    play.replaceChildren(icon(wanted ? "pause" : "play"));
    play.setAttribute("aria-label", wanted ? "pause" : "play");
    document.documentElement.dataset.playing = String(wanted);
    clearTimeout(timer);
    if (wanted) tick();
  }

  function tick() {
    const { game, solution } = session;
    if (!isPlaying || !solution) return;
    if (game.made >= game.texts.length) {
      setPlaying(false);
      return;
    }
    session.playing.goTo(game.made + 1);
    timer = setTimeout(tick, Math.max(GAP, Number(speed.value)));
  }

  const at = () => session.game.made - (session.solution?.from || 0);
  /** @param {number} k */
  const goTo = (k) => {
    const { solution } = session;
    if (!solution) return;
    setPlaying(false);
    session.playing.goTo(solution.from + Math.max(0, Math.min(solution.texts.length, k)));
  };
  play.addEventListener("click", () => {
    if (!isPlaying && session.solution && at() >= session.solution.texts.length)
      session.playing.goTo(session.solution.from);
    setPlaying(!isPlaying);
  });
  back.addEventListener("click", () => goTo(at() - 1));
  next.addEventListener("click", () => goTo(at() + 1));
  scrub.addEventListener("input", () => goTo(Number(scrub.value)));
  speed.addEventListener("change", () => keep("speed", Number(speed.value)));
  list.addEventListener("click", (/** @type {any} */ event) => {
    const button = event.target.closest("button");
    if (button) goTo(Number(button.dataset.k));
  });

  function show() {
    const { solution } = session;
    player.hidden = !solution;
    if (!solution) {
      setPlaying(false);
      if (!job && status.dataset.solution)
        status.textContent = "Finds a shortest solution where that can be proved, and a good one elsewhere.";
      delete status.dataset.solution;
      list.replaceChildren();
      return;
    }
    status.textContent = sentenceOf(session);
    status.dataset.solution = "true";
    scrub.max = solution.texts.length;
    fillList(true);
    mark();
  }

  let listed = [0, 0];

  /** @param {boolean} isNew */
  function fillList(isNew) {
    const { solution } = session;
    if (!solution) return;
    const count = solution.texts.length,
      here = at();
    if (!isNew && here >= listed[0] && here <= listed[1]) return;
    const first = count <= MAX_LISTED ? 0 : Math.max(0, here - MAX_LISTED / 2);
    const last = Math.min(count, first + MAX_LISTED);
    listed = [first, last];
    list.setAttribute("start", first + 1);
    list.replaceChildren(
      ...solution.texts
        .slice(first, last)
        .map((text, k) =>
          make(
            "li",
            {},
            make(
              "button",
              { type: "button", "data-k": first + k + 1, title: text },
              solution.words[first + k] || text,
            ),
          ),
        ),
    );
  }

  function mark() {
    const { solution } = session;
    if (!solution) return;
    fillList(false);
    const k = at();
    scrub.value = k;
    scrub.setAttribute("aria-valuetext", `${k} of ${plural(solution.texts.length, "move")}`);
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = list.querySelector(`[data-k="${k}"]`);
    button?.setAttribute("aria-current", "step");
    if (button) list.scrollTop = button.parentElement.offsetTop - list.offsetTop - list.clientHeight / 2;
    else list.scrollTop = 0;
    disable(back, k <= 0);
    disable(next, k >= solution.texts.length);
  }

  session.addEventListener("solution", show);
  session.addEventListener("change", mark);
  if (session.playing) show();
  return { block };
}

/** @param {import("./session.js").Session} session */
function sentenceOf({ solution }) {
  if (!solution) return "";
  const { texts, isOptimal, method } = solution;
  if (method === "imported") return `${plural(texts.length, "move")} that came with the puzzle.`;
  return isOptimal
    ? `${plural(texts.length, "move")}: optimal, no shorter solution exists.`
    : `${plural(texts.length, "move")}; whether a shorter solution exists is not proved.`;
}
