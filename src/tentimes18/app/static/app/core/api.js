// Requests to the server: JSON under /api/v1. A rejected request throws a Problem; an unreachable or failing server, Away.
import { isStatic, noteReached } from "./online.js";
import { ROOT } from "./links.js";
import { texts } from "../texts.js";

const API = "api/v1";
const SECONDS = 15;
const PAUSES = [300, 1200]; // ms, before what is idempotent is sent again
const LONGEST_WAIT = 5; // s: what the service asks for, and we are ready to wait
// Sent twice, these change no more than sent once: docs/reference/http.md.
const IDEMPOTENT = [/^GET /, /^PATCH \/me$/, /^DELETE /, /^POST \/games\/[^/]+\/moves$/, /^POST \/daily$/, /^POST \/me\/games$/, /^POST \/duels\/[^/]+\/join$/];

/** What the service says is wrong with a request (RFC 9457), in the player's language. */
export class Problem extends Error {
  constructor({ status, title, detail, field = null, type = "" }) {
    super(texts.problems.words(detail || title, field, type.split("#").at(-1)));
    this.name = "Problem";
    Object.assign(this, { status, title, detail: this.message, field, type });
  }
}

/** Nobody answered, or the service is at fault; nothing is known to have changed. `why`: "offline", "slow", "fault", "static". */
export class Away extends Error {
  constructor(why, detail = "", retryAfter = 0) {
    super(detail || why);
    this.name = "Away";
    Object.assign(this, { why, detail, retryAfter });
  }
}

/** An error that a page has to expect: the server rejects a request, or is away. Any other is thrown again. @param {Error} error */
export function expected(error) {
  if (!(error instanceof Away || error instanceof Problem)) throw error;
  return error;
}

/** @param {string} path below /api/v1, such as "/games" */
export const get = (path, options) => ask("GET", path, undefined, options);
/** @param {string} path */
export const post = (path, body, options) => ask("POST", path, body, options);
/** @param {string} path */
export const patch = (path, body, options) => ask("PATCH", path, body, options);
/** @param {string} path */
export const del = (path, options) => ask("DELETE", path, undefined, options);

/** The address of a part of the API, for links to download and streams of events. @param {string} path */
export const apiAddress = (path) => `${ROOT}${API}${path}`;

/**
 * Ask, and again where that is harmless.
 * @param {{signal?: AbortSignal, retries?: number, type?: string, seconds?: number}} [options]  type: of a body that is a
 *   text of its own. seconds: how long one try may take
 * @returns {Promise<any>} the JSON of the answer, or its text where it is something else
 */
async function ask(method, path, body, { signal, retries = PAUSES.length, type, seconds = SECONDS } = {}) {
  if (isStatic) throw new Away("static");
  const isHarmless = IDEMPOTENT.some((rule) => rule.test(`${method} ${path.split("?")[0]}`));
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await askOnce(method, path, body, { type, signal, seconds });
      noteReached(true);
      return answer;
    } catch (error) {
      if (error instanceof Away && error.why !== "fault") noteReached(false);
      if (signal?.aborted) throw error;
      const wait = waitFor(error, isHarmless, attempt, retries);
      if (wait === null) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/** How many milliseconds to wait before asking again, or null. */
function waitFor(error, isHarmless, attempt, retries) {
  if (attempt >= Math.min(retries, PAUSES.length)) return null;
  if (error.retryAfter) return error.retryAfter <= LONGEST_WAIT ? error.retryAfter * 1000 : null; // it was rejected unread
  return error instanceof Away && isHarmless && navigator.onLine ? PAUSES[attempt] : null;
}

async function askOnce(method, path, body, { type, signal, seconds }) {
  const limit = AbortSignal.timeout(seconds * 1000);
  const headers = body === undefined ? {} : { "content-type": type ?? "application/json" };
  let response;
  let text;
  try {
    response = await fetch(apiAddress(path), {
      method,
      headers,
      body: body === undefined || type ? body : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Away(limit.aborted ? "slow" : "offline");
  }
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get("content-type") ?? "");
  const answer = isJson && text ? JSON.parse(text) : text;
  if (response.ok) return answer;
  const retryAfter = Number(response.headers.get("retry-after")) || 0;
  if (response.status >= 500 || !isJson) throw new Away("fault", answer?.detail ?? "", retryAfter);
  throw Object.assign(new Problem(answer), { retryAfter });
}
