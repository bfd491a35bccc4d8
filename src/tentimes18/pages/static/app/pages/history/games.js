// The own games, the latest first: what was played, what it made and cost, and the way to go on or to review it.
import { html, useEffect, useState } from "../../html.js";
import { Away, Problem, get } from "../../core/api.js";
import { link } from "../../core/links.js";
import { shownCost } from "../../parts/costs.js";
import { Empty, Failed, Loading } from "../../parts/notes.js";
import { told } from "../../parts/scale.js";
import { kindWords, stateWords, whenWords } from "./words.js";

const FIRST = 12;
const MORE = 200;
const KINDS = [["", "All"], ["solo", "Solo"], ["daily", "Daily"], ["duel", "Duels"]];

/** The list. @param {{hasOthers: boolean}} props  whether there are games that came as records */
export function Games({ hasOthers }) {
  const [kind, setKind] = useState("");
  const [{ games, next, status }, show] = useState({ games: [], next: null, status: "loading" });
  const load = async (before, limit) => {
    show((now) => ({ ...now, status: "loading" }));
    try {
      const query = new URLSearchParams({ limit: String(limit), ...(kind && { kind }), ...(before && { before }) });
      const page = await get(`/me/history?${query}`);
      show((now) => ({ games: before ? [...now.games, ...page.games] : page.games, next: page.next, status: "ready" }));
    } catch (error) {
      if (!(error instanceof Away || error instanceof Problem)) throw error;
      show((now) => ({ ...now, status: "failed" }));
    }
  };
  useEffect(() => {
    show({ games: [], next: null, status: "loading" });
    load(null, FIRST);
  }, [kind]);
  return html`<section class="stack own-games"><div class="row between"><h2>Your games</h2>
      <div class="seg" role="group" aria-label="Which games">${KINDS.map(([name, label]) => html`<button type="button" key=${name} aria-pressed=${String(kind === name)} onClick=${() => setKind(name)}>${label}</button>`)}</div></div>
    ${games.length > 0 && html`<ul class="games" aria-label="Your games, latest first">${games.map((game) => html`<${Game} key=${game.id} game=${game} />`)}</ul>`}
    ${status === "ready" && !games.length && html`<${Empty} lead=${kind || hasOthers ? "None of these yet." : "Nothing played yet."} text="Every game you play is kept here, with what it made and what the moves cost."
      action="Play a game" href=${link(kind === "daily" || kind === "duel" ? kind : "play")} />`}
    ${status === "loading" && !games.length && html`<${Loading} text="Fetching your games…" />`}
    ${status === "failed" && html`<${Failed} what="Your games did not come." safe="They are kept by the service." again=${() => load(games.length ? next : null, games.length ? MORE : FIRST)} />`}
    ${status !== "failed" && next && html`<button type="button" class="btn quiet small" disabled=${status === "loading"} onClick=${() => load(next, MORE)}>Older games</button>`}
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
