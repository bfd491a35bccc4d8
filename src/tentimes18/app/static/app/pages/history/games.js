// The own games, the latest first: what was played, what it made and cost, and the way to go on or to review it.
import { html, useRef, useState } from "../../html.js";
import { Away, Problem, get } from "../../core/api.js";
import { link } from "../../core/links.js";
import { shownCost } from "../../parts/costs.js";
import { Empty, Failed, Loading } from "../../parts/notes.js";
import { told } from "../../parts/scale.js";
import { kindWords, stateWords, whenWords } from "./words.js";

const FIRST = 12; // games
const MORE = 200;
const KINDS = [["", "All"], ["solo", "Solo"], ["daily", "Daily"], ["duel", "Duels"]];

/** Where the service has the latest games. */
export const firstPath = () => historyPath(FIRST);

function historyPath(limit, kind = "", before = null) {
  return `/me/history?${new URLSearchParams({ limit: String(limit), ...(kind && { kind }), ...(before && { before }) })}`;
}

/**
 * The list.
 * @param {{first: {games: object[], next: string | null}, hasOthers: boolean}} props  first: the latest, of GET /me/history, which
 *   come with the page, so that nothing moves; hasOthers: whether there are games that came as records
 */
export function Games({ first, hasOthers }) {
  const [kind, setKind] = useState("");
  const [{ games, next, status }, show] = useState({ ...first, status: "ready" });
  const asked = useRef(0); // counts what was asked for: the last one is shown
  const load = async (wanted, before, limit) => {
    const time = (asked.current += 1);
    show((now) => ({ ...now, status: "loading" }));
    try {
      const page = await get(historyPath(limit, wanted, before));
      if (time === asked.current) show((now) => ({ games: before ? [...now.games, ...page.games] : page.games, next: page.next, status: "ready" }));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      if (time === asked.current) show((now) => ({ games: before ? now.games : [], next: before, status: "failed" }));
    }
  };
  const pick = (wanted) => {
    setKind(wanted);
    load(wanted, null, FIRST);
  };
  return html`<section class="stack own-games"><div class="row between"><h2>Your games</h2>
      <div class="seg" role="group" aria-label="Which games">${KINDS.map(([name, label]) => html`<button type="button" key=${name} aria-pressed=${String(kind === name)} onClick=${() => pick(name)}>${label}</button>`)}</div></div>
    ${games.length > 0 && html`<p class="s muted">The score, and below it what your moves gave up on average.</p>
      <ul class="games" aria-busy=${String(status === "loading")} aria-label="Your games, latest first">${games.map((game) => html`<${Game} key=${game.id} game=${game} />`)}</ul>`}
    ${status === "ready" && !games.length && html`<${Empty} lead=${kind || hasOthers ? "None of these yet." : "Nothing played yet."} text="Every game you play is kept here, with what it made and what the moves cost."
      action="Play a game" href=${link(kind === "daily" || kind === "duel" ? kind : "play")} />`}
    ${status === "loading" && !games.length && html`<${Loading} text="Fetching your games…" />`}
    ${status === "failed" && html`<${Failed} what="Your games did not come." safe="They are kept by the service." again=${() => load(kind, next, next ? MORE : FIRST)} />`}
    ${status !== "failed" && next && html`<button type="button" class="btn quiet small" disabled=${status === "loading"} onClick=${() => load(kind, next, MORE)}>Older games</button>`}
  </section>`;
}

function Game({ game }) {
  const { id, kind, finished, score, loss } = game;
  const href = finished && kind !== "duel" ? link("review", { id }) : link("game", { id });
  const state = stateWords(game);
  return html`<li><a href=${href}>
    <span class="what"><b>${kindWords(game)}</b><span class="s muted">${whenWords(finished ?? game.created)}${state && `, ${state}`}</span></span>
    ${finished ? html`<span class="made"><b>${score === null ? "" : told(score)}</b>${loss !== null && html`<span class=${loss ? "cost" : "cost ok"}>${loss ? `−${shownCost(loss)}` : "no mistake"}</span>`}</span>`
      : html`<span class="made go">Go on</span>`}
  </a></li>`;
}
