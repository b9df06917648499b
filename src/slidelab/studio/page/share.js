// The panel for sharing: links, texts, code to embed, files to save, and what others saved.
import { connection, Job, postFor, request } from "./api.js";
import { copyText, download, find, make } from "./dom.js";

const MAX_FILE = 1000000; // bytes of a file that is read: more than the server takes
const FORMATS = [
  ["svg", "SVG", "picture"],
  ["png", "PNG", "picture"],
  ["pdf", "PDF", "picture to print"],
  ["gif", "GIF", "film of the moves"],
  ["mp4", "MP4", "film of the moves"],
  ["html", "HTML", "page to play on, in one file"],
  ["json", "JSON", "for programs"],
  ["3mf", "3MF", "parts for a 3D printer"],
];

/**
 * @param {import("./session.js").Session} session
 * @param {any} panel
 */
export function addPanel(session, panel) {
  const field = (/** @type {string} */ id, /** @type {string} */ label) =>
    make("textarea", { id, rows: 2, readonly: "", spellcheck: "false", "aria-label": label });
  const link = field("share-link", "link"),
    position = field("share-position", "position as text"),
    embed = field("share-embed", "code to embed");
  const status = make("p", { class: "note", role: "status", id: "share-status" });
  const problem = make("p", { class: "problem", role: "alert", id: "import-problem" });

  /** @param {any} area @param {string} name */
  const copier = (area, name) =>
    make(
      "button",
      {
        type: "button",
        class: "plain",
        id: `copy-${name}`,
        onclick: async () => {
          status.textContent = (await copyText(area.value)) ? `Copied the ${name}.` : "Press Ctrl+C to copy.";
          area.select();
        },
      },
      "Copy",
    );
  const row = (/** @type {string} */ title, /** @type {any} */ area, /** @type {string} */ name) =>
    make(
      "div",
      { class: "stack" },
      make("div", { class: "lead flat" }, make("h2", {}, title), copier(area, name)),
      area,
    );

  const theme = make(
    "select",
    { id: "export-theme", "aria-label": "colours of the files" },
    ["light", "dark", "print"].map((name) => make("option", { value: name }, name)),
  );
  const exports = make(
    "div",
    { class: "exports" },
    FORMATS.map(([format, name, about]) =>
      make(
        "button",
        {
          type: "button",
          class: "plain export",
          "data-format": format,
          onclick: () => save(format, name),
        },
        make("b", {}, name),
        make("span", {}, about),
      ),
    ),
  );

  const paste = make("textarea", {
    id: "import-text",
    rows: 3,
    spellcheck: "false",
    placeholder: "A puzzle, a position, a solution: text or JSON",
    "aria-label": "a puzzle to open",
  });
  const file = make("input", {
    type: "file",
    id: "import-file",
    accept: ".json,.txt,application/json,text/plain",
    class: "offscreen",
    "aria-label": "file to open",
  });
  panel.append(
    make(
      "section",
      { class: "block" },
      row("Link", link, "link"),
      make("p", { class: "note" }, "It holds the puzzle, the position and your moves."),
      row("Position", position, "position"),
      status,
    ),
    make(
      "section",
      { class: "block" },
      make("div", { class: "lead" }, make("h2", {}, "Save as"), theme),
      exports,
      make("p", { class: "note", id: "export-status", role: "status" }),
    ),
    make(
      "section",
      { class: "block" },
      row("Embed", embed, "embed"),
      make("p", { class: "note" }, "Save the HTML file beside your page; it needs no server."),
    ),
    make(
      "section",
      { class: "block", "aria-labelledby": "import-name" },
      make("h2", { id: "import-name" }, "Open"),
      paste,
      make(
        "div",
        { class: "rowed" },
        make("button", { type: "button", class: "main", id: "import", onclick: () => open(paste.value) }, "Open"),
        make("button", { type: "button", class: "plain", onclick: () => file.click() }, "From a file …"),
        file,
      ),
      make("p", { class: "note" }, "Or drop a file anywhere on this page."),
      problem,
    ),
  );

  // ---- links ----

  function show() {
    if (!session.playing) return;
    link.value = `${location.origin}${location.pathname}${session.fragment}`;
    position.value = session.text;
    const { width, height } = session.playing.data,
      name = fileName("html");
    const title = (session.title || session.info.puzzle).replace(/["&<>]/g, "");
    const size = `width="${Math.max(360, Math.round(width))}" height="${Math.round(height) + 220}"`;
    embed.value = `<iframe src="${name}" title="${title}" ${size}></iframe>`;
  }

  /** @param {string} format */
  const fileName = (format) =>
    `${
      (session.title || session.info.puzzle)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-+|-+$/g, "")
        .slice(0, 60) || "puzzle"
    }.${format}`;

  // ---- files ----

  let isSaving = false;

  /** @param {string} format @param {string} name */
  async function save(format, name) {
    if (isSaving || !session.playing) return;
    const said = find("export-status");
    if (!connection.isOnline) {
      said.textContent = "The server is gone; files come back with it.";
      return;
    }
    isSaving = true;
    said.textContent = `Making the ${name} …`;
    const { game, puzzle } = session,
      isFilm = ["gif", "mp4"].includes(format);
    const moves = isFilm ? game.texts : game.texts.slice(0, game.made);
    const isStory = isFilm || format === "json";
    const body = {
      position: isStory ? puzzle.text(game.start) : session.text,
      ...(session.goalText ? { goal: session.goalText } : {}),
      ...(isStory && moves.length ? { moves } : {}),
      ...(session.places ? { positions: session.places } : {}),
      format,
      theme: theme.value,
    };
    try {
      let answer = await postFor("api/export", body, { timeout: 60000 });
      if (answer.status === 202) {
        const job = Job.follow(await answer.json(), {
          progress: (event) => {
            said.textContent = `${event.text || `Making the ${name}`} …`;
          },
        });
        await job.result;
        answer = await request(`api/jobs/${job.id}/file`, {}, 60000);
      }
      download(await answer.blob(), fileName(format));
      said.textContent = `Saved ${fileName(format)}.`;
    } catch (error) {
      said.textContent = /** @type {Error} */ (error).message;
    } finally {
      isSaving = false;
    }
  }

  // ---- opening ----

  /** @param {string} text */
  async function open(text) {
    problem.textContent = "";
    if (await session.commands.open(text)) {
      paste.value = "";
      return;
    }
    problem.textContent = find("source-error").textContent || "There is nothing to open.";
  }
  file.addEventListener("change", async () => {
    if (file.files[0])
      await readFile(session, file.files[0], (message) => {
        problem.textContent = message;
      });
    file.value = "";
  });

  session.addEventListener("change", show);
  return { show };
}

/**
 * Open the text of a file.
 * @param {import("./session.js").Session} session
 * @param {File} file
 * @param {(message: string) => void} complain
 */
export async function readFile(session, file, complain) {
  if (file.size > MAX_FILE) {
    complain(`${file.name} is too large for a puzzle.`);
    return;
  }
  if (!(await session.commands.open(await file.text()))) {
    complain(find("source-error").textContent || `${file.name} is empty.`);
  }
}
