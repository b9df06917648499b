// The server: requests, jobs with events, and whether it is there at all.

const TIMEOUT = 20000; // milliseconds for an answer; long work is done in jobs
const PAUSES = [500, 1000, 2000]; // milliseconds before a busy server is asked again
const POLL = 2500; // milliseconds between two attempts to find the server again

export class ServerError extends Error {
  /** @param {string} message @param {number} status */
  constructor(message, status) {
    super(message);
    this.status = status; // 0 if there was no answer
  }
}

/** Says `change` when the server is gone, and when it is back. */
class Connection extends EventTarget {
  constructor() {
    super();
    this.isOnline = true;
    this.polling = 0;
  }

  /** @param {boolean} isOnline */
  set(isOnline) {
    if (!isOnline && !this.polling) this.polling = setInterval(() => this.poll(), POLL);
    if (isOnline) {
      clearInterval(this.polling);
      this.polling = 0;
    }
    if (isOnline === this.isOnline) return;
    this.isOnline = isOnline;
    this.dispatchEvent(new Event("change"));
  }

  async poll() {
    try {
      if ((await fetch("api/health", { cache: "no-store" })).ok) this.set(true);
    } catch {
      // still gone
    }
  }
}

export const connection = new Connection();

/**
 * The answer to a request. A server that is busy is asked again, after each of some pauses.
 * @param {string} path
 * @param {RequestInit} [options]
 * @param {number} [timeout]
 * @param {number[]} [pauses] milliseconds
 */
export async function request(path, options = {}, timeout = TIMEOUT, pauses = PAUSES) {
  for (const pause of pauses) {
    try {
      return await requestOnce(path, options, timeout);
    } catch (error) {
      if (error.status !== 503) throw error;
    }
    await new Promise((done) => {
      setTimeout(done, pause);
    });
  }
  return requestOnce(path, options, timeout);
}

/** @param {string} path @param {RequestInit} options @param {number} timeout */
async function requestOnce(path, options, timeout) {
  const limit = AbortSignal.timeout(timeout);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  let answer;
  try {
    answer = await fetch(path, { ...options, signal });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    if (limit.aborted) throw new ServerError("The server took too long to answer.", 0);
    connection.set(false);
    throw new ServerError("The server does not answer.", 0);
  }
  connection.set(true);
  if (answer.ok) return answer;
  let message = `The server answered with status ${answer.status}.`;
  try {
    message = sentence((await answer.json()).error) || message;
  } catch {
    // no JSON: the status is all there is
  }
  throw new ServerError(message, answer.status);
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await request(path)).json();

/**
 * @typedef {object} Patience
 * @property {AbortSignal} [signal]
 * @property {number} [timeout]
 * @property {number[]} [pauses]
 */

/** @param {string} path @param {any} body @param {Patience} [options] */
export const post = async (path, body, options) => (await postFor(path, body, options)).json();

/** The answer to a post, of any type. @param {string} path @param {any} body @param {Patience} [options] */
export const postFor = (path, body, { signal, timeout, pauses } = {}) =>
  request(
    path,
    {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    },
    timeout,
    pauses,
  );

/** The text with a capital letter. @param {unknown} text */
export function sentence(text) {
  const words = typeof text === "string" ? text : "";
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Long work on the server. The functions `progress` and `best` are called with what it says on the way.
 *
 * @typedef {object} Listeners
 * @property {(event: any) => void} [progress]
 * @property {(event: any) => void} [best]
 */
export class Job {
  /** @param {string} kind @param {any} options @param {Listeners} [listeners] */
  constructor(kind, options, listeners = {}) {
    this.listeners = listeners;
    this.id = "";
    this.isCancelled = false;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {Promise<any>} the result; rejected with a ServerError, and never settled once cancelled */
    this.result = this.run(options.id ? options : post("api/jobs", { kind, ...options }));
  }

  /**
   * A job that the server has begun already.
   * @param {{id: string, events: string}} begun
   * @param {Listeners} [listeners]
   */
  static follow(begun, listeners) {
    return new Job("", begun, listeners);
  }

  /** @param {any} begun */
  async run(begun) {
    const { id, events } = await begun;
    this.id = id;
    if (this.isCancelled) this.forget();
    return new Promise((done, failed) => {
      if (!this.isCancelled) this.listen(events, done, failed);
    });
  }

  /** @param {string} events @param {(value: any) => void} done @param {(error: Error) => void} failed */
  listen(events, done, failed) {
    const source = (this.source = new EventSource(events.replace(/^\//, "")));
    for (const name of /** @type {const} */ (["progress", "best"])) {
      source.addEventListener(name, (event) => this.listeners[name]?.(JSON.parse(event.data)));
    }
    source.addEventListener("result", (event) => {
      source.close();
      done(JSON.parse(event.data));
    });
    source.addEventListener("error", (/** @type {any} */ event) => {
      if (event.data) {
        // said by the server
        source.close();
        failed(new ServerError(sentence(JSON.parse(event.data).error) || "The server gave up.", 200));
      } else if (source.readyState === EventSource.CLOSED) {
        connection.poll().then(() => failed(new ServerError("The server forgot this work.", 404)));
      } else {
        connection.set(false); // the browser tries again
      }
    });
    source.addEventListener("open", () => connection.set(true));
  }

  cancel() {
    if (this.isCancelled) return;
    this.isCancelled = true;
    this.source?.close();
    if (this.id) this.forget();
  }

  forget() {
    fetch(`api/jobs/${this.id}`, { method: "DELETE", keepalive: true }).catch(() => {});
  }
}
